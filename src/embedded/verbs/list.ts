import { forbiddenValue, StatusError, statusError } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { ListOptions, ObjectList } from '../../kube/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { objectInvalid, versionTooLarge } from '../refusals.ts';
import { decodeContinue, encodeContinue } from '../storage/continue-token.ts';
import { readPage } from '../storage/read-page.ts';
import type { Cursor, Page, PageRow } from '../storage/read-page.ts';
import type { StoredObject } from '../storage/stored-object.ts';
import { createSelection } from './selection.ts';
import type { Selection } from './selection.ts';
import { asKubeObject, fromStored, servedText } from './verb-context.ts';
import type { VerbContext } from './verb-context.ts';

/** Rows that are looked at before others get their turn; also the page of lists without a limit. */
const CHUNK = 1_000;
const START: Cursor = { namespace: '', name: '' };
const LIST_OPTIONS = { group: 'meta.k8s.io', kind: 'ListOptions' };

/** The objects of a kind as they were at one version, all or a page of them. */
export async function listObjects(context: VerbContext, kind: Kind, options: ListOptions): Promise<ObjectList> {
  const isWhole = options.keepManagedFields === true;
  return await listStates(context, kind, options, (state) => asKubeObject(fromStored(kind, isWhole ? state.object : state.lean)));
}

/** As listObjects, with the whole objects as JSON: where the store has the texts, nothing is decoded or encoded. */
export async function listTexts(context: VerbContext, kind: Kind, options: ListOptions): Promise<TextList> {
  return await listStates(context, kind, options, (state) => servedText(kind, state));
}

/** A list whose items are JSON already. */
export interface TextList {
  readonly metadata: ObjectList['metadata'];
  readonly items: readonly string[];
}

async function listStates<Item>(
  context: VerbContext,
  kind: Kind,
  options: ListOptions,
  make: (state: StoredObject) => Item,
): Promise<{ metadata: ObjectList['metadata']; items: readonly Item[] }> {
  const selection = createSelection(kind, options);
  const limit = options.limit !== undefined && options.limit > 0 ? options.limit : Infinity;
  const items: Item[] = [];
  const start = await context.store.read(() => startOf(context, kind, selection, options));
  let after: Cursor | undefined = start.after;
  while (after !== undefined && items.length < limit) {
    const place: Place<Item> = { after, version: start.version, items, limit, make };
    after = await context.store.read(() => takeChunk(context, kind, selection, place));
    // Others have their turn between the chunks of a long list. What they change does not show: the list is of one version.
    if (after !== undefined && items.length < limit) await new Promise((resolve) => setImmediate(resolve));
  }
  const left = start.left === undefined ? undefined : start.left - items.length;
  const next = left === 0 ? undefined : after;
  return {
    metadata: {
      resourceVersion: String(start.version),
      ...(next && { continue: encodeContinue({ version: start.version, after: next, left }) }),
      ...(next && left !== undefined && { remainingItemCount: left }),
    },
    items,
  };
}

interface Place<Item> {
  readonly after: Cursor;
  readonly version: number;
  /** What was found so far; more is added to it. */
  readonly items: Item[];
  readonly limit: number;
  readonly make: (state: StoredObject) => Item;
}

/** Adds the next objects that match; says where the list goes on, or nothing at its end. */
function takeChunk<Item>(context: VerbContext, kind: Kind, selection: Selection, place: Place<Item>): Cursor | undefined {
  const { after, version, items, limit, make } = place;
  const { store, history } = context;
  if (version < history.compactedVersion) throw listTooOld();
  const { resource } = kind;
  const { namespace, labelText } = selection;
  const chunk = selection.isFiltered ? CHUNK : Math.min(CHUNK, limit - items.length);
  const isNamed = selection.name !== undefined && version === store.committedVersion && after === START;
  const page = isNamed
    ? readNamed(context, kind, selection, selection.name)
    : readPage(store, { resource, namespace, after, limit: chunk, labelText, version });
  const taken = takeRows(kind, selection, { rows: page.rows, items, limit, make });
  return taken.isFull ? taken.last : page.next;
}

