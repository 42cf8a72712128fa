import type { JsonObject } from '../../objects/index.ts';
import { numberAt, textAt, valueAt } from '../json-path.ts';
import type { KindRules } from './kind.ts';

const EVENT_FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

const NAMES = new Map<string, readonly string[]>([
  ['/Event', [...EVENT_FIELDS.map((name) => `involvedObject.${name}`), 'reason', 'reportingComponent', 'source', 'type']],
  ['events.k8s.io/Event', [...EVENT_FIELDS.map((name) => `regarding.${name}`), 'reason', 'reportingController', 'type']],
  ['/Namespace', ['status.phase']],
  ['/Node', ['spec.unschedulable']],
  [
    '/Pod',
    [
      'spec.hostNetwork',
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.nominatedNodeName',
      'status.phase',
      'status.podIP',
    ],
  ],
  ['/ReplicationController', ['status.replicas']],
  ['/Secret', ['type']],
  ['/Service', ['spec.clusterIP', 'spec.type']],
  ['apps/ReplicaSet', ['status.replicas']],
  ['batch/Job', ['status.successful']],
  ['certificates.k8s.io/CertificateSigningRequest', ['spec.signerName']],
]);

type Read = (object: JsonObject) => string;

/** An absent flag is false, and an absent count zero. */
const flag =
  (...path: readonly string[]): Read =>
  (object) =>
    String(valueAt(object, path) === true);
const count =
  (...path: readonly string[]): Read =>
  (object) =>
    String(numberAt(object, ...path) ?? 0);

/** Fields that are not simply what stands at their path. */
const READ = new Map<string, Readonly<Record<string, Read>>>([
  ['/Event', { source: (event) => textAt(event, 'source', 'component') || textAt(event, 'reportingComponent') }],
  ['/Node', { 'spec.unschedulable': flag('spec', 'unschedulable') }],
  ['/Pod', { 'spec.hostNetwork': flag('spec', 'hostNetwork') }],
  ['/ReplicationController', { 'status.replicas': count('status', 'replicas') }],
  ['apps/ReplicaSet', { 'status.replicas': count('status', 'replicas') }],
  ['batch/Job', { 'status.successful': count('status', 'succeeded') }],
]);

/** What field selectors may use of a built-in kind, by its group and name. */
export function selectableFieldsOf(name: string): Pick<KindRules, 'selectableFields' | 'readField'> {
  const selectableFields = NAMES.get(name);
  const read = READ.get(name);
  return {
    ...(selectableFields && { selectableFields }),
    ...(read && { readField: (object, field) => read[field]?.(object) }),
  };
}
