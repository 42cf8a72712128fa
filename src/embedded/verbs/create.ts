import {
  formatTime,
  resetFieldsOf,
  restoreFields,
  statusError,
  trackUpdate,
  validateDns1123Subdomain,
  validateMetadata,
  withManagedFields,
} from '../../objects/index.ts';
import type { JsonObject, ManagedFieldsEntry, ObjectMeta } from '../../objects/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { nameGenerationFailed, objectBeingDeleted, objectExists, objectInvalid, unclassifiedError } from '../refusals.ts';
import { checkNamespace } from './check-namespace.ts';
import { decodeInput, metadataOf, withMetadata } from './decode-input.ts';
import { generateName } from './generate-name.ts';
import { objectFacts } from './object-facts.ts';
import { validateFinalizerNames } from './validate-finalizers.ts';
import { ruleContext } from './rule-context.ts';
import { fromStored, keyOf, toStored } from './verb-context.ts';
import type { EmbeddedWriteOptions, VerbContext } from './verb-context.ts';

const NAME_ATTEMPTS = 8;
export const DEFAULT_FIELD_MANAGER = 'fairway';

/** Creates an object as a client sent it. To be run inside a write of the store. */
export function createObject(context: VerbContext, kind: Kind, input: JsonObject, options: EmbeddedWriteOptions): JsonObject {
  const object = decodeInput(kind, input, options);
  if ((metadataOf(object).resourceVersion ?? '') !== '')
    throw unclassifiedError('resourceVersion should not be set on objects to be created');
  return createDecoded(context, kind, object, options);
}

/** Creates an object that is decoded already; with its field owners, where an apply has worked them out. */
export function createDecoded(
  context: VerbContext,
  kind: Kind,
  input: JsonObject,
  options: EmbeddedWriteOptions,
  applied?: readonly ManagedFieldsEntry[],
): JsonObject {
  const rules = ruleContext(context, kind);
  const { namespace: givenNamespace = '', generateName: prefix = '', name: givenName = '' } = metadataOf(input);
  // A namespace means nothing to what is cluster-scoped.
  const namespace = kind.type.namespaced ? givenNamespace : '';
  if (kind.type.namespaced && namespace === '') throw statusError('BadRequest', 'an empty namespace may not be set during creation');
  const named = withMetadata(input, newMetadata(context, kind, { ...metadataOf(input), namespace }, rules.nowMs));
  const defaulted = kind.rules.setDefaults?.(named, rules, undefined) ?? named;
  const resetFields = resetFieldsOf({ ...endpointOf(kind), subresource: undefined });
  const managedFields =
    applied ??
    trackUpdate({
      before: undefined,
      after: withManagedFields(defaulted, []),
      manager: options.fieldManager ?? DEFAULT_FIELD_MANAGER,
      nowMs: rules.nowMs,
      schema: kind.schema,
      isBuiltin: kind.isCustom !== true,
      resetFields,
    });
  const withoutStatus = kind.rules.keepsStatusOnCreate === true ? defaulted : restoreFields({}, defaulted, resetFields);
  const prepared = kind.rules.prepareCreate?.(withoutStatus, rules) ?? withoutStatus;
  const object = withManagedFields(prepared, managedFields);
  const name = metadataOf(object).name ?? '';
  checkNamespace(context, kind, namespace, name);
  const errors = [
    ...validateMetadata(metadataOf(object), {
      namespaced: kind.type.namespaced,
      validateName: kind.rules.validateName ?? validateDns1123Subdomain,
    }),
    ...validateFinalizerNames(kind, object),
    ...(kind.rules.validate?.(object, undefined) ?? []),
  ];
  if (errors.length > 0) throw objectInvalid(kind.type, name, errors);
  tellWarnings(kind, object, options);
  const existing = context.store.lookup(keyOf(kind, { namespace, name }));
  if (existing !== undefined && metadataOf(existing.object).deletionTimestamp !== undefined) throw objectBeingDeleted(kind.type, name);
  if (existing !== undefined)
    throw givenName === '' && prefix !== '' ? nameGenerationFailed(kind.type, name) : objectExists(kind.type, name);
  if (options.dryRun === true) return object;
  const stored = toStored(kind, object);
  return fromStored(kind, context.store.insert(keyOf(kind, { namespace, name }), stored, objectFacts(kind, stored, rules.nowMs)));
}

/** What the kind has to say of an object that it accepts. */
export function tellWarnings({ rules }: Kind, object: JsonObject, { onWarning }: EmbeddedWriteOptions): void {
  if (onWarning !== undefined) for (const text of rules.warn?.(object) ?? []) onWarning(text);
}

function newMetadata(context: VerbContext, kind: Kind, given: ObjectMeta, nowMs: number): ObjectMeta {
  const {
    deletionTimestamp: _deletion,
    deletionGracePeriodSeconds: _grace,
    resourceVersion: _version,
    generation: _generation,
    ...kept
  } = given;
  const { name = '', generateName: prefix = '', namespace = '', ...rest } = kept;
  const finalName = name === '' && prefix !== '' ? freeName(context, kind, namespace, prefix) : name;
  return {
    ...(finalName !== '' && { name: finalName }),
    ...(prefix !== '' && { generateName: prefix }),
    ...(namespace !== '' && { namespace }),
    ...rest,
    uid: context.random.uuid(),
    ...(kind.rules.hasGeneration === true && { generation: 1 }),
    creationTimestamp: formatTime(nowMs),
  };
}

function freeName({ store, random }: VerbContext, kind: Kind, namespace: string, prefix: string): string {
  let name = generateName(prefix, random);
  for (let attempt = 1; attempt < NAME_ATTEMPTS && store.lookup(keyOf(kind, { namespace, name })) !== undefined; attempt += 1)
    name = generateName(prefix, random);
  return name;
}

export function endpointOf({ type, hasStatus, isCustom = false }: Kind): {
  group: string;
  kind: string;
  hasStatus: boolean;
  isCustom: boolean;
} {
  return { group: type.group, kind: type.kind, hasStatus, isCustom };
}
