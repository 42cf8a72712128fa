import { compareStrings, jsonEquals } from '../../apply/compare-json.ts';
import { printGoValue } from '../../apply/print-go.ts';
import { isJsonArray, isJsonObject, jsonObject, ownValue } from '../../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../json-value.ts';
import type { Schema } from '../../schema/index.ts';
import { PatchError } from '../patch-error.ts';
import { DELETE_FROM_LIST_PREFIX, ELEMENT_ORDER_PREFIX, PATCH_DIRECTIVE, RETAIN_KEYS_DIRECTIVE } from './directives.ts';
import { listFieldStrategy, objectFieldStrategy } from './field-strategy.ts';
import type { FieldStrategy } from './field-strategy.ts';
import { distinct, elementKind, mergeKeyValue, positions, requireObject, sortByPosition } from './list-elements.ts';

/** Which differences a patch is to hold. */
export interface DiffScope {
  readonly changes: boolean;
  readonly deletions: boolean;
}

/** The strategic merge patch that turns one object into another, or the part of it that is asked for. */
export function diffStrategically(original: JsonObject, modified: JsonObject, schema: Schema, scope: DiffScope): JsonObject {
  return diffObjects(original, modified, { schema, scope, retainKeys: false });
}

interface Context {
  readonly schema: Schema;
  readonly scope: DiffScope;
  /** The patch names the fields to keep. */
  readonly retainKeys: boolean;
}

type Patch = Map<string, JsonValue>;

function diffObjects(original: JsonObject, modified: JsonObject, context: Context): JsonObject {
  const patch: Patch = new Map();
  for (const [key, value] of Object.entries(modified)) diffField(patch, { key, before: ownValue(original, key), after: value }, context);
  const removed = Object.keys(original).filter((key) => !Object.hasOwn(modified, key));
  if (context.scope.deletions) for (const key of removed) patch.set(key, null);
  if (context.retainKeys) {
    const kept = Object.keys(modified).filter((key) => modified[key] !== null);
    const isNeeded = patch.size > 0 || removed.some((key) => original[key] !== null);
    if (kept.length > 0 && isNeeded) patch.set(RETAIN_KEYS_DIRECTIVE, kept.sort(compareStrings));
  }
  return jsonObject(patch);
}

interface FieldChange {
  readonly key: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue;
}

function diffField(patch: Patch, { key, before, after }: FieldChange, context: Context): void {
  if (key === PATCH_DIRECTIVE && before !== undefined) checkDirectives(before, after);
  if (jsonEquals(before, after)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    const { schema, strategy, retainKeys } = objectFieldStrategy(context.schema, key);
    if (strategy !== 'replace') {
      const nested = diffObjects(before, after, { ...context, schema, retainKeys });
      if (Object.keys(nested).length > 0) patch.set(key, nested);
      return;
    }
  } else if (isJsonArray(before) && isJsonArray(after)) {
    const strategy = listFieldStrategy(context.schema, key);
    if (strategy.strategy === 'merge') return diffLists(patch, key, { before, after, strategy }, context);
  }
  if (context.scope.changes) patch.set(key, after);
}

function checkDirectives(...directives: readonly JsonValue[]): void {
  if (directives.some((directive) => typeof directive !== 'string'))
    throw new PatchError(500, `invalid value for special key: ${PATCH_DIRECTIVE}`);
}

interface ListChange {
  readonly before: JsonArray;
  readonly after: JsonArray;
  readonly strategy: FieldStrategy;
}

function diffLists(patch: Patch, key: string, change: ListChange, context: Context): void {
  const { before, after } = change;
  const { scope } = context;
  if (before.length === 0) {
    if (scope.changes && after.length > 0) patch.set(key, after);
    return;
  }
  const { elements, removed, order } =
    elementKind(before, after) === 'object' ? diffObjectLists(change, context) : diffScalarLists(before, after, scope);
  if (elements.length > 0) patch.set(key, elements);
  if (removed.length > 0) patch.set(`${DELETE_FROM_LIST_PREFIX}/${key}`, removed);
  if (order.length > 0) patch.set(`${ELEMENT_ORDER_PREFIX}/${key}`, order);
}

