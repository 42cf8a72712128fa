import type { Application, ApplicationSet } from '../../model/index.ts';

/** Says that what a set is about to delete is meant: its value is how many applications. */
export const confirmDeletionAnnotation = 'fairway.dev/confirm-deletion';

/** A set of no more applications than this is never asked about. */
const smallSet = 5;

export interface BudgetInput {
  readonly set: ApplicationSet;
  readonly owned: ReadonlyMap<string, Application>;
  /** What would be deleted. */
  readonly going: readonly Application[];
  readonly memory: { readonly settledGeneration: number | undefined };
  /** From which share on of a set's applications it has to be confirmed; 0 is never. */
  readonly budgetPercent: number;
}

/**
 * Why a deletion has to wait until somebody confirms it; undefined where it may go on. Generators that suddenly yield little are more often
 * a mistake elsewhere than a wish; whoever edits the set itself means it.
 */
export function findBudgetProblem({ set, owned, going, memory, budgetPercent }: BudgetInput): string | undefined {
  const leaving = going.filter(({ metadata }) => !metadata.deletionTimestamp).length;
  if (budgetPercent <= 0 || owned.size <= smallSet || leaving === 0) return undefined;
  if (leaving * 100 < owned.size * budgetPercent) return undefined;
  const { generation, annotations } = set.metadata;
  // After a start it is not known whether the set was edited since it was last settled: then it is asked.
  if (memory.settledGeneration !== undefined && generation !== memory.settledGeneration) return undefined;
  if (annotations?.[confirmDeletionAnnotation] === String(leaving)) return undefined;
  return (
    `the generators would delete ${leaving} of ${owned.size} applications although the ApplicationSet did not change; nothing is deleted ` +
    `until the annotation ${confirmDeletionAnnotation} is "${leaving}", or the generators yield them again`
  );
}
