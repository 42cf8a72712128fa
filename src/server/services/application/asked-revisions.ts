import { ApiError, Code } from '../../../base/index.ts';

interface Asked {
  readonly revision?: string;
  readonly revisions?: readonly string[];
  readonly sourcePositions?: readonly number[];
}

/**
 * The revision that is asked for of each source; empty where its target revision is meant. One alone is of the first source. Others are
 * named by their positions, which count from one: every position has its revision, and every source at most one (RBAC-25). Without
 * positions there is one for each source, in their order.
 */
export function askedRevisions({ revision = '', revisions = [], sourcePositions = [] }: Asked, sourceCount: number): string[] {
  if (sourcePositions.length === 0 && revisions.length > 0) {
    if (revisions.length === sourceCount) return [...revisions];
    throw new ApiError(Code.InvalidArgument, 'the number of revisions is not that of the sources: name their positions');
  }
  const asked = Array.from({ length: sourceCount }, (_, index) => (index === 0 ? revision : ''));
  if (sourcePositions.length > 0 && sourcePositions.length !== revisions.length)
    throw new ApiError(Code.InvalidArgument, 'the number of source positions is not that of the revisions');
  if (new Set(sourcePositions).size < sourcePositions.length)
    throw new ApiError(Code.InvalidArgument, 'a source position is named more than once');
  for (const [index, position] of sourcePositions.entries()) {
    if (position < 1 || position > sourceCount) throw new ApiError(Code.InvalidArgument, 'source position is out of range');
    asked[position - 1] = revisions[index] ?? '';
  }
  return asked;
}
