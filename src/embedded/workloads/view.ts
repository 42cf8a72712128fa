import { controllerOf, formatApiVersion, isJsonObject, matchesLabelSelector, readLabelSelector } from '../../objects/index.ts';
import type { JsonObject, JsonValue, KubeObject, LabelSelector, ObjectMeta } from '../../objects/index.ts';
import { objectAt } from '../json-path.ts';
import { workloadTypes } from './workload-types.ts';
import type { WorkloadKind } from './workload-types.ts';

/** An object as the controllers read it. It is shared and never changed. */
export interface View {
  readonly kind: WorkloadKind;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly metadata: ObjectMeta;
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly json: JsonObject;
}

export function viewOf(kind: WorkloadKind, object: KubeObject): View {
  // The API's type of objects is narrower than JSON only in what it allows to be absent.
  const json = object as unknown as JsonObject;
  const { metadata } = object;
  return {
    kind,
    name: metadata.name ?? '',
    namespace: metadata.namespace ?? '',
    uid: metadata.uid ?? '',
    metadata,
    spec: objectAt(json, 'spec'),
    status: objectAt(json, 'status'),
    json,
  };
}

/** What the work queue calls an object. */
export function keyOf({ kind, namespace, name }: Pick<View, 'kind' | 'namespace' | 'name'>): string {
  return `${kind} ${namespace}/${name}`;
}

export function apiVersionOf(kind: WorkloadKind): string {
  return formatApiVersion(workloadTypes[kind]);
}

/** The reference with which an object says that this one controls it. */
export function controllerReference({ kind, name, uid }: View): JsonObject {
  return { apiVersion: apiVersionOf(kind), kind, name, uid, controller: true, blockOwnerDeletion: true };
}

export function controllerUid({ metadata }: View): string | undefined {
  return controllerOf(metadata)?.uid;
}

export function isLeaving({ metadata }: View): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function annotationOf({ metadata }: View, name: string): string | undefined {
  const { annotations } = metadata;
  return annotations !== undefined && Object.hasOwn(annotations, name) ? annotations[name] : undefined;
}

/** Objects are never changed, so that what was read of a selector once holds for as long as it lives. */
const selectors = new WeakMap<JsonObject, LabelSelector | undefined>();

/** Whether a label selector in the form that objects have selects a view; a selector that makes no sense selects nothing. */
export function isSelected(selector: JsonValue | undefined, { metadata }: View): boolean {
  if (!isJsonObject(selector)) return false;
  if (!selectors.has(selector)) selectors.set(selector, readSelector(selector));
  const known = selectors.get(selector);
  return known !== undefined && matchesLabelSelector(known, metadata.labels ?? {});
}

function readSelector(selector: JsonObject): LabelSelector | undefined {
  try {
    return readLabelSelector(selector);
  } catch {
    return undefined;
  }
}

/** Whether a view has all these labels; without any, none is selected, as it is with Services. */
export function hasLabels(labels: JsonObject, { metadata }: View): boolean {
  const wanted = Object.entries(labels);
  return wanted.length > 0 && wanted.every(([name, value]) => metadata.labels !== undefined && metadata.labels[name] === value);
}

/** Oldest first; of the same second, by name. */
export function byAge(left: View, right: View): number {
  return (
    compareTexts(String(left.metadata.creationTimestamp), String(right.metadata.creationTimestamp)) || compareTexts(left.name, right.name)
  );
}

export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** An object without the fields that are undefined: what the API would leave out. */
export function compact(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** Undefined for zero, which the API leaves out of most counts. */
export function positive(count: number): number | undefined {
  return count === 0 ? undefined : count;
}
