import { useState, type ReactElement } from 'react';
import type { Cluster } from '../../../contract/gen/types.ts';
import { api, describeError, queryClient, useCan } from '../../api/index.ts';
import { AppLink, PageTitle, usePathNames } from '../../app/index.ts';
import {
  Badge,
  Button,
  ConnectionTrouble,
  Copy,
  ErrorState,
  Loading,
  Menu,
  MenuItem,
  MenuSeparator,
  Notice,
  showToast,
  Status,
  TimeAgo,
  UserText,
  Facts,
} from '../../design/index.ts';
import { ConnectDialog, EditDialog, RemoveDialog, RotateDialog } from './cluster-dialogs.tsx';
import { idOf, objectOf, useCluster } from './use-clusters.ts';
import './clusters.css';

/** One cluster: whether it answers and what it says, what is kept of it, and what can be changed. */
export function Page(): ReactElement {
  const { server = '' } = usePathNames();
  const { data, error, refetch } = useCluster(server);
  if (data === undefined && error !== null)
    return (
      <>
        <header className="page-head">
          <h1>Cluster</h1>
        </header>
        <ErrorState error={error} what={`${server} could not be read`} onRetry={() => void refetch()} />
      </>
    );
  if (data === undefined) return <Loading what="Reading the cluster" />;
  return (
    <>
      <header className="page-head">
        <PageTitle to="/settings/clusters" of="Clusters">
          {' '}
          <UserText>{data.name}</UserText>
        </PageTitle>
        <Actions cluster={data} />
      </header>
      <div className="page-body clusters-page">
        <ConnectionCard cluster={data} />
        <FactsCard cluster={data} />
        <ApisCard cluster={data} />
      </div>
    </>
  );
}

type Asked = 'edit' | 'connect' | 'rotate' | 'remove';

function Actions({ cluster }: { readonly cluster: Cluster }): ReactElement {
  const [asked, setAsked] = useState<Asked>();
  const canUpdate = useCan('clusters', 'update', objectOf(cluster));
  const canDelete = useCan('clusters', 'delete', objectOf(cluster));
  const close = (): void => setAsked(undefined);
  return (
    <div className="row">
      <Button icon="refresh" permission={canUpdate} onClick={() => invalidate(cluster)}>
        Read anew
      </Button>
      <Button look="primary" permission={canUpdate} onClick={() => setAsked('edit')}>
        Change
      </Button>
      <Menu icon="more" label="More" look="quiet">
        <MenuItem icon="cluster" permission={canUpdate} onClick={() => setAsked('connect')}>
          Change the credentials
        </MenuItem>
        <MenuItem icon="key" permission={canUpdate} onClick={() => setAsked('rotate')}>
          Rotate the token
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="trash" look="danger" permission={canDelete} onClick={() => setAsked('remove')}>
          Remove the cluster
        </MenuItem>
      </Menu>
      {asked === 'edit' && <EditDialog {...{ cluster }} onClose={close} />}
      {asked === 'connect' && <ConnectDialog {...{ cluster }} onClose={close} />}
      {asked === 'rotate' && <RotateDialog {...{ cluster }} onClose={close} />}
      {asked === 'remove' && <RemoveDialog {...{ cluster }} onClose={close} />}
    </div>
  );
}

function invalidate({ server, name }: Cluster): void {
  api.ClusterService.InvalidateCache({ id: idOf(server) })
    .then(() => {
      showToast('good', `${name} is read anew`);
      return queryClient.invalidateQueries({ queryKey: ['clusters'] });
    })
    .catch((error: unknown) => showToast('bad', describeError(error)));
}

