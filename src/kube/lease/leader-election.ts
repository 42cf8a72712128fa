import { pause, systemClock, systemTimers, type Clock, type Logger, type Timers } from '../../base/index.ts';
import { isStatusError, type KubeObject } from '../../objects/index.ts';
import type { KubeApi } from '../kube-api.ts';
import { withLimit } from '../with-limit.ts';
import { holdLease, leaseType, newLease, releaseLease, writeLease } from './lease-record.ts';
import { checkTiming, jitterMax, leaderTiming, type LeaseTiming } from './lease-timing.ts';
import { hasRunOut, observeLease, type ObservedLease } from './observed-lease.ts';

/** A renewal that waits behind bulk calls comes too late, and the more there is to do the sooner. */
const urgent = true;

export interface LeaderElectionOptions {
  readonly api: KubeApi;
  readonly namespace: string;
  /** The name of the Lease that is contended for. */
  readonly name: string;
  /** Names this process, and no other that is or ever was: two with one identity would both lead. */
  readonly identity: string;
  /**
   * What the leader does. It must end soon after its signal is aborted, and at once when `lost` is: the lease is not held any more, and
   * somebody else may lead. Until it has ended, this process does not contend again. When it ends by itself, the lease is given back.
   */
  readonly lead: (signal: AbortSignal, lost: AbortSignal) => Promise<void>;
  readonly onState?: (state: LeaderState) => void;
  /**
   * Whether the process of this identity has certainly ended. Then nobody waits for its lease to run out. What is not certain is
   * `false`.
   */
  readonly hasEnded?: (identity: string) => boolean;
  readonly timing?: LeaseTiming;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly random?: () => number;
}

export type LeaderState =
  /** `leader` where one is known. */
  { readonly name: 'following'; readonly leader?: string } | { readonly name: 'leading' } | { readonly name: 'stopped' };

/**
 * One of several processes leads, as long as it can renew its Lease. A leader that cannot is told so by its signal before another can
 * win; only a process that stands still altogether learns of it late, when it moves again: `isLeading` knows even then.
 */
export interface LeaderElection {
  readonly state: LeaderState;
  /** By the clock at this moment; to be asked just before anything that only a leader may do. */
  isLeading(): boolean;
  start(): void;
  /** Ends the leading, gives the lease back once that has ended, and resolves. */
  stop(): Promise<void>;
}

export function createLeaderElection(options: LeaderElectionOptions): LeaderElection {
  return new LeaseElection(options);
}

