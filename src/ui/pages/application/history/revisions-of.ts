import type { RevisionHistory } from '../../../../contract/gen/types.ts';

/** What a deployment consisted of: one revision for each source. */
export function revisionsOf({ revision, revisions = [] }: RevisionHistory): readonly string[] {
  return revisions.length > 0 ? revisions : revision === undefined ? [] : [revision];
}
