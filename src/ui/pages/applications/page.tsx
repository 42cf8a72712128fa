import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, type ReactElement, type RefObject } from 'react';
import { describeError, useCanSomewhere, useStore } from '../../api/index.ts';
import { applicationPath, NoMatch, readText, useFilters, useGo, useSearchValues } from '../../app/index.ts';
import {
  Button,
  EmptyState,
  ErrorState,
  FromBefore,
  ListPage,
  Loading,
  Menu,
  MenuItem,
  Segments,
  VirtualTable,
} from '../../design/index.ts';
import { keyOfRow, type ApplicationRow } from './application-row.ts';
import { Attention } from './attention.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { createColumns } from './columns.tsx';
import { PAGE_ROWS } from './create-application-pages.ts';
import { favourites } from './favourites.ts';
import { FilterBar } from './filter-bar.tsx';
import { FILTERS, readOrder, readQuery } from './list-query.ts';
import { Tiles } from './tiles.tsx';
import { useApplicationPages, type ListedApplications } from './use-application-pages.ts';
import { useSelection } from './use-selection.ts';
import './applications.css';

const ROW_HEIGHT = 48;
const VIEWS = [
  { id: 'table', title: 'Table', icon: 'table' },
  { id: 'tiles', title: 'Tiles', icon: 'applications' },
  { id: 'attention', title: 'Needs attention', icon: 'alert' },
] as const;

const ORDER_TITLES: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['-syncedAt', 'last sync'],
  ['-createdAt', 'newest'],
  ['health', 'health'],
  ['sync', 'sync status'],
]);

/** All applications that the person may see. */
export function Page(): ReactElement {
  const [search, change] = useSearchValues();
  const marked = useStore(favourites);
  const view = VIEWS.find(({ id }) => id === readText(search['view']))?.id ?? 'table';
  const query = readQuery(search);
  const listed = useApplicationPages(query, readText(search['favourites']) === 'true' ? marked : undefined);
  useLinksToNew(readText(search['new']));
  const isAnswered = !listed.isFirst && !(listed.isFromBefore && listed.error !== undefined);
  return (
    <ListPage
      title="Applications"
      total={isAnswered ? listed.total : undefined}
      actions={
        <>
          {view === 'tiles' && (
            <OrderMenu order={readOrder(search)} onOrder={(sort) => change({ sort: sort === 'name' ? undefined : sort })} />
          )}
          <Segments label="View" segments={VIEWS} value={view} onChange={(id) => change({ view: id === 'table' ? undefined : id })} />
          <NewApplication />
        </>
      }
      filters={<FilterBar stats={listed.stats} />}
      isFromBefore={listed.isFromBefore && isAnswered}
    >
      {view === 'attention' ? <Attention query={query} stats={listed.stats} /> : <List listed={listed} view={view} />}
    </ListPage>
  );
}

function NewApplication(): ReactElement {
  const go = useGo();
  return (
    <Button look="primary" icon="plus" permission={useCanSomewhere('applications', 'create')} onClick={() => go('/applications/new')}>
      New application
    </Button>
  );
}

/** Links from elsewhere say here what a new application is to be, as JSON. */
function useLinksToNew(application: string): void {
  const go = useGo();
  useEffect(() => {
    if (application !== '') go('/applications/new', { search: { app: application }, replace: true });
  }, [application, go]);
}

