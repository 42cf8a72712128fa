import {
  applyJsonPatch,
  applyMergePatch,
  applyServerSide,
  applyStrategicMergePatch,
  invalidValue,
  isJsonObject,
  isStatusError,
  parseJsonPatch,
  PatchError,
  requiredValue,
  resetFieldsOf,
  statusError,
  withManagedFields,
} from '../../objects/index.ts';
import type { JsonObject, Schema, StatusError } from '../../objects/index.ts';
import type { ObjectRef, Patch } from '../../kube/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { textAt } from '../json-path.ts';
import { objectInvalid, objectNotFound, operationConflict, unclassifiedError } from '../refusals.ts';
import { createDecoded, endpointOf } from './create.ts';
import { decodeInput, metadataOf, withMetadata } from './decode-input.ts';
import type { DecodedKind } from './decode-input.ts';
import { ownedScaleOf, replaceScale, scaleKind, scaleOf, scaleSchema } from './scale.ts';
import { findObject, replaceObject, requireVersion } from './update.ts';
import { requireReadable } from './verb-context.ts';
import type { EmbeddedWriteOptions, VerbContext } from './verb-context.ts';

/** Changes a part of an object, of its status or of its scale. To be run inside a write of the store. */
export function patchObject(context: VerbContext, kind: Kind, ref: ObjectRef, patch: Patch, options: EmbeddedWriteOptions): JsonObject {
  requireReadable(options.subresource);
  const before = findObject(context, kind, ref);
  if (patch.type === 'apply') return applyToObject(context, kind, ref, { patch, before, options });
  if (before === undefined) throw objectNotFound(kind.type, ref.name);
  if (options.subresource === 'scale') {
    const scale = patchJson(scaleOf(kind, before), patch, scaleSchema);
    return replaceScale(context, kind, { before, scale: decodePatched(scaleKind(kind), scale, options), options });
  }
  const patched = patchJson(before, patch, kind.isCustom === true ? undefined : kind.schema);
  checkPlace(ref, kind, patched);
  requireVersion(kind, patched);
  return replaceObject(context, kind, { before, after: decodePatched(kind, patched, options, before), options });
}

function patchJson(document: JsonObject, patch: Exclude<Patch, { type: 'apply' }>, schema: Schema | undefined): JsonObject {
  try {
    if (patch.type === 'merge') return applyMergePatch(document, patch.body);
    if (patch.type === 'json') return requireObject(applyJsonPatch(document, parseJsonPatch(patch.operations)));
    if (schema === undefined) throw unsupportedMediaType();
    return applyStrategicMergePatch(document, patch.body, schema);
  } catch (error) {
    throw error instanceof PatchError ? patchRefusal(error) : error;
  }
}

function requireObject(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new PatchError(422, 'the patch leaves no object');
}

function patchRefusal(error: PatchError): StatusError {
  if (error.status === 422) return statusError('Invalid', 'the server rejected our request due to an error in our request', {});
  if (error.status === 413) return statusError('RequestEntityTooLarge', error.message);
  if (error.status === 400) return statusError('BadRequest', error.message);
  return unclassifiedError(error.message);
}

function unsupportedMediaType(): StatusError {
  const types = 'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';
  return statusError('UnsupportedMediaType', `the body of the request was in an unknown format - accepted media types include: ${types}`);
}

/** A patch that makes something of another type is told with the whole that it would make. */
function decodePatched(kind: DecodedKind, patched: JsonObject, options: EmbeddedWriteOptions, before?: JsonObject): JsonObject {
  try {
    return decodeInput(kind, patched, options, before);
  } catch (error) {
    if (!isStatusError(error, 'BadRequest') || options.fieldValidation === 'Strict') throw error;
    const text = error.message.replace(/^.* cannot be handled as a \S+: /, '');
    throw objectInvalid({ group: '', kind: '' }, '', [invalidValue('patch', JSON.stringify(patched), text)]);
  }
}

function checkPlace({ name, namespace = '' }: ObjectRef, { type }: DecodedKind, object: JsonObject): void {
  const { name: ownName = '', namespace: ownNamespace = '' } = metadataOf(object);
  if (ownName !== name) throw statusError('BadRequest', `the name of the object (${ownName}) does not match the name on the URL (${name})`);
  if (type.namespaced && ownNamespace !== namespace)
    throw statusError('BadRequest', `the namespace of the object (${ownNamespace}) does not match the namespace on the URL (${namespace})`);
}

interface ApplyInput {
  readonly patch: Extract<Patch, { type: 'apply' }>;
  readonly before: JsonObject | undefined;
  readonly options: EmbeddedWriteOptions;
}

function applyToObject(context: VerbContext, kind: Kind, ref: ObjectRef, { patch, before, options }: ApplyInput): JsonObject {
  const { fieldManager = '', subresource } = options;
  if (fieldManager === '')
    throw objectInvalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [requiredValue('fieldManager', 'is required for apply patch')]);
  if (before === undefined && subresource !== undefined) throw objectNotFound(kind.type, ref.name);
  const isScale = subresource === 'scale';
  const config = checkConfig(isScale ? scaleKind(kind) : kind, ref, patch.body, before !== undefined);
  const { object, managedFields } = applyServerSide({
    live: before && (isScale ? ownedScaleOf(context, kind, before) : before),
    config,
    manager: fieldManager,
    force: patch.force === true,
    nowMs: context.clock.nowMs(),
    schema: isScale ? scaleSchema : kind.schema,
    isBuiltin: isScale || kind.isCustom !== true,
    ...(subresource !== undefined && { subresource }),
    resetFields: isScale ? [] : resetFieldsOf({ ...endpointOf(kind), subresource }),
  });
  const quiet = { ...options, onWarning: () => undefined };
  if (before !== undefined && isScale)
    return replaceScale(context, kind, { before, scale: decodeInput(scaleKind(kind), object, quiet), options, managedFields });
  const after = inNamespace(kind, ref, decodeInput(kind, object, quiet, before));
  if (before !== undefined) return replaceObject(context, kind, { before, after, options, managedFields });
  const { uid = '' } = metadataOf(after);
  if (uid !== '')
    throw operationConflict(
      kind.type,
      ref.name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  options.onCreated?.();
  return createDecoded(context, kind, withManagedFields(after, []), options, managedFields);
}

/** What is applied is taken as it was written: empty values are owned too. It must say what it is, and its name where it is new. */
function checkConfig(kind: DecodedKind, ref: ObjectRef, body: JsonObject, isKnown: boolean): JsonObject {
  if (body['apiVersion'] !== kind.apiVersion || body['kind'] !== kind.type.kind) throw invalidObjectType(body);
  const { name: given = '', namespace = '' } = metadataOf(body);
  const name = given === '' && isKnown ? ref.name : given;
  if (name === '')
    throw statusError('BadRequest', `the name of the object (${ref.name} based on URL) was undeterminable: name must be provided`);
  checkPlace(ref, kind, withMetadata(body, { name, namespace: namespace === '' ? (ref.namespace ?? '') : namespace }));
  return body;
}

/** The namespace of the request, where what was applied names none. */
function inNamespace({ type }: Kind, { namespace }: ObjectRef, object: JsonObject): JsonObject {
  if (!type.namespaced || namespace === undefined) return object;
  return withMetadata(object, { ...metadataOf(object), namespace });
}

function invalidObjectType(body: JsonObject): StatusError {
  const apiVersion = textAt(body, 'apiVersion');
  const name = `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${textAt(body, 'kind')}`;
  return statusError('BadRequest', `invalid object type: ${name}`);
}
