import { useState, type ReactElement } from 'react';
import type { Cluster } from '../../../contract/gen/types.ts';
import { api, describeError, queryClient, type Permission } from '../../api/index.ts';
import { applicationPath, AppLink, useGo } from '../../app/index.ts';
import { Check, ConnectionTrouble, Copy, FormDialog, Notice, TextAreaField, TextField, useDeed } from '../../design/index.ts';
import { ConnectionFields } from './connection-fields.tsx';
import { beginConnection, findConnectionGap, toConfig } from './connection.ts';
import { formatLabels, parseLabels, parseNames } from './parse-lines.ts';
import { clusterPath, idOf, useUsers } from './use-clusters.ts';

const PROBE_TIMEOUT_MS = 60_000;
const SHOWN_MAX = 20;

function useChange(onDone: () => void): ReturnType<typeof useDeed> {
  return useDeed(() => {
    void queryClient.invalidateQueries({ queryKey: ['clusters'] });
    onDone();
  });
}

/** What is said about a cluster besides how it is reached. */
interface Scope {
  readonly name: string;
  readonly namespaces: string;
  readonly clusterResources: boolean;
  readonly project: string;
  readonly labels: string;
}

function ScopeFields({ scope, onChange }: { readonly scope: Scope; readonly onChange: (changes: Partial<Scope>) => void }): ReactElement {
  const { name, namespaces, clusterResources, project, labels } = scope;
  return (
    <>
      <TextField title="Name" value={name} hint="Applications may name the cluster by it." onChange={(text) => onChange({ name: text })} />
      <TextField
        title="Namespaces (optional)"
        value={namespaces}
        placeholder="shop, tools"
        hint="Only these are looked after. Left empty, the whole cluster."
        onChange={(text) => onChange({ namespaces: text })}
      />
      {parseNames(namespaces).length > 0 && (
        <Check title="Also what has no namespace" isOn={clusterResources} onChange={(isOn) => onChange({ clusterResources: isOn })} />
      )}
      <TextField
        title="Project (optional)"
        value={project}
        hint="Only applications of this project may deploy to it then."
        onChange={(text) => onChange({ project: text.trim() })}
      />
      <TextAreaField
        title="Labels (optional)"
        value={labels}
        rows={3}
        isCode
        placeholder="env=production"
        error={parseLabels(labels).problem}
        hint="One on each line; application sets choose clusters by them."
        onChange={(text) => onChange({ labels: text })}
      />
    </>
  );
}

function readScope({ name, namespaces, clusterResources, project, labels }: Scope) {
  const names = parseNames(namespaces);
  return {
    name: name.trim(),
    namespaces: names,
    clusterResources: names.length > 0 && clusterResources,
    project,
    labels: { ...parseLabels(labels).labels },
  };
}

/** Registers a cluster by its address and credentials; or says the command that does it from a kubeconfig. */
export function AddDialog({ permission, onClose }: { readonly permission: Permission; readonly onClose: () => void }): ReactElement {
  const [server, setServer] = useState('');
  const [scope, setScope] = useState<Scope>({ name: '', namespaces: '', clusterResources: false, project: '', labels: '' });
  const [connection, setConnection] = useState(() => beginConnection());
  const go = useGo();
  const deed = useChange(() => go(clusterPath({ server: server.trim() })));
  const gap = /^https?:\/\/./i.test(server.trim()) ? undefined : 'Write the address of the API, such as https://10.0.0.1:6443';
  const add = (): Promise<unknown> => {
    const cluster = { server: server.trim(), config: toConfig(connection), ...readScope(scope) };
    return api.ClusterService.Create({ cluster }, { timeoutMs: PROBE_TIMEOUT_MS });
  };
  return (
    <FormDialog
      title="Add a cluster"
      action="Add"
      {...{ permission, onClose }}
      deed={{ ...deed, failure: undefined }}
      disabledReason={gap ?? findConnectionGap(connection) ?? parseLabels(scope.labels).problem}
      onSubmit={() => deed.run(`${scope.name || server} is added`, add)}
    >
      <Notice tone="calm" icon="code">
        With a kubeconfig at hand, this does it all: it makes a service account in the cluster and registers it.
        <div className="row clusters-command">
          <code className="grow">argocd cluster add CONTEXT</code>
          <Copy text="argocd cluster add CONTEXT" label="Copy the command" />
        </div>
      </Notice>
      <TextField title="Address of the API" value={server} placeholder="https://10.0.0.1:6443" onChange={setServer} />
      <ConnectionFields {...{ connection }} onChange={(changes) => setConnection((before) => ({ ...before, ...changes }))} />
      <ScopeFields {...{ scope }} onChange={(changes) => setScope((before) => ({ ...before, ...changes }))} />
      {deed.failure !== undefined && <ConnectionTrouble message={deed.failure} />}
    </FormDialog>
  );
}

interface ChangeProps {
  readonly cluster: Cluster;
  readonly onClose: () => void;
}

