import { ApiError, backOffMs, Code, pause, type Logger } from '../../base/index.ts';
import { withLimit, type DiscoveredResource, type Discovery, type KubeApi } from '../../kube/index.ts';
import { formatApiVersion, isStatusError } from '../../objects/index.ts';
import type { CacheContext } from './cache-context.ts';
import { chooseKinds } from './choose-kinds.ts';
import { KindFollowers } from './kind-followers.ts';
import type { KindTrouble, LiveCacheState } from './live-cache.ts';
import { readVersion } from './read-version.ts';
import { ServedKinds } from './served-kinds.ts';

/** How long the cluster is given to serve what a definition promises: the first wait, what it grows by, how often. */
const CATCH_UP = { firstMs: 200, factor: 1.7, attemptsMax: 9 };
/** How often of these before anybody may rely on what was read. */
const FIRST_ATTEMPTS = 5;

export interface CacheRunOptions {
  /** Throws ApiError where the registration cannot be used. */
  readonly connect: () => KubeApi;
  readonly context: CacheContext;
  /** What the cluster served when it was last read. */
  readonly known?: readonly DiscoveredResource[];
}

/** One life of a cache: from the first question for kinds until it is stopped, with the rows of that time. */
export class CacheRun {
  readonly #options: CacheRunOptions;
  readonly #stopping = new AbortController();
  #servedKinds = new ServedKinds();
  #state: LiveCacheState = { name: 'starting' };
  #attempt = newAttempt();
  #api: KubeApi | undefined;
  #followers: KindFollowers | undefined;
  /** What the cluster said last. */
  #discovery: Discovery = { resources: [], failures: [] };
  #resources: readonly DiscoveredResource[] = [];
  #serverVersion = '';
  #running: Promise<void> | undefined;
  #wake = (): void => undefined;
  #isDue = false;

  constructor(options: CacheRunOptions) {
    this.#options = options;
  }

  get state(): LiveCacheState {
    return this.#state;
  }

  get resources(): readonly DiscoveredResource[] {
    return this.#resources;
  }

  get serverVersion(): string {
    return this.#serverVersion;
  }

  get outage(): string | undefined {
    return this.#followers?.commonTrouble?.message;
  }

