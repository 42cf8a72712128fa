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

/** The steps of a JSON pointer. */
export function parsePointer(pointer: string): readonly string[] {
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
