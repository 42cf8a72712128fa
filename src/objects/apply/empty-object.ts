import type { JsonObject, JsonValue } from '../json-value.ts';
import type { Schema } from '../schema/index.ts';

/**
 * Optional fields that are objects inside their parent in Kubernetes' own types, and not references to one: they are there even when
 * nothing is set in them. Schemas do not tell; the names do.
 */
const INLINE_OBJECTS: ReadonlySet<string> = new Set([
  'metadata',
  'spec',
  'status',
  'strategy',
  'updateStrategy',
  'loadBalancer',
  'names',
  'acceptedNames',
  'daemonEndpoints',
  'kubeletEndpoint',
  'nodeInfo',
  'devices',
  'source',
  'deprecatedSource',
  'scaleTargetRef',
  'podSelector',
]);

/** Required fields that are references all the same, or left out when they are empty. */
const REFERENCES: ReadonlySet<string> = new Set(['selector']);
const LEFT_OUT: ReadonlySet<string> = new Set(['parentRef', 'validationActions']);

const ZERO: Partial<Record<NonNullable<Schema['type']>, JsonValue>> = { string: '', integer: 0, number: 0, boolean: false };

/** No type of Kubernetes has required objects nested deeper; recurring ones would never end. */
const DEPTH_MAX = 8;

/**
 * An object of a built-in kind as the API server has it before anything is set. Who creates an object owns what differs from this: the
 * fields in `spec`, and not `spec` itself.
 */
export function emptyObjectOf(schema: Schema): JsonObject {
  let object = emptyObjects.get(schema);
  if (object === undefined) emptyObjects.set(schema, (object = emptyObject(schema, 0)));
  return object;
}

const emptyObjects = new WeakMap<Schema, JsonObject>();

function emptyObject(schema: Schema, depth: number): JsonObject {
  const entries: [string, JsonValue][] = [];
  // Of all kinds with a template only the oldest, which also has the plain form of selectors, refers to it.
  const hasInlineTemplate = schema.properties?.get('selector')?.additionalProperties === undefined;
  for (const [name, child] of schema.properties ?? []) {
    const isRequired = schema.required?.includes(name) === true && !LEFT_OUT.has(name);
    if (isInlineObject(name, child, isRequired, hasInlineTemplate) && depth < DEPTH_MAX)
      entries.push([name, emptyObject(child, depth + 1)]);
    else if (isRequired) entries.push([name, (child.type && ZERO[child.type]) ?? null]);
  }
  return Object.fromEntries(entries);
}

function isInlineObject(name: string, { type, format, properties }: Schema, isRequired: boolean, hasInlineTemplate: boolean): boolean {
  if (type !== 'object' || format !== undefined || properties === undefined || properties.size === 0) return false;
  if (isRequired) return !REFERENCES.has(name);
  if (name === 'template') return hasInlineTemplate;
  // A claim asks for resources in an object of its own; the resources of a pod, which have claims, are a reference.
  return INLINE_OBJECTS.has(name) || (name === 'resources' && !properties.has('claims'));
}
