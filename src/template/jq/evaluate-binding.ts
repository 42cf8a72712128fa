import type { JsonValue } from '../../objects/index.ts';
import { TemplateError } from '../template-error.ts';
import type { JqNode, Pattern } from './node.ts';
import { collect, made, plainItem } from './scope.ts';
import type { Item, Items, Scope } from './scope.ts';
import { stepInto, toStep } from './values.ts';

export function readVariable(name: string, scope: Scope): JsonValue {
  // The environment is nobody's business here.
  if (name === '$ENV') return {};
  const value = scope.variables.get(name);
  if (value === undefined) throw new TemplateError(`variable not defined: ${name}`);
  return value;
}

/** A scope for each way in which the value can be taken apart. */
export function* bind(pattern: Pattern, value: JsonValue, scope: Scope, input: Item): Generator<Scope, void, undefined> {
  if (pattern.type === 'name') {
    yield { ...scope, variables: new Map([...scope.variables, [pattern.name, value]]) };
  } else if (pattern.type === 'list') {
    let scopes: Scope[] = [scope];
    for (const [at, item] of pattern.items.entries())
      scopes = scopes.flatMap((inner) => [...bind(item, stepInto(value, at, scope.budget), inner, input)]);
    yield* scopes;
  } else {
    let scopes: Scope[] = [scope];
    for (const { key, name, pattern: inside } of pattern.fields) {
      scopes = scopes.flatMap((inner) =>
        collect(key, inner, input.value).flatMap((field) => {
          const found = stepInto(value, toStep(field), scope.budget);
          const named = name === undefined ? inner : { ...inner, variables: new Map([...inner.variables, [name, found]]) };
          return inside === undefined ? [named] : [...bind(inside, found, named, input)];
        }),
      );
    }
    yield* scopes;
  }
}

export function* evaluateFold(node: Extract<JqNode, { type: 'reduce' | 'foreach' }>, scope: Scope, input: Item): Items {
  for (const start of scope.evaluate(node.start, scope, input)) {
    let state: Item | undefined = start;
    for (const { value } of scope.evaluate(node.source, scope, plainItem(input))) {
      for (const inner of bind(node.pattern, value, scope, input)) {
        if (node.type === 'reduce') {
          let last: Item | undefined;
          if (state !== undefined) for (const next of inner.evaluate(node.update, inner, state)) last = next;
          state = last ?? made(input, null);
        } else {
          let last: Item | undefined = state;
          for (const next of inner.evaluate(node.update, inner, state ?? made(input, null))) {
            last = next;
            yield* inner.evaluate(node.extract, inner, next);
          }
          state = last;
        }
      }
    }
    if (node.type === 'reduce' && state !== undefined) yield state;
  }
}
