import { ApiError, Code, pause, systemTimers, type Clock, type Logger, type Timers } from '../base/index.ts';
import { createReflector, type KubeApi, type Reflector, type ReflectorEvent, type ReflectorLimits, type Trouble } from '../kube/index.ts';
import type { KubeObject } from '../objects/index.ts';
import type { Account } from './accounts/account.ts';
import { updateAccount, type AccountChange } from './accounts/update-account.ts';
import { buildSnapshot, type Built } from './build-snapshot.ts';
import { configMapType, secretType } from './home-objects.ts';
import { HomeState, isOurs } from './home-state.ts';
import type { Home } from './modify-object.ts';
import { systemRandom, type SettingsRandom } from './random.ts';
import type { SettingWarning } from './read-table.ts';
import { createRevokedTokens, type RevokedTokens } from './revoked-tokens.ts';
import type { SettingChange, Snapshot } from './snapshot.ts';

const defaultCoalesceMs = 20;
const defaultStartTimeoutMs = 60_000;
/** How long a close waits for writes that are under way. */
const closeGraceMs = 5_000;

export interface SettingsOptions {
  readonly api: KubeApi;
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random?: SettingsRandom;
  readonly timers?: Timers;
  /** Changes that come within this time make one snapshot. */
  readonly coalesceMs?: number;
  /** How long the first load may take. */
  readonly startTimeoutMs?: number;
  readonly watchLimits?: Partial<ReflectorLimits>;
}

export interface SettingsChanged {
  readonly previous: Snapshot;
  readonly current: Snapshot;
  /** Never empty. */
  readonly changes: readonly SettingChange[];
}

/** The settings of an installation, as they are now and as they change. */
export interface Settings {
  readonly current: Snapshot;
  /** What is wrong with what is configured now. */
  readonly warnings: readonly SettingWarning[];
  /** Why the snapshot may be out of date; empty while all is well. */
  readonly trouble: readonly Trouble[];
  /** Calls after each change, when `current` is the new one already. Returns what ends it. */
  onChange(listener: (event: SettingsChanged) => void): () => void;
  /** Changes an account; `current` shows it when this returns. */
  updateAccount(name: string, change: AccountChange): Promise<Account>;
  readonly revokedTokens: RevokedTokens;
  /** Takes the API's answer to a write of a ConfigMap or Secret, so that `current` shows it before the watch does. */
  noticeWrite(object: KubeObject): void;
  /** The same for an object that was deleted. */
  noticeDelete(object: KubeObject): void;
  /** Returns when nothing of it works any more. */
  close(): Promise<void>;
}

/** Loads the settings and follows them. Throws ApiError when they cannot be loaded in time. */
export async function openSettings(options: SettingsOptions): Promise<Settings> {
  const settings = new LiveSettings(options);
  try {
    await settings.load();
  } catch (error) {
    await settings.close();
    throw error;
  }
  return settings;
}

