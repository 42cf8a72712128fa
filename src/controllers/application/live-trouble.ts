import type { Comparison } from './compare.ts';

/** Whether what lives in the cluster could not be read, or not all of it: a trouble that passes by itself. */
export function isLiveUnknown(comparison: Comparison): boolean {
  if (comparison.kind === 'failed') return comparison.cause === 'live';
  const isTrouble = ({ type, message }: Comparison['problems'][number]): boolean =>
    type === 'ComparisonError' && message.startsWith('Failed to load live state: ');
  return comparison.kind === 'compared' && comparison.problems.some(isTrouble);
}