/** A table is sorted at its heads; tiles have none. */
function OrderMenu({ order, onOrder }: { readonly order: string; readonly onOrder: (order: string) => void }): ReactElement {
  const title = `Sorted by ${ORDER_TITLES.get(order) ?? 'name'}`;
  return (
    <Menu label={title} look="quiet" button={title}>
      {[...ORDER_TITLES].map(([id, name]) => (
        <MenuItem key={id} onClick={() => onOrder(id)} {...(id === order && { icon: 'check' })}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}

function List({ listed, view }: { readonly listed: ListedApplications; readonly view: 'table' | 'tiles' }): ReactElement {
  const [search, change] = useSearchValues();
  const go = useGo();
  const { pages, total, error, list } = listed;
  const { selected, selection, clear } = useSelection(listed);
  const rowAt = useCallback((index: number) => pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS], [pages]);
  const columns = useMemo(() => createColumns(selection), [selection]);
  const onOpen = useCallback(({ metadata }: ApplicationRow) => go(applicationPath(metadata)), [go]);
  const scroller = useRef<HTMLDivElement>(null);
  const filters = useFilters(FILTERS);
  const onRange = useAnchor(scroller, listed, list.show);

  // What answers another question is no answer to this one; and that there are none may no longer be so.
  if (error !== undefined && (listed.isFirst || listed.isFromBefore || total === 0))
    return <ErrorState error={error} what="The applications could not be read" onRetry={list.refresh} />;
  if (listed.isFirst) return <Loading what="Reading the applications" />;
  if (total === 0) return filters.isFiltered ? <NoMatch what="application" filters={filters} /> : <NothingHere />;
  const failure = error !== undefined && (
    <div className="list-page-notice">
      <FromBefore onRetry={list.refresh}>The applications could not be read again: {describeError(error)}.</FromBefore>
    </div>
  );
  if (view === 'tiles')
    return (
      <>
        {failure}
        <Tiles count={total} rowAt={rowAt} onRange={list.show} />
      </>
    );
  return (
    <>
      {failure}
      <BulkBar selected={[...selected.values()]} onClear={clear} />
      <VirtualTable
        label="Applications"
        columns={columns}
        count={total}
        rowAt={rowAt}
        keyOf={keyOfRow}
        rowHeight={ROW_HEIGHT}
        minWidth={880}
        order={readOrder(search)}
        onOrder={(sort) => change({ sort: sort === 'name' ? undefined : sort })}
        onOpen={onOpen}
        isSelected={(row) => selected.has(keyOfRow(row))}
        onRange={onRange}
        scrollRef={scroller}
      />
    </>
  );
}

/** When rows come or go above, what is in sight stays where it is. */
function useAnchor(
  scroller: RefObject<HTMLDivElement | null>,
  { pages }: ListedApplications,
  show: (first: number, last: number) => void,
): (first: number, last: number) => void {
  const anchor = useRef<{ readonly index: number; readonly key: string | undefined }>({ index: 0, key: undefined });
  const current = useRef(pages);
  useLayoutEffect(() => {
    current.current = pages;
    const { index, key } = anchor.current;
    const element = scroller.current;
    // Somebody scrolled to rows that were still on their way; now they are there.
    if (key === undefined) anchor.current = { index, key: keyAt(pages, index) };
    if (element === null || key === undefined || element.scrollTop === 0) return;
    const next = findIndex(pages, key);
    if (next !== undefined && next !== index) {
      anchor.current = { index: next, key };
      element.scrollTop += (next - index) * ROW_HEIGHT;
    }
  }, [pages, scroller]);
  return useCallback(
    (first, last) => {
      anchor.current = { index: first, key: keyAt(current.current, first) };
      show(first, last);
    },
    [show],
  );
}

function keyAt(pages: ListedApplications['pages'], index: number): string | undefined {
  const row = pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  return row && keyOfRow(row);
}

function findIndex(pages: ReadonlyMap<number, readonly ApplicationRow[]>, key: string): number | undefined {
  for (const [page, rows] of pages) {
    const index = rows.findIndex((row) => keyOfRow(row) === key);
    if (index >= 0) return page * PAGE_ROWS + index;
  }
  return undefined;
}

function NothingHere(): ReactElement {
  return (
    <EmptyState icon="applications" title="No applications yet" action={<NewApplication />}>
      An application keeps a place in a cluster as a folder of a repository says. Create one here, with <code>argocd app create</code>,{' '}
      <code>kubectl apply</code> or a POST to <a href="/docs">the API</a>. If there should be some, you may not be allowed to see them: ask
      whoever manages access.
    </EmptyState>
  );
}
