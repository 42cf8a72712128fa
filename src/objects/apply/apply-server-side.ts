import { isJsonObject, ownValue } from '../json-value.ts';
import type { JsonObject } from '../json-value.ts';
import type { Schema } from '../schema/index.ts';
import { formatTime } from '../kube-object.ts';
import { statusError, StatusError } from '../status-error.ts';
import { ApplyConflict } from './apply-conflict.ts';
import { atomOf } from './atom.ts';
import { checkTyped } from './check-typed.ts';
import { emptyObjectOf } from './empty-object.ts';
import { createFieldSet, EMPTY_FIELD_SET, subtractFieldSet } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { lastAppliedFields, withLastApplied } from './last-applied.ts';
import { ElementWithoutKey } from './list-elements.ts';
import {
  decodeManagedFields,
  encodeManagedFields,
  managedFieldsOf,
  ManagedFieldsInvalid,
  ownerIdentifier,
  withManagedFields,
} from './managed-fields.ts';
import type { ManagedFieldsEntry, Owner, Owners } from './managed-fields.ts';
import { fieldElement } from './path-element.ts';
import { TypedError } from './typed-error.ts';
import { applyConfiguration, ownersAfterUpdate } from './update-owners.ts';
import type { Applied, Typing } from './update-owners.ts';

export interface ApplyRequest {
  /** The stored object; undefined where the apply creates it. */
  readonly live: JsonObject | undefined;
  /** What the user applies, with apiVersion and kind. */
  readonly config: JsonObject;
  /** The field manager of the request. */
  readonly manager: string;
  readonly force?: boolean;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Undefined for a kind without a schema: everything is granular, lists are atomic. */
  readonly schema: Schema | undefined;
  /** The kind is one of Kubernetes' own, and not a custom one. */
  readonly isBuiltin?: boolean;
  /** `status` or `scale`; the main resource where it is absent. */
  readonly subresource?: string;
  /** Fields that this endpoint cannot change, by their names from the root: they are neither compared nor owned. */
  readonly resetFields?: readonly (readonly string[])[];
  /** The object as its kind has it with nothing set; by default what `emptyObjectOf` gives for built-in kinds, and `{}` for others. */
  readonly emptyObject?: JsonObject;
}

export interface ApplyResult {
  /**
   * The merged object, without `managedFields`. It is as if a client had sent it: an object or list that lost all that was in it is null,
   * defaults are not set, and reset fields are not restored.
   */
  readonly object: JsonObject;
  readonly managedFields: readonly ManagedFieldsEntry[];
}

/**
 * Server-side apply: merges a configuration into the live object as its schema says, removes what the manager applied before and
 * nobody else owns, and records who owns what. Versions are not converted: owners in another version of the same kind are read as if
 * its fields were the same. Throws ApplyConflict, or another StatusError for a configuration or stored owners that cannot be used.
 */
export function applyServerSide(request: ApplyRequest): ApplyResult {
  const { config, manager, schema } = request;
  const apiVersion = textOf(config, 'apiVersion');
  checkIdentity(request);
  const typing: Typing = { atom: atomOf(schema, request.isBuiltin), resetFields: resetSet(request.resetFields) };
  const live = withManagedFields(request.live ?? { apiVersion, kind: textOf(config, 'kind') }, []);
  checkConfiguration(config, typing);
  const applier = { manager, operation: 'Apply', apiVersion, subresource: request.subresource ?? '', fields: EMPTY_FIELD_SET } as const;
  const known = decodeOwners(managedFieldsOf(request.live));
  try {
    const owners = known.size > 0 ? known : firstOwners(request, live, typing, apiVersion);
    const applied = applyAs({ ...applier, time: owners.get(ownerIdentifier(applier))?.time }, live, owners, request, typing);
    return finish(applied, live, ownerIdentifier(applier), request);
  } catch (error) {
    if (!(error instanceof ElementWithoutKey)) throw error;
    throw unfitLiveObject(live, typing, known.size > 0, error);
  }
}

function finish({ object, owners }: Applied, live: JsonObject, identifier: string, { config, manager, nowMs }: ApplyRequest): ApplyResult {
  const owner = owners.get(identifier);
  if (object !== undefined && owner !== undefined) owners.set(identifier, { ...owner, time: formatTime(nowMs) });
  const merged = object ?? live;
  return { object: manager === 'kubectl' ? withLastApplied(merged, config) : merged, managedFields: encodeManagedFields(owners) };
}

