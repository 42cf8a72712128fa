import { isJsonArray, isJsonObject, ownValue } from '../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../json-value.ts';
import { narrowAtom } from './atom.ts';
import type { Atom, ListAtom, MapAtom } from './atom.ts';
import { jsonEquals } from './compare-json.ts';
import { FieldSetBuilder } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { elementAddress } from './list-elements.ts';
import { fieldElement } from './path-element.ts';
import type { PathElement } from './path-element.ts';

/** Which fields an object lost, changed and gained. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Compares two values of one type, down to what the type treats as one piece. Both must fit the type. */
export function compareTyped(before: JsonValue, after: JsonValue, atom: Atom): Comparison {
  const changes: Changes = { removed: new FieldSetBuilder(), modified: new FieldSetBuilder(), added: new FieldSetBuilder(), path: [] };
  compare(before, after, atom, changes);
  return { removed: changes.removed.build(), modified: changes.modified.build(), added: changes.added.build() };
}

interface Changes {
  readonly removed: FieldSetBuilder;
  readonly modified: FieldSetBuilder;
  readonly added: FieldSetBuilder;
  /** Where the walk is; grows and shrinks with it. */
  readonly path: PathElement[];
}

type Side = JsonValue | undefined;

function compare(before: Side, after: Side, atom: Atom, changes: Changes): void {
  if (before === after) return;
  const own = narrowAtom(atom, before);
  const other = narrowAtom(atom, after);
  let isLeaf: boolean;
  if (after === undefined) isLeaf = compareAs(own, before, after, changes);
  else if (before === undefined || own === other) isLeaf = compareAs(other, before, after, changes);
  else {
    // The value changed its form: what it had in the one and what it has in the other are both compared.
    compareAs(own, before, after, changes);
    isLeaf = compareAs(other, before, after, changes);
  }
  if (isLeaf) return;
  if (before === undefined) changes.added.insert(changes.path);
  else if (after === undefined) changes.removed.insert(changes.path);
}

/** Whether the value was compared as one piece. */
function compareAs({ map, scalar, list }: Atom, before: Side, after: Side, changes: Changes): boolean {
  if (map !== undefined) {
    const [own, other] = [objectOrNothing(before), objectOrNothing(after)];
    if (map.atomic || (isEmpty(own) && isEmpty(other))) return compareLeaf(before, after, changes);
    compareMaps(own ?? {}, other ?? {}, map, changes);
    return false;
  }
  if (scalar !== undefined || list === undefined) return compareLeaf(before, after, changes);
  const [own, other] = [isJsonArray(before) ? before : [], isJsonArray(after) ? after : []];
  if (list.keys === undefined || (own.length === 0 && other.length === 0)) return compareLeaf(before, after, changes);
  compareLists(own, other, list, changes);
  return false;
}

function compareLeaf(before: Side, after: Side, changes: Changes): true {
  if (before === undefined) changes.added.insert(changes.path);
  else if (after === undefined) changes.removed.insert(changes.path);
  else if (!jsonEquals(before, after)) changes.modified.insert(changes.path);
  return true;
}

function compareMaps(before: JsonObject, after: JsonObject, map: MapAtom, changes: Changes): void {
  for (const key of Object.keys(before)) compareField(key, before[key], ownValue(after, key), map, changes);
  for (const key of Object.keys(after)) if (!Object.hasOwn(before, key)) compareField(key, undefined, after[key], map, changes);
}

function compareField(key: string, before: Side, after: Side, map: MapAtom, changes: Changes): void {
  if (before === after) return;
  const type = map.field(key) ?? map.values?.();
  if (type !== undefined) compareBelow(fieldElement(key), before, after, type, changes);
}

interface Counterparts {
  readonly element: PathElement;
  readonly before: JsonValue[];
  readonly after: JsonValue[];
}

function compareLists(before: JsonArray, after: JsonArray, list: ListAtom, changes: Changes): void {
  for (const { element, before: own, after: other } of pairElements(before, after, list)) {
    if (own.length <= 1 && other.length <= 1) {
      compareBelow(element, own[0], other[0], list.items(), changes);
    } else if (own.length >= 2 && other.length >= 2) {
      if (!jsonEquals(own, other)) changes.modified.insert([...changes.path, element]);
    } else if (own.length >= 2) {
      // Elements that shared an address are owned as one piece; what is left of them starts anew.
      if (other.length > 0) compareBelow(element, undefined, other[0], list.items(), changes);
      changes.removed.insert([...changes.path, element]);
    } else {
      if (own.length > 0) compareBelow(element, own[0], undefined, list.items(), changes);
      changes.added.insert([...changes.path, element]);
    }
  }
}

function pairElements(before: JsonArray, after: JsonArray, list: ListAtom): Iterable<Counterparts> {
  const pairs = new Map<string, Counterparts>();
  for (const [side, elements] of [['before', before] as const, ['after', after] as const]) {
    for (const value of elements) {
      const element = elementAddress(list, value);
      const key = element.text;
      let pair = pairs.get(key);
      if (pair === undefined) pairs.set(key, (pair = { element, before: [], after: [] }));
      pair[side].push(value);
    }
  }
  return pairs.values();
}

function compareBelow(element: PathElement, before: Side, after: Side, atom: Atom, changes: Changes): void {
  changes.path.push(element);
  compare(before, after, atom, changes);
  changes.path.pop();
}

function objectOrNothing(value: Side): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function isEmpty(value: JsonObject | undefined): boolean {
  return value === undefined || Object.keys(value).length === 0;
}
