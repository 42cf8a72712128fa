import { isJsonObject, objectAt, textAt, valueAt } from '../../objects/index.ts';
import type { JsonObject, JsonValue, KubeObject } from '../../objects/index.ts';
import { groupOf } from '../resource-key.ts';
import type { CompareRules } from './compare-rules.ts';
import { ignoreRulesFor, removePointers } from './ignore-differences.ts';
import { normalizeKnownTypes } from './known-types.ts';
import { removeJqPaths } from './remove-jq-paths.ts';

/** An object without what never counts in a comparison, and with what has two spellings in one of them. */
export function normalizeObject(object: KubeObject, rules: CompareRules): KubeObject {
  let result = withoutServerFields(object, rules);
  const kind = `${groupOf(object)}/${object.kind}`;
  if (kind === '/Secret') result = normalizeSecret(result);
  if (kind === 'rbac.authorization.k8s.io/Role' || kind === 'rbac.authorization.k8s.io/ClusterRole') result = normalizeRole(result, rules);
  if (kind === '/Endpoints') result = normalizeEndpoints(result);
  result = normalizeKnownTypes(result, rules.knownTypes);
  const ignored = ignoreRulesFor(object, rules);
  result = removePointers(
    result,
    ignored.flatMap(({ jsonPointers = [] }) => jsonPointers),
  );
  const expressions = ignored.flatMap(({ jqPathExpressions = [] }) => jqPathExpressions);
  return withMetadata(removeJqPaths(result, expressions, rules.project));
}

/** Whoever ignores all of the metadata, or writes something else there, still has an object. */
function withMetadata(object: KubeObject): KubeObject {
  return isJsonObject(object.metadata) ? object : { ...object, metadata: {} };
}

function withoutServerFields(object: KubeObject, { ignoreStatus }: CompareRules): KubeObject {
  const { creationTimestamp: _created, managedFields: _owners, ...metadata } = object.metadata;
  const isDefinition = object.kind === 'CustomResourceDefinition' && groupOf(object) === 'apiextensions.k8s.io';
  if (ignoreStatus === 'none' || (ignoreStatus === 'crd' && !isDefinition)) return { ...object, metadata };
  const { status: _status, ...rest } = object;
  return { ...rest, metadata } as KubeObject;
}

/** The plain form of data is only a way to write it: the API stores the encoded one. */
export function normalizeSecret(secret: KubeObject): KubeObject {
  const { stringData, data, ...rest } = secret;
  if (!isJsonObject(stringData) && data === undefined) return secret;
  const texts = isJsonObject(stringData) ? Object.entries(stringData).map(([name, text]) => [name, encodeText(text)] as const) : [];
  const own = isJsonObject(data) ? Object.entries(data).map(([name, value]) => [name, value ?? ''] as const) : [];
  return { ...rest, data: Object.fromEntries([...own, ...texts]) } as KubeObject;
}

function encodeText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  return Buffer.from(text, 'utf8').toString('base64');
}

function normalizeRole(role: KubeObject, { ignoreAggregatedRoles }: CompareRules): KubeObject {
  const isAggregated = ignoreAggregatedRoles && isJsonObject(role['aggregationRule']);
  const rules = role['rules'];
  const isEmpty = rules === undefined || rules === null || (Array.isArray(rules) && rules.length === 0);
  return isAggregated || isEmpty ? { ...role, rules: null } : role;
}

/** The order of addresses says nothing. */
function normalizeEndpoints(endpoints: KubeObject): KubeObject {
  const subsets = endpoints['subsets'];
  if (!Array.isArray(subsets)) return endpoints;
  const sorted = (subsets as readonly JsonValue[])
    .filter(isJsonObject)
    .map((subset) => ({
      ...subset,
      ...sortedList(subset, 'addresses'),
      ...sortedList(subset, 'notReadyAddresses'),
      ...sortedList(subset, 'ports'),
    }))
    .sort((left, right) => compareJsonTexts(left, right));
  return { ...endpoints, subsets: sorted };
}

function sortedList(subset: JsonObject, name: string): JsonObject {
  const list = valueAt(subset, [name]);
  if (!Array.isArray(list)) return {};
  const items = (list as readonly JsonValue[])
    .filter(isJsonObject)
    .map((item) => (name === 'ports' && textAt(item, 'protocol') === '' ? { ...item, protocol: 'TCP' } : item));
  return { [name]: items.sort(compareJsonTexts) };
}

function compareJsonTexts(left: JsonObject, right: JsonObject): number {
  const [own, other] = [JSON.stringify(left), JSON.stringify(right)];
  return own < other ? -1 : Number(own > other);
}

/** What was applied last, as the object itself records it; undefined where it records nothing that can be read. */
export function lastAppliedOf(live: KubeObject): KubeObject | undefined {
  const text = textAt(
    objectAt(live as unknown as JsonObject, 'metadata', 'annotations'),
    'kubectl.kubernetes.io/last-applied-configuration',
  );
  if (text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && isJsonObject(value['metadata']) ? (value as unknown as KubeObject) : undefined;
  } catch {
    // A user may write anything into an annotation; what is no JSON records nothing.
    return undefined;
  }
}
