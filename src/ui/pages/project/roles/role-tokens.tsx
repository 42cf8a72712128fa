import { useState, type ReactElement } from 'react';
import type { AppProject, JWTToken, ProjectRole } from '../../../../contract/gen/types.ts';
import { api, useUser, type Permission } from '../../../api/index.ts';
import { Badge, Button, FormDialog, formatAge, TimeAgo, useDeed } from '../../../design/index.ts';
import { readAgain, useCanUpdate, useShown, useShownName } from '../use-project.ts';
import { TokenDialog } from './token-dialog.tsx';

/** The tokens of a role: which there are, never what they are. */
export function RoleTokens({ role }: { readonly role: ProjectRole }): ReactElement {
  const project = useShown();
  const permission = useMayIssue(role);
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<JWTToken>();
  const tokens = tokensOf(project, role);
  return (
    <>
      <div className="row">
        <h3 className="grow">Tokens</h3>
        <Button icon="key" permission={permission} label={`New token of ${role.name}`} hasTip={false} onClick={() => setCreating(true)}>
          New token
        </Button>
      </div>
      {tokens.length === 0 ? (
        <p className="soft">None was issued, or all were taken back.</p>
      ) : (
        <table className="project-table">
          <thead>
            <tr>
              <th scope="col">Id</th>
              <th scope="col">Issued</th>
              <th scope="col">Expires</th>
              <th scope="col">
                <span className="visually-hidden">What can be done</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <tr key={`${token.id ?? ''}/${token.iat}`}>
                <td>{nameOf(token)}</td>
                <td>
                  <TimeAgo time={new Date(token.iat * 1000).toISOString()} />
                </td>
                <td>
                  <Expiry token={token} />
                </td>
                <td className="role-token-deeds">
                  <Button
                    look="quiet"
                    icon="trash"
                    permission={permission}
                    label={`Delete the token ${nameOf(token)}`}
                    onClick={() => setDeleted(token)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isCreating && <TokenDialog role={role} tokens={tokens} onClose={() => setCreating(false)} />}
      {deleted !== undefined && <DeleteDialog role={role.name} token={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

function Expiry({ token: { exp = 0 } }: { readonly token: JWTToken }): ReactElement {
  if (exp === 0) return <Badge tone="warn">never</Badge>;
  const leftMs = exp * 1000 - Date.now();
  const date = new Date(exp * 1000);
  if (leftMs <= 0) return <Badge>expired</Badge>;
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      in {formatAge(leftMs)}
    </time>
  );
}

interface DeleteDialogProps {
  readonly role: string;
  readonly token: JWTToken;
  readonly onClose: () => void;
}

function DeleteDialog({ role, token, onClose }: DeleteDialogProps): ReactElement {
  const project = useShownName();
  const deed = useDeed(onClose);
  const remove = (): void =>
    deed.run(`The token ${nameOf(token)} was deleted`, async () => {
      const { iat, id } = token;
      await api.ProjectService.DeleteToken({ project, role, iat, ...(id !== undefined && { id }) });
      await readAgain(project);
    });
  return (
    <FormDialog
      title={`Delete the token ${nameOf(token)}`}
      {...{ onClose, deed }}
      action="Delete"
      look="danger"
      icon="trash"
      onSubmit={remove}
    >
      <p>Whoever uses it is refused from the next request on. This cannot be undone.</p>
    </FormDialog>
  );
}

/** Those who may change the project issue tokens, and so do those who have the role through a group. */
function useMayIssue({ groups = [] }: ProjectRole): Permission {
  const canUpdate = useCanUpdate();
  const own = useUser()?.groups ?? [];
  return own.some((group) => groups.includes(group)) ? { allowed: true, reason: undefined } : canUpdate;
}

/** They are kept in two places; what is in either counts. The newest come first. */
function tokensOf({ status }: AppProject, { name, jwtTokens = [] }: ProjectRole): readonly JWTToken[] {
  const byRole = status?.jwtTokensByRole ?? {};
  const kept = Object.hasOwn(byRole, name) ? (byRole[name]?.items ?? []) : [];
  const all = new Map([...kept, ...jwtTokens].map((token) => [nameOf(token), token]));
  return [...all.values()].toSorted((one, other) => other.iat - one.iat);
}

function nameOf({ id, iat }: JWTToken): string {
  return id || String(iat);
}
