import type { Schema } from '../schema/index.ts';
import type { StructuralSchema } from './structural-schema.ts';

const TEXT: StructuralSchema = { type: 'string' };

/**
 * The schema of a custom kind with what every object has: apiVersion, kind, and the metadata of `metadataSchema`, in the object and in
 * embedded ones. Apply, patches and comparison use this one; pruning, defaults and validation the schema as it is written.
 */
export function completeCustomSchema(schema: StructuralSchema, metadataSchema: Schema): StructuralSchema {
  const metadata = withEmptyOwnerKey(metadataSchema);
  return withIdentity(withEmbeddedIdentity(schema, metadata), metadata);
}

/** Metadata is of a Go type, in which an absent uid is an empty one: owner references without it must be told apart all the same. */
function withEmptyOwnerKey(metadata: Schema): Schema {
  const owners = metadata.properties?.get('ownerReferences');
  const uid = owners?.items?.properties?.get('uid');
  if (owners?.items === undefined || uid === undefined) return metadata;
  const items = { ...owners.items, properties: new Map([...(owners.items.properties ?? []), ['uid', { ...uid, default: '' }]]) };
  return { ...metadata, properties: new Map([...(metadata.properties ?? []), ['ownerReferences', { ...owners, items }]]) };
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
