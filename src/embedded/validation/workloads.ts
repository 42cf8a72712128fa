import {
  forbiddenValue,
  invalidValue,
  isJsonObject,
  jsonEquals,
  matchesLabelSelector,
  readLabelSelector,
  requiredValue,
} from '../../objects/index.ts';
import type { FieldError, JsonObject, Labels } from '../../objects/index.ts';
import { listAt, mapListAt, numberAt, objectAt, textAt, valueAt, withValueAt } from '../json-path.ts';
import { validatePodSpec } from './pod-spec.ts';

const STATEFUL_SET_MUTABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];
const STATEFUL_SET_SENTENCE =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
const POD_SENTENCE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Deployment, ReplicaSet, DaemonSet: a selector that selects the template and never changes, a whole number of replicas, a sound template. */
export function validateSelecting(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  return [
    ...validateReplicas(object),
    ...validateSelector(object),
    ...validateTemplate(object),
    ...validateImmutable(object, before, ['spec', 'selector']),
  ];
}

export function validateStatefulSet(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  const errors = [...validateReplicas(object), ...validateSelector(object), ...validateTemplate(object)];
  if (before === undefined) return errors;
  const [spec, old] = [object, before].map((state) => omit(objectAt(state, 'spec'), STATEFUL_SET_MUTABLE));
  return jsonEquals(spec, old) ? errors : [...errors, forbiddenValue('spec', STATEFUL_SET_SENTENCE)];
}

export function validatePodTemplateOwner(object: JsonObject): readonly FieldError[] {
  return [...validateReplicas(object), ...validateTemplate(object)];
}

export function validateJob(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  return [
    ...validateTemplate(object),
    ...validateRestartPolicy(object, ['spec', 'template', 'spec']),
    ...(valueAt(object, ['spec', 'suspend']) === true || valueAt(before, ['spec', 'suspend']) === true
      ? []
      : validateImmutable(object, before, ['spec', 'template'])),
    ...validateImmutable(object, before, ['spec', 'selector']),
    ...validateImmutable(object, before, ['spec', 'completionMode']),
  ];
}

export function validateCronJob(object: JsonObject): readonly FieldError[] {
  const path = ['spec', 'jobTemplate', 'spec', 'template', 'spec'];
  return [
    ...(textAt(object, 'spec', 'schedule') === '' ? [requiredValue('spec.schedule')] : []),
    ...validatePodSpec(objectAt(object, ...path), path.join('.')),
    ...validateRestartPolicy(object, path),
  ];
}

/** A Pod's spec is what it was created with, but for images and a few limits. The difference itself is not shown. */
export function validatePod(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  const errors = validatePodSpec(objectAt(object, 'spec'), 'spec');
  if (before === undefined) return errors;
  const [spec, old] = [object, before].map(fixedPodSpec);
  return jsonEquals(spec, old) ? errors : [...errors, forbiddenValue('spec', POD_SENTENCE)];
}

function fixedPodSpec(pod: JsonObject): JsonObject {
  const kept = omit(objectAt(pod, 'spec'), [
    'activeDeadlineSeconds',
    'tolerations',
    'terminationGracePeriodSeconds',
    'ephemeralContainers',
    'schedulingGates',
  ]);
  const withoutImage = (container: JsonObject): JsonObject => omit(container, ['image', 'resources', 'resizePolicy']);
  return mapListAt(mapListAt(kept, ['containers'], withoutImage), ['initContainers'], withoutImage);
}

function validateReplicas(object: JsonObject): readonly FieldError[] {
  const replicas = numberAt(object, 'spec', 'replicas') ?? 0;
  return replicas < 0 ? [invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0')] : [];
}

function validateSelector(object: JsonObject): readonly FieldError[] {
  const selector = valueAt(object, ['spec', 'selector']);
  const labels = valueAt(object, ['spec', 'template', 'metadata', 'labels']);
  const mismatch = invalidValue('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`');
  if (!isJsonObject(selector)) return [requiredValue('spec.selector'), mismatch];
  const isEmpty = Object.keys(objectAt(selector, 'matchLabels')).length === 0 && listAt(selector, 'matchExpressions').length === 0;
  if (isEmpty) return [invalidValue('spec.selector', selector, 'empty selector is invalid for deployment')];
  return matchesLabelSelector(readLabelSelector(selector), (isJsonObject(labels) ? labels : {}) as Labels) ? [] : [mismatch];
}

function validateTemplate(object: JsonObject): readonly FieldError[] {
  return validatePodSpec(objectAt(object, 'spec', 'template', 'spec'), 'spec.template.spec');
}

/** What runs to an end must not start anew for ever. */
function validateRestartPolicy(object: JsonObject, path: readonly string[]): readonly FieldError[] {
  const policy = textAt(object, ...path, 'restartPolicy');
  const field = [...path, 'restartPolicy'].join('.');
  if (policy === 'OnFailure' || policy === 'Never') return [];
  if (policy === 'Always' || policy === '') return [requiredValue(field, 'valid values: "OnFailure", "Never"')];
  return [
    {
      reason: 'FieldValueNotSupported',
      field,
      message: `Unsupported value: ${JSON.stringify(policy)}: supported values: "OnFailure", "Never"`,
    },
  ];
}

export function validateImmutable(object: JsonObject, before: JsonObject | undefined, path: readonly string[]): readonly FieldError[] {
  if (before === undefined) return [];
  const [value = null, old = null] = [valueAt(object, path), valueAt(before, path)];
  return jsonEquals(value, old) ? [] : [invalidValue(path.join('.'), value, 'field is immutable')];
}

function omit(object: JsonObject, names: readonly string[]): JsonObject {
  return names.reduce((rest, name) => withValueAt(rest, [name], undefined), object);
}
