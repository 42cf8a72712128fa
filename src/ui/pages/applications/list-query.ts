import type { ApplicationQuery } from '../../../contract/gen/types.ts';
import { readList, readText, type SearchValues } from '../../app/index.ts';

/** The filters that are lists: their name in the address (as Argo CD has it), and in the API. */
export const LIST_FILTERS = {
  proj: 'projects',
  sync: 'syncStatuses',
  health: 'healthStatuses',
  cluster: 'clusters',
  namespace: 'namespaces',
  repo: 'repos',
} as const satisfies Record<string, keyof ApplicationQuery>;

export const ORDERS: readonly string[] = ['name', 'createdAt', 'syncedAt', 'health', 'sync'];

/** What the address asks for, as a query for the server. The address of a person may say anything; what makes no sense is left out. */
export function readQuery(search: SearchValues): ApplicationQuery {
  const query: ApplicationQuery = {};
  const text = readText(search['search']).trim();
  if (text !== '') query.search = text;
  for (const [name, field] of Object.entries(LIST_FILTERS)) {
    const values = readList(search[name]);
    if (values.length > 0) query[field] = [...values];
  }
  const automation = readText(search['autoSync']);
  if (automation === 'on' || automation === 'off') query.autoSyncEnabled = automation === 'on';
  const labels = readText(search['labels']).trim();
  if (labels !== '') query.selector = labels;
  query.orderBy = readOrder(search);
  return query;
}

export function readOrder(search: SearchValues): string {
  const order = readText(search['sort']);
  return ORDERS.includes(order.replace(/^-/, '')) ? order : 'name';
}

/** Everything in the address that leaves applications out; not the view and the order. */
export const FILTERS: readonly string[] = ['search', 'autoSync', 'labels', 'favourites', ...Object.keys(LIST_FILTERS)];
