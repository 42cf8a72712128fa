import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState, type ReactElement } from 'react';
import type { AppProject } from '../../../contract/gen/types.ts';
import { api, useCan } from '../../api/index.ts';
import { AppLink, readText, useCommands, useGo, useSearchValues } from '../../app/index.ts';
import { Button, EmptyState, ErrorState, Icon, Loading, VirtualTable } from '../../design/index.ts';
import { createColumns } from './columns.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { matchesSearch, projectPath } from './project-row.ts';
import './projects.css';

/** All projects that the person may see. */
export function Page(): ReactElement {
  const [search, change] = useSearchValues();
  const { data, error, refetch } = useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) =>
      api.ProjectService.List(
        {},
        { signal, fields: 'items.metadata.name,items.metadata.labels,items.metadata.creationTimestamp,items.spec' },
      ),
  });
  const canCreate = useCan('projects', 'create', '*');
  const [isCreating, setCreating] = useState(false);
  const wanted = readText(search['search']);
  const all = data?.items ?? [];
  const shown = all.filter((project) => matchesSearch(project, wanted));
  const create = (
    <Button look="primary" icon="plus" permission={canCreate} onClick={() => setCreating(true)}>
      New project
    </Button>
  );
  return (
    <div className="projects">
      <header className="page-head">
        <h1>
          <AppLink to="/settings" className="projects-up">
            Settings
          </AppLink>
          <span className="faint" aria-hidden="true">
            {' / '}
          </span>
          Projects <span className="projects-total">{data === undefined ? '' : all.length.toLocaleString()}</span>
        </h1>
        <SearchField text={wanted} onChange={(text) => change({ search: text === '' ? undefined : text })} />
        {create}
      </header>
      <div className="card projects-body">
        {data === undefined && error === null && <Loading what="Reading the projects" />}
        {data === undefined && error !== null && (
          <ErrorState error={error} what="The projects could not be read" onRetry={() => void refetch()} />
        )}
        {data !== undefined && (
          <List projects={shown} isNarrowed={wanted !== ''} onClear={() => change({ search: undefined })} create={create} />
        )}
      </div>
      {isCreating && <CreateDialog projects={all} onClose={() => setCreating(false)} />}
    </div>
  );
}

interface ListProps {
  readonly projects: readonly AppProject[];
  readonly isNarrowed: boolean;
  readonly onClear: () => void;
  readonly create: ReactElement;
}

function List({ projects, isNarrowed, onClear, create }: ListProps): ReactElement {
  const go = useGo();
  const columns = useMemo(createColumns, []);
  if (projects.length === 0 && isNarrowed)
    return (
      <EmptyState title="No project matches" action={<Button onClick={onClear}>Clear the search</Button>}>
        Names, descriptions, repositories, clusters and namespaces are looked through.
      </EmptyState>
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
      minWidth={860}
      onOpen={({ metadata }) => go(projectPath(metadata.name))}
    />
  );
}

function SearchField({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  useCommands(
    useMemo(
      () => [
        {
          id: 'focus-search',
          title: 'Search in the list',
          group: 'Projects',
          icon: 'search' as const,
          keys: '/',
          run: () => input.current?.focus(),
        },
      ],
      [],
    ),
  );
  return (
    <label className="projects-search">
      <Icon name="search" size={14} />
      <span className="visually-hidden">Search projects</span>
      <input
        ref={input}
        className="input"
        type="search"
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
