import { forbiddenValue, invalidValue, isJsonObject, jsonEquals, requiredValue } from '../../objects/index.ts';
import type { FieldError, JsonObject, JsonValue } from '../../objects/index.ts';
import { listAt, numberAt, objectAt, textAt, valueAt } from '../json-path.ts';
import { duplicate, unsupported, validatePort } from './pod-spec.ts';

const CONFIG_KEY = /^[-._a-zA-Z0-9]+$/;
const CONFIG_KEY_SENTENCE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const CONFIG_KEY_LENGTH_MAX = 253;
const IMMUTABLE_SENTENCE = 'field is immutable when `immutable` is set';
const SIZE_BYTES_MAX = 1024 * 1024;
const SERVICE_TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const CLAIM_SENTENCE = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** Data that each Secret of a type must have. */
const SECRET_KEYS = new Map<string, readonly string[]>([
  ['kubernetes.io/tls', ['tls.crt', 'tls.key']],
  ['kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
  ['kubernetes.io/dockercfg', ['.dockercfg']],
  ['kubernetes.io/ssh-auth', ['ssh-privatekey']],
]);

export function validateConfigMap(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  const binary = objectAt(object, 'binaryData');
  const duplicates = Object.keys(objectAt(object, 'data')).filter((key) => Object.hasOwn(binary, key));
  return [
    ...validateKeys(object, 'data'),
    ...validateKeys(object, 'binaryData'),
    ...duplicates.map((key) => invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...validateSize(textBytes(object, 'data') + decodedBytes(object, 'binaryData'), '[]'),
    ...validateFrozen(object, before, ['data', 'binaryData']),
  ];
}

export function validateSecret(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  const data = objectAt(object, 'data');
  const needed = SECRET_KEYS.get(textAt(object, 'type')) ?? [];
  const isTypeChanged = before !== undefined && before['type'] !== object['type'];
  return [
    ...validateKeys(object, 'data'),
    ...validateSize(decodedBytes(object, 'data'), 'data'),
    ...needed.filter((key) => !Object.hasOwn(data, key)).map((key) => requiredValue(`data[${key}]`)),
    ...(isTypeChanged ? [invalidValue('type', object['type'] ?? '', 'field is immutable')] : []),
    ...validateFrozen(object, before, ['data']),
  ];
}

function validateKeys(object: JsonObject, field: string): readonly FieldError[] {
  return Object.keys(objectAt(object, field)).flatMap((key) => [
    ...(CONFIG_KEY.test(key) ? [] : [invalidValue(`${field}[${key}]`, key, CONFIG_KEY_SENTENCE)]),
    ...(key.length > CONFIG_KEY_LENGTH_MAX
      ? [invalidValue(`${field}[${key}]`, key, `must be no more than ${CONFIG_KEY_LENGTH_MAX} characters`)]
      : []),
  ]);
}

function textBytes(object: JsonObject, field: string): number {
  return sizeOf(object, field, (text) => Buffer.byteLength(text));
}

/** Of what is written in base64, which may have line ends in it. */
function decodedBytes(object: JsonObject, field: string): number {
  return sizeOf(object, field, (text) => Buffer.byteLength(text.replaceAll(/[\r\n]/g, ''), 'base64'));
}

function sizeOf(object: JsonObject, field: string, bytesOf: (text: string) => number): number {
  return Object.values(objectAt(object, field)).reduce<number>((sum, value) => sum + (typeof value === 'string' ? bytesOf(value) : 0), 0);
}

function validateSize(sizeBytes: number, field: string): readonly FieldError[] {
  if (sizeBytes <= SIZE_BYTES_MAX) return [];
  return [{ reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${SIZE_BYTES_MAX} bytes` }];
}

function validateFrozen(object: JsonObject, before: JsonObject | undefined, fields: readonly string[]): readonly FieldError[] {
  if (before?.['immutable'] !== true) return [];
  return [
    ...(object['immutable'] === true ? [] : [forbiddenValue('immutable', IMMUTABLE_SENTENCE)]),
    ...fields
      .filter((field) => !jsonEquals(objectAt(object, field), objectAt(before, field)))
      .map((field) => forbiddenValue(field, IMMUTABLE_SENTENCE)),
  ];
}

export function validateService(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  const spec = objectAt(object, 'spec');
  const ports = listAt(spec, 'ports');
  const isHeadless = spec['clusterIP'] === 'None';
  const type = textAt(spec, 'type');
  const names = ports.map((port) => textAt(port, 'name'));
  return [
    ...(ports.length === 0 && !isHeadless && type !== 'ExternalName' ? [requiredValue('spec.ports')] : []),
    ...(type === '' || SERVICE_TYPES.includes(type) ? [] : [unsupported('spec.type', type, SERVICE_TYPES)]),
    ...(type === 'ExternalName' && textAt(spec, 'externalName') === '' ? [requiredValue('spec.externalName')] : []),
    ...ports.flatMap((port, index) => {
      const path = `spec.ports[${index}]`;
      const target = valueAt(port, ['targetPort']);
      const name = names[index] ?? '';
      return [
        ...(ports.length > 1 && name === '' ? [requiredValue(`${path}.name`)] : []),
        ...(name !== '' && names.indexOf(name) !== index ? [duplicate(`${path}.name`, name)] : []),
        ...validatePort(numberAt(port, 'port') ?? 0, `${path}.port`),
        ...(typeof target === 'number' ? validatePort(target, `${path}.targetPort`) : []),
      ];
    }),
    ...validateAddress(spec, before),
  ];
}

function validateAddress(spec: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  const old = textAt(before, 'spec', 'clusterIP');
  const changesType = textAt(before, 'spec', 'type') === 'ExternalName' || spec['type'] === 'ExternalName';
  if (old === '' || changesType || spec['clusterIP'] === old) return [];
  return [invalidValue('spec.clusterIPs[0]', spec['clusterIPs'] ?? null, 'may not change once set')];
}

export function validatePersistentVolumeClaim(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  if (before !== undefined)
    return isClaimKept(objectAt(object, 'spec'), objectAt(before, 'spec')) ? [] : [forbiddenValue('spec', CLAIM_SENTENCE)];
  return [
    ...(listAt(object, 'spec', 'accessModes').length === 0
      ? [requiredValue('spec.accessModes', 'at least 1 access mode is required')]
      : []),
    ...(valueAt(object, ['spec', 'resources', 'requests', 'storage']) === undefined ? [requiredValue('spec.resources[storage]')] : []),
  ];
}

/** What names no volume or class yet may get one: that is how a claim is bound. */
function isClaimKept(spec: JsonObject, old: JsonObject): boolean {
  const fixed = (state: JsonObject): JsonObject => {
    const { volumeAttributesClassName: _class, resources, volumeName, storageClassName, ...rest } = state;
    const { requests: _requests, ...limits } = isJsonObject(resources) ? resources : {};
    return {
      ...rest,
      resources: limits,
      ...(volumeName !== undefined && textAt(old, 'volumeName') !== '' && { volumeName }),
      ...(storageClassName !== undefined && old['storageClassName'] !== undefined && { storageClassName }),
    };
  };
  return jsonEquals(fixed(spec), fixed(old));
}

export function validateLease(object: JsonObject): readonly FieldError[] {
  const [seconds, transitions] = [numberAt(object, 'spec', 'leaseDurationSeconds'), numberAt(object, 'spec', 'leaseTransitions')];
  return [
    ...(seconds !== undefined && seconds <= 0 ? [invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0')] : []),
    ...(transitions !== undefined && transitions < 0
      ? [invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
      : []),
  ];
}

export function validateRole(object: JsonObject): readonly FieldError[] {
  return listAt(object, 'rules').flatMap((rule, index) => {
    const isEmpty = (name: string): boolean => listAt(rule, name).length === 0;
    const path = `rules[${index}]`;
    return [
      ...(isEmpty('verbs') ? [requiredValue(`${path}.verbs`, 'verbs must contain at least one value')] : []),
      ...(isEmpty('nonResourceURLs') && isEmpty('apiGroups')
        ? [requiredValue(`${path}.apiGroups`, 'resource rules must supply at least one api group')]
        : []),
      ...(isEmpty('nonResourceURLs') && isEmpty('resources')
        ? [requiredValue(`${path}.resources`, 'resource rules must supply at least one resource')]
        : []),
    ];
  });
}

export function validateIngress(object: JsonObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec');
  if (spec['defaultBackend'] !== undefined || listAt(spec, 'rules').length > 0) return listAt(spec, 'rules').flatMap(validateIngressRule);
  return [invalidValue('spec', null, 'either `defaultBackend` or `rules` must be specified')];
}

function validateIngressRule(rule: JsonValue, index: number): readonly FieldError[] {
  return listAt(rule, 'http', 'paths').flatMap((entry, place) => {
    const path = textAt(entry, 'path');
    const isFree = textAt(entry, 'pathType') === 'ImplementationSpecific' && path === '';
    if (isFree || path.startsWith('/')) return [];
    return [invalidValue(`spec.rules[${index}].http.paths[${place}].path`, path, 'must be an absolute path')];
  });
}

export function validateHorizontalPodAutoscaler(object: JsonObject): readonly FieldError[] {
  const max = numberAt(object, 'spec', 'maxReplicas') ?? 0;
  const min = numberAt(object, 'spec', 'minReplicas') ?? 1;
  return [
    ...(max < 1 ? [requiredValue('spec.maxReplicas', 'must be set and greater than 0')] : []),
    ...(max < min ? [invalidValue('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`')] : []),
    ...['kind', 'name']
      .filter((name) => textAt(object, 'spec', 'scaleTargetRef', name) === '')
      .map((name) => requiredValue(`spec.scaleTargetRef.${name}`)),
  ];
}

export function validateRoleBinding(object: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  const role = objectAt(object, 'roleRef');
  const kinds = object['kind'] === 'RoleBinding' ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const kind = textAt(role, 'kind');
  return [
    ...(kinds.includes(kind) ? [] : [unsupported('roleRef.kind', kind, kinds)]),
    ...(textAt(role, 'name') === '' ? [requiredValue('roleRef.name')] : []),
    ...(before !== undefined && !jsonEquals(role, objectAt(before, 'roleRef'))
      ? [invalidValue('roleRef', goRole(role), 'cannot change roleRef')]
      : []),
  ];
}

/** The API server quotes a role by the names that its fields have in Go. */
function goRole(role: JsonObject): JsonObject {
  return { APIGroup: textAt(role, 'apiGroup'), Kind: textAt(role, 'kind'), Name: textAt(role, 'name') };
}
