import {
  equalIgnoringFieldTimes,
  jsonEquals,
  resetFieldsOf,
  restoreFields,
  statusError,
  trackUpdate,
  validateMetadataUpdate,
  withManagedFields,
} from '../../objects/index.ts';
import type { FieldError, JsonObject, ManagedFieldsEntry, ObjectMeta } from '../../objects/index.ts';
import type { ObjectRef } from '../../kube/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { objectInvalid, objectModified, objectNotFound, operationConflict, unclassifiedError } from '../refusals.ts';
import { textAt } from '../json-path.ts';
import { isReadyToGo } from './delete-plan.ts';
import { createDecoded, DEFAULT_FIELD_MANAGER, endpointOf, tellWarnings } from './create.ts';
import { decodeInput, metadataOf, withMetadata } from './decode-input.ts';
import { objectFacts } from './object-facts.ts';
import { validateFinalizerNames } from './validate-finalizers.ts';
import { ruleContext } from './rule-context.ts';
import { fromStored, keyOf, toStored } from './verb-context.ts';
import type { EmbeddedWriteOptions, VerbContext } from './verb-context.ts';

/** Replaces an object, or its status. To be run inside a write of the store. */
export function updateObject(context: VerbContext, kind: Kind, input: JsonObject, options: EmbeddedWriteOptions): JsonObject {
  const before = findObject(context, kind, { name: textAt(input, 'metadata', 'name'), namespace: textAt(input, 'metadata', 'namespace') });
  const after = decodeInput(kind, input, options, before);
  const { name = '' } = metadataOf(after);
  if (name === '') throw statusError('BadRequest', 'the name of the object must be given');
  if (before === undefined) {
    if (kind.rules.createsOnUpdate !== true || options.subresource !== undefined) throw objectNotFound(kind.type, name);
    // Who names a uid speaks of an object that was there, and not of a new one.
    checkUid(kind, metadataOf(after), {});
    options.onCreated?.();
    return createDecoded(context, kind, after, options);
  }
  checkUid(kind, metadataOf(after), metadataOf(before));
  requireVersion(kind, after);
  return replaceObject(context, kind, { before, after, options });
}

const VERSION_NEEDED: FieldError = {
  reason: 'FieldValueInvalid',
  field: 'metadata.resourceVersion',
  message: 'Invalid value: 0: must be specified for an update',
};

export function findObject(context: VerbContext, kind: Kind, ref: ObjectRef): JsonObject | undefined {
  const state = context.store.lookup(keyOf(kind, ref));
  return state && fromStored(kind, state.object);
}