class LeaseElection implements LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #timing: Required<LeaseTiming>;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #random: () => number;
  readonly #stopping = new AbortController();
  #state: LeaderState = { name: 'following' };
  #running: Promise<void> | undefined;
  #observed: ObservedLease | undefined;
  /** Until when the last renewal lets this process lead. */
  #validUntilMs = -Infinity;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#timing = checkTiming(options.timing ?? leaderTiming);
    this.#clock = options.clock ?? systemClock;
    this.#timers = options.timers ?? systemTimers;
    this.#random = options.random ?? Math.random;
  }

  get state(): LeaderState {
    return this.#state;
  }

  isLeading(): boolean {
    return this.#state.name === 'leading' && this.#timers.nowMs() < this.#validUntilMs;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#setState({ name: 'stopped' });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (await this.#tryHold()) await this.#lead();
      await pause(this.#timers, this.#withJitter(this.#timing.retryMs), signal);
    }
  }

  /** Leads until the lease is lost, the work ends or the process stops. */
  async #lead(): Promise<void> {
    const leading = new AbortController();
    const end = (): void => leading.abort();
    this.#stopping.signal.addEventListener('abort', end);
    if (this.#stopping.signal.aborted) end();
    this.#setState({ name: 'leading' });
    this.#options.log.info('This process leads', { lease: this.#options.name });
    const ended = new AbortController();
    const lost = new AbortController();
    const work = this.#work(leading.signal, lost.signal).finally(() => {
      ended.abort();
      end();
    });
    await this.#keepRenewing(leading);
    this.#stopping.signal.removeEventListener('abort', end);
    // What is left of the lease is the time for an orderly end.
    if (!this.#isHeldByOther()) await pause(this.#timers, this.#validUntilMs - this.#timers.nowMs(), ended.signal);
    if (!ended.signal.aborted) lost.abort();
    // Given back only when nothing of the leader's work is left, and while it is still ours to give.
    if (ended.signal.aborted && this.isLeading() && !this.#isHeldByOther()) await this.#release();
    this.#validUntilMs = -Infinity;
    this.#options.log.info('This process no longer leads', { lease: this.#options.name });
    this.#setState({ name: 'following' });
    // While stopping, work that does not end must not hold up the end of the process for ever.
    if (this.#stopping.signal.aborted) await pause(this.#timers, this.#timing.leaseDurationMs, ended.signal);
    else await work;
  }

  async #work(signal: AbortSignal, lost: AbortSignal): Promise<void> {
    try {
      await this.#options.lead(signal, lost);
    } catch (error) {
      if (!signal.aborted) this.#options.log.error('The work of the leader failed', { lease: this.#options.name, error });
    }
  }

  /** Returns when leading is over. A request that hangs does not hold up the deadline, which has a timer of its own. */
  async #keepRenewing(leading: AbortController): Promise<void> {
    let cancel = (): void => undefined;
    const arm = (): void => {
      cancel();
      cancel = this.#timers.schedule(this.#validUntilMs - this.#timers.nowMs(), () => leading.abort());
    };
    arm();
    let held = true;
    while (!leading.signal.aborted) {
      await pause(this.#timers, this.#withJitter(held ? this.#timing.renewMs : this.#timing.retryMs), leading.signal);
      if (leading.signal.aborted) break;
      held = await this.#tryHold(leading.signal);
      if (held) arm();
      else if (this.#isHeldByOther() || this.#timers.nowMs() >= this.#validUntilMs) leading.abort();
    }
    cancel();
  }

  /** Takes or renews the lease if it may. Whatever goes wrong is not a success, and is tried again later. */
  async #tryHold(signal: AbortSignal = this.#stopping.signal): Promise<boolean> {
    const beganMs = this.#timers.nowMs();
    // Half of the time between a renewal and the deadline leaves room for a second attempt.
    const { renewDeadlineMs, renewMs } = this.#timing;
    const limitMs = (renewDeadlineMs - renewMs * jitterMax) / 2;
    try {
      if (!(await withLimit({ timers: this.#timers, limitMs, signal }, (limited) => this.#hold(limited)))) return false;
    } catch (error) {
      this.#options.log.debug('A lease could not be taken or renewed', { lease: this.#options.name, error });
      return false;
    }
    // An answer that comes too late, after a standstill of the process, is worth nothing: somebody else may lead by now.
    const validUntilMs = beganMs + renewDeadlineMs;
    if (this.#timers.nowMs() >= validUntilMs) return false;
    this.#validUntilMs = validUntilMs;
    return true;
  }

  async #hold(signal: AbortSignal): Promise<boolean> {
    const { api, namespace, name, identity } = this.#options;
    const holder = { identity, durationMs: this.#timing.leaseDurationMs, nowMs: this.#clock.nowMs() };
    // A leader knows its lease, and saves itself the reading.
    const lease = (this.isLeading() ? this.#observed?.lease : undefined) ?? (await this.#read(signal));
    if (lease === undefined) {
      // Whoever held a lease that somebody deleted leads until its time is over, and makes it anew before that.
      if (this.#isHeldByOther() && !this.#isFree()) return false;
      this.#observe(await api.create(leaseType, newLease({ namespace, name }, holdLease(undefined, holder)), { signal, urgent }));
      return true;
    }
    const { record } = this.#observe(lease);
    if (record.holderIdentity !== identity && !this.#isFree()) {
      if (this.#state.name === 'following' && this.#state.leader !== record.holderIdentity) {
        this.#setState({ name: 'following', leader: record.holderIdentity });
      }
      return false;
    }
    this.#observe(await this.#write(lease, holdLease(record, holder), signal));
    return true;
  }

  async #write(lease: KubeObject, record: Parameters<typeof writeLease>[1], signal: AbortSignal): Promise<KubeObject> {
    try {
      return await this.#options.api.update(leaseType, writeLease(lease, record), { signal, urgent });
    } catch (error) {
      // Refused or lost, the copy that we have cannot be relied on.
      if (this.#state.name === 'leading') {
        const fresh = await this.#read(signal);
        if (fresh === undefined) this.#observed = undefined;
        else this.#observe(fresh);
      }
      throw error;
    }
  }

  async #read(signal: AbortSignal): Promise<KubeObject | undefined> {
    const { api, namespace, name } = this.#options;
    try {
      return await api.get(leaseType, { namespace, name }, { signal, urgent });
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  async #release(): Promise<void> {
    const observed = this.#observed;
    if (observed === undefined) return;
    const released = writeLease(observed.lease, releaseLease(observed.record, this.#clock.nowMs()));
    try {
      const limitMs = this.#timing.renewDeadlineMs / 2;
      this.#observe(
        await withLimit({ timers: this.#timers, limitMs }, (signal) => this.#options.api.update(leaseType, released, { signal, urgent })),
      );
    } catch (error) {
      // It runs out by itself, only later.
      this.#options.log.warn('A lease could not be given back', { lease: this.#options.name, error });
    }
  }

  #observe(lease: KubeObject): ObservedLease {
    this.#observed = observeLease(this.#observed, lease, this.#timers.nowMs());
    return this.#observed;
  }

  /** Whether whoever held the lease that was seen last holds it no more. */
  #isFree(): boolean {
    const observed = this.#observed;
    if (observed === undefined || hasRunOut(observed, this.#timers.nowMs())) return true;
    return this.#options.hasEnded?.(observed.record.holderIdentity) === true;
  }

  #isHeldByOther(): boolean {
    return this.#observed !== undefined && this.#observed.record.holderIdentity !== this.#options.identity;
  }

  #withJitter(milliseconds: number): number {
    return milliseconds * (1 + this.#random() * (jitterMax - 1));
  }

  #setState(state: LeaderState): void {
    this.#state = state;
    try {
      this.#options.onState?.(state);
    } catch (error) {
      this.#options.log.error('A change of leadership could not be handled', { lease: this.#options.name, error });
    }
  }
}
