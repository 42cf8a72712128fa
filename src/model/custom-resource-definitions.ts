import { readCustomSchemas } from '../contract/index.ts';
import type { JsonObject, JsonValue, KubeObject } from '../objects/index.ts';

interface CustomResource {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly hasStatus: boolean;
  readonly columns: readonly JsonObject[];
}

const GROUP = 'argoproj.io';
const VERSION = 'v1alpha1';
/** As every Argo CD installation labels them. */
const LABELS = { 'app.kubernetes.io/part-of': 'argocd' };

/** Marks a definition as ours, with the version below: whoever knows a higher one leaves it alone. */
export const definitionsVersionAnnotation = 'fairway.dev/definitions-version';
/** Raised with every change to what the definitions say; a test tells when that was forgotten. */
export const definitionsVersion = 1;

const column = (name: string, jsonPath: string, priority = 0): JsonObject => ({
  name,
  type: 'string',
  jsonPath,
  ...(priority > 0 && { priority }),
});

const RESOURCES: readonly CustomResource[] = [
  {
    kind: 'Application',
    plural: 'applications',
    shortNames: ['app', 'apps'],
    // Controllers write the status with the object: it is no endpoint of its own.
    hasStatus: false,
    columns: [
      column('Sync Status', '.status.sync.status'),
      column('Health Status', '.status.health.status'),
      column('Revision', '.status.sync.revision', 10),
      column('Project', '.spec.project', 10),
    ],
  },
  { kind: 'AppProject', plural: 'appprojects', shortNames: ['appproj', 'appprojs'], hasStatus: false, columns: [] },
  { kind: 'ApplicationSet', plural: 'applicationsets', shortNames: ['appset', 'appsets'], hasStatus: true, columns: [] },
];

/** The CustomResourceDefinitions of Application, AppProject and ApplicationSet, to be installed where they are kept. */
export function customResourceDefinitions(): readonly KubeObject[] {
  const { kinds, schemas } = readCustomSchemas();
  const expand = createExpand(new Map(Object.entries(schemas)));
  return RESOURCES.map((resource) => toDefinition(resource, expand({ $ref: kinds[resource.kind] ?? '' })));
}

function toDefinition({ kind, plural, shortNames, hasStatus, columns }: CustomResource, openAPIV3Schema: JsonObject): KubeObject {
  const name = `${plural}.${GROUP}`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name,
      labels: { 'app.kubernetes.io/name': name, ...LABELS },
      annotations: { [definitionsVersionAnnotation]: String(definitionsVersion) },
    },
    spec: {
      group: GROUP,
      names: { kind, listKind: `${kind}List`, plural, shortNames, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: withIdentity(openAPIV3Schema) },
          ...(columns.length > 0 && { additionalPrinterColumns: columns }),
          ...(hasStatus && { subresources: { status: {} } }),
        },
      ],
    },
  };
}

function withIdentity(schema: JsonObject): JsonObject {
  return { ...schema, properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, ...(schema['properties'] as JsonObject) } };
}

/** Puts schemas in the place of their names. What occurs twice is one value in memory. */
function createExpand(schemas: ReadonlyMap<string, JsonObject>): (schema: JsonObject) => JsonObject {
  const known = new Map<string, JsonObject>();
  const expandNamed = (name: string): JsonObject => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const schema = expand(schemas.get(name) ?? {}) as JsonObject;
    known.set(name, schema);
    return schema;
  };
  const expand = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(expand);
    if (typeof value !== 'object' || value === null) return value;
    const reference = (value as JsonObject)['$ref'];
    if (typeof reference === 'string') return expandNamed(reference);
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, expand(child as JsonValue)]));
  };
  return (schema) => expand(schema) as JsonObject;
}