/** A selector for one name needs no search, as long as nothing has changed since the list began: it is there or not in each namespace. */
function readNamed({ store }: VerbContext, { resource }: Kind, { namespace }: Selection, name: string): Page {
  const namespaces = namespace === undefined ? store.counts.namespacesOf(resource).toSorted(compareTexts) : [namespace];
  const rows = namespaces.flatMap((place): PageRow[] => {
    const state = store.lookup({ resource, namespace: place, name });
    return state === undefined ? [] : [{ namespace: place, name, version: state.version, labels: undefined, read: () => state }];
  });
  return { rows, next: undefined };
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

type Taking<Item> = Pick<Place<Item>, 'items' | 'limit' | 'make'> & { readonly rows: readonly PageRow[] };

/** Adds what matches until the limit is reached; says which row was the last and whether rows are left over. */
function takeRows<Item>(
  kind: Kind,
  selection: Selection,
  { rows, items, limit, make }: Taking<Item>,
): { last: Cursor | undefined; isFull: boolean } {
  let last: Cursor | undefined;
  for (const { namespace, name, labels, read } of rows) {
    if (items.length >= limit) return { last, isFull: true };
    last = { namespace, name };
    if (selection.name !== undefined && selection.name !== name) continue;
    if (labels !== undefined && !selection.mayMatchLabels(labels)) continue;
    const state = read();
    if (state === undefined) continue;
    const isDecided = !selection.isFiltered || (labels !== undefined && selection.isByLabels);
    if (isDecided || selection.matches(fromStored(kind, state.lean))) items.push(make(state));
  }
  return { last, isFull: false };
}

interface ListStart {
  readonly version: number;
  readonly after: Cursor;
  readonly left: number | undefined;
}

function startOf({ store, history }: VerbContext, kind: Kind, selection: Selection, options: ListOptions): ListStart {
  const { resourceVersion = '', resourceVersionMatch, continue: token = '' } = options;
  const current = store.committedVersion;
  if (token !== '') {
    if (resourceVersion !== '' && resourceVersion !== '0')
      throw statusError('BadRequest', 'specifying resource version is not allowed when using continue');
    const continuation = decodeContinue(token);
    if (continuation.version < history.compactedVersion) throw continueExpired(current, continuation.after);
    return continuation;
  }
  // Nobody counts what a selector lets through, nor what there was in the past.
  const left = selection.isFiltered ? undefined : store.counts.count(kind.resource, selection.namespace);
  const fresh = { version: current, after: START, left };
  if (resourceVersionMatch !== undefined && resourceVersion === '') throw matchWithoutVersion();
  if (resourceVersion === '' || resourceVersion === '0') return fresh;
  const version = parseVersion(resourceVersion);
  if (version > current) throw versionTooLarge(version, current);
  return resourceVersionMatch === 'Exact' && version < current ? { version, after: START, left: undefined } : fresh;
}

function parseVersion(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const quoted = JSON.stringify(text);
  throw statusError(
    'BadRequest',
    `invalid resource version: resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`,
  );
}

function listTooOld(): Error {
  return statusError('Expired', 'The resourceVersion for the provided list is too old.');
}

function matchWithoutVersion(): Error {
  const text = 'resourceVersionMatch is forbidden unless resourceVersion is provided';
  return objectInvalid(LIST_OPTIONS, '', [forbiddenValue('resourceVersionMatch', text)]);
}

/** With a token to go on with, for clients that can do without one consistent list. */
function continueExpired(version: number, after: Cursor): Error {
  const text =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, ' +
    'or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an ' +
    'inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';
  const error = statusError('Expired', text);
  const metadata: JsonObject = { continue: encodeContinue({ version, after, left: undefined }) };
  return new StatusError({ ...error.status, metadata });
}
