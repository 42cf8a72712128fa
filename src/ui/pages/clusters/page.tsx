import type { ReactElement } from 'react';
import type { Cluster } from '../../../contract/gen/types.ts';
import { useCanSomewhere } from '../../api/index.ts';
import { AppLink, readList, readText, useGo, useSearchValues } from '../../app/index.ts';
import {
  Button,
  ConnectionCell,
  EmptyState,
  ErrorState,
  FilterMenu,
  ListPage,
  Loading,
  SearchField,
  TimeAgo,
  VirtualTable,
  type Column,
  UserText,
} from '../../design/index.ts';
import { AddDialog } from './cluster-dialogs.tsx';
import { clusterPath, useClusters } from './use-clusters.ts';
import './clusters.css';

const NO_FILTERS = { search: undefined, proj: undefined, state: undefined } as const;

const COLUMNS: readonly Column<Cluster>[] = [
  {
    key: 'cluster',
    title: 'Cluster',
    width: 'minmax(170px, 2fr)',
    render: (cluster) => (
      <div>
        <div className="one-line">
          <AppLink to={clusterPath(cluster)} className="clusters-name">
            <UserText>{cluster.name}</UserText>
          </AppLink>
        </div>
        <div className="one-line faint">
          <UserText>{cluster.server}</UserText>
        </div>
      </div>
    ),
  },
  {
    key: 'connection',
    title: 'Connection',
    width: 'minmax(220px, 3fr)',
    render: ({ info }) => (
      <ConnectionCell
        status={info?.connectionState?.status}
        message={info?.connectionState?.message}
        attemptedAt={info?.connectionState?.attemptedAt}
      />
    ),
  },
  {
    key: 'version',
    title: 'Version',
    width: '90px',
    render: ({ info }) => <span className="one-line">{info?.serverVersion || <span className="faint">—</span>}</span>,
  },
  { key: 'applications', title: 'Applications', width: '100px', render: ({ info }) => (info?.applicationsCount ?? 0).toLocaleString() },
  {
    key: 'objects',
    title: 'Objects',
    width: '100px',
    render: ({ info }) => info?.cacheInfo?.resourcesCount?.toLocaleString() ?? <span className="faint">—</span>,
  },
  {
    key: 'cache',
    title: 'Read',
    width: '120px',
    render: ({ info }) => <TimeAgo time={info?.cacheInfo?.lastCacheSyncTime} />,
  },
];

/** The clusters that applications can be deployed to. */
export function Page(): ReactElement {
  const [search, change] = useSearchValues();
  const go = useGo();
  const { data, error, refetch } = useClusters();
  const canCreate = useCanSomewhere('clusters', 'create');
  const shown = (data ?? []).filter((cluster) => isWanted(cluster, search));
  const isFiltered = Object.keys(NO_FILTERS).some((name) => search[name] !== undefined);
  const menu = (name: string, title: string, values: readonly string[]): ReactElement => (
    <FilterMenu {...{ title, values }} chosen={readList(search[name])} onChoose={(chosen) => change({ [name]: chosen })} />
  );
  return (
    <>
      <ListPage
        title="Clusters"
        total={data?.length}
        actions={
          <Button look="primary" icon="plus" permission={canCreate} onClick={() => change({ add: 'cluster' }, { replace: false })}>
            Add a cluster
          </Button>
        }
        filters={
          <>
            <SearchField
              label="Search by name or address"
              value={readText(search['search'])}
              onChange={(text) => change({ search: text })}
            />
            {menu('proj', 'Project', [...new Set((data ?? []).flatMap(({ project }) => project ?? []))])}
            {menu('state', 'Connection', ['Successful', 'Failed', 'Unknown'])}
          </>
        }
      >
        {error !== null && data === undefined ? (
          <ErrorState error={error} what="The clusters could not be read" onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Loading what="Reading the clusters" />
        ) : shown.length === 0 ? (
          <EmptyState
            icon="cluster"
            title={isFiltered ? 'No cluster matches' : 'No clusters'}
            action={isFiltered && <Button onClick={() => change(NO_FILTERS)}>Clear the filters</Button>}
          >
            Add one by its address, or with <code>argocd cluster add</code>.
          </EmptyState>
        ) : (
          <VirtualTable
            label="Clusters"
            columns={COLUMNS}
            count={shown.length}
            rowAt={(index) => shown[index]}
            keyOf={({ server }) => server}
            rowHeight={54}
            minWidth={860}
            onOpen={(cluster) => go(clusterPath(cluster))}
          />
        )}
      </ListPage>
      {readText(search['add']) === 'cluster' && <AddDialog permission={canCreate} onClose={() => change({ add: undefined })} />}
    </>
  );
}

function isWanted({ name, server, project = '', info }: Cluster, search: ReturnType<typeof useSearchValues>[0]): boolean {
  const [projects, states] = [readList(search['proj']), readList(search['state'])];
  return (
    `${name} ${server}`.toLowerCase().includes(readText(search['search']).toLowerCase()) &&
    (projects.length === 0 || projects.includes(project)) &&
    (states.length === 0 || states.includes(info?.connectionState?.status || 'Unknown'))
  );
}
