import { isJsonArray, isJsonObject, ownValue } from '../json-value.ts';
import type { JsonArray, JsonObject, JsonValue } from '../json-value.ts';

/** A document under change: containers are copied when first written to, and changed in place after that. */
export interface Draft {
  root: JsonValue;
  /** The containers that belong to this draft alone. */
  owned: WeakSet<object>;
}

type MutableObject = { [key: string]: JsonValue };
export type MutableContainer = JsonValue[] | MutableObject;

/** The place that a JSON pointer names: a member, existing or not, of a container that exists. */
export interface Place<Container extends JsonArray | JsonObject> {
  readonly parent: Container;
  readonly key: string;
}

export function createDraft(document: JsonValue): Draft {
  return { root: document, owned: new WeakSet() };
}

/** Undefined where a container on the way does not exist. */
export function findPlace({ root }: Draft, path: string): Place<JsonArray | JsonObject> | undefined {
  const { steps, key } = parsePointer(path);
  if (key === undefined) return undefined;
  let container: JsonValue | undefined = root;
  for (const step of steps) container = container === undefined ? undefined : readMember(container, step);
  return isJsonArray(container) || isJsonObject(container) ? { parent: container, key } : undefined;
}

/** As findPlace, with a parent that may be written to. */
export function findWritablePlace(draft: Draft, path: string): Place<MutableContainer> | undefined {
  const { steps, key } = parsePointer(path);
  let container = own(draft, draft.root);
  if (key === undefined || container === undefined) return undefined;
  draft.root = container;
  for (const step of steps) {
    const next = own(draft, readMember(container, step));
    if (next === undefined) return undefined;
    if (isJsonArray(container)) container[listIndex(container.length, step) ?? 0] = next;
    else setMember(container, step, next);
    container = next;
  }
  return { parent: container, key };
}

/** A value that has come to stand in two places belongs to neither. */
export function disownAll(draft: Draft): void {
  draft.owned = new WeakSet();
}

export function setMember(object: MutableObject, key: string, value: JsonValue): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
  else object[key] = value;
}

/** The index that a token names in a list of this length; negative ones count from the end. */
export function listIndex(length: number, token: string): number | undefined {
  if (!/^[+-]?\d+$/.test(token)) return undefined;
  const index = Number(token);
  if (index >= length || index < -length) return undefined;
  return index < 0 ? index + length : index;
}

export function lastToken(path: string): string {
  return parsePointer(path).key ?? '';
}

function readMember(container: JsonValue, key: string): JsonValue | undefined {
  if (isJsonObject(container)) return ownValue(container, key);
  if (!isJsonArray(container)) return undefined;
  const index = listIndex(container.length, key);
  return index === undefined ? undefined : container[index];
}

function own(draft: Draft, value: JsonValue | undefined): MutableContainer | undefined {
  if (!isJsonArray(value) && !isJsonObject(value)) return undefined;
  // What is in the set was made here, so writing to it is seen by nobody else.
  if (draft.owned.has(value)) return value as MutableContainer;
  const copy: MutableContainer = isJsonArray(value) ? [...value] : { ...value };
  draft.owned.add(copy);
  return copy;
}

/** What stands before the first slash is not looked at, and the empty pointer has no last token. */
function parsePointer(path: string): { steps: readonly string[]; key: string | undefined } {
  const tokens = path.split('/').slice(1).map(unescapeToken);
  return { steps: tokens.slice(0, -1), key: tokens.at(-1) };
}

/** One pass from the left, so that `~01` is `~1`. */
function unescapeToken(token: string): string {
  return token.replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~'));
}
