import { messageCodec, type HttpBinding, type JsonObject, type MessageCodec, type MessageSchema } from '../../../contract/index.ts';
import { fieldsOf, findField } from './bind-value.ts';

/**
 * A parsed body to a request message. Takes both forms that clients send: the resource itself, or an object that wraps
 * it under its name beside other fields of the request.
 */
export function requestFromBody(input: MessageCodec, binding: HttpBinding, body: unknown): JsonObject {
  if (body === undefined || binding.body === null) return {};
  if (binding.body === '*') return input.fromJson(wrapBareResource(input.schema, body));
  const field = findField(input.schema, binding.body);
  if (field === undefined) throw new Error(`${input.schema.name} has no field ${binding.body}`);
  if (field.type.kind !== 'message') {
    // The contract has a bare JSON string here; an object then holds the fields of the request.
    return input.fromJson(isObject(body) ? body : { [field.name]: body });
  }
  const resource = messageCodec(field.type.message).schema;
  return input.fromJson(isWrapper(input.schema, resource, field.name, body) ? body : { [field.name]: body });
}

/** True when the body has the resource under its own name, and nothing that only the resource itself would have. */
function isWrapper(request: MessageSchema, resource: MessageSchema, name: string, body: unknown): boolean {
  if (!isObject(body)) return false;
  const keys = Object.keys(body);
  const wrapped = keys.find((key) => key.toLowerCase() === name.toLowerCase());
  // A repository has a field `repo` of its own, which is a string.
  if (wrapped === undefined || !isObject(body[wrapped])) return false;
  return keys.every((key) => findField(request, key) !== undefined || findField(resource, key) === undefined);
}

/** Where the contract wants `{"project": {…}}`, a body that is itself such an object (with `metadata`) is one too. */
function wrapBareResource(request: MessageSchema, body: unknown): unknown {
  if (!isObject(body) || !isObject(body['metadata']) || findField(request, 'metadata') !== undefined) return body;
  const field = fieldsOf(request).find(({ type, repeated }) => {
    if (type.kind !== 'message' || repeated) return false;
    const { schema } = messageCodec(type.message);
    return findField(schema, 'metadata') !== undefined && findField(schema, 'spec') !== undefined;
  });
  return field === undefined || Object.hasOwn(body, field.name) ? body : { [field.name]: body };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