export interface Replacement {
  readonly before: JsonObject;
  /** As decoded, without defaults. */
  readonly after: JsonObject;
  readonly options: EmbeddedWriteOptions;
  /** The owners of fields, where an apply or a scale has worked them out. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** The end of every way to change an object that exists. */
export function replaceObject(context: VerbContext, kind: Kind, replacement: Replacement): JsonObject {
  const { before, options } = replacement;
  const old = metadataOf(before);
  const rules = ruleContext(context, kind);
  checkVersion(kind, metadataOf(replacement.after), old);
  const after = kind.rules.setDefaults?.(replacement.after, rules, before) ?? replacement.after;
  const endpoint = options.subresource === 'scale' ? undefined : options.subresource;
  const resetFields = resetFieldsOf({ ...endpointOf(kind), subresource: endpoint });
  const managedFields =
    replacement.managedFields ??
    trackUpdate({
      before,
      after,
      manager: options.fieldManager ?? DEFAULT_FIELD_MANAGER,
      nowMs: rules.nowMs,
      schema: kind.schema,
      isBuiltin: kind.isCustom !== true,
      ...(options.subresource !== undefined && { subresource: options.subresource }),
      resetFields,
    });
  const restored = restoreFields(before, after, resetFields);
  const kept = withMetadata(restored, keepMetadata(metadataOf(restored), old));
  const prepared = kind.rules.prepareUpdate?.(kept, before, rules) ?? kept;
  const tracked = withManagedFields(prepared, managedFields);
  // A write of the status changes no generation, whatever metadata comes with it.
  const counted = options.subresource === 'status' ? tracked : countGeneration(kind, before, tracked);
  // The API server checks the metadata twice, and so names each cause twice.
  const metadataErrors = validateMetadataUpdate(metadataOf(counted), old);
  const errors = [
    ...metadataErrors,
    ...metadataErrors,
    ...validateFinalizerNames(kind, counted),
    ...(kind.rules.validate?.(counted, before) ?? []),
  ];
  if (errors.length > 0) throw objectInvalid(kind.type, old.name ?? '', errors);
  if (options.subresource === undefined) tellWarnings(kind, counted, options);
  return storeReplacement(context, kind, { before, after: counted, isDryRun: options.dryRun === true });
}

function storeReplacement(
  { store, clock }: VerbContext,
  kind: Kind,
  { before, after, isDryRun }: { before: JsonObject; after: JsonObject; isDryRun: boolean },
): JsonObject {
  if (equalIgnoringFieldTimes(before, after)) return before;
  if (isDryRun) return after;
  const { name = '', namespace = '' } = metadataOf(after);
  const key = keyOf(kind, { name, namespace });
  const stored = toStored(kind, after);
  const result = isReadyToGo(stored)
    ? store.remove(key, stored, kind.rules.isSealed === true)
    : store.put(key, stored, objectFacts(kind, stored, clock.nowMs()));
  return fromStored(kind, result);
}

/** What names a version replaces that one and no other. */
export function checkVersion({ type }: Kind, given: ObjectMeta, old: ObjectMeta): void {
  const { name = '', resourceVersion = '' } = given;
  if (resourceVersion !== '' && resourceVersion !== '0' && resourceVersion !== old.resourceVersion) {
    if (!/^\d+$/.test(resourceVersion))
      throw unclassifiedError(`strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
    throw objectModified(type, name);
  }
}

/** An update of another object that has taken the name is a conflict; in a patch the uid is a field that cannot change. */
export function checkUid({ type, isCustom }: Kind, { name = '', namespace = '', uid = '' }: ObjectMeta, old: ObjectMeta): void {
  if (uid === '' || uid === old.uid) return;
  const path = [isCustom === true ? `${type.group}/${type.plural}` : type.plural, ...(type.namespaced ? [namespace] : []), name].join('/');
  const text = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.uid ?? ''}`;
  const whole = `StorageError: invalid object, Code: 4, Key: /registry/${path}, ResourceVersion: 0, AdditionalErrorMsg: ${text}`;
  throw operationConflict(type, name, whole);
}

/** Some kinds take no change that does not say which version it is of. */
export function requireVersion({ type, rules }: Kind, object: JsonObject): void {
  const { name = '', resourceVersion = '' } = metadataOf(object);
  if (resourceVersion === '' && rules.needsVersion === true)
    throw objectInvalid({ group: type.group, kind: type.plural }, name, [VERSION_NEEDED]);
}

/** What no client can change stays as it is, whatever was sent. */
function keepMetadata(given: ObjectMeta, old: ObjectMeta): ObjectMeta {
  const { generation: _generation, deletionTimestamp, deletionGracePeriodSeconds, ...rest } = given;
  const graceSeconds = deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds;
  const timestamp = old.deletionTimestamp ?? deletionTimestamp;
  return {
    ...rest,
    ...(old.uid !== undefined && { uid: given.uid ?? old.uid }),
    ...(old.generation !== undefined && { generation: old.generation }),
    ...(old.creationTimestamp !== undefined && { creationTimestamp: old.creationTimestamp }),
    ...(timestamp !== undefined && { deletionTimestamp: timestamp }),
    ...(graceSeconds !== undefined && { deletionGracePeriodSeconds: graceSeconds }),
    ...(old.resourceVersion !== undefined && { resourceVersion: old.resourceVersion }),
  };
}

function countGeneration(kind: Kind, before: JsonObject, after: JsonObject): JsonObject {
  if (kind.rules.hasGeneration !== true) return after;
  const isSame = jsonEquals(contentOf(kind, before), contentOf(kind, after));
  const annotationsSame =
    kind.rules.countsAnnotations !== true || jsonEquals({ ...metadataOf(before).annotations }, { ...metadataOf(after).annotations });
  if (isSame && annotationsSame) return after;
  return withMetadata(after, { ...metadataOf(after), generation: (metadataOf(before).generation ?? 0) + 1 });
}

/** What a generation counts the changes of: all but the metadata, and the status where it is an endpoint of its own. */
function contentOf({ hasStatus }: Kind, object: JsonObject): JsonObject {
  const { metadata: _metadata, status, ...content } = object;
  return hasStatus || status === undefined ? content : { ...content, status };
}
