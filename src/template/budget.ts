import { LimitError } from './template-error.ts';

export interface BudgetOptions {
  /** Steps of evaluation, a measure of time that does not depend on the machine. */
  readonly stepsMax?: number;
  /** Characters that come out, and characters that any one function may make on the way. */
  readonly outputCharactersMax?: number;
}

/** What one run may still spend. Steps are taken for work, characters for what is made. */
export interface Budget {
  readonly step: (count?: number) => void;
  /** Refuses to make a text or list of that size, before memory is taken for it. */
  readonly make: (size: number) => void;
}

const STEPS_MAX = 2_000_000;
const OUTPUT_CHARACTERS_MAX = 8 << 20;

export function createBudget(options: BudgetOptions = {}): Budget {
  const { stepsMax = STEPS_MAX, outputCharactersMax = OUTPUT_CHARACTERS_MAX } = options;
  let steps = 0;
  let made = 0;
  return {
    step(count = 1) {
      steps += count;
      // What is not a number is not within it either, and would leave no bound to all that comes after.
      if (!(steps <= stepsMax)) throw new LimitError(`more than ${stepsMax} steps: it takes too long`);
    },
    make(size) {
      made += size;
      if (!(made <= outputCharactersMax)) throw new LimitError(`more than ${outputCharactersMax} characters: it makes too much`);
    },
  };
}
