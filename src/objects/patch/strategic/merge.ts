import { jsonEquals } from '../../apply/compare-json.ts';
import { printGoValue } from '../../apply/print-go.ts';
import { isJsonArray, isJsonObject, jsonObject, ownValue } from '../../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../json-value.ts';
import type { Schema } from '../../schema/index.ts';
import { withoutNulls } from '../merge-patch.ts';
import { PatchError } from '../patch-error.ts';
import {
  DELETE_FROM_LIST_PREFIX,
  directiveField,
  ELEMENT_ORDER_PREFIX,
  PATCH_DIRECTIVE,
  RETAIN_KEYS_DIRECTIVE,
  withoutDirectiveObjects,
} from './directives.ts';
import { checkElementOrder } from './element-order.ts';
import { listFieldStrategy, objectFieldStrategy } from './field-strategy.ts';
import type { FieldStrategy } from './field-strategy.ts';
import { distinct, elementKind, mergeKeyValue, orderElements, positions, requireList, requireObject } from './list-elements.ts';

/** What a patch is merged into: an object, which obeys its directives, or another patch, which takes them over. */
export type MergeTarget = 'object' | 'patch';

/** Merges a strategic merge patch into an object or into another patch. */
export function mergeStrategically(original: JsonObject, patch: JsonObject, schema: Schema, target: MergeTarget): JsonObject {
  const directive = ownValue(patch, PATCH_DIRECTIVE);
  if (directive !== undefined) return obeyDirective(directive, patch);
  const fields = retainKeys(new Map(Object.entries(original)), patch, target);
  const pending = new Map(Object.entries(patch));
  pending.delete(RETAIN_KEYS_DIRECTIVE);
  for (const key of Object.keys(patch)) if (key.startsWith(ELEMENT_ORDER_PREFIX)) mergeInOrder({ key, fields, pending, schema, target });
  // Removals from lists come before additions to them, so that the outcome does not depend on the order of the patch's fields.
  for (const [key, value] of pending) if (key.startsWith(DELETE_FROM_LIST_PREFIX)) mergeRemovals({ key, value, fields, schema, target });
  for (const [key, value] of pending) if (!key.startsWith(DELETE_FROM_LIST_PREFIX)) mergeField({ key, value, fields, schema, target });
  return jsonObject(fields);
}

type Fields = Map<string, JsonValue>;

interface FieldMerge {
  readonly key: string;
  readonly value: JsonValue;
  readonly fields: Fields;
  readonly schema: Schema;
  readonly target: MergeTarget;
}

function obeyDirective(directive: JsonValue, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive === 'replace') return jsonObject(Object.entries(patch).filter(([key]) => key !== PATCH_DIRECTIVE));
  throw unknownDirective(directive, patch);
}

function unknownDirective(directive: JsonValue, patch: JsonObject): PatchError {
  return new PatchError(500, `unknown patch type: ${printGoValue(directive)} in map: ${printGoValue(patch)}`);
}

function retainKeys(fields: Fields, patch: JsonObject, target: MergeTarget): Fields {
  const retained = ownValue(patch, RETAIN_KEYS_DIRECTIVE);
  if (retained === undefined) return fields;
  if (target === 'patch') {
    const other = fields.get(RETAIN_KEYS_DIRECTIVE);
    if (other !== undefined && !jsonEquals(other, retained)) {
      const both = `${printGoValue(other)} and ${printGoValue(retained)} are not deep equal`;
      throw new PatchError(500, `${both}: this may happen when calculating the 3-way diff patch`);
    }
    return fields.set(RETAIN_KEYS_DIRECTIVE, retained);
  }
  const names = isJsonArray(retained) ? new Set(retained) : undefined;
  const isListed = ([key, value]: [string, JsonValue]) =>
    value === null ||
    key === RETAIN_KEYS_DIRECTIVE ||
    key.startsWith(DELETE_FROM_LIST_PREFIX) ||
    key.startsWith(ELEMENT_ORDER_PREFIX) ||
    names?.has(key) === true;
  if (names === undefined || !Object.entries(patch).every(isListed)) throw new PatchError(400, 'invalid patch format of retainKeys');
  return new Map([...fields].filter(([key]) => names.has(key)));
}

interface OrderedMerge extends Omit<FieldMerge, 'value'> {
  /** The patch's fields that are still to be merged. */
  readonly pending: Fields;
}

/** Merges a list for which the patch has an order, together with that order. */
function mergeInOrder({ key, fields, pending, schema, target }: OrderedMerge): void {
  const order = pending.get(key) ?? null;
  pending.delete(key);
  if (target === 'patch') {
    const other = fields.get(key);
    if (other !== undefined && !jsonEquals(other, order)) throw badElementOrder();
    fields.set(key, order);
  }
  const orderList = requireList(order);
  const field = directiveField(key, ELEMENT_ORDER_PREFIX);
  if (field === undefined) throw badElementOrder();
  const [original, patch] = [fields.get(field), pending.get(field)].map((value) => (value === undefined ? undefined : requireList(value)));
  const strategy = listFieldStrategy(schema, field);
  checkElementOrder(patch ?? [], orderList, strategy.mergeKey);
  if (original === undefined && patch === undefined) return;
  const { list, liveOrder } = mergeForOrder(original, patch, strategy, target);
  elementKind(original ?? [], patch ?? []);
  fields.set(field, orderElements(list, { mergeKey: strategy.mergeKey, patchOrder: orderList, liveOrder }));
  pending.delete(field);
}

function badElementOrder(): PatchError {
  return new PatchError(400, 'invalid patch format of setElementOrder list');
}

