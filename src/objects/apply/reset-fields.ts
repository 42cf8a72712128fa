import { isJsonObject, jsonObject, ownValue } from '../json-value.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';

/** An endpoint of a kind: the main resource, or one of its subresources. */
export interface Endpoint {
  readonly group: string;
  readonly kind: string;
  /** Undefined for the main resource. */
  readonly subresource: string | undefined;
  /** Whether the kind keeps its status apart. */
  readonly hasStatus: boolean;
  /** Whether the kind is a custom one. */
  readonly isCustom: boolean;
}

/** Built-in kinds whose status endpoint resets something else than the spec alone. */
const STATUS_RESETS = new Map<string, readonly (readonly string[])[]>([
  ['apps/Deployment', [['spec'], ['metadata', 'labels']]],
  ['/Pod', [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']]],
]);

/** Groups and kinds whose status endpoint leaves nothing but the status to the caller, as for custom resources. */
const STATUS_ONLY = new Set([
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apiregistration.k8s.io/APIService',
  'flowcontrol.apiserver.k8s.io/FlowSchema',
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration',
  'networking.k8s.io/ServiceCIDR',
  'resource.k8s.io/ResourceClaim',
  'storage.k8s.io/VolumeAttachment',
]);

/** The fields that an endpoint puts back to what they were, by their names from the root. */
export function resetFieldsOf({ group, kind, subresource, hasStatus, isCustom }: Endpoint): readonly (readonly string[])[] {
  if (subresource === undefined) return hasStatus ? [['status']] : [];
  if (subresource !== 'status') return [];
  const name = `${group}/${kind}`;
  if (isCustom || STATUS_ONLY.has(name)) return [['metadata'], ['spec']];
  return STATUS_RESETS.get(name) ?? [['spec']];
}

/** The new object with the given fields as the old one has them, `managedFields` excepted: they are written for the new one. */
export function restoreFields(before: JsonObject, after: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  return paths.reduce((object, path) => restoreField(before, object, path), after);
}

function restoreField(before: JsonObject, after: JsonObject, [name, ...rest]: readonly string[]): JsonObject {
  if (name === undefined) return after;
  const old = ownValue(before, name);
  const changed = ownValue(after, name);
  if (rest.length > 0) {
    if (!isJsonObject(changed)) return after;
    return { ...after, [name]: restoreField(isJsonObject(old) ? old : {}, changed, rest) };
  }
  const kept = name === 'metadata' ? keepManagedFields(old, changed) : old;
  const others = Object.entries(after).filter(([key]) => key !== name);
  return jsonObject(kept === undefined ? others : [...others, [name, kept]]);
}

function keepManagedFields(old: JsonValue | undefined, changed: JsonValue | undefined): JsonValue | undefined {
  const managedFields = isJsonObject(changed) ? ownValue(changed, 'managedFields') : undefined;
  if (!isJsonObject(old) || managedFields === undefined) return old;
  return { ...old, managedFields };
}