/** Changes what is said about a cluster; its credentials stay. */
export function EditDialog({ cluster, onClose }: ChangeProps): ReactElement {
  const before: Scope = {
    name: cluster.name,
    namespaces: (cluster.namespaces ?? []).join(', '),
    clusterResources: cluster.clusterResources === true,
    project: cluster.project ?? '',
    labels: formatLabels(cluster.labels),
  };
  const [scope, setScope] = useState(before);
  const deed = useChange(onClose);
  const [was, is] = [readScope(before), readScope(scope)];
  const updatedFields = (Object.keys(is) as (keyof typeof is)[]).filter(
    (field) => JSON.stringify(is[field]) !== JSON.stringify(was[field]),
  );
  return (
    <FormDialog
      title={`Change ${cluster.name}`}
      action="Save"
      {...{ onClose }}
      deed={{ ...deed, failure: undefined }}
      disabledReason={parseLabels(scope.labels).problem ?? (updatedFields.length === 0 ? 'Nothing is changed yet' : undefined)}
      onSubmit={() =>
        deed.run(`${scope.name} is changed`, () =>
          api.ClusterService.Update(
            { id: idOf(cluster.server), cluster: { server: cluster.server, config: cluster.config, ...is }, updatedFields },
            { timeoutMs: PROBE_TIMEOUT_MS },
          ),
        )
      }
    >
      <ScopeFields {...{ scope }} onChange={(changes) => setScope((last) => ({ ...last, ...changes }))} />
      {deed.failure !== undefined && <ConnectionTrouble message={deed.failure} />}
    </FormDialog>
  );
}

/** Gives a cluster other credentials. Those before are not shown, and all of them are replaced. */
export function ConnectDialog({ cluster, onClose }: ChangeProps): ReactElement {
  const [connection, setConnection] = useState(() => beginConnection(cluster.config));
  const deed = useChange(onClose);
  return (
    <FormDialog
      title={`Connect ${cluster.name} anew`}
      action="Save"
      {...{ onClose }}
      deed={{ ...deed, failure: undefined }}
      disabledReason={findConnectionGap(connection)}
      onSubmit={() =>
        deed.run(`${cluster.name} has other credentials`, () =>
          api.ClusterService.Update(
            {
              id: idOf(cluster.server),
              cluster: { server: cluster.server, name: cluster.name, config: toConfig(connection) },
              updatedFields: ['config'],
            },
            { timeoutMs: PROBE_TIMEOUT_MS },
          ),
        )
      }
    >
      <p className="soft">
        What is stored is not shown. All of it is replaced by what you write here, once the cluster has answered to it.
      </p>
      <ConnectionFields {...{ connection }} onChange={(changes) => setConnection((before) => ({ ...before, ...changes }))} />
      {deed.failure !== undefined && <ConnectionTrouble message={deed.failure} />}
    </FormDialog>
  );
}

/** Asks the cluster for another token of its service account. */
export function RotateDialog({ cluster, onClose }: ChangeProps): ReactElement {
  const deed = useChange(onClose);
  return (
    <FormDialog
      title={`Rotate the credentials of ${cluster.name}?`}
      action="Rotate"
      icon="key"
      {...{ onClose, deed }}
      onSubmit={() =>
        deed.run(`${cluster.name} has a new token`, () =>
          api.ClusterService.RotateAuth({ id: idOf(cluster.server) }, { timeoutMs: PROBE_TIMEOUT_MS }),
        )
      }
    >
      <p>
        The cluster is asked for a new token of the service account that <code>argocd cluster add</code> made. The old one no longer works.
        It is not for clusters that are reached in another way.
      </p>
    </FormDialog>
  );
}

/** Forgets a cluster, after a look at what is deployed to it. */
export function RemoveDialog({ cluster, onClose }: ChangeProps): ReactElement {
  const go = useGo();
  const { data, error } = useUsers(cluster);
  const deed = useChange(() => go('/settings/clusters'));
  const items = data?.items ?? [];
  return (
    <FormDialog
      title={`Remove ${cluster.name}?`}
      action="Remove"
      look="danger"
      icon="trash"
      {...{ onClose, deed }}
      onSubmit={() => deed.run(`${cluster.name} is removed`, () => api.ClusterService.Delete({ id: idOf(cluster.server) }))}
    >
      <p>Fairway forgets the cluster and its credentials. Nothing is deleted in the cluster.</p>
      {error !== null && <Notice tone="warn">Which applications use it could not be read: {describeError(error)}</Notice>}
      {items.length > 0 && (
        <Notice tone="warn">
          {items.length === 1 ? 'One application is deployed to it' : `${items.length} applications are deployed to it`} and will no longer
          be looked after:
          <ul className="clusters-users">
            {items.slice(0, SHOWN_MAX).map(({ metadata }) => (
              <li key={`${metadata.namespace}/${metadata.name}`}>
                <AppLink to={applicationPath(metadata)}>{metadata.name}</AppLink>
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </FormDialog>
  );
}
