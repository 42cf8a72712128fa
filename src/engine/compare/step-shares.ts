import { createBudget } from '../../template/index.ts';

/**
 * What all expressions for one object take together, as others wait while they are looked at: twice as much as a single one may, so that where
 * one goes past its limit the others are followed still.
 */
const stepsMax = 2_000_000;

/** What one expression takes of that. */
export interface StepShare {
  readonly step: (count?: number) => void;
  /** Whether it came to its end because those before it had taken most: that says nothing of the expression itself. */
  readonly wasCutShort: () => boolean;
}

/** Gives the expressions for one object their shares, one after the other. */
export function createStepShares(): () => StepShare {
  const budget = createBudget({ stepsMax });
  let taken = 0;
  return () => {
    const before = taken;
    return {
      step(count = 1) {
        taken += count;
        budget.step(count);
      },
      wasCutShort: () => taken > stepsMax && before > stepsMax / 2,
    };
  };
}
