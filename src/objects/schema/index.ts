/** What is known of the fields of Kubernetes objects: types, defaults, and how lists and maps merge. */
export { builtinOpenApiDefinitions } from './builtin-openapi.ts';
export { builtinResources } from './builtin-resources.ts';
export { builtinSchema, builtinTypeSchema } from './builtin-schema.ts';
export { schemaFromOpenApiV3 } from './openapi-schema.ts';
export type { ApiResource } from './builtin-resources.ts';
export type { GroupVersionKind } from './openapi-schema.ts';
export type { Schema, SchemaType } from './schema.ts';
