import type { JsonObject, JsonValue } from '../json-value.ts';
import { builtinDefinition, builtinDefinitionNames } from './builtin-schema.ts';
import type { StoredNode } from './builtin-schema.ts';

const REFERENCE_PREFIX = '#/components/schemas/';

/**
 * The definitions of an OpenAPI v3 document for one group and version (`apps/v1`, `v1`) of the built-in kinds: those kinds and all that
 * they refer to, by name. What a cluster says in prose is not there.
 */
export function builtinOpenApiDefinitions(apiVersion: string): JsonObject {
  const definitions = new Map<string, JsonValue>();
  const pending = builtinDefinitionNames().filter((name) => builtinDefinition(name).gvk?.some((gvk) => isOf(gvk, apiVersion)));
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (definitions.has(name)) continue;
    definitions.set(
      name,
      toOpenApi(builtinDefinition(name), (reference) => pending.push(reference)),
    );
  }
  return Object.fromEntries([...definitions].sort(([left], [right]) => (left < right ? -1 : 1)));
}

function isOf(gvk: string, apiVersion: string): boolean {
  return gvk.slice(0, gvk.lastIndexOf('/')) === apiVersion;
}

function toOpenApi(node: StoredNode, onReference: (name: string) => void): JsonObject {
  if (node.ref !== undefined) onReference(node.ref);
  const facts = openApiFacts(node);
  // Beside a reference nothing else is read, so where the node says more, the reference goes into an allOf.
  const reference = node.ref === undefined ? undefined : { $ref: REFERENCE_PREFIX + node.ref };
  if (reference !== undefined) return Object.keys(facts).length === 0 ? reference : { ...facts, allOf: [reference] };
  const { properties, items, values } = node;
  return {
    ...facts,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, toOpenApi(child, onReference)])),
    }),
    ...(items && { items: toOpenApi(items, onReference) }),
    ...(values && { additionalProperties: toOpenApi(values, onReference) }),
  };
}

function openApiFacts(node: StoredNode): JsonObject {
  return {
    ...(node.type && { type: node.type }),
    ...(node.format && { format: node.format }),
    ...(node.required && { required: node.required }),
    ...(node.default !== undefined && { default: node.default }),
    ...(node.listType && { 'x-kubernetes-list-type': node.listType }),
    ...(node.mapKeys && { 'x-kubernetes-list-map-keys': node.mapKeys }),
    ...(node.mapType && { 'x-kubernetes-map-type': node.mapType }),
    ...(node.mergeKey && { 'x-kubernetes-patch-merge-key': node.mergeKey }),
    ...(node.patchStrategy && { 'x-kubernetes-patch-strategy': node.patchStrategy }),
    ...(node.gvk && { 'x-kubernetes-group-version-kind': node.gvk.map(toKind) }),
  };
}

function toKind(gvk: string): JsonObject {
  const [kind = '', version = '', group = ''] = gvk.split('/').reverse();
  return { group, version, kind };
}
