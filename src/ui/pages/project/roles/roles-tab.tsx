import { useState, type ReactElement } from 'react';
import type { ProjectRole } from '../../../../contract/gen/types.ts';
import { Badge, Button, EmptyState, UserText } from '../../../design/index.ts';
import { withField } from '../project-form.ts';
import { usePropose } from '../review.tsx';
import { useCanUpdate, useShown } from '../use-project.ts';
import { readRows } from './policy-line.ts';
import { RoleDialog } from './role-dialog.tsx';
import { RoleTokens } from './role-tokens.tsx';
import './roles.css';

/** Who may do what within the project, and the tokens of machines that do. */
export function RolesTab(): ReactElement {
  const { spec } = useShown();
  const canUpdate = useCanUpdate();
  const [edited, setEdited] = useState<ProjectRole | 'new'>();
  const roles = spec.roles ?? [];
  const add = (
    <Button look="primary" icon="plus" permission={canUpdate} onClick={() => setEdited('new')}>
      New role
    </Button>
  );
  return (
    <div className="stack">
      {roles.length === 0 ? (
        <EmptyState icon="users" title="No roles" action={add}>
          A role gives groups of people, or machines with a token of it, rights within this project only. Make one for a team, or for what
          deploys after a build.
        </EmptyState>
      ) : (
        <>
          <div className="row">
            <p className="soft grow">Rights within this project only: for groups of people, and for machines with a token.</p>
            {add}
          </div>
          {roles.map((role) => (
            <Role key={role.name} role={role} onEdit={() => setEdited(role)} />
          ))}
        </>
      )}
      {edited !== undefined && <RoleDialog role={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </div>
  );
}

function Role({ role, onEdit }: { readonly role: ProjectRole; readonly onEdit: () => void }): ReactElement {
  const project = useShown();
  const canUpdate = useCanUpdate();
  const propose = usePropose();
  const { name, description, groups = [] } = role;
  const remove = (): void => {
    const left = (project.spec.roles ?? []).filter((each) => each.name !== name);
    propose({ title: `Delete the role ${name}`, base: project, next: withField(project, 'roles', left) });
  };
  return (
    <section className="card project-card" aria-label={`Role ${name}`}>
      <div className="row">
        <h2 className="grow user-text">
          <UserText>{name}</UserText>
        </h2>
        <Button look="quiet" icon="settings" permission={canUpdate} label={`Edit the role ${name}`} onClick={onEdit} />
        <Button look="quiet" icon="trash" permission={canUpdate} label={`Delete the role ${name}`} onClick={remove} />
      </div>
      {description !== undefined && description !== '' && (
        <p className="user-text soft">
          <UserText>{description}</UserText>
        </p>
      )}
      <Policies role={role} />
      <h3>Groups</h3>
      {groups.length === 0 ? (
        <p className="soft">None: only tokens have this role.</p>
      ) : (
        <p className="project-chips">
          {groups.map((group) => (
            <Badge key={group}>
              <span className="one-line">
                <UserText>{group}</UserText>
              </span>
            </Badge>
          ))}
        </p>
      )}
      <RoleTokens role={role} />
    </section>
  );
}

function Policies({ role: { name, policies = [] } }: { readonly role: ProjectRole }): ReactElement {
  const { metadata } = useShown();
  const rows = readRows(policies, { project: metadata.name ?? '', role: name });
  if (policies.length === 0) return <p className="soft">It may do nothing yet.</p>;
  if (rows === undefined)
    return (
      <pre className="role-text">
        <UserText>{policies.join('\n')}</UserText>
      </pre>
    );
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">Effect</th>
          <th scope="col">Action</th>
          <th scope="col">Resource</th>
          <th scope="col">Object</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={JSON.stringify(row)}>
            <td>
              <Badge tone={row.effect === 'allow' ? 'good' : 'bad'}>{row.effect}</Badge>
            </td>
            <td>
              <UserText>{row.action}</UserText>
            </td>
            <td>
              <UserText>{row.resource}</UserText>
            </td>
            <td>
              <UserText>{row.object}</UserText>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
