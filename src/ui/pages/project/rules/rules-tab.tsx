import type { ReactElement, ReactNode } from 'react';
import type { AppProject, AppProjectSpec, GroupKind } from '../../../../contract/gen/types.ts';
import { readText, useSearchValues } from '../../../app/index.ts';
import { Badge, ExternalLink, UserText } from '../../../design/index.ts';
import { useCanUpdate, useShown } from '../use-project.ts';
import { Belongings } from './belongings.tsx';
import { Card } from './card.tsx';
import { ProjectEditor } from './project-editor.tsx';

/** What the applications of the project may use; and the means to change it. */
export function RulesTab(): ReactElement {
  const [search, change] = useSearchValues();
  const canUpdate = useCanUpdate();
  const edit = readText(search['edit']);
  if ((edit === 'form' || edit === 'yaml') && canUpdate.allowed)
    return <ProjectEditor mode={edit} onMode={(mode) => change({ edit: mode })} onClose={() => change({ edit: undefined })} />;
  return <Rules />;
}

function Rules(): ReactElement {
  const project = useShown();
  const { spec } = project;
  return (
    <div className="project-cards">
      <About project={project} />
      <Card title="Sources" note="Where manifests may come from">
        <Patterns values={spec.sourceRepos} none="No repository is allowed, so no application can work." isAddress />
        {(spec.sourceNamespaces ?? []).length > 0 && (
          <>
            <h3>Applications may also live in</h3>
            <Patterns values={spec.sourceNamespaces} none="" />
          </>
        )}
      </Card>
      <Destinations spec={spec} />
      <Card title="Kinds of the cluster" note="Such as ClusterRole and Namespace">
        <Kinds allowed={spec.clusterResourceWhitelist} denied={spec.clusterResourceBlacklist} none="None is allowed." />
      </Card>
      <Card title="Kinds in namespaces" note="Such as Deployment and Secret">
        <Kinds
          allowed={spec.namespaceResourceWhitelist}
          denied={spec.namespaceResourceBlacklist}
          none={`All are allowed${(spec.namespaceResourceBlacklist ?? []).length > 0 ? ' but these.' : '.'}`}
        />
      </Card>
      <Orphans spec={spec} />
      <Signatures spec={spec} />
      <Belongings />
    </div>
  );
}

function About({ project: { metadata, spec } }: { readonly project: AppProject }): ReactElement {
  const labels = Object.entries(metadata.labels ?? {});
  return (
    <Card title="About">
      <p className="user-text">
        {spec.description ? <UserText>{spec.description}</UserText> : <span className="soft">It has no description.</span>}
      </p>
      {labels.length > 0 && (
        <p className="project-chips">
          {labels.map(([name, value]) => (
            <Badge key={name}>
              <span className="one-line">
                {name}={value}
              </span>
            </Badge>
          ))}
        </p>
      )}
    </Card>
  );
}

function Destinations({ spec }: { readonly spec: AppProjectSpec }): ReactElement {
  const { destinations = [], destinationServiceAccounts: accounts = [] } = spec;
  return (
    <Card title="Destinations" note="Where applications may go">
      {destinations.length === 0 ? (
        <p className="soft">None is allowed, so no application can go anywhere.</p>
      ) : (
        <Table
          heads={['Cluster', 'Namespace']}
          rows={destinations.map(({ server, name, namespace }) => [
            <Pattern key="cluster" text={name || server || '*'} />,
            <Pattern key="namespace" text={namespace || 'none'} />,
          ])}
        />
      )}
      {spec.permitOnlyProjectScopedClusters === true && <p>Only clusters that belong to this project.</p>}
      {accounts.length > 0 && (
        <>
          <h3>Applied as</h3>
          <Table
            heads={['Cluster', 'Namespace', 'Service account']}
            rows={accounts.map(({ server, namespace, defaultServiceAccount }) => [server, namespace || '*', defaultServiceAccount])}
          />
        </>
      )}
    </Card>
  );
}

/** A kind, and the name where the rule is about one of that name only. */
type RuledKind = GroupKind & { readonly name?: string };

interface KindsProps {
  readonly allowed: readonly RuledKind[] | undefined;
  readonly denied: readonly RuledKind[] | undefined;
  /** What it means that no kind is allowed by name. */
  readonly none: string;
}

