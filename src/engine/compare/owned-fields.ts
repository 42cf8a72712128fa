import { isJsonArray, isJsonObject, jsonEquals } from '../../objects/index.ts';
import type { FieldSet, JsonArray, JsonObject, JsonValue, KubeObject } from '../../objects/index.ts';
import type { CompareRules } from './compare-rules.ts';
import { ignoreRulesFor } from './ignore-differences.ts';
import { readFields } from './read-fields.ts';

type ManagedFields = KubeObject['metadata']['managedFields'];

/** Whether what is ignored of an object depends on who owns its fields: the live object is then needed with its `managedFields`. */
export function needsManagedFields(object: KubeObject, rules: Pick<CompareRules, 'ignore'>): boolean {
  return managersFor(object, rules).length > 0;
}

/** Both sides without the fields that differ and belong to managers whose changes are not to count, by the owners of the live one's fields. */
export function withoutOwnedFields(
  desired: KubeObject,
  live: KubeObject,
  { rules, managedFields }: { readonly rules: Pick<CompareRules, 'ignore'>; readonly managedFields: ManagedFields },
): { readonly desired: KubeObject; readonly live: KubeObject } {
  const managers = new Set(managersFor(desired, rules));
  let pair: Pair = [desired as unknown as JsonValue, live as unknown as JsonValue];
  for (const entry of managers.size === 0 ? [] : (managedFields ?? [])) {
    const { manager } = entry;
    if (typeof manager === 'string' && managers.has(manager)) pair = strip(pair, readFields(entry['fieldsV1']));
  }
  return { desired: pair[0] as unknown as KubeObject, live: pair[1] as unknown as KubeObject };
}

/** What is desired with the values that the live object has in the fields of such managers. A status is never taken. */
export function withTheirFields(desired: KubeObject, live: KubeObject, rules: Pick<CompareRules, 'ignore'>): KubeObject {
  const managers = new Set(managersFor(desired, rules));
  const { status: _status, ...from } = live;
  let result = desired as unknown as JsonValue;
  for (const entry of managers.size === 0 ? [] : (live.metadata.managedFields ?? [])) {
    const { manager } = entry;
    if (typeof manager === 'string' && managers.has(manager))
      result = take(result, from as unknown as JsonValue, readFields(entry['fieldsV1']));
  }
  return result as unknown as KubeObject;
}

function managersFor(object: KubeObject, rules: Pick<CompareRules, 'ignore'>): readonly string[] {
  return ignoreRulesFor(object, rules).flatMap(({ managedFieldsManagers = [] }) => managedFieldsManagers);
}

type Pair = readonly [JsonValue, JsonValue];

/** Takes the fields of a set out of two values, where the values differ in them. */
function strip(pair: Pair, set: FieldSet): Pair {
  let result = pair;
  for (const { element, children } of set.values()) {
    if (element.kind === 'field') result = stripField(result, element.name, children);
    else if (element.kind === 'key') result = stripElement(result, element.fields, children);
  }
  return result;
}

function stripField([left, right]: Pair, name: string, children: FieldSet): Pair {
  if (!isJsonObject(left) || !isJsonObject(right)) return [left, right];
  const [own, other] = [ownOf(left, name), ownOf(right, name)];
  if (jsonEquals(own, other)) return [left, right];
  if (children.size === 0 || own === undefined || other === undefined) return [without(left, name), without(right, name)];
  const [newOwn, newOther] = strip([own, other], children);
  return [
    { ...left, [name]: newOwn },
    { ...right, [name]: newOther },
  ];
}

function stripElement([left, right]: Pair, keys: Keys, children: FieldSet): Pair {
  if (!isJsonArray(left) || !isJsonArray(right)) return [left, right];
  const [index, otherIndex] = [findByKeys(left, keys), findByKeys(right, keys)];
  const [own, other] = [left[index], right[otherIndex]];
  if (own === undefined || other === undefined) return [left, right];
  const [newOwn, newOther] = strip([own, other], children);
  return [left.with(index, newOwn), right.with(otherIndex, newOther)];
}

/** Takes over the fields of a set from another value. */
function take(own: JsonValue, other: JsonValue, set: FieldSet): JsonValue {
  let result = own;
  for (const { element, children } of set.values()) {
    if (element.kind === 'field') result = takeField(result, other, element.name, children);
    else if (element.kind === 'key') result = takeElement(result, other, element.fields, children);
  }
  return result;
}

function takeField(own: JsonValue, other: JsonValue, name: string, children: FieldSet): JsonValue {
  if (!isJsonObject(own) || !isJsonObject(other)) return own;
  const [before, value] = [ownOf(own, name), ownOf(other, name)];
  if (value === undefined || jsonEquals(before, value)) return own;
  if (children.size === 0) return { ...own, [name]: value };
  // Only what belongs to the manager is taken of what is not wanted at all: the rest of it is somebody else's.
  const taken = take(before ?? {}, value, children);
  return jsonEquals(taken, before ?? {}) ? own : { ...own, [name]: taken };
}

/** Elements that are not wanted are not made. */
function takeElement(own: JsonValue, other: JsonValue, keys: Keys, children: FieldSet): JsonValue {
  if (!isJsonArray(own) || !isJsonArray(other)) return own;
  const [index, otherIndex] = [findByKeys(own, keys), findByKeys(other, keys)];
  const [before, value] = [own[index], other[otherIndex]];
  return before === undefined || value === undefined ? own : own.with(index, take(before, value, children));
}

type Keys = readonly (readonly [name: string, value: JsonValue])[];

/** A key that an element leaves out has its default there, such as a port's protocol. */
function findByKeys(list: JsonArray, keys: Keys): number {
  return list.findIndex(
    (item) => isJsonObject(item) && keys.every(([key, value]) => ownOf(item, key) === undefined || ownOf(item, key) === value),
  );
}

function ownOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}
