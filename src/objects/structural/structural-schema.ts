import { isJsonArray, isJsonObject, ownValue } from '../json-value.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import type { Schema, SchemaType } from '../schema/index.ts';

/** The schema of a custom resource: what any schema says, and what values must fulfil. Schemas of built-in kinds are such schemas too. */
export interface StructuralSchema extends Schema {
  readonly properties?: ReadonlyMap<string, StructuralSchema>;
  readonly items?: StructuralSchema;
  readonly additionalProperties?: StructuralSchema;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly multipleOf?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
  /** How many CEL rules the schema has here; they are not evaluated. */
  readonly rules?: number;
}

/** What `additionalProperties: true` says of the values: nothing at all. */
export const ANY_VALUE: StructuralSchema = { lacksDefaults: true };

const TYPES: ReadonlySet<unknown> = new Set<SchemaType>(['object', 'array', 'string', 'integer', 'number', 'boolean']);

/**
 * Reads the `openAPIV3Schema` of a CustomResourceDefinition. Check it with `checkStructural` first: what is not understood here is left
 * out.
 */
export function parseStructural(node: JsonObject): StructuralSchema {
  const structure = structureOf(node);
  const lacksDefaults = childrenOf(structure).every((child) => child.default === undefined && child.lacksDefaults === true);
  return { ...structure, ...(lacksDefaults && { lacksDefaults }), ...mergeFactsOf(node), ...limitsOf(node), ...junctorsOf(node) };
}

function childrenOf({ properties, items, additionalProperties }: StructuralSchema): readonly StructuralSchema[] {
  return [...(properties?.values() ?? []), ...(items ? [items] : []), ...(additionalProperties ? [additionalProperties] : [])];
}

function structureOf(node: JsonObject): StructuralSchema {
  const { type, format, properties, items, additionalProperties, default: standard } = node;
  const intOrString = node['x-kubernetes-int-or-string'] === true;
  const rules = ownValue(node, 'x-kubernetes-validations');
  return {
    ...(isSchemaType(type) && !intOrString && { type }),
    ...(typeof format === 'string' && format !== '' && { format }),
    ...(intOrString && { intOrString }),
    ...(node['nullable'] === true && { nullable: true }),
    ...(node['x-kubernetes-preserve-unknown-fields'] === true && { preserveUnknownFields: true }),
    ...(node['x-kubernetes-embedded-resource'] === true && { embeddedResource: true }),
    ...(isJsonObject(properties) && { properties: new Map(Object.entries(properties).map(([name, child]) => [name, parseChild(child)])) }),
    ...(isJsonObject(items) && { items: parseStructural(items) }),
    ...((isJsonObject(additionalProperties) || additionalProperties === true) && {
      additionalProperties: parseChild(additionalProperties),
    }),
    ...(standard !== undefined && standard !== null && { default: standard }),
    ...(isJsonArray(rules) && rules.length > 0 && { rules: rules.length }),
  };
}

function mergeFactsOf(node: JsonObject): StructuralSchema {
  const listType = node['x-kubernetes-list-type'];
  const keys = node['x-kubernetes-list-map-keys'];
  const mapType = node['x-kubernetes-map-type'];
  return {
    ...((listType === 'atomic' || listType === 'set' || listType === 'map') && { listType }),
    ...(isJsonArray(keys) && { listMapKeys: keys.filter((key) => typeof key === 'string') }),
    ...((mapType === 'atomic' || mapType === 'granular') && { mapType }),
  };
}

const NUMBERS = [
  'maximum',
  'minimum',
  'multipleOf',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maxProperties',
  'minProperties',
] as const;
const FLAGS = ['exclusiveMaximum', 'exclusiveMinimum', 'uniqueItems'] as const;

function limitsOf(node: JsonObject): StructuralSchema {
  const { required, pattern, enum: allowed } = node;
  return {
    ...Object.fromEntries(NUMBERS.flatMap((name) => (typeof node[name] === 'number' ? [[name, node[name]]] : []))),
    ...Object.fromEntries(FLAGS.flatMap((name) => (node[name] === true ? [[name, true]] : []))),
    ...(isJsonArray(required) && { required: required.filter((name) => typeof name === 'string') }),
    ...(typeof pattern === 'string' && pattern !== '' && { pattern }),
    ...(isJsonArray(allowed) && { enum: allowed }),
  };
}

function junctorsOf(node: JsonObject): StructuralSchema {
  const { allOf, anyOf, oneOf, not } = node;
  return {
    ...(isJsonArray(allOf) && { allOf: allOf.map(parseChild) }),
    ...(isJsonArray(anyOf) && { anyOf: anyOf.map(parseChild) }),
    ...(isJsonArray(oneOf) && { oneOf: oneOf.map(parseChild) }),
    ...(isJsonObject(not) && { not: parseStructural(not) }),
  };
}

function parseChild(node: JsonValue): StructuralSchema {
  return isJsonObject(node) ? parseStructural(node) : ANY_VALUE;
}

function isSchemaType(type: unknown): type is SchemaType {
  return TYPES.has(type);
}
