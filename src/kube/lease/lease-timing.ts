/** How long a lease lasts, and when its holder must have let go of it. */
export interface LeaseTiming {
  /** Others wait for this long, in whole seconds, after the last renewal that they saw. */
  readonly leaseDurationMs: number;
  /** The holder stops being one this long after it began its last successful renewal: before anybody else can have waited enough. */
  readonly renewDeadlineMs: number;
  /** Between renewals that succeed; up to a fifth more. As `retryMs` where it is not given. */
  readonly renewMs?: number;
  /** Between attempts to take a lease, and to renew it after one failed; up to a fifth more. */
  readonly retryMs: number;
}

/** The times of whoever shares work with others, and looks at all of their leases. */
export const memberTiming: LeaseTiming = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

/** The times of a leader, whose renewals are all that an installation asks of its cluster while nothing happens. */
export const leaderTiming: LeaseTiming = { leaseDurationMs: 30_000, renewDeadlineMs: 24_000, renewMs: 10_000, retryMs: 2_000 };

/** Throws RangeError for times with which two could hold a lease, or one would lose it without an attempt. */
export function checkTiming(timing: LeaseTiming): Required<LeaseTiming> {
  const { leaseDurationMs, renewDeadlineMs, retryMs, renewMs = retryMs } = timing;
  if (!(retryMs > 0 && retryMs <= renewMs && renewMs * jitterMax < renewDeadlineMs && renewDeadlineMs < leaseDurationMs)) {
    throw new RangeError('a lease needs: retry <= renewal < renew deadline < duration');
  }
  return { leaseDurationMs, renewDeadlineMs, renewMs, retryMs };
}

/** How many times longer a wait may be than it is said to be, so that processes do not ask in step. */
export const jitterMax = 1.2;
