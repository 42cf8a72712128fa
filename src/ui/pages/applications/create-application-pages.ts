import type { ApplicationList, ApplicationListStats, ApplicationWatchEvent } from '../../../contract/gen/types.ts';
import { createStore, type Store } from '../../api/index.ts';
import { keyOfRow, type ApplicationRow } from './application-row.ts';

export const PAGE_ROWS = 100;
/** A list that changes all the time is read again this often at most. */
const REFRESH_MS_MIN = 1_000;
const PAGES_MAX = 40;

export interface PagesState {
  readonly pages: ReadonlyMap<number, readonly ApplicationRow[]>;
  readonly stats: ApplicationListStats | undefined;
  readonly total: number;
  readonly error: unknown;
  /** What is shown still answers the question before. */
  readonly isFromBefore: boolean;
  /** Nothing has been read yet. */
  readonly isFirst: boolean;
}

export type LoadPage = (offset: number, limit: number, signal: AbortSignal) => Promise<ApplicationList>;

/** A list of any length of which only the pages in sight are read, and which a watch keeps current without moving anything. */
export interface ApplicationPages {
  readonly state: Store<PagesState>;
  /** Asks another question. What is shown stays until its first page is there. */
  readonly ask: (load: LoadPage) => void;
  /** Rows from `first` to `last` are in sight. */
  readonly show: (first: number, last: number) => void;
  /** Reads what is in sight again, soon. */
  readonly refresh: () => void;
  readonly apply: (events: readonly ApplicationWatchEvent[]) => void;
  readonly stop: () => void;
}

const NOTHING: PagesState = { pages: new Map(), stats: undefined, total: 0, error: undefined, isFromBefore: false, isFirst: true };

export function createApplicationPages(): ApplicationPages {
  const state = createStore<PagesState>(NOTHING);
  let load: LoadPage | undefined;
  let question = new AbortController();
  let shown = { first: 0, last: 0 };
  let reading = new Set<number>();
  let refreshTimer: ReturnType<typeof setTimeout> | undefined;
  let refreshedAt = 0;
  let isMoved = false;

  const readPage = async (page: number, isFresh: boolean): Promise<void> => {
    if (load === undefined || reading.has(page)) return;
    const { signal } = question;
    const busy = reading;
    busy.add(page);
    try {
      const list = await load(page * PAGE_ROWS, PAGE_ROWS, signal);
      if (signal.aborted) return;
      const before = state.get();
      const isNew = before.isFromBefore || before.isFirst;
      const pages = new Map(isNew ? [] : before.pages);
      pages.delete(page);
      pages.set(page, list.items ?? []);
      for (const oldest of pages.keys()) if (pages.size > PAGES_MAX) pages.delete(oldest);
      const total = list.stats?.total ?? list.items?.length ?? 0;
      state.set({ pages, stats: list.stats, total, error: undefined, isFromBefore: false, isFirst: false });
    } catch (error) {
      // What is shown stays; only where nothing is shown does the error take its place.
      if (!signal.aborted) state.set({ ...state.get(), error, isFirst: isFresh && state.get().isFirst });
    } finally {
      busy.delete(page);
    }
  };

  const pagesInSight = (): number[] => {
    const [first, last] = [Math.floor(shown.first / PAGE_ROWS), Math.floor(shown.last / PAGE_ROWS)];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  };

  /** Where nothing came or went only the counts are news: rows must not change places under somebody's hand. */
  const readStats = async (): Promise<void> => {
    const { signal } = question;
    const list = await load?.(0, 1, signal).catch(() => undefined);
    if (!signal.aborted && list?.stats !== undefined && !state.get().isFromBefore) state.set({ ...state.get(), stats: list.stats });
  };

  const refreshNow = (): void => {
    refreshTimer = undefined;
    refreshedAt = Date.now();
    if (isMoved) for (const page of pagesInSight()) void readPage(page, false);
    else void readStats();
    isMoved = false;
  };

  const refresh = (): void => {
    refreshTimer ??= setTimeout(refreshNow, Math.max(0, REFRESH_MS_MIN - (Date.now() - refreshedAt)));
  };

  return {
    state,
    ask(next) {
      question.abort();
      question = new AbortController();
      reading = new Set();
      load = next;
      shown = { first: 0, last: 0 };
      state.set({ ...state.get(), isFromBefore: !state.get().isFirst, error: undefined });
      void readPage(0, true);
    },
    show(first, last) {
      shown = { first, last };
      if (state.get().isFromBefore) return;
      for (const page of pagesInSight()) if (!state.get().pages.has(page)) void readPage(page, true);
    },
    refresh() {
      isMoved = true;
      refresh();
    },
    apply(events) {
      state.set(applyEvents(state.get(), events));
      isMoved ||= events.some(({ type }) => type !== 'MODIFIED');
      refresh();
    },
    stop() {
      question.abort();
      clearTimeout(refreshTimer);
    },
  };
}

/** Changed rows are replaced where they are. What came or went changes the order, which is asked of the server. */
function applyEvents(state: PagesState, events: readonly ApplicationWatchEvent[]): PagesState {
  const changed = new Map(
    events.flatMap(({ application }) => (application === undefined ? [] : [[keyOfRow(application), application] as const])),
  );
  const pages = new Map(state.pages);
  let isChanged = false;
  for (const [page, rows] of pages) {
    if (!rows.some((row) => changed.has(keyOfRow(row)))) continue;
    isChanged = true;
    pages.set(
      page,
      rows.map((row) => newer(row, changed.get(keyOfRow(row)))),
    );
  }
  return isChanged ? { ...state, pages } : state;
}

function newer(row: ApplicationRow, event: ApplicationRow | undefined): ApplicationRow {
  if (event?.metadata.resourceVersion === undefined) return row;
  return Number(event.metadata.resourceVersion) >= Number(row.metadata.resourceVersion ?? 0) ? event : row;
}
