import {
  isJsonArray,
  isJsonObject,
  jsonEquals,
  type FieldSet,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../objects/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { readFields } from './read-fields.ts';

/**
 * What a dry run would make of a live object, without what others than the manager did on the way: a field that changed counts only where
 * the manager owns it afterwards, and one that went only where it owned it before.
 */
export function keepOwnChanges(live: KubeObject, predicted: KubeObject, manager: string): KubeObject {
  const owned = { before: fieldsOf(live, manager), after: fieldsOf(predicted, manager) };
  return mergeValues(live as unknown as JsonObject, predicted as unknown as JsonObject, owned) as unknown as KubeObject;
}

interface Owned {
  readonly before: FieldSet;
  readonly after: FieldSet;
}

const NOTHING: FieldSet = new Map();

/** The manager may have several entries, one for each way and version that it wrote in. */
function fieldsOf({ metadata }: KubeObject, manager: string): FieldSet {
  const sets = (metadata.managedFields ?? [])
    .filter((entry) => entry.manager === manager && !entry['subresource'])
    .map((entry) => readFields(entry['fieldsV1']));
  return sets.reduce(unite, NOTHING);
}

function unite(one: FieldSet, other: FieldSet): FieldSet {
  if (one.size === 0) return other;
  const united = new Map(one);
  for (const [name, node] of other) {
    const known = united.get(name);
    united.set(name, known === undefined ? node : { ...known, children: unite(known.children, node.children) });
  }
  return united;
}

function mergeValues(live: JsonValue, predicted: JsonValue, owned: Owned): JsonValue {
  if (jsonEquals(live, predicted)) return live;
  if (isJsonObject(live) && isJsonObject(predicted)) return mergeObjects(live, predicted, owned);
  if (isJsonArray(live) && isJsonArray(predicted)) return mergeLists(live, predicted, owned);
  return predicted;
}

function mergeObjects(live: JsonObject, predicted: JsonObject, { before, after }: Owned): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const name of new Set([...Object.keys(live), ...Object.keys(predicted)])) {
    const [own, other] = [ownOf(live, name), ownOf(predicted, name)];
    const [was, is] = [before.get(`f:${name}`), after.get(`f:${name}`)];
    const value = choose(own, other, was?.children, is?.children);
    if (value !== undefined) entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

/** Undefined children: the manager does not own the place. Without any: it owns the place as a whole. */
function choose(
  live: JsonValue | undefined,
  predicted: JsonValue | undefined,
  before: FieldSet | undefined,
  after: FieldSet | undefined,
): JsonValue | undefined {
  if (predicted === undefined) return before === undefined ? live : undefined;
  if (live === undefined) return after === undefined ? undefined : predicted;
  if (before === undefined && after === undefined) return live;
  if (after?.size === 0) return predicted;
  return mergeValues(live, predicted, { before: before ?? NOTHING, after: after ?? NOTHING });
}

/** Lists whose elements have keys merge by them; of others the manager owns values, and what it applied is what there is. */
function mergeLists(live: JsonArray, predicted: JsonArray, { before, after }: Owned): JsonValue {
  const isKeyed = [...before.values(), ...after.values()].some(({ element }) => element.kind === 'key');
  if (!isKeyed) return after.size === 0 && before.size === 0 ? live : predicted;
  const kept: JsonValue[] = [];
  for (const item of predicted) {
    const [was, is] = [findNode(before, item), findNode(after, item)];
    const keys = (is ?? was)?.keys;
    const own = keys === undefined ? live.find((one) => jsonEquals(one, item)) : live.find((one) => hasKeys(one, keys));
    const value = choose(own, item, was?.children, is?.children);
    if (value !== undefined) kept.push(value);
  }
  for (const item of live) {
    const was = findNode(before, item);
    const isThere = was !== undefined || kept.some((one) => jsonEquals(one, item));
    if (!isThere && findNode(after, item) === undefined) kept.push(item);
  }
  return kept;
}

type Keys = readonly (readonly [name: string, value: JsonValue])[];

function findNode(set: FieldSet, item: JsonValue): { readonly keys: Keys; readonly children: FieldSet } | undefined {
  for (const { element, children } of set.values())
    if (element.kind === 'key' && hasKeys(item, element.fields)) return { keys: element.fields, children };
  return undefined;
}

function hasKeys(item: JsonValue, keys: Keys): boolean {
  return isJsonObject(item) && keys.every(([name, value]) => jsonEquals(ownOf(item, name), value));
}

function ownOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