interface ListDiff {
  readonly elements: JsonArray;
  /** Scalars to remove; objects are removed by an element that says so. */
  readonly removed: JsonArray;
  readonly order: JsonArray;
}

function diffScalarLists(before: JsonArray, after: JsonArray, scope: DiffScope): ListDiff {
  const pairs = pairBy(before, after, printGoValue);
  const added = pairs.flatMap(([own, other]) => (own === undefined && other !== undefined ? [other] : []));
  const gone = pairs.flatMap(([own, other]) => (own !== undefined && other === undefined ? [own] : []));
  const removed = scope.deletions ? distinct(gone) : [];
  const elements = scope.changes ? sortByPosition(added, positions(after, undefined), undefined) : [];
  return { elements, removed, order: scope.changes || removed.length > 0 ? after : [] };
}

function diffObjectLists({ before, after, strategy }: ListChange, context: Context): ListDiff {
  const { schema, mergeKey = '', retainKeys } = strategy;
  const { scope } = context;
  const keyOf = (element: JsonValue) => mergeKeyValue(requireObject(element), mergeKey);
  const elements: JsonValue[] = [];
  const removals: JsonValue[] = [];
  for (const [own, other] of pairBy(before, after, (element) => printGoValue(keyOf(element)))) {
    if (own === undefined || other === undefined) {
      if (own !== undefined && scope.deletions)
        removals.push(
          jsonObject([
            [mergeKey, keyOf(own)],
            [PATCH_DIRECTIVE, 'delete'],
          ]),
        );
      if (other !== undefined && scope.changes) elements.push(other);
      continue;
    }
    const nested = diffObjects(requireObject(own), requireObject(other), { schema, scope, retainKeys });
    if (Object.keys(nested).length > 0) elements.push(jsonObject([...Object.entries(nested), [mergeKey, keyOf(other)]]));
  }
  const changed = [...sortByPosition(elements, positions(after, mergeKey), mergeKey), ...removals];
  const isReordered = before.length !== after.length || before.some((element, index) => keyOf(element) !== keyOf(after[index] ?? {}));
  const isOrdered = changed.length > 0 || (scope.changes && isReordered);
  return { elements: changed, removed: [], order: isOrdered ? after.map((element) => jsonObject([[mergeKey, keyOf(element)]])) : [] };
}

type Pair = readonly [before: JsonValue | undefined, after: JsonValue | undefined];

/** Pairs the elements of two lists by a text, in the order of the texts; one without a partner is paired with nothing. */
function pairBy(before: JsonArray, after: JsonArray, textOf: (element: JsonValue) => string): readonly Pair[] {
  const [left, right] = [sortByText(before, textOf), sortByText(after, textOf)];
  const pairs: Pair[] = [];
  let [leftIndex, rightIndex] = [0, 0];
  while (leftIndex < left.length || rightIndex < right.length) {
    const [own, other] = [left[leftIndex], right[rightIndex]];
    const order = own === undefined ? 1 : other === undefined ? -1 : compareStrings(own.text, other.text);
    pairs.push([order <= 0 ? own?.element : undefined, order >= 0 ? other?.element : undefined]);
    if (order <= 0) leftIndex++;
    if (order >= 0) rightIndex++;
  }
  return pairs;
}

interface Texted {
  readonly text: string;
  readonly element: JsonValue;
}

/** Elements with the same text (two ports of one number) come in reverse, as Kubernetes sorts them; it decides which pair up. */
function sortByText(list: JsonArray, textOf: (element: JsonValue) => string): readonly Texted[] {
  return list
    .map((element) => ({ text: textOf(element), element }))
    .reverse()
    .sort((left, right) => compareStrings(left.text, right.text));
}
