import { isJsonArray, isJsonObject } from '../../src/objects/index.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/objects/index.ts';

/** A source of choices that gives the same ones for the same seed. */
export interface Random {
  /** An integer from 0 up to and without the limit. */
  below: (limit: number) => number;
  chance: (probability: number) => boolean;
  pick: <Value>(values: readonly Value[]) => Value;
}

export function createRandom(seed: number): Random {
  let state = seed;
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick<Value>(values: readonly Value[]): Value {
      const value = values[below(values.length)];
      if (value === undefined) throw new Error('nothing to pick from');
      return value;
    },
  };
}

const WORDS = ['a', 'b', 'c', 'web', 'db', 'x-1', '__proto__', 'constructor', 'é'];
/** How often a field of an object is present: high near the top, low further down, where there are hundreds. */
const PRESENCE = [0.7, 0.3, 0.35, 0.35, 0.2, 0.12, 0.06];

/** A random object of a schema: mostly sensible, sometimes with elements of a list that cannot be told apart. */
export function randomObject(random: Random, schema: Schema): JsonObject {
  const value = randomValue(random, schema, 0);
  if (!isJsonObject(value)) throw new Error('not the schema of an object');
  return value;
}

function randomValue(random: Random, schema: Schema, depth: number): JsonValue {
  if (schema.properties !== undefined) return randomFields(random, schema, depth);
  if (schema.additionalProperties !== undefined) return randomMap(random, schema.additionalProperties, depth);
  if (schema.items !== undefined) return randomList(random, schema, depth);
  if (schema.quantity === true) return random.pick(['100m', '1', '2Gi']);
  if (schema.intOrString === true) return random.pick([80, 'http']);
  if (schema.type === 'integer' || schema.type === 'number') return random.below(4);
  if (schema.type === 'boolean') return random.chance(0.5);
  return schema.type === 'object' ? {} : random.pick(WORDS);
}

function randomFields(random: Random, schema: Schema, depth: number): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const [name, child] of schema.properties ?? []) {
    const isMerging = child.patchStrategies !== undefined;
    const presence = (PRESENCE[depth] ?? 0) + (isMerging && depth < 6 ? 0.3 : 0);
    if (random.chance(presence)) entries.push([name, randomValue(random, child, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

function randomMap(random: Random, values: Schema, depth: number): JsonObject {
  return Object.fromEntries(Array.from({ length: random.below(4) }, () => [random.pick(WORDS), randomValue(random, values, depth + 1)]));
}

function randomList(random: Random, { items = {}, patchMergeKey, patchStrategies }: Schema, depth: number): JsonValue {
  const list = Array.from({ length: random.below(5) }, () => randomValue(random, items, depth + 1));
  if (patchStrategies?.includes('merge') !== true) return list;
  if (patchMergeKey === undefined) return [...new Set(list)];
  const keySchema = items.properties?.get(patchMergeKey) ?? {};
  const keyed = list.filter(isJsonObject).map((element) => ({ ...element, [patchMergeKey]: randomKey(random, keySchema) }));
  if (random.chance(0.03)) return keyed;
  return [...new Map(keyed.map((element) => [element[patchMergeKey], element])).values()];
}

function randomKey(random: Random, schema: Schema): JsonValue {
  return schema.type === 'integer' ? 80 + random.below(5) : random.pick(WORDS);
}

/** A change of an object as a person or a controller makes it: fields come, go and change, elements come, go, move and change. */
export function randomEdit(random: Random, object: JsonObject, schema: Schema): JsonObject {
  return editObject(random, object, { schema, depth: 0, fixed: undefined });
}

interface Place {
  readonly schema: Schema;
  readonly depth: number;
  /** A field that must stay as it is. */
  readonly fixed: string | undefined;
}

function editValue(random: Random, value: JsonValue, place: Place): JsonValue {
  if (isJsonArray(value)) return editList(random, value, place);
  if (isJsonObject(value)) return editObject(random, value, place);
  return random.chance(0.5) ? value : randomValue(random, place.schema, place.depth);
}

function editObject(random: Random, object: JsonObject, { schema, depth, fixed }: Place): JsonObject {
  const kept = Object.entries(object).filter(([key]) => key === fixed || !random.chance(0.15));
  const edited = kept.map(([key, member]): [string, JsonValue] => {
    const child = schema.properties?.get(key) ?? schema.additionalProperties ?? {};
    const stays = key === fixed || random.chance(0.3);
    return [key, stays ? member : editValue(random, member, { schema: child, depth: depth + 1, fixed: undefined })];
  });
  const fresh = random.chance(0.4) ? randomValue(random, schema, Math.max(depth, 2)) : {};
  const added = isJsonObject(fresh) ? Object.entries(fresh).filter(([key]) => !Object.hasOwn(object, key)) : [];
  return Object.fromEntries([...edited, ...added]);
}

function editList(random: Random, list: readonly JsonValue[], { schema, depth }: Place): JsonValue {
  const { items = {}, patchMergeKey: key, patchStrategies } = schema;
  const kept = list.filter(() => !random.chance(0.2));
  const edited = kept.map((element) => editValue(random, element, { schema: items, depth: depth + 1, fixed: key }));
  if (random.chance(0.2)) edited.reverse();
  const fresh = random.chance(0.4) ? randomValue(random, schema, depth) : [];
  const all = isJsonArray(fresh) ? (random.chance(0.5) ? [...edited, ...fresh] : [...fresh, ...edited]) : edited;
  if (patchStrategies?.includes('merge') !== true) return all;
  if (key === undefined) return [...new Set(all)];
  return [...new Map(all.filter(isJsonObject).map((element) => [element[key], element])).values()];
}
