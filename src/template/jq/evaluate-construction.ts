import type { JsonValue } from '../../objects/index.ts';
import { formatText } from './formats.ts';
import type { JqNode } from './node.ts';
import { made, plainItem } from './scope.ts';
import type { Item, Items, Scope } from './scope.ts';
import { describe, fromFields, JqError } from './values.ts';
import { spendWhole } from './weights.ts';

export function* evaluateObject(
  entries: readonly (readonly [JqNode, JqNode])[],
  at: number,
  done: readonly (readonly [string, JsonValue])[],
  scope: Scope,
  input: Item,
): Items {
  const entry = entries[at];
  if (entry === undefined) return yield made(input, fromFields(done));
  for (const { value: key } of scope.evaluate(entry[0], scope, plainItem(input))) {
    if (typeof key !== 'string') throw new JqError(`expected a string for object key but got: ${describe(key)}`);
    for (const { value } of scope.evaluate(entry[1], scope, plainItem(input)))
      yield* evaluateObject(entries, at + 1, [...done, [key, value]], scope, input);
  }
}

export function* evaluateText(node: Extract<JqNode, { type: 'text' }>, at: number, done: string, scope: Scope, input: Item): Items {
  const part = node.parts[at];
  if (part === undefined) return yield made(input, done);
  if (typeof part === 'string') return yield* evaluateText(node, at + 1, done + part, scope, input);
  for (const { value } of scope.evaluate(part, scope, plainItem(input))) {
    spendWhole(value, scope.budget);
    const text = formatText(node.format, value);
    scope.budget.make(text.length);
    yield* evaluateText(node, at + 1, done + text, scope, input);
  }
}
