import { isJsonArray, isJsonObject, ownValue } from '../json-value.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { lazySchema } from './lazy-schema.ts';
import type { LazyChildren } from './lazy-schema.ts';
import type { Schema, SchemaType } from './schema.ts';
import { isBuiltinDefinition, wellKnownFacts } from './well-known-type.ts';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** One cluster document: its definitions, and the schemas already made from them. */
interface Source {
  readonly definitions: JsonObject;
  readonly schemas: Map<string, Schema>;
  names: ReadonlyMap<string, string> | undefined;
}

/** A node together with the name of the definition that it stands in. */
interface Place {
  readonly source: Source;
  readonly definitionName: string;
}

const REFERENCE_PREFIX = '#/components/schemas/';
const TYPES: ReadonlySet<unknown> = new Set<SchemaType>(['object', 'array', 'string', 'integer', 'number', 'boolean']);
const sources = new WeakMap<JsonObject, Source>();

/**
 * The schema of a kind from one of a cluster's own OpenAPI v3 documents (one group and version, as served under /openapi/v3). Undefined
 * where the document does not describe the kind. The document must not change afterwards: schemas are made from it as they are read.
 */
export function schemaFromOpenApiV3(document: JsonObject, kind: GroupVersionKind): Schema | undefined {
  const source = sourceOf(document);
  source.names ??= namesByKind(source.definitions);
  const name = source.names.get(kindKey(kind));
  return name === undefined ? undefined : namedSchema(source, name);
}

function sourceOf(document: JsonObject): Source {
  const known = sources.get(document);
  if (known !== undefined) return known;
  const components = objectMember(document, 'components');
  const source = {
    definitions: (components && objectMember(components, 'schemas')) ?? {},
    schemas: new Map<string, Schema>(),
    names: undefined,
  };
  sources.set(document, source);
  return source;
}

function namesByKind(definitions: JsonObject): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, definition] of Object.entries(definitions)) {
    const kinds = isJsonObject(definition) ? ownValue(definition, 'x-kubernetes-group-version-kind') : undefined;
    for (const kind of isJsonArray(kinds) ? kinds : []) {
      if (!isJsonObject(kind)) continue;
      const [group, version, kindName] = [kind['group'] ?? '', kind['version'], kind['kind']];
      if (typeof group === 'string' && typeof version === 'string' && typeof kindName === 'string')
        names.set(kindKey({ group, version, kind: kindName }), name);
    }
  }
  return names;
}

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

function namedSchema(source: Source, name: string): Schema {
  const known = source.schemas.get(name);
  if (known !== undefined) return known;
  const definition = objectMember(source.definitions, name);
  // A reference to nothing says nothing: any value is accepted, and nothing is merged.
  const schema =
    definition === undefined
      ? { preserveUnknownFields: true }
      : nodeSchema(definition, { source, definitionName: name }, wellKnownFacts(name));
  source.schemas.set(name, schema);
  return schema;
}

function toSchema(node: JsonValue, place: Place): Schema {
  if (!isJsonObject(node)) return {};
  const reference = referenceOf(node);
  if (reference === undefined) return nodeSchema(node, place, {});
  const { $ref: _ref, allOf: _allOf, ...siblings } = node;
  const own = ownFacts(siblings, place);
  const target = namedSchema(place.source, reference);
  return Object.keys(own).length === 0 ? target : overrideFacts(target, own);
}

/** The definition that a node refers to, directly or (as Kubernetes writes it where the node says more) by an allOf with one member. */
function referenceOf(node: JsonObject): string | undefined {
  const allOf = ownValue(node, 'allOf');
  const only = isJsonArray(allOf) && allOf.length === 1 ? allOf[0] : undefined;
  const reference = ownValue(node, '$ref') ?? (isJsonObject(only) ? ownValue(only, '$ref') : undefined);
  return typeof reference === 'string' && reference.startsWith(REFERENCE_PREFIX) ? reference.slice(REFERENCE_PREFIX.length) : undefined;
}

function overrideFacts(target: Schema, own: Schema): Schema {
  const { properties, items, additionalProperties, ...facts } = target;
  return lazySchema(
    { ...facts, ...own },
    {
      ...(properties && { properties: () => properties }),
      ...(items && { items: () => items }),
      ...(additionalProperties && { additionalProperties: () => additionalProperties }),
    },
  );
}

function nodeSchema(node: JsonObject, place: Place, wellKnown: Schema): Schema {
  const properties = objectMember(node, 'properties');
  const items = objectMember(node, 'items');
  const values = objectMember(node, 'additionalProperties');
  const children: LazyChildren = {
    ...(properties && { properties: () => new Map(Object.entries(properties).map(([name, child]) => [name, toSchema(child, place)])) }),
    ...(items && { items: () => toSchema(items, place) }),
    ...(values && { additionalProperties: () => toSchema(values, place) }),
  };
  return lazySchema({ ...ownFacts(node, place), ...wellKnown }, children);
}

function ownFacts(node: JsonObject, place: Place): Schema {
  const { type, format, required, enum: allowed } = node;
  const intOrString = format === 'int-or-string' || node['x-kubernetes-int-or-string'] === true;
  const preserve = node['x-kubernetes-preserve-unknown-fields'] === true || node['additionalProperties'] === true;
  const standard = node['default'];
  return {
    ...(isSchemaType(type) && !intOrString && { type }),
    ...(typeof format === 'string' && !intOrString && { format }),
    ...(intOrString && { intOrString }),
    ...(node['nullable'] === true && { nullable: true }),
    ...(preserve && { preserveUnknownFields: true }),
    ...(node['x-kubernetes-embedded-resource'] === true && { embeddedResource: true }),
    ...(isJsonArray(required) && { required: required.filter((name) => typeof name === 'string') }),
    ...(isJsonArray(allowed) && { enum: allowed }),
    ...(standard !== undefined && !isZeroOfGoType(standard, place) && { default: standard }),
    ...mergeFacts(node),
  };
}

function mergeFacts(node: JsonObject): Schema {
  const listType = node['x-kubernetes-list-type'];
  const keys = node['x-kubernetes-list-map-keys'];
  const mapType = node['x-kubernetes-map-type'];
  const strategy = node['x-kubernetes-patch-strategy'];
  const mergeKey = node['x-kubernetes-patch-merge-key'];
  return {
    ...((listType === 'atomic' || listType === 'set' || listType === 'map') && { listType }),
    ...(isJsonArray(keys) && { listMapKeys: keys.filter((key) => typeof key === 'string') }),
    ...((mapType === 'atomic' || mapType === 'granular') && { mapType }),
    ...(typeof strategy === 'string' && { patchStrategies: strategy.split(',') }),
    ...(typeof mergeKey === 'string' && { patchMergeKey: mergeKey }),
  };
}

/**
 * The documents of built-in kinds give `""`, `0`, `false` or `{}` as the default of every field that is not a pointer in Go. That is how
 * the type is written down and not what the server stores, so it is no default; in a custom resource the same words are one.
 */
function isZeroOfGoType(value: JsonValue, { definitionName }: Place): boolean {
  const isZero = value === '' || value === 0 || value === false || (isJsonObject(value) && Object.keys(value).length === 0);
  return isZero && isBuiltinDefinition(definitionName);
}

function isSchemaType(type: unknown): type is SchemaType {
  return TYPES.has(type);
}

function objectMember(object: JsonObject, key: string): JsonObject | undefined {
  const value = ownValue(object, key);
  return isJsonObject(value) ? value : undefined;
}
