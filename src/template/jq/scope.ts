import type { JsonValue } from '../../objects/index.ts';
import type { Budget } from '../budget.ts';
import type { Definition, JqNode } from './node.ts';
import { describe, JqError } from './values.ts';
import type { JqStep } from './values.ts';
import { PER_ITEM } from './weights.ts';

/** A value on its way. `path` is undefined where nobody asks for it, and null where what was made is at no path. */
export interface Item {
  readonly value: JsonValue;
  readonly path: readonly JqStep[] | null | undefined;
}

export type Items = Generator<Item, void, undefined>;

export type Evaluate = (node: JqNode, scope: Scope, input: Item) => Items;

export interface Scope {
  /** What evaluates parts of a query; here, so that the ways to do that need not know each other. */
  readonly evaluate: Evaluate;
  readonly budget: Budget;
  readonly natives: ReadonlyMap<string, Native>;
  /** Functions that are written in the language and always there. */
  readonly library: ReadonlyMap<string, Closure>;
  readonly variables: ReadonlyMap<string, JsonValue>;
  readonly functions: ReadonlyMap<string, Closure>;
  readonly labels: ReadonlyMap<string, object>;
}

export interface Closure {
  readonly definition: Definition;
  /** Where the definition stands; it sees itself. */
  readonly scope: () => Scope;
}

/** A function of the language that is written in ours. */
export type Native = (args: readonly JqNode[], scope: Scope, input: Item) => Items;

export function plainItem({ value }: Item): Item {
  return { value, path: undefined };
}

/** A value that was made and not found, so that it has no path. */
export function made(input: Item, value: JsonValue): Item {
  return { value, path: input.path === undefined ? undefined : null };
}

export function step(item: Item, to: JqStep, value: JsonValue, budget: Budget): Item {
  if (item.path === undefined) return { value, path: undefined };
  if (item.path === null) throw new JqError(`invalid path against: ${describe(item.value)}`);
  budget.step(item.path.length * PER_ITEM);
  return { value, path: [...item.path, to] };
}

export function collect(node: JqNode, scope: Scope, value: JsonValue): JsonValue[] {
  const values: JsonValue[] = [];
  for (const item of scope.evaluate(node, scope, { value, path: undefined })) {
    scope.budget.make(1);
    values.push(item.value);
  }
  return values;
}

/** The paths that a query reaches. */
export function* pathsOf(node: JqNode, scope: Scope, value: JsonValue): Generator<readonly JqStep[], void, undefined> {
  for (const { path, value: found } of scope.evaluate(node, scope, { value, path: [] })) {
    if (path === null || path === undefined) throw new JqError(`invalid path against: ${describe(found)}`);
    yield path;
  }
}
