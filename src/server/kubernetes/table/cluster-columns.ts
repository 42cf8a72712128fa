import type { JsonObject } from '../../../objects/index.ts';
import {
  ageColumn,
  ageOf,
  createdColumn,
  integer,
  labelsText,
  listAt,
  nameColumn,
  numberAt,
  objectAt,
  orNone,
  shown,
  text,
  textAt,
  valueAt,
  wide,
} from './column.ts';
import type { Column } from './column.ts';

export const namespaceColumns: readonly Column[] = [nameColumn, text('Status', (object) => textAt(object, 'status', 'phase')), ageColumn];

export const configMapColumns: readonly Column[] = [
  nameColumn,
  integer('Data', (object) => sizeOf(object, 'data') + sizeOf(object, 'binaryData')),
  ageColumn,
];

export const secretColumns: readonly Column[] = [
  nameColumn,
  text('Type', (object) => textAt(object, 'type')),
  integer('Data', (object) => sizeOf(object, 'data')),
  ageColumn,
];

export const serviceAccountColumns: readonly Column[] = [
  nameColumn,
  integer('Secrets', (object) => listAt(object, 'secrets').length),
  ageColumn,
];
export const createdColumns: readonly Column[] = [nameColumn, createdColumn];

export const nodeColumns: readonly Column[] = [
  nameColumn,
  text('Status', nodeStatus),
  text('Roles', nodeRoles),
  ageColumn,
  text('Version', (object) => textAt(object, 'status', 'nodeInfo', 'kubeletVersion')),
  wide(text('Internal-IP', (object) => nodeAddress(object, 'InternalIP'))),
  wide(text('External-IP', (object) => nodeAddress(object, 'ExternalIP'))),
  wide(text('OS-Image', (object) => textAt(object, 'status', 'nodeInfo', 'osImage') || '<unknown>')),
  wide(text('Kernel-Version', (object) => textAt(object, 'status', 'nodeInfo', 'kernelVersion') || '<unknown>')),
  wide(text('Container-Runtime', (object) => textAt(object, 'status', 'nodeInfo', 'containerRuntimeVersion') || '<unknown>')),
];

export const eventColumns: readonly Column[] = [
  text('Last Seen', (object, nowMs) =>
    ageOf(valueAt(object, 'lastTimestamp') ?? valueAt(object, 'eventTime') ?? valueAt(object, 'metadata', 'creationTimestamp'), nowMs),
  ),
  text('Type', (object) => textAt(object, 'type')),
  text('Reason', (object) => textAt(object, 'reason')),
  text('Object', (object) => involved(object)),
  wide(text('Subobject', (object) => textAt(object, 'involvedObject', 'fieldPath'))),
  wide(
    text('Source', (object) =>
      [textAt(object, 'source', 'component') || textAt(object, 'reportingComponent'), textAt(object, 'source', 'host')]
        .filter((part) => part !== '')
        .join(', '),
    ),
  ),
  text('Message', (object) => (textAt(object, 'message') || textAt(object, 'note')).trim()),
  wide(
    text('First Seen', (object, nowMs) =>
      ageOf(valueAt(object, 'firstTimestamp') ?? valueAt(object, 'eventTime') ?? valueAt(object, 'metadata', 'creationTimestamp'), nowMs),
    ),
  ),
  wide(integer('Count', (object) => numberAt(object, 'count') || 1)),
  wide({ ...nameColumn }),
];

export const claimColumns: readonly Column[] = [
  nameColumn,
  text('Status', (object) => (textAt(object, 'metadata', 'deletionTimestamp') === '' ? textAt(object, 'status', 'phase') : 'Terminating')),
  text('Volume', (object) => textAt(object, 'spec', 'volumeName')),
  text('Capacity', (object) => (textAt(object, 'spec', 'volumeName') === '' ? '' : textAt(object, 'status', 'capacity', 'storage'))),
  text('Access Modes', (object) =>
    textAt(object, 'spec', 'volumeName') === '' ? '' : accessModes(listAt(object, 'status', 'accessModes')),
  ),
  text('StorageClass', (object) => textAt(object, 'spec', 'storageClassName')),
  text('VolumeAttributesClass', (object) => textAt(object, 'spec', 'volumeAttributesClassName') || '<unset>'),
  ageColumn,
  wide(text('VolumeMode', (object) => textAt(object, 'spec', 'volumeMode') || '<unset>')),
];