function ConnectionCard({ cluster }: { readonly cluster: Cluster }): ReactElement {
  const { status, message = '', attemptedAt } = cluster.info?.connectionState ?? {};
  const readAt = cluster.info?.cacheInfo?.lastCacheSyncTime;
  return (
    <section className="card clusters-card">
      <h2>Connection</h2>
      <div className="row">
        <Status kind="connection" value={status || 'Unknown'} />
        <span className="faint">
          tried <TimeAgo time={attemptedAt} />
        </span>
      </div>
      {status === 'Failed' && <ConnectionTrouble message={message} />}
      {status !== 'Failed' && message !== '' && <Notice tone={status === 'Successful' ? 'warn' : 'mute'}>{describeState(message)}</Notice>}
      <Facts
        facts={[
          ['Version', cluster.info?.serverVersion || '—'],
          ['Applications', <ApplicationsLink key="applications" cluster={cluster} />],
          ['Objects kept', cluster.info?.cacheInfo?.resourcesCount?.toLocaleString() ?? '—'],
          ['Kinds followed', cluster.info?.cacheInfo?.apisCount?.toLocaleString() ?? '—'],
          ['Read as a whole', readAt ? <TimeAgo key="read" time={readAt} /> : '—'],
          ['Asked to be read anew', cluster.refreshRequestedAt ? <TimeAgo key="asked" time={cluster.refreshRequestedAt} /> : '—'],
        ]}
      />
    </section>
  );
}

/** Nobody asks a cluster that nothing is deployed to. */
function describeState(message: string): string {
  const isIdle = message.startsWith('Cluster has no applications');
  return isIdle ? 'Nothing is deployed to it, so it is not followed. It is asked when an application names it.' : message;
}

function ApplicationsLink({ cluster }: { readonly cluster: Cluster }): ReactElement {
  const count = cluster.info?.applicationsCount ?? 0;
  return (
    <AppLink to="/applications" search={{ cluster: cluster.server }}>
      {count.toLocaleString()}
    </AppLink>
  );
}

function FactsCard({ cluster }: { readonly cluster: Cluster }): ReactElement {
  const { server, namespaces = [], project, labels = {}, config, shard, clusterResources } = cluster;
  return (
    <section className="card clusters-card">
      <h2>Registered as</h2>
      <Facts
        facts={[
          [
            'Address',
            <>
              <code>
                <UserText>{server}</UserText>
              </code>{' '}
              <Copy text={server} label="Copy the address" />
            </>,
          ],
          ['Project', project ? <UserText key="project">{project}</UserText> : 'any'],
          ['Namespaces', namespaces.length === 0 ? 'all' : <Badges key="namespaces" texts={namespaces} />],
          ...(namespaces.length > 0 ? ([['Without a namespace', clusterResources === true ? 'too' : 'not']] as const) : []),
          [
            'Labels',
            Object.keys(labels).length === 0 ? (
              'none'
            ) : (
              <Badges key="labels" texts={Object.entries(labels).map((pair) => pair.join('='))} />
            ),
          ],
          ['Its certificate', config.tlsClientConfig?.insecure === true ? <Badge tone="warn">not checked</Badge> : 'checked'],
          ...(config.proxyUrl ? ([['Proxy', config.proxyUrl]] as const) : []),
          ...(config.awsAuthConfig ? ([['AWS', config.awsAuthConfig.clusterName]] as const) : []),
          ...(shard === undefined ? [] : ([['Shard', String(shard)]] as const)),
        ]}
      />
      <p className="faint">Credentials are never shown.</p>
    </section>
  );
}

function Badges({ texts }: { readonly texts: readonly string[] }): ReactElement {
  return (
    <span className="clusters-badges">
      {texts.map((text) => (
        <Badge key={text}>
          <UserText>{text}</UserText>
        </Badge>
      ))}
    </span>
  );
}

function ApisCard({ cluster }: { readonly cluster: Cluster }): ReactElement | null {
  const versions = (cluster.info?.apiVersions ?? []).filter((version) => version.split('/').length === (version.startsWith('v') ? 1 : 2));
  if (versions.length === 0) return null;
  return (
    <details className="card clusters-card">
      <summary>Serves {versions.length} versions of APIs</summary>
      <Badges texts={versions} />
    </details>
  );
}
