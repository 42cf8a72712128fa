import { pause, systemClock, systemTimers, type Clock, type Logger, type Timers } from '../../base/index.ts';
import { isStatusError, type KubeObject } from '../../objects/index.ts';
import type { KubeApi } from '../kube-api.ts';
import { withLimit } from '../with-limit.ts';
import { holdLease, leaseType, newLease, readLease, writeLease } from './lease-record.ts';
import { checkTiming, memberTiming, type LeaseTiming } from './lease-timing.ts';
import { hasRunOut, observeLease, type ObservedLease } from './observed-lease.ts';
import { rendezvousOwner } from './rendezvous.ts';

/** On the Lease of every member, with the name of the group. */
const MEMBER_LABEL = 'fairway/member-of';
/** A lease that ran out so many durations ago is removed: its process is not coming back. */
const ABANDONED_DURATIONS = 10;

export interface MembershipOptions {
  readonly api: KubeApi;
  readonly namespace: string;
  /** Names the work that is shared; it begins the names of the Leases and is the value of their label. */
  readonly group: string;
  /** Names this process, and no other that is or ever was; part of the name of its Lease. */
  readonly identity: string;
  /** Called whenever the answers of `owns` may have changed. */
  readonly onChange?: (view: MembershipView) => void;
  readonly timing?: LeaseTiming;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly random?: () => number;
}

export interface MembershipView {
  /** True while this process may own anything. */
  readonly active: boolean;
  /** Sorted; includes those that have only just joined. */
  readonly members: readonly string[];
}

/**
 * Divides work by key among the processes that are alive. Each keeps a Lease of its own and sees those of the others.
 *
 * A key has at most one owner at any time, and for a moment none while members come and go: a newcomer waits until everybody else has
 * either seen it or stopped being a member, and who cannot renew its Lease and see the others within the renew deadline owns nothing,
 * before its Lease runs out for the others.
 */
export interface Membership {
  readonly view: MembershipView;
  owns(key: string): boolean;
  /** The member that a key falls to, as far as this process knows. */
  ownerOf(key: string): string | undefined;
  start(): void;
  /** To be called when the work has ended: removes the Lease, so that the others take over at once. */
  stop(): Promise<void>;
}

export function createMembership(options: MembershipOptions): Membership {
  return new LeaseMembership(options);
}

