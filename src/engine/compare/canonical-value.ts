import { formatQuantity, isJsonArray, isJsonObject, parseQuantity, QuantityError } from '../../objects/index.ts';
import type { JsonObject, JsonValue, Schema } from '../../objects/index.ts';

/**
 * Optional fields in which nothing, zero, false and the empty text differ, because the API's types hold them apart: root is user 0, and a
 * claim of the class '' is not one of the default class. In all others an API stores zero as nothing.
 */
const ZERO_COUNTS: ReadonlySet<string> = new Set([
  'activeDeadlineSeconds',
  'allocateLoadBalancerNodePorts',
  'allowPrivilegeEscalation',
  'allowVolumeExpansion',
  'attachRequired',
  'automountServiceAccountToken',
  'averageUtilization',
  'backoffLimit',
  'backoffLimitPerIndex',
  'blockOwnerDeletion',
  'completions',
  'controller',
  'defaultMode',
  'enableServiceLinks',
  'expirationSeconds',
  'failedJobsHistoryLimit',
  'fsGroup',
  'gracePeriodSeconds',
  'hostUsers',
  'immutable',
  'ingressClassName',
  'loadBalancerClass',
  'maxFailedIndexes',
  'minReplicas',
  'mode',
  'optional',
  'parallelism',
  'partition',
  'podInfoOnMount',
  'priority',
  'privileged',
  'readOnlyRootFilesystem',
  'replicas',
  'requiresRepublish',
  'revisionHistoryLimit',
  'runAsGroup',
  'runAsNonRoot',
  'runAsUser',
  'runtimeClassName',
  'seLinuxMount',
  'setHostnameAsFQDN',
  'shareProcessNamespace',
  'stabilizationWindowSeconds',
  'startingDeadlineSeconds',
  'storageCapacity',
  'storageClassName',
  'successfulJobsHistoryLimit',
  'suspend',
  'terminationGracePeriodSeconds',
  'timeoutSeconds',
  'tolerationSeconds',
  'ttlSecondsAfterFinished',
  'unhealthyPodEvictionPolicy',
  'volumeAttributesClassName',
]);

/** The canonical spelling of every amount in a value; nothing else changes, and a value without any comes back as it is. */
export function canonicalQuantities(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (schema === undefined) return value;
  if (schema.quantity === true) return canonicalQuantity(value);
  if (isJsonArray(value)) {
    const { items } = schema;
    const mapped = items === undefined ? value : value.map((item) => canonicalQuantities(item, items));
    return mapped.some((item, index) => item !== value[index]) ? mapped : value;
  }
  if (!isJsonObject(value)) return value;
  let hasChanged = false;
  const entries = Object.entries(value).map(([name, child]): [string, JsonValue] => {
    const canonical = canonicalQuantities(child, childSchema(schema, name));
    hasChanged ||= canonical !== child;
    return [name, canonical];
  });
  return hasChanged ? Object.fromEntries(entries) : value;
}

function canonicalQuantity(value: JsonValue): JsonValue {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  try {
    return formatQuantity(parseQuantity(value));
  } catch (error) {
    // What is no amount is left to the API to refuse.
    if (error instanceof QuantityError) return value;
    throw error;
  }
}

/** What an API of built-in kinds would store of a value: nothings are gone, and so are optional zeros, empty lists and empty maps. */
export function withoutZeros(object: JsonObject, schema: Schema | undefined): JsonObject {
  const entries: [string, JsonValue][] = [];
  let hasChanged = false;
  for (const [name, child] of Object.entries(object)) {
    const property = schema?.properties?.get(name);
    const type = property ?? schema?.additionalProperties;
    const isMap = property === undefined && schema?.additionalProperties !== undefined;
    const isKept = schema === undefined || isMap || type === undefined || schema.required?.includes(name) === true;
    const stored = storedValue(child, type);
    const isDropped = (child === null && !isMap) || !(isKept || !isZero(stored, name, type));
    hasChanged ||= isDropped || stored !== child;
    if (!isDropped) entries.push([name, stored]);
  }
  return hasChanged ? Object.fromEntries(entries) : object;
}

/** What an API of custom kinds would store: a null is nothing, unless the kind's schema gives it a meaning. */
export function withoutNulls(object: JsonObject, schema: Schema | undefined): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const [name, child] of Object.entries(object)) {
    const type = schema && childSchema(schema, name);
    if (child === null && type?.nullable !== true) continue;
    entries.push([name, valueWithoutNulls(child, type)]);
  }
  return Object.fromEntries(entries);
}

function valueWithoutNulls(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (isJsonArray(value)) return value.map((item) => valueWithoutNulls(item, schema?.items));
  return isJsonObject(value) ? withoutNulls(value, schema) : value;
}

function storedValue(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (isJsonArray(value)) {
    const stored = value.map((item) => storedValue(item, schema?.items));
    return stored.some((item, index) => item !== value[index]) ? stored : value;
  }
  return isJsonObject(value) ? withoutZeros(value, schema) : value;
}

function isZero(value: JsonValue, name: string, schema: Schema): boolean {
  if (isJsonArray(value)) return value.length === 0;
  if (isJsonObject(value)) return schema.additionalProperties !== undefined && Object.keys(value).length === 0;
  return (value === '' || value === 0 || value === false) && !ZERO_COUNTS.has(name);
}

function childSchema(schema: Schema, name: string): Schema | undefined {
  return schema.properties?.get(name) ?? schema.additionalProperties;
}
