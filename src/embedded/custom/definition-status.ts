import { formatTime } from '../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import { listAt, objectAt, textAt, withValueAt } from '../json-path.ts';
import { readDefinition, readNames } from './definition.ts';
import type { DefinitionNames } from './definition.ts';

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The definition with the status that the server gives it; `taken` are the names of the group's other definitions. */
export function withDefinitionStatus(object: JsonObject, taken: readonly DefinitionNames[], nowMs: number): JsonObject {
  const { names, versions, isEstablished } = readDefinition(object);
  const conflict = findConflict(names, taken);
  const accepted: Condition = {
    type: 'NamesAccepted',
    ...(conflict === undefined
      ? { status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { status: 'False', reason: conflict.reason, message: `${JSON.stringify(conflict.name)} is already in use` }),
  };
  const established: Condition = {
    type: 'Established',
    ...(conflict === undefined || isEstablished
      ? { status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' }
      : { status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }),
  };
  const stored = versions.filter(({ isStored }) => isStored).map(({ name }) => name);
  const known = listAt(object, 'status', 'storedVersions').map(String);
  const acceptedNames = conflict === undefined ? objectAt(object, 'spec', 'names') : acceptedBefore(object);
  return {
    ...withCondition(withCondition(object, accepted, nowMs), established, nowMs),
    status: {
      ...objectAt(withCondition(withCondition(object, accepted, nowMs), established, nowMs), 'status'),
      acceptedNames,
      storedVersions: [...known, ...stored.filter((name) => !known.includes(name))],
    },
  };
}

export const TERMINATING: Condition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

/** The object with a condition; its time changes only when its status does. */
export function withCondition(object: JsonObject, condition: Condition, nowMs: number): JsonObject {
  const conditions = listAt(object, 'status', 'conditions');
  const old = conditions.find((candidate) => textAt(candidate, 'type') === condition.type);
  const lastTransitionTime = textAt(old, 'status') === condition.status ? textAt(old, 'lastTransitionTime') : formatTime(nowMs);
  const { type, status, reason, message } = condition;
  const entry: JsonValue = { lastTransitionTime, message, reason, status, type };
  const next = old === undefined ? [...conditions, entry] : conditions.map((candidate) => (candidate === old ? entry : candidate));
  return withValueAt(object, ['status', 'conditions'], next);
}

function acceptedBefore(object: JsonObject): JsonObject {
  const before = objectAt(object, 'status', 'acceptedNames');
  return Object.keys(before).length > 0 ? before : { kind: '', plural: '' };
}

/** Of several, the last one is told. */
function findConflict(names: DefinitionNames, others: readonly DefinitionNames[]): { reason: string; name: string } | undefined {
  const resources = new Set(others.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...shortNames]));
  const kinds = new Set(others.flatMap(({ kind, listKind }) => [kind, listKind]));
  const clash = (reason: string, taken: ReadonlySet<string>, ...wanted: readonly string[]) =>
    wanted.filter((name) => name !== '' && taken.has(name)).map((name) => ({ reason, name }));
  return [
    ...clash('PluralConflict', resources, names.plural),
    ...clash('SingularConflict', resources, names.singular),
    ...clash('ShortNamesConflict', resources, ...names.shortNames),
    ...clash('KindConflict', kinds, names.kind),
    ...clash('ListKindConflict', kinds, names.listKind),
  ].at(-1);
}

/** The names that a definition holds against others of its group. */
export function heldNames(object: JsonObject): DefinitionNames {
  return readNames(objectAt(object, 'status', 'acceptedNames'));
}