interface ForOrder {
  readonly list: JsonArray;
  /** What counts as the order before the patch. */
  readonly liveOrder: JsonArray;
}

function mergeForOrder(
  original: JsonArray | undefined,
  patch: JsonArray | undefined,
  strategy: FieldStrategy,
  target: MergeTarget,
): ForOrder {
  if (original === undefined) return { list: requireList(withoutDirectiveObjects(patch ?? []) ?? []), liveOrder: [] };
  if (patch === undefined) return { list: original, liveOrder: original };
  if (strategy.strategy !== 'merge') return { list: patch, liveOrder: original };
  const { ordered, unordered } = mergeList(original, patch, strategy, target);
  // In Kubernetes the places of removed elements are taken by new ones while the merge still reads the list as the order before it.
  return { list: ordered, liveOrder: unordered?.slice(0, original.length) ?? original };
}

function mergeRemovals({ key, value, fields, schema, target }: FieldMerge): void {
  if (target === 'patch') {
    fields.set(key, value);
    return;
  }
  const field = directiveField(key, DELETE_FROM_LIST_PREFIX);
  if (field === undefined) throw new PatchError(400, 'invalid patch format of primitive list');
  const list = fields.get(field);
  if (value === null) fields.delete(field);
  if (!isJsonArray(list) || !isJsonArray(value)) return;
  const strategy = listFieldStrategy(schema, field);
  if (list.length === 0 && value.length === 0) return;
  const removed = new Set(value);
  const isScalar = elementKind(list, value) === 'scalar';
  fields.set(field, isScalar ? list.filter((element) => !removed.has(element)) : mergeList(list, value, strategy, target).ordered);
}

function mergeField({ key, value, fields, schema, target }: FieldMerge): void {
  const current = fields.get(key);
  if (value === null) {
    if (target === 'patch') fields.set(key, null);
    else fields.delete(key);
  } else if (isJsonObject(current) && isJsonObject(value)) {
    const { strategy, schema: child } = objectFieldStrategy(schema, key);
    fields.set(key, strategy === 'replace' ? value : mergeStrategically(current, value, child, target));
  } else if (isJsonArray(current) && isJsonArray(value)) {
    const strategy = listFieldStrategy(schema, key);
    fields.set(key, strategy.strategy === 'merge' ? mergeList(current, value, strategy, target).ordered : value);
  } else {
    const taken = withoutDirectiveObjects(target === 'object' ? withoutNulls(value) : value);
    if (taken === undefined) fields.delete(key);
    else fields.set(key, taken);
  }
}

interface MergedList {
  readonly ordered: JsonArray;
  /** What was kept, then what was added; undefined where the patch replaced the list. */
  readonly unordered: JsonArray | undefined;
}

function mergeList(original: JsonArray, patch: JsonArray, strategy: FieldStrategy, target: MergeTarget): MergedList {
  const { mergeKey } = strategy;
  if (original.length === 0 && patch.length === 0) return { ordered: original, unordered: original };
  if (elementKind(original, patch) === 'scalar') {
    const unordered = distinct([...original, ...patch]);
    return { ordered: orderElements(unordered, { mergeKey, patchOrder: patch, liveOrder: original }), unordered };
  }
  if (mergeKey === undefined) throw new PatchError(500, 'cannot merge lists without merge key for struct');
  const { kept, elements, replaces } = obeyElementDirectives(original, patch.map(requireObject), mergeKey);
  if (replaces) return { ordered: orderElements(elements, { mergeKey, patchOrder: [], liveOrder: elements }), unordered: undefined };
  const unordered = mergeElements(kept, elements, { ...strategy, mergeKey }, target);
  return { ordered: orderElements(unordered, { mergeKey, patchOrder: elements, liveOrder: kept }), unordered };
}

interface ElementDirectives {
  /** What the patch does not delete of the list. */
  readonly kept: readonly JsonObject[];
  /** The patch's elements that are not directives. */
  readonly elements: readonly JsonObject[];
  /** The list becomes the patch's elements. */
  readonly replaces: boolean;
}

function obeyElementDirectives(original: JsonArray, patch: readonly JsonObject[], mergeKey: string): ElementDirectives {
  const elements: JsonObject[] = [];
  const deleted = new Set<JsonValue>();
  let replaces = false;
  for (const element of patch) {
    const directive = ownValue(element, PATCH_DIRECTIVE);
    if (directive === undefined) elements.push(element);
    else if (directive === 'delete') deleted.add(mergeKeyValue(element, mergeKey));
    else if (directive === 'replace') replaces = true;
    else if (directive === 'merge') throw new PatchError(500, 'merging lists cannot yet be specified in the patch');
    else throw unknownDirective(directive, element);
  }
  const isKept = (element: JsonObject) => {
    const value = ownValue(element, mergeKey);
    return value === undefined || !deleted.has(value);
  };
  return { kept: original.map(requireObject).filter(isKept), elements, replaces };
}

function mergeElements(
  kept: readonly JsonObject[],
  elements: readonly JsonObject[],
  { schema, mergeKey }: FieldStrategy & { readonly mergeKey: string },
  target: MergeTarget,
): readonly JsonObject[] {
  const result = [...kept];
  const known = positions(kept, mergeKey);
  for (const element of elements) {
    const value = mergeKeyValue(element, mergeKey);
    const index = known.get(value);
    const current = index === undefined ? undefined : result[index];
    if (index !== undefined && current !== undefined) {
      result[index] = mergeStrategically(current, element, schema, target);
    } else {
      known.set(value, result.length);
      result.push(element);
    }
  }
  return result;
}
