import type { JsonValue } from '../../objects/index.ts';
import { createBudget } from '../budget.ts';
import type { Budget, BudgetOptions } from '../budget.ts';
import { LimitError, TemplateError } from '../template-error.ts';
import { checkNames } from './check-names.ts';
import { evaluate } from './evaluate.ts';
import { nameOf } from './evaluate-call.ts';
import { NATIVES } from './natives.ts';
import type { JqNode } from './node.ts';
import { parseDefinitions, parseJq } from './parse.ts';
import { PRELUDE } from './prelude.ts';
import type { Closure, Scope } from './scope.ts';
import { JqError } from './values.ts';

export interface JqQuery {
  /**
   * All results for a value, in order. Throws a TemplateError where the query raises an error, and a LimitError, which is one, where it takes
   * too long, gives too much or goes too deep. Steps are also taken from `common`, where others share it.
   */
  run(value: JsonValue, common?: Pick<Budget, 'step'>): JsonValue[];
}

/** About half a second of work. */
const STEPS_MAX = 1_000_000;
const RESULTS_MAX = 100_000;
const definitions = parseDefinitions(PRELUDE);

/** Reads a query of jq. Throws a TemplateError where it is none, or names a function that there is not. */
export function compileJq(text: string, options: BudgetOptions = {}): JqQuery {
  return toQuery(readNode(text), options);
}

/** The paths that a query points at: the same as `path(query)`. */
export function compileJqPaths(text: string, options: BudgetOptions = {}): JqQuery {
  return toQuery({ type: 'call', name: 'path', args: [readNode(text)] }, options);
}

/**
 * What a query points at is taken out of a value: the same as `del(query)`. Where the query points at nothing, the value itself comes back.
 */
export function compileJqDeletion(
  text: string,
  options: BudgetOptions = {},
): { apply(value: JsonValue, common?: Pick<Budget, 'step'>): JsonValue } {
  const query = toQuery({ type: 'call', name: 'del', args: [readNode(text)] }, options);
  return {
    apply(value, common) {
      const results = query.run(value, common);
      if (results.length !== 1) throw new TemplateError(results.length === 0 ? 'the query gave nothing' : 'the query gave several values');
      return results[0] ?? null;
    },
  };
}

/** A text is read by itself before anything is done with it: a bracket in it must not end what is put around it. */
function readNode(text: string): JqNode {
  return withinStack(() => parseJq(text));
}

function toQuery(node: JqNode, options: BudgetOptions): JqQuery {
  withinStack(() => checkNames(node, [...NATIVES.keys(), ...definitions.map(nameOf)]));
  return { run: (value, common) => withinStack(() => run(node, value, budgetOf(options, common))) };
}

function budgetOf(options: BudgetOptions, common: Pick<Budget, 'step'> | undefined): Budget {
  const own = createBudget({ stepsMax: STEPS_MAX, ...options });
  if (common === undefined) return own;
  return {
    make: own.make,
    step(count) {
      own.step(count);
      common.step(count);
    },
  };
}

function run(node: JqNode, value: JsonValue, budget: Budget): JsonValue[] {
  const library = new Map<string, Closure>(definitions.map((definition) => [nameOf(definition), { definition, scope: () => scope }]));
  const scope: Scope = { evaluate, budget, natives: NATIVES, library, variables: new Map(), functions: new Map(), labels: new Map() };
  const results: JsonValue[] = [];
  try {
    for (const item of evaluate(node, scope, { value, path: undefined })) {
      if (results.length >= RESULTS_MAX) throw new LimitError(`more than ${RESULTS_MAX} results`);
      results.push(item.value);
    }
  } catch (error) {
    if (error instanceof JqError) throw new TemplateError(error.message);
    throw error;
  }
  return results;
}

function withinStack<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new LimitError('the query goes too deep');
    throw error;
  }
}
