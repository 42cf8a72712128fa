import { useEffect, useMemo, useState } from 'react';
import type { ApplicationQuery } from '../../../contract/gen/types.ts';
import { api, useStore, useWatch } from '../../api/index.ts';
import { eventFields, rowFields } from './application-row.ts';
import { createApplicationPages, type ApplicationPages, type LoadPage, type PagesState } from './create-application-pages.ts';
import { loadFavourites } from './favourites.ts';

/** From any version on: those that are there are read by the list. */
const FROM_NOW_ON = '1';
/** Who types asks another question with each letter; followed is the one that they stay with. */
const SETTLED_MS = 400;

export interface ListedApplications extends PagesState {
  readonly list: ApplicationPages;
}

/** The applications that a query means, page by page, kept current by a watch with the same conditions. */
export function useApplicationPages(query: ApplicationQuery, favourites: readonly string[] | undefined): ListedApplications {
  const [list] = useState(createApplicationPages);
  const key = JSON.stringify([query, favourites]);
  const load = useMemo((): LoadPage => {
    const [wanted, names] = JSON.parse(key) as [ApplicationQuery, readonly string[] | null];
    if (names !== null) return (_offset, _limit, signal) => loadFavourites(names, wanted, signal);
    return (offset, limit, signal) => api.ApplicationService.List({ ...wanted, offset, limit }, { signal, fields: rowFields });
  }, [key]);
  useEffect(() => {
    list.ask(load);
  }, [list, load]);
  useEffect(() => () => list.stop(), [list]);
  const settled = useSettled(key);
  useWatch(settled, {
    // With an order, even the plain one, the server tells what enters and leaves the conditions.
    open: (options) =>
      api.ApplicationService.Watch(
        { orderBy: 'name', ...(JSON.parse(settled) as [ApplicationQuery])[0], resourceVersion: FROM_NOW_ON },
        { ...options, fields: eventFields },
      ),
    onOpen: () => list.refresh(),
    // What is told of another question says nothing about this one.
    onEvents: (events) => settled === key && list.apply(events),
  });
  return { ...useStore(list.state), list };
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
