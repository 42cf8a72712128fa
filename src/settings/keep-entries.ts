import { keepMap } from './read-table.ts';
import { keepIdentity } from './same-value.ts';

/** Entries that say the same as before are the very same, and so is the map when all of them are. */
export function keepEntries<Value>(
  before: ReadonlyMap<string, Value> | undefined,
  next: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  const kept = new Map([...next].map(([name, value]) => [name, keepIdentity(before?.get(name), value)]));
  return keepMap(before, kept) as ReadonlyMap<string, Value>;
}
