import { messageCodec, type JsonObject } from '../../contract/index.ts';

/**
 * A part of an object as it is kept: a field that every such part has is there also where it is empty, which protobuf cannot say and the
 * schema of the kind asks for.
 */
export function toStoredForm<Part extends object>(message: string, part: Part): Part {
  return withoutNulls(messageCodec(message).toJson(part as JsonObject)) as Part;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutNulls(item)]));
}
