import { isJsonObject } from '../json-value.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { ApplyConflict } from './apply-conflict.ts';
import type { Conflict } from './apply-conflict.ts';
import type { Atom } from './atom.ts';
import { jsonEquals } from './compare-json.ts';
import { compareTyped } from './compare-typed.ts';
import type { Comparison } from './compare-typed.ts';
import { createFieldSet, intersectFieldSets, subtractFieldSet, subtractFieldTrees, unionFieldSets } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { fieldsOfValue } from './fields-of-value.ts';
import type { Owner, Owners } from './managed-fields.ts';
import { mergeTyped } from './merge-typed.ts';
import { withNamedFields } from './named-fields.ts';
import { fieldElement } from './path-element.ts';
import { reconcileFields } from './reconcile-fields.ts';
import { removeFields } from './remove-fields.ts';

/** What both operations need: the type of the object, and the fields that the endpoint sets back to what they were. */
export interface Typing {
  readonly atom: Atom;
  readonly resetFields: FieldSet;
}

/** Fields that nobody owns: they say which object this is, or the server sets them. */
const NEVER_OWNED = createFieldSet(
  [
    ['apiVersion'],
    ['kind'],
    ['metadata'],
    ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map(
      (name) => ['metadata', name],
    ),
  ].map((path) => path.map(fieldElement)),
);

export function withoutNeverOwned(fields: FieldSet): FieldSet {
  return subtractFieldSet(fields, NEVER_OWNED);
}

/** The owners with sets that fit the schema of today. */
export function reconcileOwners(owners: Owners, atom: Atom): Owners {
  const result: Owners = new Map();
  for (const [identifier, owner] of owners) {
    const fields = reconcileFields(owner.fields, atom);
    result.set(identifier, fields === owner.fields ? owner : { ...owner, fields });
  }
  return result;
}

/**
 * What an update changed leaves every owner, and is the set of who made it: `fields` is empty where the update changed nothing that can
 * be owned.
 */
export function ownersAfterUpdate(
  before: JsonValue,
  after: JsonValue,
  owners: Owners,
  typing: Typing,
): { owners: Owners; fields: FieldSet } {
  const comparison = compareWithoutReset(before, after, typing);
  const { others } = takeFromOthers(comparison, reconcileOwners(owners, typing.atom), undefined);
  const fields = unionFieldSets(comparison.modified, comparison.added);
  return { owners: others, fields: withoutNeverOwned(subtractFieldTrees(fields, typing.resetFields)) };
}

export interface Applied {
  /** Undefined where the object stays as it is. */
  readonly object: JsonObject | undefined;
  readonly owners: Owners;
}

/**
 * Merges a configuration into the live object, drops what the applier named last time and does not now and nobody else owns, and moves
 * the ownership. Throws ApplyConflict where other owners have other values, unless forced.
 */
export function applyConfiguration(
  live: JsonObject,
  config: JsonObject,
  applier: Owner,
  identifier: string,
  options: ApplyOptions,
): Applied {
  const { typing, force } = options;
  const owners = reconcileOwners(options.owners, typing.atom);
  const last = owners.get(identifier);
  const fields = subtractFieldTrees(fieldsOfValue(config, typing.atom), typing.resetFields);
  owners.set(identifier, { ...applier, fields });
  const merged = mergeTyped(live, config, typing.atom);
  const object = last === undefined || last.fields.size === 0 ? merged : dropAbandoned(merged, owners, last, typing.atom);
  const comparison = compareWithoutReset(live, object, typing);
  const { others, conflicts } = takeFromOthers(comparison, owners, identifier);
  if (conflicts.length > 0 && !force) throw new ApplyConflict(conflicts);
  stripOwner(others, identifier);
  return { object: jsonEquals(live, object) || !isJsonObject(object) ? undefined : object, owners: others };
}

export interface ApplyOptions {
  readonly owners: Owners;
  readonly typing: Typing;
  readonly force: boolean;
}

function stripOwner(owners: Owners, identifier: string): void {
  const owner = owners.get(identifier);
  if (owner === undefined) return;
  const fields = withoutNeverOwned(owner.fields);
  if (fields.size === 0) owners.delete(identifier);
  else owners.set(identifier, { ...owner, fields });
}

function compareWithoutReset(before: JsonValue, after: JsonValue, { atom, resetFields }: Typing): Comparison {
  const { removed, modified, added } = compareTyped(before, after, atom);
  return {
    removed: subtractFieldTrees(removed, resetFields),
    modified: subtractFieldTrees(modified, resetFields),
    added: subtractFieldTrees(added, resetFields),
  };
}

/** Takes what changed from every owner but one, and says who held it; owners with nothing left go. */
function takeFromOthers(comparison: Comparison, owners: Owners, keeper: string | undefined): { others: Owners; conflicts: Conflict[] } {
  const changed = unionFieldSets(comparison.modified, comparison.added);
  const others: Owners = new Map();
  const conflicts: Conflict[] = [];
  for (const [identifier, owner] of owners) {
    if (identifier === keeper) {
      if (owner.fields.size > 0) others.set(identifier, owner);
      continue;
    }
    const taken = intersectFieldSets(owner.fields, changed);
    if (taken.size > 0) conflicts.push({ owner, fields: taken });
    const fields = subtractFieldSet(subtractFieldSet(owner.fields, taken), comparison.removed);
    if (fields.size > 0) others.set(identifier, fields === owner.fields ? owner : { ...owner, fields });
  }
  return { others, conflicts };
}

/**
 * Removes what the applier owned before, brings back what any owner of now (the applier's new configuration among them) holds, and brings
 * back what went only because it stood inside something removed.
 */
function dropAbandoned(merged: JsonValue, owners: Owners, lastOwner: Owner, atom: Atom): JsonValue {
  const last = withNamedFields(lastOwner.fields, atom);
  const mergedFields = withNamedFields(fieldsOfValue(merged, atom), atom);
  let kept = removeFields(merged, last, atom);
  for (const owned of ownedByVersion(owners, lastOwner.apiVersion)) {
    const keptFields = withNamedFields(fieldsOfValue(kept, atom), atom);
    kept = removeFields(merged, subtractFieldSet(mergedFields, unionFieldSets(keptFields, withNamedFields(owned, atom))), atom);
  }
  const keptFields = withNamedFields(fieldsOfValue(kept, atom), atom);
  return removeFields(merged, intersectFieldSets(subtractFieldSet(mergedFields, keptFields), last), atom);
}

/** What the owners hold, version by version as the API server goes through them: the version that was applied last comes first. */
function ownedByVersion(owners: Owners, first: string): Iterable<FieldSet> {
  const sets = new Map<string, FieldSet>([[first, new Map()]]);
  for (const { apiVersion, fields } of owners.values()) sets.set(apiVersion, unionFieldSets(sets.get(apiVersion) ?? new Map(), fields));
  return sets.values();
}
