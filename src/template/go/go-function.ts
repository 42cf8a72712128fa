import { GoFunction } from './value.ts';
import type { GoSlot } from './value.ts';

/** What a function answers instead of a value. */
export class GoError extends Error {}

const SHORT_NAMES: Readonly<Record<string, string>> = {
  any: 'interface {}',
  list: '[]interface {}',
  dict: 'map[string]interface {}',
};

/**
 * A function with the types of its parameters, as in `string, int, ...any`. Arguments have been held against the types before it
 * is called, so that it can take them for what they are; `value` stands for anything, also nothing.
 */
export function define<Args extends readonly unknown[]>(types: string, call: (...args: Args) => GoSlot | null): GoFunction {
  const names = types === '' ? [] : types.split(', ').map((name) => name.trim());
  const last = names.at(-1);
  const variadic = last?.startsWith('...') === true ? full(last.slice(3)) : undefined;
  const parameters = (variadic === undefined ? names : names.slice(0, -1)).map(full);
  return new GoFunction(parameters, variadic, (args) => call(...(args as unknown as Args)));
}

function full(name: string): string {
  return SHORT_NAMES[name] ?? name;
}