class LiveSettings implements Settings {
  readonly #options: SettingsOptions;
  readonly #timers: Timers;
  readonly #home: Home;
  readonly #state = new HomeState();
  readonly #reflectors: readonly Reflector<KubeObject | undefined>[];
  readonly #listeners = new Set<(event: SettingsChanged) => void>();
  readonly #warned = new Set<string>();
  readonly #giveUp = new AbortController();
  readonly revokedTokens: ReturnType<typeof createRevokedTokens>;
  #built: Built | undefined;
  #cancelRebuild: (() => void) | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: SettingsOptions) {
    const { api, namespace, clock, log, random = systemRandom, timers = systemTimers, watchLimits = {} } = options;
    this.#options = options;
    this.#timers = timers;
    this.#home = { api, namespace, randomNumber: () => random.number(), timers, signal: this.#giveUp.signal };
    this.#reflectors = [configMapType, secretType].map((type) =>
      createReflector<KubeObject | undefined>({
        api,
        type,
        namespace,
        clock,
        log,
        timers,
        limits: watchLimits,
        random: () => random.number(),
        // A namespace may hold much that is not for us.
        keep: (object) => (isOurs(object) ? object : undefined),
        onEvent: (event) => this.#see(event),
      }),
    );
    this.revokedTokens = createRevokedTokens({
      home: this.#home,
      clock,
      stored: () => this.current.revokedTokens,
      onWritten: (object) => this.#wrote([object]),
    });
  }

  get current(): Snapshot {
    if (this.#built === undefined) throw new Error('settings are used before they are loaded');
    return this.#built.snapshot;
  }

  get warnings(): readonly SettingWarning[] {
    return this.#built?.warnings ?? [];
  }

  get trouble(): readonly Trouble[] {
    return this.#reflectors.flatMap(({ trouble }) => (trouble === undefined ? [] : [trouble]));
  }

  async load(): Promise<void> {
    for (const reflector of this.#reflectors) reflector.start();
    const timeout = new AbortController();
    const limit = pause(this.#timers, this.#options.startTimeoutMs ?? defaultStartTimeoutMs, timeout.signal).then(() => false);
    const synced = Promise.all(this.#reflectors.map((reflector) => reflector.whenSynced())).then((all) => all.every(Boolean));
    const loaded = await Promise.race([synced, limit]);
    timeout.abort();
    if (!loaded) {
      const [reason] = this.trouble;
      throw new ApiError(Code.Unavailable, `cannot load the settings: ${reason?.message ?? 'the API did not answer in time'}`);
    }
    this.#rebuild();
  }

  onChange(listener: (event: SettingsChanged) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  updateAccount(name: string, change: AccountChange): Promise<Account> {
    const update = async (): Promise<Account> => {
      const { account, written } = await updateAccount(this.#home, name, change);
      this.#wrote(written);
      return this.#built?.snapshot.accounts.get(name) ?? account;
    };
    // One after the other: among ourselves there need be no conflicts.
    const result = this.#writing.then(update, update);
    this.#writing = result;
    return result;
  }

  noticeWrite(object: KubeObject): void {
    this.#wrote([object]);
  }

  noticeDelete(object: KubeObject): void {
    const news = this.#state.deleted(object);
    this.#catchUp(news);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRebuild?.();
    this.#listeners.clear();
    await Promise.all([...this.#reflectors.map((reflector) => reflector.stop()), this.#finishWrites()]);
  }

  /** What was begun is finished, unless it takes too long. */
  async #finishWrites(): Promise<void> {
    const cancel = this.#timers.schedule(closeGraceMs, () => this.#giveUp.abort(new ApiError(Code.Canceled, 'the settings are closed')));
    await Promise.allSettled([this.#writing, this.revokedTokens.settled()]);
    cancel();
  }

  #see(event: ReflectorEvent<KubeObject | undefined>): void {
    if (this.#apply(event)) this.#rebuildSoon();
  }

  #apply(event: ReflectorEvent<KubeObject | undefined>): boolean {
    switch (event.type) {
      case 'added':
        return event.row !== undefined && this.#state.see(event.row);
      case 'changed':
        // An object may stop being ours when its label goes.
        return (event.row !== undefined || event.previous !== undefined) && this.#state.see(event.object);
      case 'removed':
        return event.row !== undefined && this.#state.remove(event.row);
      case 'synced':
        this.#state.listed();
        return false;
    }
  }

  #wrote(objects: readonly KubeObject[]): void {
    const news = objects.filter((object) => this.#state.wrote(object));
    this.#catchUp(news.length > 0);
  }

  /** The watch may have shown it first, and what it shows is taken over a moment later: too late for whoever waits for the write. */
  #catchUp(news: boolean): void {
    if (news || this.#cancelRebuild !== undefined) this.#rebuild();
  }

  #rebuildSoon(): void {
    if (this.#built === undefined || this.#cancelRebuild !== undefined || this.#closed) return;
    this.#cancelRebuild = this.#timers.schedule(this.#options.coalesceMs ?? defaultCoalesceMs, () => this.#rebuild());
  }

  #rebuild(): void {
    this.#cancelRebuild?.();
    this.#cancelRebuild = undefined;
    if (this.#closed) return;
    const previous = this.#built;
    const built = buildSnapshot(this.#state, previous);
    this.#built = built;
    this.#logWarnings(built.warnings);
    if (previous === undefined || built.changes.length === 0) return;
    const { log } = this.#options;
    log.info('settings changed', { version: built.snapshot.version, changes: built.changes.map(({ part, name }) => `${part}.${name}`) });
    const event: SettingsChanged = { previous: previous.snapshot, current: built.snapshot, changes: built.changes };
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        log.error('a listener to settings failed', { error });
      }
    }
  }

  /** Each once: a warning that stays does not fill the log, and one that comes back is news. */
  #logWarnings(warnings: readonly SettingWarning[]): void {
    const now = new Set<string>();
    for (const warning of warnings) {
      const id = JSON.stringify(warning);
      if (!now.has(id) && !this.#warned.has(id)) this.#options.log.warn('a setting is not right', { ...warning });
      now.add(id);
    }
    this.#warned.clear();
    for (const id of now) this.#warned.add(id);
  }
}
