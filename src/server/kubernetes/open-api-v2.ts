import { formatApiVersion, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import type { ServedApi } from './served-api.ts';

const REFERENCE = '#/components/schemas/';
const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
/** What the older form has no word for. */
const UNKNOWN_KEYS: ReadonlySet<string> = new Set(['nullable', 'anyOf', 'oneOf', 'not', 'writeOnly', 'deprecated']);

/**
 * All kinds in one document of the older form of OpenAPI. Clients use it still for what the newer one does not describe: `kubectl` checks
 * the objects of a `List` by it.
 */
export async function openApiV2(api: ServedApi): Promise<JsonObject> {
  const { resources } = await api.discover();
  const versions = [...new Set(resources.map(formatApiVersion))];
  const definitions = new Map<string, JsonValue>();
  for (const groupVersion of versions) {
    for (const [name, schema] of Object.entries(schemasOf(await api.openApi(groupVersion)))) {
      if (!definitions.has(name)) definitions.set(name, name === QUANTITY ? { type: 'string' } : toV2(schema));
    }
  }
  const { gitVersion = '' } = await api.version();
  return { swagger: '2.0', info: { title: 'Kubernetes', version: gitVersion }, paths: {}, definitions: Object.fromEntries(definitions) };
}

function schemasOf(document: JsonObject | undefined): JsonObject {
  const components = document?.['components'];
  const schemas = isJsonObject(components) ? components['schemas'] : undefined;
  return isJsonObject(schemas) ? schemas : {};
}

function toV2(schema: JsonValue | undefined): JsonValue {
  if (!isJsonObject(schema)) return schema ?? {};
  // A reference that has a default or a text beside it is wrapped in the newer form, and stands alone in the older one.
  const { allOf } = schema;
  if (Array.isArray(allOf) && allOf.length === 1) {
    const { allOf: _only, ...beside } = schema;
    return toV2({ ...beside, ...(isJsonObject(allOf[0]) ? allOf[0] : {}) });
  }
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'].replace(REFERENCE, '#/definitions/') };
  const entries = Object.entries(schema).filter(([key]) => !UNKNOWN_KEYS.has(key));
  const isIntOrString = schema['format'] === 'int-or-string' || schema['x-kubernetes-int-or-string'] === true;
  return {
    ...Object.fromEntries(entries.map(([key, value]) => [key, convertMember(key, value)])),
    ...(isIntOrString && { type: 'string', format: 'int-or-string' }),
  };
}

function convertMember(key: string, value: JsonValue): JsonValue {
  if (key === 'properties' && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, toV2(property)]));
  }
  if (key === 'items' || key === 'additionalProperties') return toV2(value);
  return key === 'allOf' && Array.isArray(value) ? value.map(toV2) : value;
}
