import { isJsonArray, isJsonObject, jsonObject, ownValue } from '../json-value.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { compareStrings } from './compare-json.ts';
import type { FieldSet } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';

export type FieldsOperation = 'Apply' | 'Update';

/** One entry of `metadata.managedFields`. */
export interface ManagedFieldsEntry extends JsonObject {
  readonly manager: string;
  readonly operation: FieldsOperation;
  readonly apiVersion: string;
  readonly fieldsType: 'FieldsV1';
  readonly fieldsV1: JsonObject;
}

/** Who owns a set of fields. Times are RFC 3339 in seconds; an entry may lack one. */
export interface Owner {
  readonly manager: string;
  readonly operation: FieldsOperation;
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** Owners by their identifiers. */
export type Owners = Map<string, Owner>;

/** Entries of `managedFields` that cannot be understood, in the API server's words. */
export class ManagedFieldsInvalid extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ManagedFieldsInvalid';
  }
}

/**
 * What tells one owner from another: an applier is the same one in every version, an updater has an entry per version. Identifiers are
 * also compared to order owners, so they are written as the API server writes them.
 */
export function ownerIdentifier({ manager, operation, apiVersion, subresource }: Omit<Owner, 'time' | 'fields'>): string {
  return JSON.stringify({
    ...(manager !== '' && { manager }),
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource !== '' && { subresource }),
  });
}

/** Throws ManagedFieldsInvalid. */
export function decodeManagedFields(entries: JsonValue | undefined): Owners {
  const owners: Owners = new Map();
  for (const [index, entry] of (isJsonArray(entries) ? entries : []).entries()) {
    const owner = decodeEntry(isJsonObject(entry) ? entry : {}, index);
    owners.set(ownerIdentifier(owner), owner);
  }
  return owners;
}

function decodeEntry(entry: JsonObject, index: number): Owner {
  const operation = textOf(entry, 'operation');
  if (operation !== 'Apply' && operation !== 'Update') throw new ManagedFieldsInvalid('operation must be `Apply` or `Update`');
  const apiVersion = textOf(entry, 'apiVersion');
  if (apiVersion === '') throw new ManagedFieldsInvalid('apiVersion must not be empty');
  const fieldsType = textOf(entry, 'fieldsType');
  if (fieldsType === '') throw new ManagedFieldsInvalid(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1')
    throw new ManagedFieldsInvalid(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`);
  return {
    manager: textOf(entry, 'manager'),
    operation,
    apiVersion,
    subresource: textOf(entry, 'subresource'),
    time: textOf(entry, 'time') || undefined,
    fields: decodeFields(ownValue(entry, 'fieldsV1')),
  };
}

function decodeFields(fields: JsonValue | undefined): FieldSet {
  try {
    return decodeFieldsV1(fields);
  } catch (error) {
    throw new ManagedFieldsInvalid(`error decoding set: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The entries in their canonical order: appliers before updaters, each by time, manager, version and subresource. */
export function encodeManagedFields(owners: Owners): readonly ManagedFieldsEntry[] {
  return [...owners.values()].sort(compareOwners).map(encodeOwner);
}

function encodeOwner({ manager, operation, apiVersion, subresource, time, fields }: Owner): ManagedFieldsEntry {
  return {
    manager,
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFieldsV1(fields),
    ...(subresource !== '' && { subresource }),
  };
}

function compareOwners(left: Owner, right: Owner): number {
  return (
    compareStrings(left.operation, right.operation) ||
    ownerSeconds(left) - ownerSeconds(right) ||
    compareStrings(left.manager, right.manager) ||
    compareStrings(left.apiVersion, right.apiVersion) ||
    compareStrings(left.subresource, right.subresource)
  );
}

/** The time of an owner's last change in whole seconds; zero for one without. */
export function ownerSeconds({ time }: Owner): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}

export function managedFieldsOf(object: JsonObject | undefined): JsonValue | undefined {
  const metadata = object && ownValue(object, 'metadata');
  return isJsonObject(metadata) ? ownValue(metadata, 'managedFields') : undefined;
}

/** The object with these entries; none of them, and it has no `managedFields` at all. */
export function withManagedFields(object: JsonObject, entries: readonly ManagedFieldsEntry[]): JsonObject {
  const metadata = ownValue(object, 'metadata');
  const own = isJsonObject(metadata) ? metadata : {};
  if (entries.length === 0 && !Object.hasOwn(own, 'managedFields')) return object;
  const others = Object.entries(own).filter(([key]) => key !== 'managedFields');
  const changed = jsonObject(entries.length === 0 ? others : [...others, ['managedFields', entries]]);
  return { ...object, metadata: changed };
}

function textOf(entry: JsonObject, key: string): string {
  const value = ownValue(entry, key);
  return typeof value === 'string' ? value : '';
}
