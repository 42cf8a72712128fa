import { lazy, Suspense, useMemo, type ReactElement } from 'react';
import type { ApplicationSet } from '../../../contract/gen/types.ts';
import { useCanSomewhere } from '../../api/index.ts';
import { ClearFilters, NoMatch, readText, SearchFilter, useFilters, useGo, useSearchValues, ValuesFilter } from '../../app/index.ts';
import { Button, EmptyState, ErrorState, ListPage, Loading, VirtualTable } from '../../design/index.ts';
import { COLUMNS } from './columns.tsx';
import { FILTERS, readOrder, selectSets } from './select-sets.ts';
import { applicationSetPath, projectOf, stateOf } from './set-state.ts';
import { keyOfSet, useApplicationSets } from './use-application-sets.ts';
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
  const canCreate = useCanSomewhere('applicationsets', 'create');
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
  const filters = useFilters(FILTERS);
  if (sets.length === 0) return <NothingHere />;
  if (rows.length === 0) return <NoMatch what="ApplicationSet" filters={filters} />;
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
  return (
    <>
      <SearchFilter label="Search by name" group="ApplicationSets" />
      <ValuesFilter name="proj" title="Project" values={sets.map(projectOf)} />
      <ValuesFilter name="health" title="State" values={sets.map((set) => stateOf(set).health)} />
      <ClearFilters filters={useFilters(FILTERS)} />
    </>
  );
}

function NothingHere(): ReactElement {
  return (
    <EmptyState icon="applicationSets" title="No ApplicationSets yet">
      An ApplicationSet makes applications from a template: one for each folder of a repository, each cluster, each pull request. Press “New
      ApplicationSet” above and paste one, or use <code>argocd appset create</code> or <code>kubectl apply</code>. If there should be some,
      you may not be allowed to see them: ask whoever manages access.
    </EmptyState>
  );
}
