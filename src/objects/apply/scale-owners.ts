import type { JsonValue } from '../json-value.ts';
import { createFieldSet, hasField, subtractFieldSet } from './field-set.ts';
import { decodeManagedFields, encodeManagedFields } from './managed-fields.ts';
import type { ManagedFieldsEntry, Owners } from './managed-fields.ts';
import { fieldElement } from './path-element.ts';
import type { FieldPath } from './path-element.ts';

const SCALE_VERSION = 'autoscaling/v1';
const SCALE_REPLICAS = ['spec', 'replicas'].map(fieldElement);

/** Where each version of a kind keeps its replicas, by field names; null for a version without a scale subresource. */
export type ReplicasPaths = ReadonlyMap<string, readonly string[] | null>;

/** The owners of an object's replicas, as the owners of its Scale. */
export function scaleManagedFields(parentEntries: JsonValue | undefined, replicas: ReplicasPaths): readonly ManagedFieldsEntry[] {
  const owners: Owners = new Map();
  for (const [identifier, owner] of decodeManagedFields(parentEntries)) {
    const path = replicas.get(owner.apiVersion);
    if (path && hasField(owner.fields, path.map(fieldElement)))
      owners.set(identifier, { ...owner, apiVersion: SCALE_VERSION, fields: createFieldSet([SCALE_REPLICAS]) });
  }
  return encodeManagedFields(owners);
}

export interface ScaleOwners {
  readonly parentEntries: JsonValue | undefined;
  readonly scaleEntries: JsonValue | undefined;
  /** The version in which the object is written. */
  readonly apiVersion: string;
  readonly replicas: ReplicasPaths;
}

/** The owners of an object after its Scale was written: who no longer owns the replicas there loses them here. */
export function parentManagedFields({ parentEntries, scaleEntries, apiVersion, replicas }: ScaleOwners): readonly ManagedFieldsEntry[] {
  const scaleOwners = decodeManagedFields(scaleEntries);
  const owners: Owners = new Map();
  const parentOwners = decodeManagedFields(parentEntries);
  for (const [identifier, owner] of parentOwners) {
    const names = replicas.get(owner.apiVersion);
    if (names === undefined) continue;
    const path: FieldPath | undefined = names?.map(fieldElement);
    if (path === undefined || !hasField(owner.fields, path) || scaleOwners.delete(identifier)) {
      owners.set(identifier, owner);
      continue;
    }
    const fields = subtractFieldSet(owner.fields, createFieldSet([path]));
    if (fields.size > 0) owners.set(identifier, { ...owner, fields });
  }
  const ownPath = replicas.get(apiVersion)?.map(fieldElement) ?? [];
  for (const [identifier, owner] of scaleOwners) {
    if (!hasField(owner.fields, SCALE_REPLICAS)) continue;
    owners.set(identifier, { ...owner, apiVersion, time: parentOwners.get(identifier)?.time, fields: createFieldSet([ownPath]) });
  }
  return encodeManagedFields(owners);
}
