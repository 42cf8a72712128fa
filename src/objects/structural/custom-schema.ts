import type { Schema } from '../schema/index.ts';
import type { StructuralSchema } from './structural-schema.ts';

const TEXT: StructuralSchema = { type: 'string' };

/**
 * The schema of a custom kind with what every object has: apiVersion, kind, and the metadata of `metadataSchema`, in the object and in
 * embedded ones. Apply, patches and comparison use this one; pruning, defaults and validation the schema as it is written.
 */
export function completeCustomSchema(schema: StructuralSchema, metadataSchema: Schema): StructuralSchema {
  return withIdentity(withEmbeddedIdentity(schema, metadataSchema), metadataSchema);
}

function withIdentity(schema: StructuralSchema, metadata: Schema): StructuralSchema {
  return { ...schema, properties: new Map([...(schema.properties ?? []), ['apiVersion', TEXT], ['kind', TEXT], ['metadata', metadata]]) };
}

function withEmbeddedIdentity(schema: StructuralSchema, metadata: Schema): StructuralSchema {
  const { properties, items, additionalProperties } = schema;
  const inner: StructuralSchema = {
    ...schema,
    ...(properties && { properties: new Map([...properties].map(([name, child]) => [name, embed(child, metadata)])) }),
    ...(items && { items: embed(items, metadata) }),
    ...(additionalProperties && { additionalProperties: embed(additionalProperties, metadata) }),
  };
  return inner;
}

function embed(schema: StructuralSchema, metadata: Schema): StructuralSchema {
  const inner = withEmbeddedIdentity(schema, metadata);
  return schema.embeddedResource === true ? withIdentity(inner, metadata) : inner;
}
