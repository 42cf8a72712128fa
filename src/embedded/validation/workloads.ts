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
import { unsupported, validateMounts, validatePodSpec } from './pod-spec.ts';

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
    ...validateMounts(objectAt(object, 'spec', 'template', 'spec'), 'spec.template.spec'),
    ...validateEndless(object),
    ...(object['kind'] === 'Deployment' ? validateStrategy(object) : []),
    ...validateImmutable(object, before, ['spec', 'selector']),
  ];
}

/** What is kept running must start again whenever it ends. */
function validateEndless(object: JsonObject): readonly FieldError[] {
  const policy = textAt(object, 'spec', 'template', 'spec', 'restartPolicy');
  const isKnown = policy === 'OnFailure' || policy === 'Never';
  return isKnown ? [unsupported('spec.template.spec.restartPolicy', policy, ['Always'])] : [];
}

function validateStrategy(object: JsonObject): readonly FieldError[] {
  const strategy = objectAt(object, 'spec', 'strategy');
  const type = textAt(strategy, 'type');
  if (type === '' || type === 'Recreate' || type === 'RollingUpdate') return [];
  return [unsupported('spec.strategy', { Type: type, RollingUpdate: strategy['rollingUpdate'] ?? null }, ['Recreate', 'RollingUpdate'])];
}

export function validateStatefulSet(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  const errors = [...validateReplicas(object), ...validateSelector(object), ...validateTemplate(object), ...validateEndless(object)];
  if (before === undefined) return errors;
  const [spec, old] = [object, before].map((state) => omit(objectAt(state, 'spec'), STATEFUL_SET_MUTABLE));
  return jsonEquals(spec, old) ? errors : [...errors, forbiddenValue('spec', STATEFUL_SET_SENTENCE)];
}

export function validatePodTemplateOwner(object: JsonObject): readonly FieldError[] {
  return [...validateReplicas(object), ...validateTemplate(object)];
}

export function validateJob(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  return [
    ...['parallelism', 'completions', 'backoffLimit'].flatMap((name) => {
      const count = numberAt(object, 'spec', name) ?? 0;
      return count < 0 ? [invalidValue(`spec.${name}`, count, 'must be greater than or equal to 0')] : [];
    }),
    ...validateMounts(objectAt(object, 'spec', 'template', 'spec'), 'spec.template.spec'),
    ...validateTemplate(object),
    ...validateRestartPolicy(object, ['spec', 'template', 'spec']),
    ...(valueAt(object, ['spec', 'suspend']) === true || valueAt(before, ['spec', 'suspend']) === true
      ? []
      : validateImmutable(object, before, ['spec', 'template'])),
    ...validateImmutable(object, before, ['spec', 'selector']),
    ...validateImmutable(object, before, ['spec', 'completionMode']),
    ...(valueAt(object, ['spec', 'completionMode']) === 'Indexed' ? [] : validateImmutable(object, before, ['spec', 'completions'])),
  ];
}

export function validateCronJob(object: JsonObject): readonly FieldError[] {
  const path = ['spec', 'jobTemplate', 'spec', 'template', 'spec'];
  return [
    ...validateSchedule(textAt(object, 'spec', 'schedule')),
    ...validateConcurrency(textAt(object, 'spec', 'concurrencyPolicy')),
    ...validatePodSpec(objectAt(object, ...path), path.join('.')),
    ...validateRestartPolicy(object, path),
  ];
}

/** Its form only: a value that is out of range is found when the next time is looked for. */
function validateSchedule(schedule: string): readonly FieldError[] {
  if (schedule === '') return [requiredValue('spec.schedule')];
  const fields = schedule.split(/\s+/).filter((field) => field !== '');
  if (schedule.startsWith('@') || schedule.includes('TZ=') || fields.length === 5) return [];
  return [invalidValue('spec.schedule', schedule, `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`)];
}

function validateConcurrency(policy: string): readonly FieldError[] {
  const policies = ['Allow', 'Forbid', 'Replace'];
  return policy === '' || policies.includes(policy) ? [] : [unsupported('spec.concurrencyPolicy', policy, policies)];
}

/** A Pod's spec is what it was created with, but for images and a few limits. The difference itself is not shown. */
export function validatePod(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  const errors = [...validatePodSpec(objectAt(object, 'spec'), 'spec'), ...validateMounts(objectAt(object, 'spec'), 'spec')];
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
  return [unsupported(field, policy, ['OnFailure', 'Never'])];
}

export function validateImmutable(object: JsonObject, before: JsonObject | undefined, path: readonly string[]): readonly FieldError[] {
  if (before === undefined) return [];
  const [value = null, old = null] = [valueAt(object, path), valueAt(before, path)];
  return jsonEquals(value, old) ? [] : [invalidValue(path.join('.'), value, 'field is immutable')];
}

function omit(object: JsonObject, names: readonly string[]): JsonObject {
  return names.reduce((rest, name) => withValueAt(rest, [name], undefined), object);
}
