import { ApiError, Code } from '../../../base/index.ts';
import { canonicalJson, type JsonValue } from '../../../objects/index.ts';
import { GoInt, GoList, GoMap, type GoAny } from '../../../template/index.ts';
import type { ParameterSet } from './generator.ts';
import { mergeValues } from './merge-values.ts';
import { parametersOf } from './values.ts';

/** The sets of the first generator, with those of the later ones that have the same values under the keys laid over them. */
export function mergeSets(
  results: readonly (readonly ParameterSet[])[],
  mergeKeys: readonly string[],
  goTemplate: boolean,
): readonly ParameterSet[] {
  const [base = new Map<string, ParameterSet>(), ...overrides] = results.map((sets) => indexByKeys(sets, mergeKeys));
  return [...base].map(([key, set]) => {
    let merged = set;
    for (const override of overrides) {
      const found = override.get(key);
      if (found === undefined) continue;
      merged = goTemplate ? mergeValues(merged, found) : parametersOf(merged.entries, found.entries);
    }
    return merged;
  });
}

function indexByKeys(sets: readonly ParameterSet[], keys: readonly string[]): Map<string, ParameterSet> {
  const index = new Map<string, ParameterSet>();
  const unique = [...new Set(keys)];
  for (const set of sets) {
    const values = Object.fromEntries(unique.map((key): [string, JsonValue] => [key, toPlain(set.entries.get(key) ?? null)]));
    const key = canonicalJson(values);
    if (index.has(key))
      throw new ApiError(
        Code.InvalidArgument,
        'error getting param sets by merge key: the parameters from a generator were not unique by the given mergeKeys, ' +
          `Merge requires all param sets to be unique. Duplicate key was ${key}`,
      );
    index.set(key, set);
  }
  return index;
}

function toPlain(value: GoAny): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof GoMap) return Object.fromEntries([...value.entries].map(([key, item]) => [key, toPlain(item)]));
  if (value instanceof GoList) return value.items.map(toPlain);
  return value instanceof GoInt ? Number(value.value) : null;
}
