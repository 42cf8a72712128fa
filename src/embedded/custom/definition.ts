import { isJsonObject } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import { listAt, objectAt, textAt, valueAt } from '../json-path.ts';

export const DEFINITIONS: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

export interface DefinitionVersion {
  readonly name: string;
  readonly isServed: boolean;
  readonly isStored: boolean;
  /** Undefined where the version has none, which only an invalid definition does. */
  readonly schema: JsonObject | undefined;
  readonly entry: JsonObject;
}

/** What a CustomResourceDefinition says, in the forms that it is used in. */
export interface Definition {
  readonly name: string;
  readonly group: string;
  readonly namespaced: boolean;
  readonly names: DefinitionNames;
  readonly versions: readonly DefinitionVersion[];
  readonly isEstablished: boolean;
  readonly isTerminating: boolean;
  readonly generation: number;
}

export interface DefinitionNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

export function readDefinition(object: JsonObject): Definition {
  const generation = valueAt(object, ['metadata', 'generation']);
  return {
    name: textAt(object, 'metadata', 'name'),
    group: textAt(object, 'spec', 'group'),
    namespaced: textAt(object, 'spec', 'scope') === 'Namespaced',
    names: readNames(objectAt(object, 'spec', 'names')),
    versions: listAt(object, 'spec', 'versions').filter(isJsonObject).map(readVersion),
    isEstablished: hasCondition(object, 'Established'),
    isTerminating: textAt(object, 'metadata', 'deletionTimestamp') !== '',
    generation: typeof generation === 'number' ? generation : 1,
  };
}

export function readNames(names: JsonObject): DefinitionNames {
  const texts = (field: string): readonly string[] => listAt(names, field).filter((item) => typeof item === 'string');
  return {
    plural: textAt(names, 'plural'),
    singular: textAt(names, 'singular'),
    kind: textAt(names, 'kind'),
    listKind: textAt(names, 'listKind'),
    shortNames: texts('shortNames'),
    categories: texts('categories'),
  };
}

function readVersion(entry: JsonObject): DefinitionVersion {
  const schema = valueAt(entry, ['schema', 'openAPIV3Schema']);
  return {
    name: textAt(entry, 'name'),
    isServed: entry['served'] === true,
    isStored: entry['storage'] === true,
    schema: isJsonObject(schema) ? schema : undefined,
    entry,
  };
}

export function hasCondition(object: JsonObject, type: string): boolean {
  return listAt(object, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True',
  );
}

/** Versions as clients prefer them: stable before beta before alpha, higher before lower, and other names last, in their order. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [rankOf(left), rankOf(right)];
  for (const [index, value] of a.entries()) {
    const difference = (b[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

function rankOf(version: string): readonly number[] {
  const parts = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (parts === null) return [0, 0, 0];
  const [, major = '0', level, minor = '0'] = parts;
  return [level === undefined ? 3 : level === 'beta' ? 2 : 1, Number(major), Number(minor)];
}
