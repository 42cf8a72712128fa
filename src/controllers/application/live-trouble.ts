import { ApiError, Code } from '../../base/index.ts';
import { isStatusError, type StatusError, type StatusReason } from '../../objects/index.ts';
import type { ApplicationMemory } from './application-memory.ts';
import type { Comparison } from './compare.ts';

/** How soon a cluster that could not be read is looked at again: nobody tells that it can be. */
export const troubleLookMs = 3_000;
/** How late at most, where it does not pass by itself. */
const troubleLookMaxMs = 120_000;

const PASSING: readonly StatusReason[] = ['ServiceUnavailable', 'Timeout', 'ServerTimeout', 'TooManyRequests'];

/** Whether what lives in the cluster could not be read, or not all of it: a trouble that passes by itself. */
export function isLiveUnknown(comparison: Comparison): boolean {
  if (comparison.kind === 'failed') return comparison.cause === 'live';
  const isTrouble = ({ type, message }: Comparison['problems'][number]): boolean =>
    type === 'ComparisonError' && message.startsWith('Failed to load live state: ');
  return comparison.kind === 'compared' && comparison.problems.some(isTrouble);
}

/**
 * How soon an application is looked at again though nothing happens, as what lives could not be read; undefined where it could. What does not
 * pass by itself is looked at less and less often.
 */
export function nextTroubleLook(comparison: Comparison, memory: Pick<ApplicationMemory, 'lastingTroubles'>): number | undefined {
  const isLasting = comparison.kind === 'failed' && comparison.isLasting === true;
  memory.lastingTroubles = isLasting ? memory.lastingTroubles + 1 : 0;
  if (!isLiveUnknown(comparison)) return undefined;
  return isLasting ? Math.min(troubleLookMs * 2 ** (memory.lastingTroubles - 1), troubleLookMaxMs) : troubleLookMs;
}

/** Whether a call failed for something that passes by itself. */
export function isPassing(error: ApiError | StatusError): boolean {
  if (error instanceof ApiError) return error.code === Code.Unavailable || error.code === Code.DeadlineExceeded;
  return isStatusError(error, ...PASSING);
}
