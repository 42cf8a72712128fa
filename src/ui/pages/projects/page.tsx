import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState, type ReactElement } from 'react';
import type { AppProject } from '../../../contract/gen/types.ts';
import { api, useCanSomewhere } from '../../api/index.ts';
import { NoMatch, readText, SearchFilter, useCommands, useFilters, useGo, useSearchValues } from '../../app/index.ts';
import { Button, EmptyState, ErrorState, ListPage, Loading, VirtualTable } from '../../design/index.ts';
import { createColumns } from './columns.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { matchesSearch, projectPath } from './project-row.ts';

const FILTERS = ['search'] as const;
const FIELDS = ['metadata.name', 'metadata.labels', 'spec'].map((field) => `items.${field}`).join(',');

/** All projects that the person may see. */
export function Page(): ReactElement {
  const [search] = useSearchValues();
  const { data, error, refetch } = useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => api.ProjectService.List({}, { signal, fields: FIELDS }),
  });
  const canCreate = useCanSomewhere('projects', 'create');
  const [isCreating, setCreating] = useState(false);
  useCommands(
    useMemo(
      () => [
        {
          id: 'project-create',
          title: 'New project',
          group: 'Projects',
          icon: 'plus' as const,
          run: () => canCreate.allowed && setCreating(true),
        },
      ],
      [canCreate.allowed],
    ),
  );
  const wanted = readText(search['search']);
  const all = data?.items ?? [];
  const create = (
    <Button look="primary" icon="plus" permission={canCreate} onClick={() => setCreating(true)}>
      New project
    </Button>
  );
  return (
    <ListPage
      title="Projects"
      total={data && all.length}
      actions={create}
      filters={<SearchFilter label="Search projects" group="Projects" />}
    >
      {data === undefined && error === null && <Loading what="Reading the projects" />}
      {data === undefined && error !== null && (
        <ErrorState error={error} what="The projects could not be read" onRetry={() => void refetch()} />
      )}
      {data !== undefined && <List projects={all.filter((project) => matchesSearch(project, wanted))} create={create} />}
      {isCreating && <CreateDialog projects={all} onClose={() => setCreating(false)} />}
    </ListPage>
  );
}

interface ListProps {
  readonly projects: readonly AppProject[];
  readonly create: ReactElement;
}

function List({ projects, create }: ListProps): ReactElement {
  const go = useGo();
  const columns = useMemo(createColumns, []);
  const open = useCallback(({ metadata }: AppProject) => go(projectPath(metadata.name)), [go]);
  const filters = useFilters(FILTERS);
  if (projects.length === 0 && filters.isFiltered)
    return (
      <NoMatch what="project" filters={filters}>
        Names, labels, descriptions, roles, repositories, clusters and namespaces are looked through.
      </NoMatch>
    );
  if (projects.length === 0)
    return (
      <EmptyState icon="project" title="No projects" action={create}>
        A project says what its applications may use and who may do what with them. There is always one, <code>default</code>: if you do not
        see it, you may not, so ask whoever manages access.
      </EmptyState>
    );
  return (
    <VirtualTable
      label="Projects"
      columns={columns}
      count={projects.length}
      rowAt={(index) => projects[index]}
      keyOf={({ metadata }) => metadata.name ?? ''}
      rowHeight={52}
      minWidth={880}
      onOpen={open}
    />
  );
}
