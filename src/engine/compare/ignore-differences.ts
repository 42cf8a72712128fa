import { matchesGlob } from '../../model/index.ts';
import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonValue, KubeObject } from '../../objects/index.ts';
import { keyOf } from '../resource-key.ts';
import type { CompareRules, IgnoreRule } from './compare-rules.ts';

/** The rules that speak about an object. */
export function ignoreRulesFor(object: KubeObject, { ignore }: Pick<CompareRules, 'ignore'>): readonly IgnoreRule[] {
  const key = keyOf(object);
  return ignore.filter(
    ({ group, kind, name = '', namespace = '' }) =>
      (group === key.group || matchesGlob(group, key.group)) &&
      (kind === key.kind || matchesGlob(kind, key.kind)) &&
      (name === '' || name === key.name) &&
      (namespace === '' || namespace === key.namespace),
  );
}

/** The object without what JSON pointers name; a pointer to what is not there does nothing. */
export function removePointers(object: KubeObject, pointers: readonly string[]): KubeObject {
  let value = object as unknown as JsonValue;
  for (const pointer of pointers) value = removeAt(value, parsePointer(pointer));
  return value as unknown as KubeObject;
}

/**
 * The desired object with what the live one has in the places that are ignored, so that applying it leaves them alone. The status is never
 * copied, and places that only jq can name are left as they are.
 */
export function respectIgnoredDifferences(
  desired: KubeObject,
  live: KubeObject | undefined,
  rules: Pick<CompareRules, 'ignore'>,
): KubeObject {
  if (live === undefined) return desired;
  const pointers = ignoreRulesFor(desired, rules).flatMap(({ jsonPointers = [] }) => jsonPointers);
  let value = desired as unknown as JsonValue;
  for (const path of pointers.map(parsePointer)) {
    const found = path[0] === 'status' ? undefined : findAt(live as unknown as JsonValue, path);
    if (found !== undefined) value = replaceAt(value, path, found);
  }
  return value as unknown as KubeObject;
}

function findAt(value: JsonValue | undefined, [name, ...rest]: readonly string[]): JsonValue | undefined {
  if (name === undefined) return value;
  if (isJsonArray(value)) return findAt(value[Number(name)], rest);
  return isJsonObject(value) && Object.hasOwn(value, name) ? findAt(value[name], rest) : undefined;
}

/** Objects on the way are made where they are missing; elements of lists are not. */
function replaceAt(value: JsonValue | undefined, [name, ...rest]: readonly string[], replacement: JsonValue): JsonValue {
  if (name === undefined) return replacement;
  if (isJsonArray(value)) {
    const item = value[Number(name)];
    return item === undefined ? value : value.with(Number(name), replaceAt(item, rest, replacement));
  }
  const own = isJsonObject(value) ? value : {};
  const entries = Object.entries(own).filter(([key]) => key !== name);
  return Object.fromEntries([...entries, [name, replaceAt(Object.hasOwn(own, name) ? own[name] : undefined, rest, replacement)]]);
}

function parsePointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function removeAt(value: JsonValue, [name, ...rest]: readonly string[]): JsonValue {
  if (name === undefined) return value;
  if (isJsonArray(value)) {
    const index = /^(?:0|[1-9]\d*)$/.test(name) ? Number(name) : -1;
    const item = value[index];
    if (item === undefined) return value;
    return rest.length === 0 ? value.toSpliced(index, 1) : value.with(index, removeAt(item, rest));
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  const entries = Object.entries(value);
  const kept =
    rest.length === 0
      ? entries.filter(([key]) => key !== name)
      : entries.map(([key, child]) => [key, key === name ? removeAt(child, rest) : child]);
  return Object.fromEntries(kept) as JsonValue;
}
