import { isJsonArray, isJsonObject, ownValue } from '../json-value.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import type { Schema } from '../schema/index.ts';
import { formatTime } from '../kube-object.ts';
import { emptyObjectFor, resetSet } from './apply-server-side.ts';
import { atomOf } from './atom.ts';
import { compareStrings, jsonEquals } from './compare-json.ts';
import { unionFieldSets } from './field-set.ts';
import { ElementWithoutKey } from './list-elements.ts';
import {
  decodeManagedFields,
  encodeManagedFields,
  managedFieldsOf,
  ManagedFieldsInvalid,
  ownerIdentifier,
  ownerSeconds,
  withManagedFields,
} from './managed-fields.ts';
import type { ManagedFieldsEntry, Owner, Owners } from './managed-fields.ts';
import { ownersAfterUpdate } from './update-owners.ts';

export interface UpdateToTrack {
  /** The stored object; undefined for a create. */
  readonly before: JsonObject | undefined;
  /** The object that is about to be stored. */
  readonly after: JsonObject;
  /** The field manager of the request, or what its user agent says before the first `/`. */
  readonly manager: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly schema: Schema | undefined;
  /** The kind is one of Kubernetes' own, and not a custom one. */
  readonly isBuiltin?: boolean;
  readonly subresource?: string;
  /** Fields that this endpoint cannot change, by their names from the root. */
  readonly resetFields?: readonly (readonly string[])[];
  /** The object as its kind has it with nothing set; by default what `emptyObjectOf` gives for built-in kinds, and `{}` for others. */
  readonly emptyObject?: JsonObject;
}

/** More updaters than this, and the oldest are put together. */
const UPDATERS_MAX = 10;

/**
 * The `managedFields` after a create, update or patch: what it changed belongs to its manager. The entries that `after` carries count
 * where they are given, those of `before` otherwise; an empty list (or one empty entry) starts anew. An object whose owners were never
 * recorded stays without them until someone applies to it.
 */
export function trackUpdate(update: UpdateToTrack): readonly ManagedFieldsEntry[] {
  const owners = ownersBefore(update);
  const isCreate = !ownValue(metadataOf(update.before), 'uid');
  if (owners.size === 0 && !isCreate) return [];
  const after = withManagedFields(update.after, []);
  const before = withManagedFields(update.before ?? emptyObjectFor(update), []);
  try {
    return encodeManagedFields(ownersAfter(before, after, owners, update));
  } catch (error) {
    // A list whose elements cannot be told apart cannot be tracked. The write is right all the same, so it loses its owners only.
    if (error instanceof ElementWithoutKey) return [];
    throw error;
  }
}

function ownersAfter(before: JsonObject, after: JsonObject, owners: Owners, update: UpdateToTrack): Owners {
  const typing = { atom: atomOf(update.schema, update.isBuiltin), resetFields: resetSet(update.resetFields) };
  const { owners: others, fields } = ownersAfterUpdate(before, after, owners, typing);
  if (fields.size > 0) {
    const apiVersion = ownValue(after, 'apiVersion');
    const updater = {
      manager: update.manager || 'unknown',
      operation: 'Update',
      apiVersion: typeof apiVersion === 'string' ? apiVersion : '',
      subresource: update.subresource ?? '',
    } as const;
    const identifier = ownerIdentifier(updater);
    const previous = others.get(identifier);
    const all = previous === undefined ? fields : unionFieldSets(fields, previous.fields);
    others.set(identifier, { ...updater, time: formatTime(update.nowMs), fields: all });
  }
  return capUpdaters(others);
}

function ownersBefore({ before, after, subresource }: UpdateToTrack): Owners {
  const live = managedFieldsOf(before);
  if (subresource !== undefined && subresource !== '') return decodeOrNone(live);
  const given = managedFieldsOf(after);
  if (isReset(given)) return new Map();
  try {
    const owners = decodeManagedFields(given);
    return owners.size > 0 ? owners : decodeOrNone(live);
  } catch (error) {
    if (error instanceof ManagedFieldsInvalid) return decodeOrNone(live);
    throw error;
  }
}

/** Stored entries that nobody can read any more are as good as none. */
function decodeOrNone(entries: JsonValue | undefined): Owners {
  try {
    return decodeManagedFields(entries);
  } catch (error) {
    if (error instanceof ManagedFieldsInvalid) return new Map();
    throw error;
  }
}

function isReset(entries: JsonValue | undefined): boolean {
  if (!isJsonArray(entries)) return false;
  return entries.length === 0 || (entries.length === 1 && jsonEquals(entries[0], {}));
}

/** Puts the oldest updaters of each version together until there are few enough. */
function capUpdaters(owners: Owners): Owners {
  const updaters = [...owners].filter(([, owner]) => owner.operation === 'Update');
  let excess = updaters.length - UPDATERS_MAX;
  if (excess <= 0) return owners;
  updaters.sort(([leftId, left], [rightId, right]) => ownerSeconds(left) - ownerSeconds(right) || compareStrings(leftId, rightId));
  const firsts = new Map<string, [string, Owner]>();
  for (const [identifier, owner] of updaters) {
    if (excess === 0) break;
    const first = firsts.get(owner.apiVersion);
    if (first === undefined) {
      firsts.set(owner.apiVersion, [identifier, owner]);
      continue;
    }
    mergeIntoBucket(owners, first, identifier, owner);
    excess--;
  }
  return owners;
}

function mergeIntoBucket(owners: Owners, [firstIdentifier, first]: [string, Owner], identifier: string, owner: Owner): void {
  const bucket = { manager: 'ancient-changes', operation: 'Update', apiVersion: owner.apiVersion, subresource: '' } as const;
  const bucketIdentifier = ownerIdentifier(bucket);
  let old = owners.get(bucketIdentifier);
  if (old === undefined) {
    owners.delete(firstIdentifier);
    old = first;
  }
  owners.delete(identifier);
  owners.set(bucketIdentifier, { ...bucket, time: owner.time, fields: unionFieldSets(owner.fields, old.fields) });
}

function metadataOf(object: JsonObject | undefined): JsonObject {
  const metadata = object && ownValue(object, 'metadata');
  return isJsonObject(metadata) ? metadata : {};
}
