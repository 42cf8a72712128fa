import type { JsonValue } from '../../objects/index.ts';
import { createBudget, type BudgetOptions } from '../budget.ts';
import { TemplateError } from '../template-error.ts';
import { evaluate } from './evaluate.ts';
import { parseExpression } from './parse.ts';

/** The longest expression that is read. */
const CHARACTERS_MAX = 4_000;

export interface Expression {
  /** The value under these variables. Throws a TemplateError where it has none, and a LimitError where it takes too long. */
  run(variables: Readonly<Record<string, JsonValue>>): JsonValue;
}

/** Reads a condition as users write it in links and triggers. Throws a TemplateError where it is none. */
export function compileExpression(text: string, options: BudgetOptions = {}): Expression {
  if (text.length > CHARACTERS_MAX) throw new TemplateError(`an expression has at most ${CHARACTERS_MAX} characters`);
  const node = parseExpression(text);
  return {
    run: (variables) => {
      const scope = { variables: new Map(Object.entries(variables)), element: undefined, budget: createBudget(options) };
      return evaluate(node, scope);
    },
  };
}
