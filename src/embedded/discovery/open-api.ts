import { hash } from 'node:crypto';
import { builtinOpenApiDefinitions, formatApiVersion } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import type { KindRegistry } from '../kinds/kind-registry.ts';
import type { Kind } from '../kinds/kind.ts';
import { objectAt } from '../json-path.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const META_REFERENCE: JsonObject = { $ref: `#/components/schemas/${META}ObjectMeta` };
/** A small group whose document has the metadata of objects and nothing else that is not its own. */
const META_SOURCE = 'coordination.k8s.io/v1';

const QUERY = (name: string, type: string): JsonObject => ({ name, in: 'query', schema: { type, uniqueItems: true } });
const WRITE_PARAMETERS = [QUERY('dryRun', 'string'), QUERY('fieldManager', 'string'), QUERY('fieldValidation', 'string')];
const PATCH_PARAMETERS = [...WRITE_PARAMETERS, QUERY('force', 'boolean')];

/** The OpenAPI v3 document of one group version: the schemas of its kinds, and the paths by which clients find them. */
export function openApiDocument(kinds: KindRegistry, groupVersion: string, version: string): JsonObject | undefined {
  const served = kinds.list().filter(({ apiVersion }) => apiVersion === groupVersion);
  if (served.length === 0) return undefined;
  const custom = served.filter(({ openApi }) => openApi !== undefined);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version },
    paths: Object.fromEntries(served.flatMap(pathsOf)),
    components: {
      schemas: {
        ...(custom.length < served.length && builtinOpenApiDefinitions(groupVersion)),
        ...(custom.length > 0 && metadataDefinitions()),
        ...Object.fromEntries(custom.map((kind) => [definitionName(kind), customDefinition(kind)])),
      },
    },
  };
}

/** For each group version a text that changes when its document does. */
export function openApiHashes(kinds: KindRegistry, version: string): ReadonlyMap<string, string> {
  const byVersion = Map.groupBy(kinds.list(), ({ apiVersion }) => apiVersion);
  return new Map(
    [...byVersion].map(([groupVersion, served]) => {
      const parts = served.map(({ type, openApi }) => `${type.plural}=${openApi?.hash ?? ''}`).sort();
      return [groupVersion, hash('sha256', [version, groupVersion, ...parts].join('\n'), 'hex').toUpperCase()];
    }),
  );
}

function pathsOf({ type, verbs }: Kind): readonly (readonly [string, JsonObject])[] {
  const root = `${type.group === '' ? '/api' : '/apis'}/${formatApiVersion(type)}`;
  const collection = `${root}/${type.namespaced ? 'namespaces/{namespace}/' : ''}${type.plural}`;
  const kind = { 'x-kubernetes-group-version-kind': { group: type.group, version: type.version, kind: type.kind } };
  const operation = (verb: string, action: string, parameters: readonly JsonValue[]): readonly (readonly [string, JsonObject])[] =>
    verbs.includes(verb) ? [[action, { ...kind, 'x-kubernetes-action': verb, parameters, responses: {} }]] : [];
  const methods = (...entries: readonly (readonly (readonly [string, JsonObject])[])[]): JsonObject => Object.fromEntries(entries.flat());
  return [
    [collection, methods(operation('list', 'get', []), operation('create', 'post', WRITE_PARAMETERS))],
    [
      `${collection}/{name}`,
      methods(
        operation('get', 'get', []),
        operation('update', 'put', WRITE_PARAMETERS),
        operation('patch', 'patch', PATCH_PARAMETERS),
        operation('delete', 'delete', []),
      ),
    ],
  ];
}

/** As `io.argoproj.v1alpha1.Application`: the group's parts in reverse. */
function definitionName({ type }: Kind): string {
  return [...type.group.split('.').reverse(), type.version, type.kind].join('.');
}

function customDefinition({ type, openApi }: Kind): JsonObject {
  const schema = openApi?.read() ?? {};
  const { group, version, kind } = type;
  return {
    ...schema,
    properties: { ...objectAt(schema, 'properties'), apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: META_REFERENCE },
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  };
}

function metadataDefinitions(): JsonObject {
  return Object.fromEntries(Object.entries(builtinOpenApiDefinitions(META_SOURCE)).filter(([name]) => name.startsWith(META)));
}