/** Whoever made an object that has no owners yet shall keep what it has, against the first applier's removals. */
function firstOwners(request: ApplyRequest, live: JsonObject, typing: Typing, apiVersion: string): Owners {
  const empty = emptyObjectFor(request);
  const { fields } = ownersAfterUpdate(empty, live, new Map(), typing);
  if (fields.size === 0) return new Map();
  const subresource = request.subresource ?? '';
  const owner: Owner = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion,
    subresource,
    time: formatTime(request.nowMs),
    fields,
  };
  return new Map([[ownerIdentifier(owner), owner]]);
}

function decodeOwners(entries: ReturnType<typeof managedFieldsOf>): Owners {
  try {
    return decodeManagedFields(entries);
  } catch (error) {
    if (!(error instanceof ManagedFieldsInvalid)) throw error;
    throw unclassified(`failed to decode managed fields: ${error.message}`);
  }
}

/**
 * kubectl may take over what it applied from the client's side before: conflicts about values that its last-applied annotation still
 * describes truly are none.
 */
function applyAs(
  applier: Owner,
  live: JsonObject,
  owners: Owners,
  { config, manager, force = false }: ApplyRequest,
  typing: Typing,
): Applied {
  const identifier = ownerIdentifier(applier);
  try {
    return applyConfiguration(live, config, applier, identifier, { owners, typing, force });
  } catch (error) {
    if (!(error instanceof ApplyConflict) || manager !== 'kubectl') throw error;
    const allowed = lastAppliedFields(live, applier.apiVersion, typing.atom);
    if (allowed === undefined) throw error;
    const conflicts = error.conflicts
      .map((conflict) => ({ owner: conflict.owner, fields: subtractFieldSet(conflict.fields, allowed) }))
      .filter((conflict) => conflict.fields.size > 0);
    if (conflicts.length > 0) throw new ApplyConflict(conflicts);
    return applyConfiguration(live, config, applier, identifier, { owners, typing, force: true });
  }
}

function checkIdentity({ live, config }: ApplyRequest): void {
  if (
    live !== undefined &&
    (textOf(live, 'apiVersion') !== textOf(config, 'apiVersion') || textOf(live, 'kind') !== textOf(config, 'kind'))
  )
    throw statusError('BadRequest', `invalid object type: ${printKind(config)}`);
  const managedFields = managedFieldsOf(config);
  if (managedFields !== undefined && managedFields !== null) throw statusError('BadRequest', 'metadata.managedFields must be nil');
}

/** A stored object whose lists cannot be merged was written before its schema said that they can. */
function unfitLiveObject(live: JsonObject, { atom }: Typing, hasOwners: boolean, cause: ElementWithoutKey): StatusError {
  let problem = cause.message;
  try {
    checkTyped(live, atom, 'allow');
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    problem = error.message;
  }
  const identity = printIdentity(live);
  return unclassified(
    hasOwners
      ? `failed to create typed live object (${identity}): ${problem}`
      : `failed to create manager for existing fields: failed to convert new object (${identity}) to smd typed: ${problem}`,
  );
}

/** The API server has no reason for what it takes to be its own trouble. */
function unclassified(message: string): StatusError {
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
}

function checkConfiguration(config: JsonObject, { atom }: Typing): void {
  try {
    checkTyped(config, atom, 'refuse');
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    throw unclassified(`failed to create typed patch object (${printIdentity(config)}): ${error.message}`);
  }
}

/** What an object of the request's kind is before anything is set. */
export function emptyObjectFor({ emptyObject, isBuiltin, schema }: Pick<ApplyRequest, 'emptyObject' | 'isBuiltin' | 'schema'>): JsonObject {
  return emptyObject ?? (isBuiltin === true && schema !== undefined ? emptyObjectOf(schema) : {});
}

export function resetSet(paths: readonly (readonly string[])[] = []): FieldSet {
  return createFieldSet(paths.map((path) => path.map(fieldElement)));
}

function printIdentity(object: JsonObject): string {
  const metadata = ownValue(object, 'metadata');
  const own = isJsonObject(metadata) ? metadata : {};
  return `${textOf(own, 'namespace')}/${textOf(own, 'name')}; ${printKind(object)}`;
}

function printKind(object: JsonObject): string {
  const apiVersion = textOf(object, 'apiVersion');
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${textOf(object, 'kind')}`;
}

function textOf(object: JsonObject, key: string): string {
  const value = ownValue(object, key);
  return typeof value === 'string' ? value : '';
}
