/** How long a lease lasts, and when its holder must have let go of it. */
export interface LeaseTiming {
  /** Others wait for this long, in whole seconds, after the last renewal that they saw. */
  readonly leaseDurationMs: number;
  /** The holder stops being one this long after it began its last successful renewal: before anybody else can have waited enough. */
  readonly renewDeadlineMs: number;
  /** Between attempts. */
  readonly retryMs: number;
}

export const defaultTiming: LeaseTiming = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

export function checkTiming(timing: Partial<LeaseTiming> | undefined): LeaseTiming {
  const checked = { ...defaultTiming, ...timing };
  const { leaseDurationMs, renewDeadlineMs, retryMs } = checked;
  if (!(retryMs > 0 && retryMs < renewDeadlineMs && renewDeadlineMs < leaseDurationMs)) {
    throw new RangeError('a lease needs: retry < renew deadline < duration');
  }
  return checked;
}
