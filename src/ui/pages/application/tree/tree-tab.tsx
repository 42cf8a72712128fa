import { useCallback, useMemo, useState, type ReactElement } from 'react';
import { NoMatch, readList, readText, SearchFilter, useFilters, useSearchValues, ValuesFilter } from '../../../app/index.ts';
import { EmptyState, ErrorState, Loading, Segments } from '../../../design/index.ts';
import { ResourcePanel } from '../resource/resource-panel.tsx';
import { useShown, useTree } from '../use-application.ts';
import { buildNetworkGraph, buildOwnerGraph, isFiltering, type GraphFilter } from './build-graph.ts';
import { GraphView } from './graph-view.tsx';
import { ResourceList } from './resource-list.tsx';
import { listResources, type ShownResource } from './resource-node.ts';
import './tree.css';

const FILTERS = ['find', 'kind', 'health', 'sync'] as const;

const VIEWS = [
  { id: 'tree', title: 'Tree', icon: 'applicationSets' },
  { id: 'network', title: 'Network', icon: 'external' },
  { id: 'list', title: 'List', icon: 'table' },
] as const;

/** What the application consists of. */
export function TreeTab(): ReactElement {
  const { metadata, status } = useShown();
  const { data, error, refetch } = useTree({ name: metadata.name ?? '', namespace: metadata.namespace ?? '' });
  const wanted = status?.resources;
  const resources = useMemo(() => (data === undefined ? undefined : listResources(wanted ?? [], data)), [wanted, data]);
  if (resources === undefined)
    return error === null ? (
      <Loading what="Reading the resources" />
    ) : (
      <ErrorState error={error} what="The resources could not be read" onRetry={() => void refetch()} />
    );
  if (resources.length === 0)
    return (
      <EmptyState icon="applicationSets" title="No resources yet">
        The source declares nothing, or it could not be rendered: the conditions above say so then.
      </EmptyState>
    );
  return (
    <>
      <Resources resources={resources} />
      <ResourcePanel resources={resources} />
    </>
  );
}

function Resources({ resources }: { readonly resources: readonly ShownResource[] }): ReactElement {
  const [search, change] = useSearchValues();
  const view = VIEWS.find(({ id }) => id === readText(search['view']))?.id ?? 'tree';
  const filter = useFilter();
  const filters = useFilters(FILTERS);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const graph = useMemo(
    () => (view === 'network' ? buildNetworkGraph(resources, filter) : buildOwnerGraph(resources, filter, collapsed)),
    [view, resources, filter, collapsed],
  );
  const onOpen = useCallback(({ id }: ShownResource) => change({ node: id }, { replace: false }), [change]);
  const onToggle = useCallback((id: string) => setCollapsed((before) => toggled(before, id)), []);
  const selected = readText(search['node']);
  return (
    <>
      <div className="row tree-bar">
        <Segments
          label="How resources are shown"
          segments={VIEWS}
          value={view}
          onChange={(id) => change({ view: id === 'tree' ? undefined : id })}
        />
        <SearchFilter label="Find by name or kind" group="Application" name="find" />
        <ValuesFilter name="kind" title="Kind" values={resources.map(({ kind }) => kind)} />
        <ValuesFilter name="health" title="Health" values={resources.map(({ health }) => health)} />
        <ValuesFilter name="sync" title="Sync" values={resources.map(({ sync }) => sync)} />
      </div>
      {view === 'list' ? (
        <ResourceList {...{ resources, filter, selected, onOpen }} />
      ) : graph.boxes.length <= (view === 'tree' && isFiltering(filter) ? 1 : 0) ? (
        isFiltering(filter) ? (
          <NoMatch what="resource" filters={filters} />
        ) : (
          <EmptyState title="Nothing here takes part in traffic">Services, ingresses and pods are shown here.</EmptyState>
        )
      ) : (
        <GraphView label={view === 'tree' ? 'Tree of resources' : 'Network of resources'} {...{ graph, selected, onOpen, onToggle }} />
      )}
    </>
  );
}

function useFilter(): GraphFilter {
  const [search] = useSearchValues();
  const text = readText(search['find']);
  const [kinds, healths, syncs] = ['kind', 'health', 'sync'].map((name) => readList(search[name]));
  // One object for as long as it says the same.
  const key = JSON.stringify({ text, kinds, healths, syncs });
  return useMemo(() => JSON.parse(key) as GraphFilter, [key]);
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(before);
  if (!next.delete(id)) next.add(id);
  return next;
}
