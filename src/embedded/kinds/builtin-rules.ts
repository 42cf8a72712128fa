import { validateDns1123Label, validatePathSegment } from '../../objects/index.ts';
import { defaultsOf } from '../defaults/defaults-of.ts';
import { validationOf } from '../validation/validation-of.ts';
import type { KindRules } from './kind.ts';
import { selectableFieldsOf } from './selectable-fields.ts';

const EVENT_TTL_MS = 3_600_000;

/** Kinds whose generation counts, by group and kind. */
const WITH_GENERATION = new Set([
  '/Pod',
  '/PodTemplate',
  '/ReplicationController',
  'admissionregistration.k8s.io/MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apps/DaemonSet',
  'apps/Deployment',
  'apps/ReplicaSet',
  'apps/StatefulSet',
  'batch/CronJob',
  'batch/Job',
  'discovery.k8s.io/EndpointSlice',
  'flowcontrol.apiserver.k8s.io/FlowSchema',
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration',
  'networking.k8s.io/Ingress',
  'networking.k8s.io/IngressClass',
  'networking.k8s.io/NetworkPolicy',
  'policy/PodDisruptionBudget',
  'scheduling.k8s.io/PriorityClass',
]);

/** Kinds whose delete answers with the object. */
const RETURNING_DELETED = new Set([
  '/PersistentVolume',
  '/PersistentVolumeClaim',
  '/Pod',
  '/PodTemplate',
  '/ResourceQuota',
  '/Service',
  '/ServiceAccount',
  'storage.k8s.io/CSIDriver',
  'storage.k8s.io/CSINode',
  'storage.k8s.io/StorageClass',
  'storage.k8s.io/VolumeAttachment',
]);

const CREATING_ON_UPDATE = new Set([
  '/Endpoints',
  '/Event',
  '/LimitRange',
  '/Service',
  'coordination.k8s.io/Lease',
  'events.k8s.io/Event',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/RoleBinding',
]);

const NAMED_BY_LABEL = new Set(['/Namespace', '/Service']);

/** What is particular to a built-in kind. */
export function builtinRules(group: string, kind: string): KindRules {
  const name = `${group}/${kind}`;
  return {
    ...defaultsOf(group, kind),
    ...validationOf(group, kind),
    ...(NAMED_BY_LABEL.has(name) && { validateName: validateDns1123Label }),
    ...(group === 'rbac.authorization.k8s.io' && { validateName: validatePathSegment }),
    hasGeneration: WITH_GENERATION.has(name),
    countsAnnotations: name === 'apps/Deployment',
    ...selectableFieldsOf(name),
    isSealed: name === '/Secret',
    ...(kind === 'Event' && { ttlMs: EVENT_TTL_MS }),
    returnsDeleted: RETURNING_DELETED.has(name),
    // For clients from before there was garbage collection.
    orphansByDefault: name === 'batch/Job' || name === '/ReplicationController',
    createsOnUpdate: CREATING_ON_UPDATE.has(name),
    keepsStatusOnCreate: name === '/Node',
  };
}
