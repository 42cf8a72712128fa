import type { Clock, Logger, Timers } from '../../base/index.ts';
import { createWorkQueue, type KubeApi, type ObjectStore, type WorkResult } from '../../kube/index.ts';
import { readApplication } from '../../model/index.ts';
import { isJsonObject, StatusError, type KubeObject } from '../../objects/index.ts';
import type { Settings } from '../../settings/index.ts';
import type { HttpReply, HttpRequest } from '../http.ts';
import { BodyTooLargeError } from '../transports/core/read-body.ts';
import { EventQueue } from './event-queue.ts';
import { createApplicationMatcher, createTouchedMatcher } from './match-application.ts';
import { createApplicationSetMatcher } from './match-application-set.ts';
import { findWebhookProvider, readWebhook, tooLargeOrMalformed, WebhookRefusal } from './read-webhook.ts';
import type { WebhookEvent } from './webhook-event.ts';

export interface WebhooksOptions {
  readonly home: KubeApi;
  readonly settings: Settings;
  readonly applications: ObjectStore;
  readonly applicationSets: ObjectStore;
  /** Whether applications may live in a namespace. */
  readonly isNamespaceEnabled: (namespace: string) => boolean;
  readonly isApplicationSetNamespaceEnabled: (namespace: string) => boolean;
  /**
   * Tells who looks after applications, where that is this process, that one is to be looked at anew: before the others where files of its
   * own changed. False where somebody else does; then the application is marked, as everybody understands it.
   */
  readonly refreshHere?: (ref: { readonly namespace: string; readonly name: string }, wish: RefreshWish) => boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
  readonly log: Logger;
  /** How many events may wait; fewer in tests. */
  readonly queueMax?: number;
}

/** With revisions that were asked for after a time, and whether it is to be done before all else. */
export interface RefreshWish {
  readonly sinceMs: number;
  readonly isFirst: boolean;
}

/** Takes webhooks at once, and has the applications and application sets that they concern looked at anew. */
export interface Webhooks {
  /** Answers when the events are in the queue; what is not taken is a WebhookRefusal. */
  accept(request: HttpRequest): Promise<HttpReply>;
  start(): void;
  stop(): Promise<void>;
}

const refreshAnnotation = 'argocd.argoproj.io/refresh';
const hydrateAnnotation = 'argocd.argoproj.io/hydrate';
const setRefreshAnnotation = 'argocd.argoproj.io/application-set-refresh';

