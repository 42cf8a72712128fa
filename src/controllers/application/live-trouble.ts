import { ApiError, Code } from '../../base/index.ts';
import { isStatusError, type StatusError, type StatusReason } from '../../objects/index.ts';
import type { Comparison } from './compare.ts';

/** How soon a cluster that could not be read is looked at again: nobody tells that it can be. */
export const troubleLookMs = 3_000;

const PASSING: readonly StatusReason[] = ['ServiceUnavailable', 'Timeout', 'ServerTimeout', 'TooManyRequests'];

/** Whether what lives in the cluster could not be read, or not all of it: a trouble that passes by itself. */
export function isLiveUnknown(comparison: Comparison): boolean {
  if (comparison.kind === 'failed') return comparison.cause === 'live';
  const isTrouble = ({ type, message }: Comparison['problems'][number]): boolean =>
    type === 'ComparisonError' && message.startsWith('Failed to load live state: ');
  return comparison.kind === 'compared' && comparison.problems.some(isTrouble);
}

/** Whether a call failed for something that passes by itself. */
export function isPassing(error: ApiError | StatusError): boolean {
  if (error instanceof ApiError) return error.code === Code.Unavailable || error.code === Code.DeadlineExceeded;
  return isStatusError(error, ...PASSING);
}
