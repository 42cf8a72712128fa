import { lazy, Suspense, useMemo, useRef, type ReactElement } from 'react';
import type { ApplicationSet } from '../../../contract/gen/types.ts';
import { readList, readText, useCommands, useGo, useSearchValues } from '../../app/index.ts';
import { Button, EmptyState, ErrorState, FilterMenu, ListPage, Loading, SearchField, VirtualTable } from '../../design/index.ts';
import { COLUMNS } from './columns.tsx';
import { isFiltered, NO_FILTERS, readOrder, selectSets } from './select-sets.ts';
import { applicationSetPath, projectOf, stateOf } from './set-state.ts';
import { keyOfSet, useApplicationSets } from './use-application-sets.ts';
import { useCanCreate } from './use-can-create.ts';
import './application-sets.css';

const CreateView = lazy(async () => ({ default: (await import('./create-view.tsx')).CreateView }));

/** All application sets that the person may see; or a new one. */
export function Page(): ReactElement {
  const [search, change] = useSearchValues();
  if (readText(search['new']) !== 'true') return <AllSets />;
  return (
    <Suspense fallback={<Loading />}>
      <CreateView onClose={() => change({ new: undefined })} />
    </Suspense>
  );
}

function AllSets(): ReactElement {
  const [, change] = useSearchValues();
  const { data, error, refetch } = useApplicationSets();
  const canCreate = useCanCreate();
  const begin = (): void => change({ new: 'true' }, { replace: false });
  return (
    <ListPage
      title="ApplicationSets"
      total={data?.length}
      actions={
        <Button look="primary" icon="plus" permission={canCreate} onClick={begin}>
          New ApplicationSet
        </Button>
      }
      {...(data !== undefined && data.length > 0 && { filters: <Filters sets={data} /> })}
    >
      {data === undefined ? (
        error === null ? (
          <Loading what="Reading the ApplicationSets" />
        ) : (
          <ErrorState error={error} what="The ApplicationSets could not be read" onRetry={() => void refetch()} />
        )
      ) : (
        <List sets={data} />
      )}
    </ListPage>
  );
}

function List({ sets }: { readonly sets: readonly ApplicationSet[] }): ReactElement {
  const [search, change] = useSearchValues();
  const go = useGo();
  const rows = useMemo(() => selectSets(sets, search), [sets, search]);
  if (rows.length === 0) return <NothingHere isNarrowed={sets.length > 0} onClear={() => change(NO_FILTERS)} />;
  return (
    <VirtualTable
      label="ApplicationSets"
      columns={COLUMNS}
      count={rows.length}
      rowAt={(index) => rows[index]}
      keyOf={keyOfSet}
      rowHeight={50}
      minWidth={1000}
      order={readOrder(search)}
      onOrder={(sort) => change({ sort: sort === 'name' ? undefined : sort })}
      onOpen={({ metadata }) => go(applicationSetPath(metadata))}
    />
  );
}

function Filters({ sets }: { readonly sets: readonly ApplicationSet[] }): ReactElement {
  const [search, change] = useSearchValues();
  const input = useRef<HTMLInputElement>(null);
  useCommands(
    useMemo(
      () => [
        {
          id: 'focus-search',
          title: 'Search in the list',
          group: 'ApplicationSets',
          icon: 'search',
          keys: '/',
          run: () => input.current?.focus(),
        },
      ],
      [],
    ),
  );
  const menus = [
    { name: 'proj', title: 'Project', values: sets.map(projectOf) },
    { name: 'health', title: 'State', values: sets.map((set) => stateOf(set).health) },
  ];
  return (
    <>
      <SearchField
        ref={input}
        label="Search ApplicationSets by name"
        value={readText(search['search'])}
        onChange={(text) => change({ search: text || undefined })}
      />
      {menus.map(({ name, title, values }) => (
        <FilterMenu
          key={name}
          title={title}
          values={[...new Set(values)].toSorted((one, other) => one.localeCompare(other))}
          chosen={readList(search[name])}
          onChoose={(chosen) => change({ [name]: chosen.length === 0 ? undefined : chosen })}
        />
      ))}
      {isFiltered(search) && (
        <Button look="quiet" icon="close" onClick={() => change(NO_FILTERS)}>
          Clear
        </Button>
      )}
    </>
  );
}

function NothingHere({ isNarrowed, onClear }: { readonly isNarrowed: boolean; readonly onClear: () => void }): ReactElement {
  if (isNarrowed)
    return (
      <EmptyState title="No ApplicationSet matches" action={<Button onClick={onClear}>Clear the filters</Button>}>
        Take away a filter, or look for a shorter part of the name.
      </EmptyState>
    );
  return (
    <EmptyState icon="applicationSets" title="No ApplicationSets yet">
      An ApplicationSet makes applications from a template: one for each folder of a repository, each cluster, each pull request. Press “New
      ApplicationSet” above and paste one, or use <code>argocd appset create</code> or <code>kubectl apply</code>. If there should be some,
      you may not be allowed to see them: ask whoever manages access.
    </EmptyState>
  );
}