class LeaseMembership implements Membership {
  readonly #options: MembershipOptions;
  readonly #timing: LeaseTiming;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #random: () => number;
  readonly #stopping = new AbortController();
  readonly #observed = new Map<string, ObservedLease>();
  #running: Promise<void> | undefined;
  #own: KubeObject | undefined;
  #members: readonly string[] = [];
  /** Until when the last renewal and the last look at the others let this process be a member. */
  #validUntilMs = -Infinity;
  /** From when on everybody else knows of this process. */
  #settledAtMs = Infinity;
  #told: MembershipView = { active: false, members: [] };
  #cancelTimer = (): void => undefined;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#timing = checkTiming(options.timing ?? memberTiming);
    this.#clock = options.clock ?? systemClock;
    this.#timers = options.timers ?? systemTimers;
    this.#random = options.random ?? Math.random;
  }

  get view(): MembershipView {
    return { active: this.#isActive(), members: this.#members };
  }

  owns(key: string): boolean {
    return this.#isActive() && this.ownerOf(key) === this.#options.identity;
  }

  ownerOf(key: string): string | undefined {
    return rendezvousOwner(this.#members, key);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#cancelTimer();
    this.#leave();
    await this.#attempt('A membership could not be given back', (signal) => this.#removeOwn(signal));
  }

  #isActive(): boolean {
    const nowMs = this.#timers.nowMs();
    return nowMs >= this.#settledAtMs && nowMs < this.#validUntilMs;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#attempt('A membership could not be renewed', (limited) => this.#renew(limited), signal);
      this.#tell();
      await pause(this.#timers, this.#timing.retryMs * (1 + this.#random() / 5), signal);
    }
  }

  async #attempt(failure: string, run: (signal: AbortSignal) => Promise<void>, signal?: AbortSignal): Promise<void> {
    try {
      // Half of the deadline leaves time for a second attempt.
      const limitMs = this.#timing.renewDeadlineMs / 2;
      await withLimit({ timers: this.#timers, limitMs, ...(signal && { signal }) }, run);
    } catch (error) {
      if (signal?.aborted !== true) this.#options.log.warn(failure, { group: this.#options.group, error });
    }
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const beganMs = this.#timers.nowMs();
    this.#own = await this.#hold(signal);
    const joinedMs = this.#timers.nowMs();
    await this.#look(signal);
    const nowMs = this.#timers.nowMs();
    const validUntilMs = beganMs + this.#timing.renewDeadlineMs;
    // An answer that comes too late, after a standstill of the process, is worth nothing. Nor is the place in the group by then.
    if (nowMs >= validUntilMs || (this.#settledAtMs !== Infinity && nowMs >= this.#validUntilMs)) {
      this.#leave();
      return;
    }
    this.#validUntilMs = validUntilMs;
    if (this.#settledAtMs !== Infinity) return;
    const isAlone = this.#members.length === 1;
    this.#settledAtMs = isAlone ? joinedMs : joinedMs + this.#timing.renewDeadlineMs;
  }

  #leave(): void {
    this.#validUntilMs = -Infinity;
    this.#settledAtMs = Infinity;
  }

  async #hold(signal: AbortSignal): Promise<KubeObject> {
    const { api, namespace, group, identity } = this.#options;
    const name = this.#leaseName();
    const holder = { identity, durationMs: this.#timing.leaseDurationMs, nowMs: this.#clock.nowMs() };
    const known = this.#own;
    // Forgotten until the answer is there: after a failure it is read again.
    this.#own = undefined;
    try {
      const lease = known ?? (await api.get(leaseType, { namespace, name }, { signal }));
      return await api.update(leaseType, writeLease(lease, holdLease(readLease(lease), holder)), { signal });
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error;
    }
    const metadata = { namespace, name, labels: { [MEMBER_LABEL]: group } };
    // Without its Lease it was no member in the eyes of the others, whatever it thought.
    this.#leave();
    return await api.create(leaseType, newLease(metadata, holdLease(undefined, holder)), { signal });
  }

  /** Reads the leases of all, and judges who is alive. */
  async #look(signal: AbortSignal): Promise<void> {
    const { api, namespace, group, identity } = this.#options;
    const { items } = await api.list(leaseType, { namespace, labelSelector: `${MEMBER_LABEL}=${group}`, signal });
    const nowMs = this.#timers.nowMs();
    const members = new Set([identity]);
    const seen = new Set<string>();
    for (const lease of items) {
      const name = lease.metadata.name ?? '';
      seen.add(name);
      const observed = observeLease(this.#observed.get(name), lease, nowMs);
      this.#observed.set(name, observed);
      if (!hasRunOut(observed, nowMs)) members.add(observed.record.holderIdentity);
    }
    for (const name of this.#observed.keys()) if (!seen.has(name)) this.#observed.delete(name);
    this.#members = [...members].toSorted();
    await this.#removeAbandoned(nowMs, signal);
  }

  async #removeAbandoned(nowMs: number, signal: AbortSignal): Promise<void> {
    const { api, namespace } = this.#options;
    for (const [name, { lease, record, changedMs }] of this.#observed) {
      if (name === this.#leaseName() || nowMs < changedMs + ABANDONED_DURATIONS * record.leaseDurationSeconds * 1000) continue;
      const { uid, resourceVersion } = lease.metadata;
      const preconditions = { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) };
      try {
        await api.delete(leaseType, { namespace, name }, { preconditions, signal });
      } catch (error) {
        // Somebody else was quicker, or its holder is back.
        if (!isStatusError(error, 'NotFound', 'Conflict')) throw error;
      }
    }
  }

  async #removeOwn(signal: AbortSignal): Promise<void> {
    try {
      await this.#options.api.delete(leaseType, { namespace: this.#options.namespace, name: this.#leaseName() }, { signal });
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error;
    }
  }

  #leaseName(): string {
    return `${this.#options.group}-${this.#options.identity}`;
  }

  /** Says what has changed, and comes back by itself when time alone will change it. */
  #tell(): void {
    this.#cancelTimer();
    if (this.#stopping.signal.aborted) return;
    const { view } = this;
    const nowMs = this.#timers.nowMs();
    const next = [this.#settledAtMs, this.#validUntilMs].filter((time) => time > nowMs && time < Infinity);
    if (next.length > 0) this.#cancelTimer = this.#timers.schedule(Math.min(...next) - nowMs, () => this.#tell());
    if (view.active === this.#told.active && view.members.join('\n') === this.#told.members.join('\n')) return;
    this.#told = view;
    try {
      this.#options.onChange?.(view);
    } catch (error) {
      this.#options.log.error('A change of members could not be handled', { group: this.#options.group, error });
    }
  }
}