export const volumeColumns: readonly Column[] = [
  nameColumn,
  text('Capacity', (object) => textAt(object, 'spec', 'capacity', 'storage')),
  text('Access Modes', (object) => accessModes(listAt(object, 'spec', 'accessModes'))),
  text('Reclaim Policy', (object) => textAt(object, 'spec', 'persistentVolumeReclaimPolicy')),
  text('Status', (object) => (textAt(object, 'metadata', 'deletionTimestamp') === '' ? textAt(object, 'status', 'phase') : 'Terminating')),
  text('Claim', (object) => {
    const name = textAt(object, 'spec', 'claimRef', 'name');
    return name === '' ? '' : `${textAt(object, 'spec', 'claimRef', 'namespace')}/${name}`;
  }),
  text('StorageClass', (object) => textAt(object, 'spec', 'storageClassName')),
  text('VolumeAttributesClass', (object) => textAt(object, 'spec', 'volumeAttributesClassName') || '<unset>'),
  text('Reason', (object) => textAt(object, 'status', 'reason')),
  ageColumn,
  wide(text('VolumeMode', (object) => textAt(object, 'spec', 'volumeMode') || '<unset>')),
];

export const leaseColumns: readonly Column[] = [
  nameColumn,
  text('Holder', (object) => textAt(object, 'spec', 'holderIdentity')),
  ageColumn,
];

export const bindingColumns: readonly Column[] = [
  nameColumn,
  text('Role', (object) => `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`),
  ageColumn,
  ...['Users', 'Groups', 'ServiceAccounts'].map((name) => wide(text(name, (object) => subjects(object, name.slice(0, -1))))),
];

export const networkPolicyColumns: readonly Column[] = [
  nameColumn,
  text('Pod-Selector', (object) => orNone(labelsText(objectAt(object, 'spec', 'podSelector', 'matchLabels')))),
  ageColumn,
];

function sizeOf(object: JsonObject, field: string): number {
  return Object.keys(objectAt(object, field)).length;
}

function nodeStatus(node: JsonObject): string {
  const ready = listAt(node, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Ready');
  const word = ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec', 'unschedulable') === true ? `${word},SchedulingDisabled` : word;
}

function nodeRoles(node: JsonObject): string {
  const roles = Object.entries(objectAt(node, 'metadata', 'labels')).flatMap(([key, value]) => {
    if (key.startsWith('node-role.kubernetes.io/')) return [key.slice('node-role.kubernetes.io/'.length)];
    return key === 'kubernetes.io/role' && value !== '' ? [shown(value)] : [];
  });
  return orNone(roles.sort().join(','));
}

function nodeAddress(node: JsonObject, type: string): string {
  const found = listAt(node, 'status', 'addresses').find((address) => textAt(address, 'type') === type);
  return orNone(textAt(found, 'address'));
}

function involved(event: JsonObject): string {
  const regarding = event['involvedObject'] ?? event['regarding'];
  const name = textAt(regarding, 'name');
  return name === '' ? textAt(regarding, 'kind').toLowerCase() : `${textAt(regarding, 'kind').toLowerCase()}/${name}`;
}

const MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function accessModes(modes: readonly unknown[]): string {
  return modes.map((mode) => MODES[String(mode)] ?? '').join(',');
}

function subjects(object: JsonObject, kind: string): string {
  const found = listAt(object, 'subjects').filter((subject) => textAt(subject, 'kind') === kind);
  return found
    .map((subject) => (kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/${textAt(subject, 'name')}` : textAt(subject, 'name')))
    .join(', ');
}
