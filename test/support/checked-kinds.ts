import { builtinResources, builtinSchema, completeCustomSchema, parseStructural } from '../../src/objects/index.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/objects/index.ts';
import { SchemaMaker } from './schema-maker.ts';
import { SeededRandom } from './seeded-random.ts';

/** Groups whose kinds the client library does not have. */
const NOT_IN_CLIENT = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

export interface Kind {
  readonly group: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: Schema;
  readonly hasStatus: boolean;
}

/** `free` leaves the schema out of the question; `crd` is where a custom kind's schema comes from. */
export interface CheckedKind extends Kind {
  readonly free?: boolean;
  readonly crd?: JsonObject;
  readonly steps?: number;
  readonly managers?: readonly string[];
  readonly versions?: readonly string[];
  /** How often someone applies instead of updating. */
  readonly applies?: number;
  /** Makes the objects, where the schema shall not. */
  readonly makeObject?: (random: SeededRandom) => JsonObject;
  /** The same kind with another schema, from half of the steps on. */
  readonly later?: CheckedKind;
}

export function builtinKinds(): Kind[] {
  return builtinResources
    .filter(({ group, verbs }) => verbs.includes('patch') && !NOT_IN_CLIENT.has(group))
    .map(({ group, version, kind }) => requireKind(group === '' ? version : `${group}/${version}`, kind));
}

export function requireKind(apiVersion: string, kind: string): Kind {
  const schema = builtinSchema(apiVersion, kind);
  if (schema === undefined) throw new Error(`there is no schema of ${apiVersion} ${kind}`);
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  return { group, apiVersion, kind, schema, hasStatus: schema.properties?.has('status') ?? false };
}

/** A kind with a random schema. */
export function customKind(seed: number): CheckedKind {
  return kindWith(new SchemaMaker(new SeededRandom(seed * 15_485_863)).makeKind());
}

/** A kind with a random schema, and the same kind when parts of it have become atomic. */
export function changingKind(seed: number): { kind: CheckedKind; later: CheckedKind } {
  const random = new SeededRandom(seed * 15_485_863);
  const schema = new SchemaMaker(random).makeKind();
  const properties = asObject(schema['properties']);
  return {
    kind: kindWith(schema),
    later: kindWith({ ...schema, properties: { ...properties, spec: makeAtomic(asObject(properties['spec']), random) } }),
  };
}

/** The schema with some of its granular objects and lists made atomic. */
function makeAtomic(node: JsonObject, random: SeededRandom): JsonObject {
  const entries = Object.entries(node).map(([key, value]): [string, JsonValue] => {
    if (key === 'properties')
      return [key, Object.fromEntries(Object.entries(asObject(value)).map(([name, child]) => [name, makeAtomic(asObject(child), random)]))];
    return [key, key === 'items' || (key === 'additionalProperties' && value !== true) ? makeAtomic(asObject(value), random) : value];
  });
  const changed = Object.fromEntries(entries);
  if (node['type'] === 'object' && random.chance(0.3)) return { ...changed, 'x-kubernetes-map-type': 'atomic' };
  if (node['type'] !== 'array' || random.chance(0.5)) return changed;
  const { 'x-kubernetes-list-map-keys': _keys, ...list } = changed;
  return { ...list, 'x-kubernetes-list-type': 'atomic' };
}

function kindWith(openAPIV3Schema: JsonObject): CheckedKind {
  const names = { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] },
  };
  const metadata = requireKind('v1', 'ConfigMap').schema.properties?.get('metadata') ?? {};
  const schema = completeCustomSchema(parseStructural(openAPIV3Schema), metadata);
  return { group: 'example.com', apiVersion: 'example.com/v1', kind: 'Thing', schema, hasStatus: true, crd };
}

export function asObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return value as JsonObject;
}
