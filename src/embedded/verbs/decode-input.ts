import { invalidValue, isJsonObject, statusError, strictDecodingError, unknownFieldWarning } from '../../objects/index.ts';
import type { JsonObject, JsonValue, ObjectMeta, StatusError } from '../../objects/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { cannotDecode, objectInvalid, wrongKind } from '../refusals.ts';
import type { EmbeddedWriteOptions } from './verb-context.ts';

/** What decoding needs to know of a kind. */
export type DecodedKind = Pick<Kind, 'type' | 'apiVersion' | 'isCustom' | 'rules'>;

/** What a client sent, as an object of the kind: without what the kind does not have, and of the right types. `before` is what it replaces. */
export function decodeInput(kind: DecodedKind, input: JsonObject, options: EmbeddedWriteOptions, before?: JsonObject): JsonObject {
  const { apiVersion = kind.apiVersion, kind: name = kind.type.kind } = input;
  if (kind.isCustom === true && apiVersion === kind.apiVersion && name !== kind.type.kind) throw wrongCustomKind(kind, input, name);
  if (apiVersion !== kind.apiVersion || name !== kind.type.kind) throw wrongKind(kind.type, apiVersion, name);
  const { object, unknown } = kind.rules.prune?.({ ...input, apiVersion, kind: name }, before) ?? { object: input, unknown: [] };
  if (unknown.length > 0 && options.fieldValidation === 'Strict') throw cannotDecode(kind.type, strictDecodingError(unknown));
  if (options.fieldValidation !== 'Ignore') for (const field of unknown) options.onWarning?.(unknownFieldWarning(field));
  if (!isJsonObject(object['metadata'] ?? {})) throw statusError('BadRequest', 'metadata must be an object');
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...content } = object;
  return { apiVersion, kind: name, metadata: metadata ?? {}, ...content };
}

export function metadataOf(object: JsonObject): ObjectMeta {
  return (object['metadata'] ?? {}) as unknown as ObjectMeta;
}

export function withMetadata(object: JsonObject, metadata: ObjectMeta): JsonObject {
  return { ...object, metadata: metadata as unknown as JsonObject };
}

/** The kind of a custom resource is a field like others there, which validation refuses. */
function wrongCustomKind({ type }: DecodedKind, input: JsonObject, given: JsonValue): StatusError {
  const kind = typeof given === 'string' ? given : '';
  return objectInvalid({ group: type.group, kind }, metadataOf(input).name ?? '', [invalidValue('kind', given, `must be ${type.kind}`)]);
}