  /** Throws ApiError before the first sync. */
  get synced(): { readonly api: KubeApi; readonly followers: KindFollowers } {
    if (this.#state.name !== 'synced' || this.#api === undefined || this.#followers === undefined) {
      throw new ApiError(Code.Unavailable, describeUnsynced(this.#options.context.registration.server, this.#state));
    }
    return { api: this.#api, followers: this.#followers };
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Settles with the attempt that is under way; while the cluster does not answer it fails at once. */
  whenSynced(): Promise<void> {
    return this.#attempt.promise;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#followers?.stop();
    await this.#running;
    this.#state = { name: 'stopped' };
    this.#attempt.reject(new ApiError(Code.Canceled, 'the cache of the cluster is stopped'));
  }

  counts(): { readonly kinds: number; readonly rows: number } {
    return { kinds: this.#followers?.kinds ?? 0, rows: this.#followers?.rows ?? 0 };
  }

  troubles(): readonly KindTrouble[] {
    const groups = this.#discovery.failures.map(({ group, version, message }): KindTrouble => {
      const type = { group, version, plural: '', kind: '', namespaced: false };
      return { type, synced: false, trouble: { reason: 'unreachable', message } };
    });
    return [...groups, ...(this.#followers?.troubles() ?? [])];
  }

  /** Asks which kinds there are now, soon. */
  rediscover(): void {
    this.#isDue = true;
    this.#wake();
  }

  async #run(): Promise<void> {
    const { timers, limits, random, log, registration } = this.#options.context;
    const { signal } = this.#stopping;
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        await this.#begin();
        break;
      } catch (error) {
        if (signal.aborted) return;
        const message = describeFailure(error, log);
        log.warn('A cluster cannot be read', { server: registration.server, cause: message });
        this.#fail(message);
        await pause(timers, backOffMs({ firstMs: limits.retryMs, maxMs: limits.retryMs * 6 }, failures, random), signal);
      }
    }
    while (!signal.aborted) await this.#catchUp();
  }

  async #begin(): Promise<void> {
    this.#api ??= this.#options.connect();
    const followers = this.#findReadLate() ?? (await this.#follow(this.#api));
    await followers.settled();
    if (this.#stopping.signal.aborted) return;
    const trouble = followers.commonTrouble;
    if (trouble !== undefined) throw new ApiError(Code.Unavailable, trouble.message);
    await this.#awaitDefined(this.#api, followers);
    if (this.#stopping.signal.aborted) return;
    this.#succeed();
    // What was defined while the objects were read, and is not shown yet.
    if (!this.#servedKinds.isFulfilled(this.#discovery)) this.#isDue = true;
  }

  /** A cluster that is so slow that nothing had come when it was given up would never be read if what came since were thrown away. */
  #findReadLate(): KindFollowers | undefined {
    const followers = this.#followers;
    return followers !== undefined && followers.kinds > 0 && followers.commonTrouble === undefined ? followers : undefined;
  }

  async #follow(api: KubeApi): Promise<KindFollowers> {
    await this.#followers?.stop();
    // Of definitions that went since an attempt that failed nobody tells.
    this.#servedKinds = new ServedKinds();
    const followers = new KindFollowers({
      api,
      context: this.#options.context,
      isTelling: () => this.#state.name === 'synced' && !this.#stopping.signal.aborted,
      onDefinition: (type, event) => {
        if (this.#servedKinds.note(type, event) && this.#state.name === 'synced') this.rediscover();
      },
      onGone: () => this.rediscover(),
    });
    this.#followers = followers;
    await this.#discover(api, followers);
    return followers;
  }

  /**
   * A cluster that has just been started shows its own kinds before those that are defined in it, and whoever reads it then would take all
   * objects of these for gone. It is given some seconds to show them.
   */
  async #awaitDefined(api: KubeApi, followers: KindFollowers): Promise<void> {
    const { signal } = this.#stopping;
    if (this.#servedKinds.isFulfilled(this.#discovery) || !this.#servedKinds.isDefinitionOpen) return;
    for (let attempt = 1; this.#servedKinds.isDefinitionOpen && attempt <= FIRST_ATTEMPTS && !signal.aborted; attempt += 1) {
      await pause(this.#options.context.timers, CATCH_UP.firstMs * CATCH_UP.factor ** (attempt - 1), signal);
      if (!signal.aborted) await this.#discover(api, followers);
    }
    await followers.settled();
  }

  /** Asks for kinds, and follows those that are wanted. Returns whether discovery shows all that definitions promise. */
  async #discover(api: KubeApi, followers: KindFollowers): Promise<boolean> {
    const { context } = this.#options;
    const { registration } = context;
    const discovery = await this.#call((signal) => api.discover({ fresh: true, signal }));
    if (discovery.resources.length === 0) {
      throw new ApiError(Code.Unavailable, discovery.failures[0]?.message ?? 'the cluster serves no kinds');
    }
    this.#serverVersion = await this.#askVersion(api);
    if (this.#stopping.signal.aborted) return true;
    const before = this.#resources;
    this.#discovery = discovery;
    const known = before.length === 0 ? (this.#options.known ?? []) : before;
    const areDefinitionsKnown = followers.isKnown('apiextensions.k8s.io', 'CustomResourceDefinition', '');
    this.#resources = withUnshown(discovery, known, (resource) => areDefinitionsKnown && this.#servedKinds.isDefined(resource));
    const changed = !sameResources(before, this.#resources);
    context.onDiscovered();
    const { resourceExclusions: exclusions, resourceInclusions: inclusions } = context.snapshot().general;
    const hasMoved = followers.follow(chooseKinds(this.#resources, { ...registration, exclusions, inclusions }));
    if ((changed || hasMoved) && this.#state.name === 'synced') context.batch.noteKinds();
    return this.#servedKinds.isFulfilled(discovery);
  }

  /** Waits until kinds may have changed, or long enough, and asks until the cluster shows what its definitions promise. */
  async #catchUp(): Promise<void> {
    const { limits, log, registration, timers } = this.#options.context;
    if (!this.#isDue) await this.#sleep(limits.rediscoverMs);
    const { signal } = this.#stopping;
    const { api, followers } = this.synced;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      // News of several definitions come together.
      await pause(timers, CATCH_UP.firstMs * CATCH_UP.factor ** (attempt - 1), signal);
      if (signal.aborted) return;
      this.#isDue = false;
      try {
        if (await this.#discover(api, followers)) return;
      } catch (error) {
        if (signal.aborted) return;
        log.warn('A cluster does not say which kinds it serves', { server: registration.server, cause: describeFailure(error, log) });
      }
      if (attempt >= CATCH_UP.attemptsMax) return this.#servedKinds.giveUp();
    }
  }

  #sleep(delayMs: number): Promise<void> {
    const { timers } = this.#options.context;
    return new Promise((resolve) => {
      const cancel = timers.schedule(delayMs, resolve);
      this.#wake = (): void => {
        cancel();
        resolve();
      };
      if (this.#stopping.signal.aborted) this.#wake();
    });
  }

  async #askVersion(api: KubeApi): Promise<string> {
    try {
      return readVersion(await this.#call((signal) => api.version({ signal })));
    } catch (error) {
      // Some roles may not ask; everything else works without. Otherwise charts would be rendered for a version that is none.
      if (this.#serverVersion === '' && !isStatusError(error, 'Unauthorized', 'Forbidden')) throw error;
      return this.#serverVersion;
    }
  }

  #call<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { timers, limits } = this.#options.context;
    return withLimit({ timers, limitMs: limits.callMs, signal: this.#stopping.signal }, run);
  }

  #succeed(): void {
    const { batch, clock, log, registration } = this.#options.context;
    const isBack = this.#state.name === 'failed';
    this.#state = { name: 'synced', atMs: clock.nowMs() };
    if (isBack) {
      this.#attempt = newAttempt();
      batch.noteKinds();
    }
    this.#attempt.resolve();
    log.info('A cluster has been read', { server: registration.server, ...this.counts() });
  }

  #fail(message: string): void {
    this.#state = { name: 'failed', message, atMs: this.#options.context.clock.nowMs() };
    this.#attempt.reject(new ApiError(Code.Unavailable, describeUnsynced(this.#options.context.registration.server, this.#state)));
  }
}

function newAttempt(): PromiseWithResolvers<void> {
  const attempt = Promise.withResolvers<void>();
  // It may fail while nobody waits.
  attempt.promise.catch(() => undefined);
  return attempt;
}

function describeUnsynced(server: string, state: LiveCacheState): string {
  const why = state.name === 'failed' ? state.message : 'it is being read';
  return `the state of the cluster ${server} is not known: ${why}`;
}

/** What may be shown of a failure; what is not meant for people goes to the log. */
function describeFailure(error: unknown, log: Logger): string {
  if (error instanceof ApiError || isStatusError(error)) return error.message;
  log.error('An unexpected failure with a cluster', { error });
  return 'an unexpected failure';
}

/**
 * A group version whose server does not answer right now has not gone: what was known of it still holds. Nor has a kind whose definition is
 * in force: an API server that has just been started does not show it yet.
 */
function withUnshown(
  { resources, failures }: Discovery,
  known: readonly DiscoveredResource[],
  isDefined: (resource: DiscoveredResource) => boolean,
): readonly DiscoveredResource[] {
  const silent = new Set(failures.map(formatApiVersion));
  const shown = new Set(resources.map(nameOf));
  const kept = known.filter((one) => !shown.has(nameOf(one)) && (silent.has(formatApiVersion(one)) || isDefined(one)));
  return kept.length === 0 ? resources : [...resources, ...kept];
}

function sameResources(one: readonly DiscoveredResource[], other: readonly DiscoveredResource[]): boolean {
  const names = new Set(one.map(nameOf));
  return one.length === other.length && other.every((resource) => names.has(nameOf(resource)));
}

function nameOf({ group, version, plural }: DiscoveredResource): string {
  return `${group}/${version}/${plural}`;
}
