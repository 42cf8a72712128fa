import { useMemo, type ReactElement } from 'react';
import { EmptyState, Status, TimeAgo, VirtualTable, type Column } from '../../../design/index.ts';
import { matchesFilter, type GraphFilter } from './build-graph.ts';
import type { ShownResource } from './resource-node.ts';

const COLUMNS: readonly Column<ShownResource>[] = [
  { key: 'kind', title: 'Kind', width: 'minmax(120px, 1fr)', render: ({ kind }) => <span className="one-line">{kind}</span> },
  { key: 'name', title: 'Name', width: 'minmax(180px, 2fr)', render: ({ name }) => <strong className="one-line">{name}</strong> },
  {
    key: 'namespace',
    title: 'Namespace',
    width: 'minmax(100px, 1fr)',
    render: ({ namespace }) => <span className="one-line">{namespace}</span>,
  },
  { key: 'sync', title: 'Sync', width: '120px', render: ({ sync }) => sync !== undefined && <Status kind="sync" value={sync} /> },
  {
    key: 'health',
    title: 'Health',
    width: '130px',
    render: ({ health }) => health !== undefined && <Status kind="health" value={health} />,
  },
  { key: 'age', title: 'Age', width: '90px', render: ({ createdAt }) => <TimeAgo time={createdAt} suffix="" /> },
];

export interface ResourceListProps {
  readonly resources: readonly ShownResource[];
  readonly filter: GraphFilter;
  readonly selected: string;
  readonly onOpen: (resource: ShownResource) => void;
}

/** The same resources as rows. */
export function ResourceList({ resources, filter, selected, onOpen }: ResourceListProps): ReactElement {
  const rows = useMemo(
    () =>
      resources
        .filter((resource) => matchesFilter(resource, filter))
        .toSorted((left, right) => left.kind.localeCompare(right.kind) || left.name.localeCompare(right.name)),
    [resources, filter],
  );
  if (rows.length === 0) return <EmptyState title="No resource matches">Take away a filter.</EmptyState>;
  return (
    <div className="card resource-list">
      <VirtualTable
        label="Resources"
        columns={COLUMNS}
        count={rows.length}
        rowAt={(index) => rows[index]}
        keyOf={({ id }) => id}
        minWidth={780}
        onOpen={onOpen}
        isSelected={({ id }) => id === selected}
      />
    </div>
  );
}
