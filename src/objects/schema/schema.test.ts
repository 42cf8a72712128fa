import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json-value.ts';
import { builtinOpenApiDefinitions, builtinResources, builtinSchema, schemaFromOpenApiV3 } from './index.ts';
import type { Schema } from './index.ts';

function at(schema: Schema | undefined, ...path: readonly string[]): Schema | undefined {
  return path.reduce<Schema | undefined>((node, name) => (name === '[]' ? node?.items : node?.properties?.get(name)), schema);
}

/** The schema as plain data, down to a depth; schemas recur. */
function flatten(schema: Schema | undefined, depth: number): unknown {
  if (schema === undefined || depth === 0) return schema === undefined ? undefined : '…';
  const { properties, items, additionalProperties, ...facts } = schema;
  const fields = properties && Object.fromEntries([...properties].map(([name, child]) => [name, flatten(child, depth - 1)]));
  return { ...facts, fields, items: flatten(items, depth - 1), values: flatten(additionalProperties, depth - 1) };
}

describe('the schemas of built-in kinds', () => {
  it('know how lists merge', () => {
    const ports = at(builtinSchema('apps/v1', 'Deployment'), 'spec', 'template', 'spec', 'containers', '[]', 'ports');
    expect(ports).toMatchObject({
      type: 'array',
      listType: 'map',
      listMapKeys: ['containerPort', 'protocol'],
      patchMergeKey: 'containerPort',
      patchStrategies: ['merge'],
    });
    expect(at(ports, '[]', 'protocol')).toEqual({ type: 'string', default: 'TCP' });
  });

  it('let a field override what it refers to', () => {
    expect(at(builtinSchema('apps/v1', 'Deployment'), 'spec', 'strategy')?.patchStrategies).toEqual(['retainKeys']);
    expect(at(builtinSchema('v1', 'PersistentVolume'), 'spec', 'claimRef')?.mapType).toBe('granular');
    expect(at(builtinSchema('v1', 'Event'), 'involvedObject')?.mapType).toBe('atomic');
  });

  it('tell quantities, ports and free JSON apart', () => {
    const pod = builtinSchema('v1', 'Pod');
    expect(at(pod, 'spec', 'containers', '[]', 'resources', 'limits')?.additionalProperties).toEqual({ quantity: true });
    expect(at(builtinSchema('v1', 'Service'), 'spec', 'ports', '[]', 'targetPort')).toEqual({ intOrString: true });
    expect(at(pod, 'metadata', 'managedFields', '[]', 'fieldsV1')?.preserveUnknownFields).toBe(true);
  });

  it('recur without end', () => {
    const path = Array.from({ length: 50 }, () => 'not');
    const definition = at(
      builtinSchema('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
      'spec',
      'versions',
      '[]',
      'schema',
      'openAPIV3Schema',
    );
    expect(at(definition, ...path)?.type).toBe('object');
  });

  it('are there for every built-in resource, and for no other kind', () => {
    const missing = builtinResources.filter(
      ({ group, version, kind }) => !builtinSchema(group === '' ? version : `${group}/${version}`, kind),
    );
    expect(missing).toEqual([]);
    expect(builtinSchema('v1', 'Application')).toBeUndefined();
    expect(at(builtinSchema('v1', 'ConfigMap'), 'constructor')).toBeUndefined();
  });

  it('come back unchanged from the OpenAPI documents made of them', () => {
    for (const apiVersion of new Set(builtinResources.map(({ group, version }) => (group === '' ? version : `${group}/${version}`)))) {
      const document = { components: { schemas: builtinOpenApiDefinitions(apiVersion) } };
      for (const { group, version, kind } of builtinResources) {
        if ((group === '' ? version : `${group}/${version}`) !== apiVersion) continue;
        expect(flatten(schemaFromOpenApiV3(document, { group, version, kind }), 7)).toEqual(flatten(builtinSchema(apiVersion, kind), 7));
      }
    }
  });
});

describe('schemas from a cluster', () => {
  const kinds = [{ group: 'example.com', version: 'v1', kind: 'Widget' }];
  const document = (schema: JsonObject, others: JsonObject = {}): JsonObject => ({
    components: { schemas: { 'com.example.v1.Widget': { ...schema, 'x-kubernetes-group-version-kind': kinds }, ...others } },
  });
  const widget = { group: 'example.com', version: 'v1', kind: 'Widget' };

  it('read every extension of a custom resource', () => {
    const schema = schemaFromOpenApiV3(
      document({
        type: 'object',
        required: ['spec'],
        properties: {
          port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
          raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-embedded-resource': true },
          size: { type: 'string', enum: ['s', 'l'], default: '', nullable: true },
          tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
          free: { type: 'object', additionalProperties: true },
        },
      }),
      widget,
    );
    expect(flatten(schema, 3)).toMatchObject({
      type: 'object',
      required: ['spec'],
      fields: {
        port: { intOrString: true },
        raw: { preserveUnknownFields: true, embeddedResource: true },
        size: { type: 'string', enum: ['s', 'l'], default: '', nullable: true },
        tags: { listType: 'set', items: { type: 'string' } },
        free: { preserveUnknownFields: true },
      },
    });
  });

  it('take the zero values of built-in types for what they are, no defaults', () => {
    const name = 'io.k8s.api.core.v1.Thing';
    const schema = schemaFromOpenApiV3(
      document(
        { type: 'object', properties: { thing: { allOf: [{ $ref: `#/components/schemas/${name}` }] } } },
        { [name]: { type: 'object', properties: { a: { type: 'string', default: '' }, b: { type: 'string', default: 'TCP' } } } },
      ),
      widget,
    );
    expect(at(schema, 'thing', 'a')).toEqual({ type: 'string' });
    expect(at(schema, 'thing', 'b')).toEqual({ type: 'string', default: 'TCP' });
  });

  it('do not stumble over documents that are not what they should be', () => {
    expect(schemaFromOpenApiV3({}, widget)).toBeUndefined();
    const broken = schemaFromOpenApiV3(document({ properties: { __proto__: 3, a: { $ref: '#/components/schemas/missing' } } }), widget);
    expect(at(broken, 'a')).toEqual({ preserveUnknownFields: true });
  });
});
