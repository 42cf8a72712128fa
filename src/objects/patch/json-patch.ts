import { jsonEquals } from '../apply/compare-json.ts';
import { isJsonArray, isJsonObject, ownValue } from '../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../json-value.ts';
import { createDraft, disownAll, findPlace, findWritablePlace, lastToken, listIndex, setMember } from './json-patch-draft.ts';
import type { Draft, MutableContainer, Place } from './json-patch-draft.ts';
import { PatchError } from './patch-error.ts';

export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  /** Absent and null are the same. */
  readonly value?: JsonValue;
}

const OPERATIONS_MAX = 10_000;
/** Copies may add this much in one patch: without a limit, a few of them, each of the whole, fill the memory. */
const COPIED_CHARACTERS_MAX = 3 * 1024 * 1024;

/** Reads a JSON patch from what a client sent. */
export function parseJsonPatch(value: JsonValue): readonly JsonPatchOperation[] {
  if (!isJsonArray(value)) throw new PatchError(400, 'error decoding patch: a JSON patch must be a list of operations');
  if (value.length > OPERATIONS_MAX)
    throw new PatchError(413, `The allowed maximum operations in a JSON patch is ${OPERATIONS_MAX}, got ${value.length}`);
  return value.map(parseOperation);
}

function parseOperation(value: JsonValue): JsonPatchOperation {
  if (!isJsonObject(value)) throw new PatchError(400, 'error decoding patch: each operation of a JSON patch must be an object');
  const op = textMember(value, 'op') ?? 'unknown';
  const path = textMember(value, 'path');
  const from = textMember(value, 'from');
  if (from === undefined && (op === 'move' || op === 'copy'))
    throw new PatchError(422, `${op} operation failed to decode from: operation, missing from field: missing value`);
  if (path === undefined) throw new PatchError(422, `${op} operation failed to decode path: missing value`);
  return { op, path, ...(from !== undefined && { from }), value: ownValue(value, 'value') ?? null };
}

function textMember(operation: JsonObject, name: string): string | undefined {
  const value = ownValue(operation, name) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new PatchError(400, `error decoding patch: ${name} of a JSON patch operation must be a string`);
}

/**
 * Applies RFC 6902 operations in order, all or none. Where the RFC and Kubernetes differ, Kubernetes is followed, because clients have
 * come to lean on it: `replace` creates a missing field of an object, `test` for null holds for a missing field, a negative index
 * counts from the end, and a document cannot be added, only replaced, as a whole.
 */
export function applyJsonPatch(document: JsonValue, operations: readonly JsonPatchOperation[]): JsonValue {
  const draft = createDraft(document);
  let copiedCharacters = 0;
  for (const { op, path, from = '', value = null } of operations) {
    if (op === 'add') add(draft, path, value);
    else if (op === 'remove') remove(draft, path);
    else if (op === 'replace') replace(draft, path, value);
    else if (op === 'move') move(draft, from, path);
    else if (op === 'copy') copiedCharacters = copy(draft, from, path, copiedCharacters);
    else if (op === 'test') test(draft, path, value);
    else throw new PatchError(422, `Unexpected kind: ${op}`);
  }
  return draft.root;
}

function add(draft: Draft, path: string, value: JsonValue): void {
  const place = required(findWritablePlace(draft, path), `add operation does not apply: doc is missing path: "${path}": missing value`);
  addMember(place, value, (cause) => `error in add for path: '${path}': ${cause}`);
}

function remove(draft: Draft, path: string): void {
  const place = required(findWritablePlace(draft, path), `remove operation does not apply: doc is missing path: "${path}": missing value`);
  removeMember(place, (cause) => `error in remove for path: '${path}': ${cause}`);
}

