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
  /** Asks another question. What is shown stays until its first page is there. Without counts nothing is asked where no row came or went. */
  readonly ask: (load: LoadPage, options?: { readonly hasCounts?: boolean }) => void;
  /** Rows from `first` to `last` are in sight. */
  readonly show: (first: number, last: number) => void;
  /** Reads what is in sight again, soon. */
  readonly refresh: () => void;
  readonly apply: (events: readonly ApplicationWatchEvent[]) => void;
  /** Up to which version of the store all has been seen: a watch can begin there. Undefined before anything has been read. */
  readonly version: () => string | undefined;
  readonly stop: () => void;
}

const NOTHING: PagesState = { pages: new Map(), stats: undefined, total: 0, error: undefined, isFromBefore: false, isFirst: true };

export function createApplicationPages(): ApplicationPages {
  const state = createStore<PagesState>(NOTHING);
  let load: LoadPage | undefined;
  let question = new AbortController();
  let shown = { first: 0, last: 0 };
  let hasCounts = true;
  let version: string | undefined;
  let reading = new Set<number>();
  /** Asked for before rows came or went: what they bring is of before that. */
  let outdated = new Set<number>();
  let refreshTimer: ReturnType<typeof setTimeout> | undefined;
  let refreshedAt = 0;
  let isMoved = false;

  const readPage = async (page: number): Promise<void> => {
    if (load === undefined || reading.has(page)) return;
    const { signal } = question;
    const busy = reading;
    busy.add(page);
    try {
      const list = await load(page * PAGE_ROWS, PAGE_ROWS, signal);
      if (signal.aborted) return;
      version = versionOf(list) ?? version;
      const before = state.get();
      const isNew = before.isFromBefore || before.isFirst;
      // Nobody looks at it any more: it is asked for again when somebody does.
      if (!isNew && outdated.has(page) && !pagesInSight().includes(page)) return;
      const pages = new Map(isNew ? [] : before.pages);
      pages.delete(page);
      pages.set(page, list.items ?? []);
      for (const oldest of pages.keys()) if (pages.size > PAGES_MAX) pages.delete(oldest);
      const total = list.stats?.total ?? list.items?.length ?? 0;
      state.set({ pages, stats: list.stats, total, error: undefined, isFromBefore: false, isFirst: false });
      if (isNew) readMissing();
    } catch (error) {
      // What is shown stays; only where nothing of this question is shown does the error take its place.
      if (!signal.aborted) state.set({ ...state.get(), error });
    } finally {
      busy.delete(page);
      if (!signal.aborted && outdated.delete(page) && pagesInSight().includes(page)) void readPage(page);
    }
  };

  const pagesInSight = (): readonly number[] => listPages(shown, state.get().total);

  const readMissing = (): void => {
    for (const page of pagesInSight()) if (!state.get().pages.has(page)) void readPage(page);
  };

  /** Rows came or went, so every page may begin with another row. Those that nobody looks at are let go. */
  const readAgain = (): void => {
    const [before, inSight] = [state.get(), pagesInSight()];
    outdated = new Set(reading);
    const kept = new Map([...before.pages].filter(([page]) => inSight.includes(page)));
    if (!before.isFromBefore && kept.size < before.pages.size) state.set({ ...before, pages: kept });
    for (const page of inSight) void readPage(page);
  };

  /** Where nothing came or went only the counts are news: rows must not change places under somebody's hand. */
  const readStats = async (): Promise<void> => {
    const { signal } = question;
    const list = await load?.(0, 1, signal).catch(() => undefined);
    version = (list && versionOf(list)) ?? version;
    if (!signal.aborted && list?.stats !== undefined && !state.get().isFromBefore) state.set({ ...state.get(), stats: list.stats });
  };

  const refreshNow = (): void => {
    refreshTimer = undefined;
    refreshedAt = Date.now();
    if (isMoved) readAgain();
    else if (hasCounts) void readStats();
    isMoved = false;
  };

  const refresh = (): void => {
    refreshTimer ??= setTimeout(refreshNow, Math.max(0, REFRESH_MS_MIN - (Date.now() - refreshedAt)));
  };

  return {
    state,
    ask(next, options = {}) {
      question.abort();
      question = new AbortController();
      reading = new Set();
      outdated = new Set();
      load = next;
      hasCounts = options.hasCounts ?? true;
      state.set({ ...state.get(), isFromBefore: !state.get().isFirst, error: undefined });
      void readPage(0);
    },
    show(first, last) {
      shown = { first, last };
      if (!state.get().isFromBefore) readMissing();
    },
    refresh() {
      isMoved = true;
      refresh();
    },
    apply(events) {
      if (events.length === 0) return;
      state.set(applyEvents(state.get(), events));
      for (const { application } of events) version = later(version, application?.metadata.resourceVersion);
      isMoved ||= events.some(({ type }) => type !== 'MODIFIED');
      refresh();
    },
    version: () => version,
    stop() {
      question.abort();
      clearTimeout(refreshTimer);
    },
  };
}

/** The pages that some rows are on; rows past the end were there before others went. */
function listPages({ first, last }: { readonly first: number; readonly last: number }, total: number): readonly number[] {
  const pageOf = (row: number): number => Math.floor(Math.max(0, Math.min(row, total - 1)) / PAGE_ROWS);
  return Array.from({ length: pageOf(last) - pageOf(first) + 1 }, (_, index) => pageOf(first) + index);
}

/** Answers of which only some fields are asked for may be without it. */
function versionOf(list: Partial<ApplicationList>): string | undefined {
  return list.metadata?.resourceVersion;
}

/** Before anything has been read there is nothing that an event could follow. */
function later(version: string | undefined, other: string | undefined): string | undefined {
  return version === undefined || Number(other ?? 0) <= Number(version) ? version : other;
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
