/** Names, addresses and paths are shorter; what is not is no name. */
const textLengthMax = 4_096;
/** Entries of a list that are looked at. */
const entriesMax = 100_000;

/** What stands at a place of a payload that anyone may have written; undefined where there is nothing. */
export function valueAt(payload: unknown, ...path: readonly string[]): unknown {
  let value = payload;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** The text at a place; empty where there is none, or one that is too long to be meant. */
export function textAt(payload: unknown, ...path: readonly string[]): string {
  const value = valueAt(payload, ...path);
  return typeof value === 'string' && value.length <= textLengthMax ? value : '';
}

/** The list at a place; empty where there is none. */
export function listAt(payload: unknown, ...path: readonly string[]): readonly unknown[] {
  const value = valueAt(payload, ...path);
  return Array.isArray(value) ? (value as unknown[]).slice(0, entriesMax) : [];
}
