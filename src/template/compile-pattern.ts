import { compileRegexp, RegexpError } from '../base/index.ts';
import { createBudget } from './budget.ts';
import { TemplateError } from './template-error.ts';

/**
 * Makes a test whether a text has a match of a regular expression anywhere in it. Expressions are those of Go (RE2); the steps of each
 * test are bounded. Throws TemplateError in Go's words where the expression cannot be read.
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  let budget = createBudget();
  try {
    const regexp = compileRegexp(pattern, { step: (count) => budget.step(count) });
    return (text) => {
      budget = createBudget();
      return regexp.find(Array.from(text), 0) !== undefined;
    };
  } catch (error) {
    if (error instanceof RegexpError) throw new TemplateError(error.message);
    throw error;
  }
}
