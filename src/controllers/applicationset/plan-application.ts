import { applicationType, type Application, type Operation } from '../../model/index.ts';
import { canonicalJson, controllerOf, createMergePatch } from '../../objects/index.ts';
import type { JsonObject, JsonValue, KubeObject, ObjectMeta, OwnerReference } from '../../objects/index.ts';
import { typedSpecOf, type DesiredApplication } from './desired-application.ts';
import type { Ignore } from './ignore-differences.ts';

export interface PlanRules {
  readonly namespace: string;
  readonly owner: OwnerReference;
  /** Annotations and labels whose live values stay. */
  readonly preservedAnnotations: ReadonlySet<string>;
  readonly preservedLabels: ReadonlySet<string>;
  readonly ignore: Ignore;
  /** A sync to begin with it. */
  readonly operation: Operation | undefined;
}

export type ApplicationPlan =
  | { readonly kind: 'keep' }
  | { readonly kind: 'create'; readonly object: KubeObject }
  /** A merge patch. */
  | { readonly kind: 'patch'; readonly body: JsonObject }
  | { readonly kind: 'refuse'; readonly message: string };

const deleteHookFinalizers = ['pre-delete-finalizer.argocd.argoproj.io', 'post-delete-finalizer.argocd.argoproj.io'];

/** What to write so that an application is as it should be; nothing where it already is. */
export function planApplication(desired: DesiredApplication, live: Application | undefined, rules: PlanRules): ApplicationPlan {
  if (live === undefined) return { kind: 'create', object: buildObject(desired, rules) };
  const { owner, namespace, operation } = rules;
  const metadata = live.metadata as unknown as ObjectMeta;
  const controller = controllerOf(metadata);
  if (controller !== undefined && controller.uid !== owner.uid) {
    const who = `Object ${namespace}/${desired.name} is already owned by another ${controller.kind} controller ${controller.name}`;
    return { kind: 'refuse', message: `error while wrapping using MutateFn: ${who}` };
  }
  const project = live.spec.project || 'default';
  // A set is no way to get at an application of a project that it has nothing to do with.
  if (controller === undefined && project !== desired.spec.project) {
    const who = `Object ${namespace}/${desired.name} belongs to no ApplicationSet, and is in project ${project}`;
    return { kind: 'refuse', message: `error while wrapping using MutateFn: ${who}` };
  }
  const before = rules.ignore(formOf(metadata, typedSpecOf(live)));
  const after = rules.ignore(formOf(withKept(desired, metadata, rules), desired.spec));
  const body: Record<string, JsonValue> = {};
  if (canonicalJson(before['spec'] ?? null) !== canonicalJson(after['spec'] ?? null)) {
    // The patch starts from what is stored, which may have more in it that says nothing.
    const stored = rules.ignore({ spec: toJson(live.spec) })['spec'];
    body['spec'] = createMergePatch(stored as JsonObject, after['spec'] as JsonObject);
  }
  const metadataPatch: Record<string, JsonValue> = {
    ...(createMergePatch((before['metadata'] ?? {}) as JsonObject, (after['metadata'] ?? {}) as JsonObject) as Record<string, JsonValue>),
  };
  if (controller === undefined) metadataPatch['ownerReferences'] = toJson([...(metadata.ownerReferences ?? []), owner]);
  if (operation !== undefined) body['operation'] = toJson(operation);
  const isChanged = Object.keys(body).length > 0 || Object.keys(metadataPatch).length > 0;
  if (!isChanged) return { kind: 'keep' };
  // Never one that was made anew under the same name.
  return { kind: 'patch', body: { ...body, metadata: { ...metadataPatch, ...(metadata.uid !== undefined && { uid: metadata.uid }) } } };
}

function buildObject(desired: DesiredApplication, { namespace, owner, operation }: PlanRules): KubeObject {
  const { name, labels, annotations, finalizers, spec } = desired;
  const { group, version, kind } = applicationType;
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: {
      name,
      namespace,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ...(finalizers.length > 0 && { finalizers }),
      ownerReferences: [owner],
    },
    spec: toJson(spec),
    ...(operation && { operation: toJson(operation) }),
  };
}

type Kept = Pick<DesiredApplication, 'labels' | 'annotations' | 'finalizers'>;

/** What others write to an application and what is theirs stays. */
function withKept(desired: DesiredApplication, live: ObjectMeta, rules: PlanRules): Kept {
  const kept = live.finalizers?.filter((one) => deleteHookFinalizers.some((prefix) => one.startsWith(prefix))) ?? [];
  return {
    labels: { ...desired.labels, ...pick(live.labels, rules.preservedLabels) },
    annotations: { ...desired.annotations, ...pick(live.annotations, rules.preservedAnnotations) },
    finalizers: [...desired.finalizers, ...kept.filter((one) => !desired.finalizers.includes(one))],
  };
}

function pick(values: Readonly<Record<string, string>> = {}, keys: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => keys.has(key)));
}

function formOf({ labels = {}, annotations = {}, finalizers = [] }: Partial<Kept>, spec: object): JsonObject {
  return { metadata: { labels, annotations, finalizers }, spec: toJson(spec) };
}

/** Through JSON, which has no fields that are undefined. */
function toJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
