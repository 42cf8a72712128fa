import type { JsonValue } from '../../objects/index.ts';
import type { JqNode } from './node.ts';
import { made, plainItem, step } from './scope.ts';
import type { Item, Items, Scope } from './scope.ts';
import { compareValues, entriesOf, fromFields, placesOf, stepInto, toStep } from './values.ts';

export function* recurse(scope: Scope, item: Item): Items {
  scope.budget.step();
  yield item;
  if (typeof item.value !== 'object' || item.value === null) return;
  for (const [to, value] of entriesOf(item.value, scope.budget)) yield* recurse(scope, step(item, to, value, scope.budget));
}

export function* iterate(scope: Scope, item: Item): Items {
  for (const [to, value] of entriesOf(item.value, scope.budget)) {
    scope.budget.step();
    yield step(item, to, value, scope.budget);
  }
}

export function* evaluateIndex(node: Extract<JqNode, { type: 'index' }>, scope: Scope, input: Item): Items {
  for (const target of scope.evaluate(node.target, scope, input)) {
    for (const { value: key } of scope.evaluate(node.key, scope, plainItem(input))) {
      if (Array.isArray(key) && Array.isArray(target.value)) {
        yield made(input, indicesOf(target.value as JsonValue[], key as JsonValue[], scope));
        continue;
      }
      const to = toStep(key);
      yield step(target, to, stepInto(target.value, to, scope.budget), scope.budget);
    }
  }
}

function indicesOf(list: readonly JsonValue[], wanted: readonly JsonValue[], { budget }: Scope): JsonValue[] {
  if (wanted.length === 0) return [];
  const places = placesOf(list, wanted, (one, other) => compareValues(one, other, budget) === 0, budget);
  budget.make(places.length);
  return places;
}

export function* evaluateSlice(node: Extract<JqNode, { type: 'slice' }>, scope: Scope, input: Item): Items {
  const nothing: JqNode = { type: 'literal', value: null };
  for (const target of scope.evaluate(node.target, scope, input))
    for (const { value: end } of scope.evaluate(node.to ?? nothing, scope, plainItem(input)))
      for (const { value: start } of scope.evaluate(node.from ?? nothing, scope, plainItem(input))) {
        const to = toStep(
          fromFields([
            ['start', start],
            ['end', end],
          ]),
        );
        yield step(target, to, stepInto(target.value, to, scope.budget), scope.budget);
      }
}
