import { removeJqPaths } from '../../engine/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import { matchesGlob } from '../../model/index.ts';
import { isJsonArray, isJsonObject, jsonEquals, type JsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import type { IgnoreRules, Snapshot } from '../../settings/index.ts';

/** What always changes and never matters. */
const ALWAYS: readonly string[] = ['/metadata/resourceVersion', '/metadata/generation', '/metadata/managedFields'];

/** Says of two versions of an object of a kind whether the difference matters to an application. */
export type IsNews = (previous: KubeObject, current: KubeObject) => boolean;

/** By the settings of which changes of a kind are to be ignored. */
export function createIsNews({ general, resourceOverrides }: Snapshot, { group, kind }: ResourceType): IsNews {
  if (!general.ignoreResourceUpdatesEnabled) return () => true;
  const name = group === '' ? kind : `${group}/${kind}`;
  const pointers = new Set(ALWAYS);
  const expressions = new Set<string>();
  const add = (rules: IgnoreRules | undefined): void => {
    for (const pointer of rules?.jsonPointers ?? []) pointers.add(pointer);
    for (const expression of rules?.jqPathExpressions ?? []) expressions.add(expression);
  };
  for (const [pattern, override] of resourceOverrides) {
    if (pattern !== name && !matchesGlob(pattern, name) && !matchesGlob(pattern, `${group}/${kind}`)) continue;
    add(override.ignoreResourceUpdates);
    if (general.compareOptions.ignoreDifferencesOnResourceUpdates) add(override.ignoreDifferences);
  }
  const paths = [...pointers].filter((pointer) => pointer.startsWith('/')).map(parsePointer);
  const remove = (object: KubeObject): JsonValue => strip(removeJqPaths(object, [...expressions]), paths);
  return (previous, current) => !jsonEquals(remove(previous), remove(current));
}

function parsePointer(pointer: string): readonly string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function strip(object: KubeObject, paths: readonly (readonly string[])[]): JsonValue {
  return paths.reduce<JsonValue>((value, path) => without(value, path), object as JsonObject);
}

/** The value without what a path names; parts that the path does not touch are shared. */
function without(value: JsonValue, [step, ...rest]: readonly string[]): JsonValue {
  if (step === undefined) return value;
  if (isJsonArray(value)) {
    const index = /^\d+$/.test(step) ? Number(step) : -1;
    const item = value[index];
    if (item === undefined) return value;
    return rest.length === 0 ? value.toSpliced(index, 1) : value.with(index, without(item, rest));
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, step)) return value;
  if (rest.length > 0) return copyWith(value, step, without(value[step] ?? null, rest));
  return copyWith(value, step, undefined);
}

function copyWith(value: JsonObject, name: string, field: JsonValue | undefined): JsonObject {
  const entries = Object.entries(value).flatMap(([key, old]): [string, JsonValue][] => {
    if (key !== name) return [[key, old]];
    return field === undefined ? [] : [[key, field]];
  });
  return Object.fromEntries(entries);
}
