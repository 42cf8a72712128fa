import { isJsonArray, isJsonObject, jsonObject, ownValue } from '../../json-value.ts';
import type { JsonObject, JsonValue } from '../../json-value.ts';

/** Stands in an object of a patch and says what to do with the object: `replace`, `delete`. */
export const PATCH_DIRECTIVE = '$patch';
/** The fields of an object that stay; the others go. */
export const RETAIN_KEYS_DIRECTIVE = '$retainKeys';
/** `$deleteFromPrimitiveList/<field>`: the scalars that leave a list. */
export const DELETE_FROM_LIST_PREFIX = '$deleteFromPrimitiveList';
/** `$setElementOrder/<field>`: the order of a list's elements. */
export const ELEMENT_ORDER_PREFIX = '$setElementOrder';

/** The field that `<prefix>/<field>` speaks of; undefined where there is no slash or the prefix is longer than it should be. */
export function directiveField(key: string, prefix: string): string | undefined {
  return key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : undefined;
}

export function isDeleteElement(element: JsonObject): boolean {
  return ownValue(element, PATCH_DIRECTIVE) === 'delete';
}

/** A value as a patch brings it, without the objects that are only directives; undefined where nothing is left. */
export function withoutDirectiveObjects(value: JsonValue): JsonValue | undefined {
  if (isJsonArray(value)) return value.map(withoutDirectiveObjects).filter((element) => element !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, PATCH_DIRECTIVE)) return undefined;
  const members = new Map<string, JsonValue>();
  for (const [key, member] of Object.entries(value)) {
    const kept = withoutDirectiveObjects(member);
    if (kept !== undefined) members.set(key, kept);
  }
  return jsonObject(members);
}
