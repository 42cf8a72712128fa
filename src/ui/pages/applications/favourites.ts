import type { ApplicationList, ApplicationQuery } from '../../../contract/gen/types.ts';
import { api, createStore } from '../../api/index.ts';
import { rowFields } from './application-row.ts';

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

/** The server cannot list by names, but each name is one small question. */
export async function loadFavourites(paths: readonly string[], query: ApplicationQuery, signal: AbortSignal): Promise<ApplicationList> {
  const lists = await Promise.all(
    paths.map((path) => {
      const [appNamespace = '', name = ''] = path.split('/');
      return api.ApplicationService.List({ ...query, name, appNamespace }, { signal, fields: rowFields });
    }),
  );
  const items = lists.flatMap((list) => list.items ?? []);
  return { metadata: {}, items, stats: { total: items.length } };
}
