import { GoInt, GoList, GoMap, type GoAny } from '../../../template/index.ts';

/** Both together: maps merge key by key, and otherwise the second wins, unless it says nothing. */
export function mergeValues(base: GoMap, override: GoMap): GoMap {
  const entries = new Map(base.entries);
  for (const [key, value] of override.entries) {
    const before = entries.get(key);
    if (before instanceof GoMap && value instanceof GoMap) entries.set(key, mergeValues(before, value));
    else if (before === undefined || !saysNothing(value)) entries.set(key, value);
  }
  return new GoMap(entries, base.element === override.element ? base.element : undefined);
}

function saysNothing(value: GoAny): boolean {
  if (value === null || value === '' || value === false || value === 0) return true;
  if (value instanceof GoInt) return value.value === 0n;
  if (value instanceof GoList) return value.items.length === 0;
  return value instanceof GoMap && value.entries.size === 0;
}
