import { compileRegexp, LruMap, RegexpError, type StepBudget } from '../../base/index.ts';

const PATTERNS_MAX = 1_000;
/** A longer one is not read. */
const PATTERN_CHARACTERS_MAX = 20_000;
/** They take about a tenth of a second. */
const STEPS_MAX = 2_000_000;

class TooManySteps extends Error {}

/** What all the patterns may take that texts are held against with it. */
export interface PatternBudget extends StepBudget {
  /** Whether there was something that could not be judged. */
  readonly isSpent: boolean;
  readonly giveUp: () => void;
}

export function createPatternBudget(): PatternBudget {
  let left = STEPS_MAX;
  return {
    get isSpent() {
      return left < 0;
    },
    giveUp() {
      left = -1;
    },
    step(count = 1) {
      left -= count;
      if (left < 0) throw new TooManySteps('too many steps');
    },
  };
}

/** Why a pattern of a schema is no regular expression; undefined where it is one, and where that takes too long to tell. */
export function findPatternProblem(pattern: string): RegexpError | undefined {
  const expression = compile(pattern, createPatternBudget());
  return expression instanceof RegexpError ? expression : undefined;
}

/**
 * Whether a text fits a pattern of a schema; an error where the pattern is no regular expression. Whoever writes manifests may write schemas,
 * too: a pattern takes time by the length of the text alone. What takes more than is left of the budget is taken to fit.
 */
export function fitsPattern(text: string, pattern: string, budget: PatternBudget): boolean | RegexpError {
  try {
    const expression = compile(pattern, budget);
    return expression instanceof RegexpError ? expression : expression.matches(text, budget);
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    budget.giveUp();
    return true;
  }
}

interface Expression {
  /** Throws where it takes too much. */
  readonly matches: (text: string, budget: StepBudget) => boolean;
}

const tooLarge: Expression = {
  matches() {
    throw new TooManySteps('too many steps');
  },
};

const compiled = new LruMap<string, Expression | RegexpError>(PATTERNS_MAX);

function compile(pattern: string, budget: StepBudget): Expression | RegexpError {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > PATTERN_CHARACTERS_MAX) return tooLarge;
  budget.step(pattern.length);
  const expression = compileOnce(pattern);
  compiled.set(pattern, expression);
  return expression;
}

function compileOnce(pattern: string): Expression | RegexpError {
  // An expression is kept for many texts, each with a budget of its own.
  let current: StepBudget = createPatternBudget();
  try {
    const regexp = compileRegexp(pattern, { step: (count) => current.step(count) });
    return {
      matches(text, budget) {
        current = budget;
        current.step(text.length / 10);
        return regexp.find(Array.from(text), 0) !== undefined;
      },
    };
  } catch (error) {
    if (error instanceof RegexpError) return error;
    if (isTooMuch(error)) return tooLarge;
    throw error;
  }
}

/** The engine throws a RangeError where an expression, or a text for it, is too large. */
function isTooMuch(error: unknown): boolean {
  return error instanceof TooManySteps || error instanceof RangeError;
}