const defaultQueueMax = 50_000;
const megabyte = 1024 * 1024;
const stopLimitMs = 5_000;
/** While an object still has the mark of an earlier webhook: whoever looks at it may have asked the repository before this one came. */
const recheckMs = 1_000;

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { settings, applications, applicationSets, timers, random, log } = options;
  const { webhookRefreshWorkers } = settings.current.parameters;
  /** What is wished of those that wait to be told; the rest of their keys says to whom. */
  const wishes = new Map<string, RefreshWish>();
  const refreshes = createWorkQueue({
    work(key, signal) {
      const wish = wishes.get(key);
      wishes.delete(key);
      if (wish !== undefined && options.refreshHere?.(refOf(key), wish) === true) return Promise.resolve('done');
      return mark(options, key, signal);
    },
    concurrency: webhookRefreshWorkers,
    log,
    timers,
    random,
  });
  const events = new EventQueue({ sizeMax: options.queueMax ?? defaultQueueMax, work: (event) => spread(findConcerned(event)), log });

  /** The keys of what the event concerns: the mark that they get, and the object. */
  function findConcerned(event: WebhookEvent): string[] {
    const keys: string[] = [];
    const sinceMs = options.clock.nowMs();
    if (event.type !== 'pull-request') {
      const match = createApplicationMatcher(event);
      const isTouched = createTouchedMatcher(event);
      for (const object of applications.values()) {
        if (!options.isNamespaceEnabled(object.metadata.namespace ?? '')) continue;
        const concern = match(readApplication(object));
        if (concern === 'none') continue;
        const key = keyOf(concern, object);
        keys.push(key);
        if (concern === 'refresh') wish(key, { sinceMs, isFirst: isTouched(readApplication(object)) });
      }
    }
    const matchSet = createApplicationSetMatcher(event);
    for (const object of applicationSets.values()) {
      const { spec } = object;
      if (!options.isApplicationSetNamespaceEnabled(object.metadata.namespace ?? '')) continue;
      if (isJsonObject(spec) && matchSet(spec['generators'])) keys.push(keyOf('set', object));
    }
    log.info('a webhook came', { event: describe(event), refreshed: keys.length });
    return keys;
  }

  function wish(key: string, { sinceMs, isFirst }: RefreshWish): void {
    wishes.set(key, { sinceMs, isFirst: isFirst || wishes.get(key)?.isFirst === true });
  }

  /** Many at once would ask the repository's server, and the clusters, all in the same moment. */
  function spread(keys: readonly string[]): void {
    const { webhookRefreshJitterMs, webhookRefreshJitterThreshold } = settings.current.general;
    const isSpread = webhookRefreshJitterMs > 0 && keys.length > webhookRefreshJitterThreshold;
    for (const key of keys) {
      if (isSpread) refreshes.addAfter(key, random() * webhookRefreshJitterMs);
      else refreshes.add(key);
    }
  }

  return {
    async accept(request) {
      const provider = findWebhookProvider(request.headers);
      const { webhooks: secrets, general } = settings.current;
      const megabytesMax = general.webhookPayloadMegabytesMax;
      const body = await readBounded(request, megabytesMax);
      const told = readOrTell(
        () => readWebhook(provider, { headers: request.headers, body }, { secrets, megabytesMax }),
        (reason) => log.warn('a webhook was refused', { provider: provider.name, reason, remoteAddress: request.remoteAddress }),
      );
      if (!events.addAll(told)) throw new WebhookRefusal(503, 'Queue is full, discarding webhook payload');
      return { status: 200 };
    },
    start: () => refreshes.start(),
    async stop() {
      events.stop();
      await refreshes.drain(stopLimitMs);
    },
  };
}

/** Whoever set up a webhook sees its answer only on the sender's pages, so why it was refused is told here too. */
function readOrTell<Result>(read: () => Result, tell: (reason: string) => void): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof WebhookRefusal) tell(error.message);
    throw error;
  }
}

async function readBounded(request: HttpRequest, megabytesMax: number): Promise<Buffer> {
  try {
    return await request.readBody(megabytesMax * megabyte);
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw tooLargeOrMalformed(megabytesMax);
    throw error;
  }
}

type Mark = 'refresh' | 'hydrate' | 'set';

function keyOf(mark: Mark, { metadata }: KubeObject): string {
  return `${mark}/${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

function refOf(key: string): { readonly namespace: string; readonly name: string } {
  const [, namespace = '', name = ''] = key.split('/');
  return { namespace, name };
}

/** Marks an object so that its controller looks at it anew. */
async function mark({ home, applications, applicationSets }: WebhooksOptions, key: string, signal: AbortSignal): Promise<WorkResult> {
  const [kind] = key.split('/');
  const { namespace, name } = refOf(key);
  const store = kind === 'set' ? applicationSets : applications;
  const annotation = kind === 'set' ? setRefreshAnnotation : refreshAnnotation;
  const object = store.get({ namespace, name });
  if (object === undefined) return 'done';
  if (object.metadata.annotations?.[annotation] !== undefined) return { requeueAfterMs: recheckMs };
  const annotations =
    kind === 'set'
      ? { [setRefreshAnnotation]: 'true' }
      : { [refreshAnnotation]: 'normal', ...(kind === 'hydrate' && { [hydrateAnnotation]: 'normal' }) };
  try {
    store.noticeWrite(
      await home.patch(store.type, { namespace, name }, { type: 'merge', body: { metadata: { annotations } } }, { signal }),
    );
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 404) return 'done';
    throw error;
  }
  return 'done';
}

function describe(event: WebhookEvent): string {
  if (event.type === 'push') return `push of ${event.revision}`;
  return event.type === 'package' ? `package ${event.repository}` : `pull request at ${event.provider}`;
}
