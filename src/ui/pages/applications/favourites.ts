import type { ApplicationList, ApplicationQuery } from '../../../contract/gen/types.ts';
import { api, createStore } from '../../api/index.ts';
import { rowFields } from './application-row.ts';
import type { LoadPage } from './create-application-pages.ts';

const KEY = 'fairway.favourites';
const FAVOURITES_MAX = 200;

/** Paths (`namespace/name`) of the applications that the person marked, kept in this browser. */
export const favourites = createStore<readonly string[]>(read());

export function toggleFavourite(path: string): void {
  const before = favourites.get();
  const next = before.includes(path) ? before.filter((each) => each !== path) : [...before, path].slice(-FAVOURITES_MAX);
  favourites.set(next);
  try {
    window.localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Then they hold until the page is closed.
  }
}

function read(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((item): item is string => typeof item === 'string').slice(-FAVOURITES_MAX) : [];
  } catch {
    // Nothing kept, or nothing that we understand.
    return [];
  }
}

/** Reads favourites page by page. Pages that are asked for in one turn share what was read. */
export function createFavouritesLoader(paths: readonly string[], query: ApplicationQuery): LoadPage {
  let shared: Promise<ApplicationList> | undefined;
  return async (offset, limit, signal) => {
    if (shared === undefined) queueMicrotask(() => (shared = undefined));
    shared ??= loadFavourites(paths, query, signal);
    const list = await shared;
    return { ...list, items: list.items.slice(offset, offset + limit) };
  };
}

/** The server cannot list by names, but each name is one small question. */
async function loadFavourites(paths: readonly string[], query: ApplicationQuery, signal: AbortSignal): Promise<ApplicationList> {
  const lists = await Promise.all(
    paths.map((path) => {
      const [appNamespace = '', name = ''] = path.split('/');
      return api.ApplicationService.List({ ...query, name, appNamespace }, { signal, fields: rowFields });
    }),
  );
  const items = lists.flatMap((list) => list.items ?? []);
  // What happened between the first answer and the last is told again by a watch from the oldest.
  const [oldest] = lists.toSorted((one, other) => Number(one.metadata?.resourceVersion) - Number(other.metadata?.resourceVersion));
  return { metadata: oldest?.metadata ?? {}, items, stats: { total: items.length } };
}
