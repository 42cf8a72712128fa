/** The API contract: its messages and methods as data, and the codec between wire bytes and Kubernetes-style JSON. */
export { methods } from './gen/schema.ts';
export type { FieldSchema, HttpBinding, HttpVerb, MessageSchema, MethodSchema } from './schema.ts';
