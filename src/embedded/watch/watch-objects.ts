import { isStatusError } from '../../objects/index.ts';
import type { ObjectMeta } from '../../objects/index.ts';
import type { WatchEvent, WatchOptions } from '../../kube/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { unclassifiedError, versionTooOld } from '../refusals.ts';
import { listObjects } from '../verbs/list.ts';
import { createSelection } from '../verbs/selection.ts';
import type { Selection } from '../verbs/selection.ts';
import type { Change } from '../storage/store.ts';
import type { VerbContext } from '../verbs/verb-context.ts';
import type { ChangeFeed } from './change-feed.ts';
import { selectEvent } from './select-event.ts';
import type { WatchHub } from './watch-hub.ts';

const PAGE = 500;

export interface EmbeddedWatchOptions extends WatchOptions {
  /** First the objects that exist, and a bookmark after them, also where a version is given. */
  readonly sendInitialEvents?: boolean;
}

export interface WatchRequest {
  readonly context: VerbContext;
  readonly hub: WatchHub;
  readonly kind: Kind;
  readonly options: EmbeddedWatchOptions;
  readonly bookmarkIntervalMs: number;
}

/** Events of a kind, from a version on or, without one, from what exists on. Ends by time-out, by its signal or with the API. */
export function watchObjects(request: WatchRequest): AsyncIterable<WatchEvent> {
  return {
    [Symbol.asyncIterator]: () => {
      const feed = request.hub.open(request.kind.resource);
      const events = produceEvents(request, feed);
      return {
        next: () => events.next(),
        // A generator that waits cannot be returned from: the feed wakes it.
        return: async () => {
          feed.end();
          return await events.return(undefined);
        },
      };
    },
  };
}

async function* produceEvents(request: WatchRequest, feed: ChangeFeed): AsyncGenerator<WatchEvent, undefined> {
  const { kind, options } = request;
  const { signal, timeoutSeconds } = options;
  const onAbort = (): void => feed.end();
  signal?.addEventListener('abort', onAbort);
  try {
    if (signal?.aborted === true) return;
    const selection = createSelection(kind, options);
    const deadlineMs = timeoutSeconds === undefined ? Infinity : performance.now() + timeoutSeconds * 1_000;
    const start = yield* startEvents(request, feed);
    yield* followEvents({ ...request, selection, deadlineMs }, feed, start);
  } catch (error) {
    // What happens to a watch that has begun is told in it.
    if (!isStatusError(error, 'Expired')) throw error;
    yield { type: 'ERROR', object: error.status };
  } finally {
    signal?.removeEventListener('abort', onAbort);
    feed.end();
  }
}

/** The version from which to follow, after the events for what exists where they are wanted. */
async function* startEvents(request: WatchRequest, feed: ChangeFeed): AsyncGenerator<WatchEvent, number> {
  const { context, kind, options } = request;
  const { resourceVersion = '', sendInitialEvents } = options;
  const wantsInitial = sendInitialEvents ?? (resourceVersion === '' || resourceVersion === '0');
  const from = wantsInitial || resourceVersion === '' ? undefined : parseWatchVersion(resourceVersion);
  options.onOpen?.();
  if (!wantsInitial) return from ?? (await context.store.read(() => context.store.committedVersion));
  const { namespace, labelSelector, fieldSelector, keepManagedFields } = options;
  const selection = {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(keepManagedFields !== undefined && { keepManagedFields }),
  };
  let token: string | undefined = '';
  let version = '0';
  while (token !== undefined) {
    const page = await listObjects(context, kind, { ...selection, limit: PAGE, ...(token !== '' && { continue: token }) });
    for (const object of page.items) {
      yield { type: 'ADDED', object };
      if (feed.isEnded) return Number(version);
    }
    version = page.metadata.resourceVersion;
    token = page.metadata.continue;
  }
  if (sendInitialEvents === true) yield bookmark(kind, version, { 'k8s.io/initial-events-end': 'true' });
  return Number(version);
}

/** The API server answers a watch from no version in other words than a list. */
function parseWatchVersion(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const quoted = JSON.stringify(text);
  throw unclassifiedError(`resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`);
}

interface Following extends WatchRequest {
  readonly selection: Selection;
  readonly deadlineMs: number;
}

async function* followEvents(request: Following, feed: ChangeFeed, start: number): AsyncGenerator<WatchEvent> {
  const { context, kind, selection, options, bookmarkIntervalMs, deadlineMs } = request;
  let position = start;
  let bookmarkMs = performance.now() + bookmarkIntervalMs;
  while (!feed.isEnded) {
    if (!feed.isFollowing) position = yield* catchUp(request, feed, position);
    for (const change of feed.take()) {
      if (change.version <= position) continue;
      position = change.version;
      const event = selectEvent(kind, selection, change, options.keepManagedFields === true);
      if (event !== undefined) yield event;
      if (feed.isEnded) return;
    }
    // With nothing waiting, everything up to the last commit has been told.
    if (feed.isFollowing && !feed.hasPending) position = Math.max(position, context.store.committedVersion);
    const nowMs = performance.now();
    if (options.allowBookmarks === true && (nowMs >= bookmarkMs || nowMs >= deadlineMs) && feed.isFollowing) {
      yield bookmark(kind, String(position));
      bookmarkMs = nowMs + bookmarkIntervalMs;
    }
    if (nowMs >= deadlineMs) return;
    await feed.wait(Math.max(0, Math.min(deadlineMs, options.allowBookmarks === true ? bookmarkMs : Infinity) - nowMs));
  }
}

/** Events from the history, until there is none left and the feed can take over in the same turn. */
async function* catchUp(
  { context, kind, selection, options }: Following,
  feed: ChangeFeed,
  start: number,
): AsyncGenerator<WatchEvent, number> {
  let position = start;
  while (!feed.isFollowing && !feed.isEnded) {
    const { changes, upTo } = await context.store.read(() => readHistory(context, kind, position, feed));
    for (const change of changes) {
      const event = selectEvent(kind, selection, change, options.keepManagedFields === true);
      if (event !== undefined) yield event;
      if (feed.isEnded) return position;
    }
    position = upTo;
  }
  return position;
}

/** The next changes after a position; without any left, the feed is told to follow before another can be committed. */
function readHistory(
  { store, history }: VerbContext,
  kind: Kind,
  position: number,
  feed: ChangeFeed,
): { changes: readonly Change[]; upTo: number } {
  const upTo = store.committedVersion;
  if (position >= upTo) {
    feed.follow();
    return { changes: [], upTo: position };
  }
  if (position < history.compactedVersion) throw versionTooOld(position, history.compactedVersion);
  const changes = history.readChanges(kind.resource, position, upTo, PAGE);
  return { changes, upTo: changes.length < PAGE ? upTo : (changes.at(-1)?.version ?? upTo) };
}

function bookmark(kind: Kind, resourceVersion: string, annotations?: ObjectMeta['annotations']): WatchEvent {
  const metadata = { resourceVersion, creationTimestamp: null, ...(annotations && { annotations }) };
  return { type: 'BOOKMARK', object: { kind: kind.type.kind, apiVersion: kind.apiVersion, metadata } };
}