function replace(draft: Draft, path: string, value: JsonValue): void {
  if (path === '') {
    if (typeof value !== 'object' || value === null)
      throw new PatchError(422, 'replace operation value must be object or array: %!w(<nil>)');
    draft.root = value;
    return;
  }
  const missing = `replace operation does not apply: doc is missing path: ${path}: missing value`;
  const { parent, key } = required(findWritablePlace(draft, path), missing);
  if (!isJsonArray(parent)) return setMember(parent, key, value);
  parent[requiredIndex(parent, key, () => `replace operation does not apply: doc is missing key: ${path}: missing value`)] = value;
}

function move(draft: Draft, from: string, path: string): void {
  const source = required(
    findWritablePlace(draft, from),
    `move operation does not apply: doc is missing from path: ${from}: missing value`,
  );
  const failed = (cause: string) => `error in move for path: '${lastToken(from)}': ${cause}`;
  const value = readPlace(source, failed);
  removeMember(source, failed);
  const target = required(
    findWritablePlace(draft, path),
    `move operation does not apply: doc is missing destination path: ${path}: missing value`,
  );
  addMember(target, value, (cause) => `error in move for path: '${path}': ${cause}`);
}

function copy(draft: Draft, from: string, path: string, copiedBefore: number): number {
  const source = required(findPlace(draft, from), `copy operation does not apply: doc is missing from path: ${from}: missing value`);
  const value = readPlace(source, (cause) => `error in copy for from: '${from}': ${cause}`);
  disownAll(draft);
  const target = required(
    findWritablePlace(draft, path),
    `copy operation does not apply: doc is missing destination path: ${path}: missing value`,
  );
  const copied = copiedBefore + JSON.stringify(value).length;
  if (copied > COPIED_CHARACTERS_MAX) {
    const limit = `exceeding the limit ${COPIED_CHARACTERS_MAX}`;
    throw new PatchError(422, `Unable to complete the copy, the accumulated size increase of copy is ${copied}, ${limit}`);
  }
  addMember(target, value, (cause) => `error while adding value during copy: ${cause}`);
  return copied;
}

function test(draft: Draft, path: string, expected: JsonValue): void {
  let found = draft.root;
  if (path !== '') {
    const place = required(findPlace(draft, path), `test operation does not apply: is missing path: ${path}: missing value`);
    found = readPlace(place, (cause) => `error in test for path: '${path}': ${cause}`);
  }
  if (!jsonEquals(found, expected)) throw new PatchError(422, `testing value ${path} failed: test failed`);
}

type Explain = (cause: string) => string;

function readPlace({ parent, key }: Place<JsonArray | JsonObject>, explain: Explain): JsonValue {
  const value = isJsonArray(parent) ? parent[requiredIndex(parent, key, explain)] : ownValue(parent, key);
  return value ?? null;
}

function addMember({ parent, key }: Place<MutableContainer>, value: JsonValue, explain: Explain): void {
  if (!isJsonArray(parent)) setMember(parent, key, value);
  else if (key === '-') parent.push(value);
  else
    parent.splice(
      requiredIndex({ length: parent.length + 1 }, key, (cause) => explain(explainIndex(key, cause))),
      0,
      value,
    );
}

function explainIndex(key: string, cause: string): string {
  return cause.startsWith('strconv') ? `value was not a proper array index: '${key}': ${cause}` : cause;
}

function removeMember({ parent, key }: Place<MutableContainer>, explain: Explain): void {
  if (isJsonArray(parent)) {
    parent.splice(requiredIndex(parent, key, explain), 1);
    return;
  }
  if (!Object.hasOwn(parent, key)) throw new PatchError(422, explain(`Unable to remove nonexistent key: ${key}: missing value`));
  Reflect.deleteProperty(parent, key);
}

function requiredIndex(list: { readonly length: number }, key: string, explain: Explain): number {
  const index = listIndex(list.length, key);
  if (index !== undefined) return index;
  const isNumber = /^[+-]?\d+$/.test(key);
  const cause = isNumber
    ? `Unable to access invalid index: ${Number(key)}: invalid index referenced`
    : `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
  throw new PatchError(422, explain(cause));
}

function required<Value>(value: Value | undefined, message: string): Value {
  if (value === undefined) throw new PatchError(422, message);
  return value;
}
