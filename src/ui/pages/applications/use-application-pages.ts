import { useEffect, useMemo, useState } from 'react';
import type { ApplicationQuery, ApplicationWatchEvent } from '../../../contract/gen/types.ts';
import { api, useStore, useWatch, type StreamOptions } from '../../api/index.ts';
import { eventFields, keyOfRow, rowFields } from './application-row.ts';
import { createApplicationPages, type ApplicationPages, type LoadPage, type PagesState } from './create-application-pages.ts';
import { createFavouritesLoader } from './favourites.ts';

/** Who types asks another question with each letter; followed is the one that they stay with. */
const SETTLED_MS = 400;

export interface ListedApplications extends PagesState {
  readonly list: ApplicationPages;
}

/** The applications that a query means, page by page, kept current by a watch with the same conditions. */
export function useApplicationPages(query: ApplicationQuery, favourites: readonly string[] | undefined): ListedApplications {
  const [list] = useState(createApplicationPages);
  const state = useStore(list.state);
  const key = JSON.stringify([query, favourites]);
  useEffect(() => {
    const [wanted, names] = JSON.parse(key) as [ApplicationQuery, readonly string[] | null];
    const load: LoadPage = (offset, limit, signal) =>
      api.ApplicationService.List({ ...wanted, offset, limit }, { signal, fields: rowFields });
    // Of favourites nothing is counted but how many there are.
    if (names === null) list.ask(load);
    else list.ask(createFavouritesLoader(names, wanted), { hasCounts: false });
  }, [list, key]);
  useEffect(() => () => list.stop(), [list]);
  const marked = useMemo(() => favourites && new Set(favourites), [favourites]);
  const settled = useSettled(key);
  useWatch(settled, {
    open: (options) => watchFrom(list.version(), (JSON.parse(settled) as [ApplicationQuery])[0], options),
    onOpen: () => list.refresh(),
    onEvents: (events) => {
      // What is told of another question says nothing about this one.
      if (settled !== key) return;
      list.apply(marked === undefined ? events : events.filter(({ application }) => marked.has(keyOfRow(application))));
    },
    // What the list is read at is where the watch begins. Where it could not be read, the watch is what notices that the server is back.
    enabled: !state.isFirst || state.error !== undefined,
  });
  return { ...state, list };
}

/** Tells what changed since a version; where none is known, since now: all that there are would otherwise be told one by one. */
async function* watchFrom(
  version: string | undefined,
  query: ApplicationQuery,
  options: StreamOptions,
): AsyncGenerator<ApplicationWatchEvent> {
  const resourceVersion = version ?? (await readVersion(options.signal));
  // With an order, even the plain one, the server tells what enters and leaves the conditions.
  yield* api.ApplicationService.Watch({ orderBy: 'name', ...query, resourceVersion }, { ...options, fields: eventFields });
}

async function readVersion(signal: AbortSignal | undefined): Promise<string> {
  const { metadata } = await api.ApplicationService.List({ limit: 1 }, { signal, fields: 'metadata.resourceVersion' });
  return metadata.resourceVersion ?? '';
}

/** The value once it has stayed the same for a while; the first one at once. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