function Kinds({ allowed = [], denied = [], none }: KindsProps): ReactElement {
  const row = ({ group, kind, name = '' }: RuledKind, effect: 'allowed' | 'denied'): readonly ReactNode[] => [
    <Badge key="effect" tone={effect === 'denied' ? 'bad' : 'good'}>
      {effect}
    </Badge>,
    group || 'core',
    name === '' ? kind : `${kind} ${name}`,
  ];
  return (
    <>
      {allowed.length === 0 && <p className="soft">{none}</p>}
      {allowed.length + denied.length > 0 && (
        <Table
          heads={['', 'Group', 'Kind']}
          rows={[...allowed.map((kind) => row(kind, 'allowed')), ...denied.map((kind) => row(kind, 'denied'))]}
        />
      )}
    </>
  );
}

function Orphans({ spec: { orphanedResources } }: { readonly spec: AppProjectSpec }): ReactElement {
  const ignore = orphanedResources?.ignore ?? [];
  return (
    <Card title="Orphaned resources" note="What belongs to no application">
      {orphanedResources === undefined ? (
        <p className="soft">Nobody looks for them.</p>
      ) : (
        <p>They are looked for{orphanedResources.warn === true ? ', and applications beside them are warned.' : ', without a warning.'}</p>
      )}
      {ignore.length > 0 && (
        <>
          <h3>These may be there</h3>
          <Table
            heads={['Group', 'Kind', 'Name']}
            rows={ignore.map(({ group, kind, name }) => [group || 'core', kind || '*', name || '*'])}
          />
        </>
      )}
    </Card>
  );
}

function Signatures({ spec: { signatureKeys = [], sourceIntegrity } }: { readonly spec: AppProjectSpec }): ReactElement {
  const policies = sourceIntegrity?.git?.policies ?? [];
  return (
    <Card title="Signatures" note="What must be signed, and by whom">
      {signatureKeys.length + policies.length === 0 && <p className="soft">Nothing needs to be signed.</p>}
      {signatureKeys.length > 0 && (
        <p>
          Revisions must be signed with one of{' '}
          <code>
            <UserText>{signatureKeys.map(({ keyID }) => keyID).join(', ')}</UserText>
          </code>
          .
        </p>
      )}
      {policies.length > 0 && (
        <Table
          heads={['Repositories', 'Demanded', 'Keys']}
          rows={policies.map(({ repos, gpg }) => [
            (repos ?? []).map(({ url }) => url).join(', '),
            gpg?.mode ?? 'none',
            (gpg?.keys ?? []).join(', '),
          ])}
        />
      )}
    </Card>
  );
}

/** A pattern; with an exclamation mark in front it denies. */
function Pattern({ text, isAddress = false }: { readonly text: string; readonly isAddress?: boolean }): ReactElement {
  const isDenied = text.startsWith('!');
  const shown = isDenied ? text.slice(1) : text;
  return (
    <span className="project-pattern">
      {isAddress ? <ExternalLink href={shown} /> : shown === '*' ? <span>any</span> : <UserText>{shown}</UserText>}
      {isDenied && <Badge tone="bad">denied</Badge>}
    </span>
  );
}

function Patterns({
  values = [],
  none,
  isAddress = false,
}: {
  readonly values: readonly string[] | undefined;
  readonly none: string;
  readonly isAddress?: boolean;
}): ReactElement {
  if (values.length === 0) return <p className="soft">{none}</p>;
  return (
    <ul className="project-list">
      {values.map((value) => (
        <li key={value}>
          {value === '*' ? `any ${isAddress ? 'repository' : 'namespace'}` : <Pattern text={value} isAddress={isAddress} />}
        </li>
      ))}
    </ul>
  );
}

function Table({ heads, rows }: { readonly heads: readonly string[]; readonly rows: readonly (readonly ReactNode[])[] }): ReactElement {
  return (
    <table className="plain-table">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head === '' ? <span className="visually-hidden">Effect</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // Rows may repeat one another, and never move here.
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={heads[column]}>{typeof cell === 'string' ? <UserText>{cell}</UserText> : cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
