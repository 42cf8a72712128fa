import type { JsonObject } from '../../../objects/index.ts';
import { numberAt, objectAt, textAt } from '../../json-path.ts';
import { hasEnded, isAvailable, isReady, nextAvailableInMs } from '../pods/pod-facts.ts';
import { BURST_MAX } from '../room.ts';
import { compact, isLeaving, positive } from '../view.ts';
import type { View } from '../view.ts';

export const REVISION_LABEL = 'controller-revision-hash';

export interface StatefulSetInput {
  readonly set: View;
  readonly pods: readonly View[];
  /** The name of the revision of the present template. */
  readonly updateRevision: string;
  readonly nowMs: number;
}

export interface StatefulSetPlan {
  readonly create: readonly { readonly ordinal: number; readonly revision: string }[];
  readonly remove: readonly View[];
  readonly status: JsonObject;
  readonly wakeInMs?: number;
}

interface Shape {
  readonly first: number;
  readonly replicas: number;
  readonly isOrdered: boolean;
  /** Ordinals below it stay at the current revision. */
  readonly partition: number;
  readonly currentRevision: string;
  readonly byOrdinal: ReadonlyMap<number, View>;
}

/** The next pods to come and go: in order, each only when those before it are ready, unless the set says that it may be at once. */
export function planStatefulSet(input: StatefulSetInput): StatefulSetPlan {
  const { set, pods, nowMs } = input;
  const shape = readShape(input);
  const status = planStatus(input, shape);
  const minReadySeconds = numberAt(set.spec, 'minReadySeconds') ?? 0;
  const wakeInMs = nextAvailableInMs(pods, minReadySeconds, nowMs);
  const more = wakeInMs === undefined ? {} : { wakeInMs };
  if (isLeaving(set)) return { create: [], remove: [], status };
  const growth = planGrowth(input, shape);
  if (!growth.isSettled) return { create: growth.create, remove: growth.remove, status, ...more };
  const condemned = planShrink(shape);
  if (condemned.length > 0 || hasCondemned(shape)) return { create: [], remove: condemned, status, ...more };
  return { create: [], remove: planUpdate(input, shape), status, ...more };
}

function readShape({ set, pods, updateRevision }: StatefulSetInput): Shape {
  const first = numberAt(set.spec, 'ordinals', 'start') ?? 0;
  const isRolling = textAt(set.spec, 'updateStrategy', 'type') !== 'OnDelete';
  const partition = isRolling ? (numberAt(set.spec, 'updateStrategy', 'rollingUpdate', 'partition') ?? 0) : 0;
  const byOrdinal = new Map(
    pods.map((pod) => [ordinalOf(set, pod), pod]).filter((entry): entry is [number, View] => entry[0] !== undefined),
  );
  return {
    first,
    replicas: numberAt(set.spec, 'replicas') ?? 1,
    isOrdered: textAt(set.spec, 'podManagementPolicy') !== 'Parallel',
    partition: first + partition,
    currentRevision: textAt(set.status, 'currentRevision') || updateRevision,
    byOrdinal,
  };
}

export function ordinalOf(set: View, { name }: View): number | undefined {
  const suffix = name.startsWith(`${set.name}-`) ? name.slice(set.name.length + 1) : '';
  return /^\d{1,10}$/.test(suffix) ? Number(suffix) : undefined;
}

function planGrowth(
  { updateRevision }: StatefulSetInput,
  shape: Shape,
): Pick<StatefulSetPlan, 'create' | 'remove'> & { readonly isSettled: boolean } {
  const { first, replicas, isOrdered, partition, currentRevision, byOrdinal } = shape;
  const create: { ordinal: number; revision: string }[] = [];
  const remove: View[] = [];
  for (let ordinal = first; ordinal < first + replicas; ordinal += 1) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) create.push({ ordinal, revision: ordinal < partition ? currentRevision : updateRevision });
    else if (hasEnded(pod) && !isLeaving(pod)) remove.push(pod);
    const isHealthy = pod !== undefined && isReady(pod) && !isLeaving(pod) && !hasEnded(pod);
    if (isOrdered && !isHealthy) return { create, remove, isSettled: isStuckOnOldRevision(pod, updateRevision, ordinal, partition) };
    // The rest has its turn when these are there: a set may want more than any list can hold.
    if (create.length + remove.length >= BURST_MAX) break;
  }
  return { create, remove, isSettled: create.length === 0 && remove.length === 0 };
}

/** A pod of an older revision that does not become ready would hold up for ever the very update that could mend it. */
function isStuckOnOldRevision(pod: View | undefined, updateRevision: string, ordinal: number, partition: number): boolean {
  return pod !== undefined && !isLeaving(pod) && !hasEnded(pod) && ordinal >= partition && revisionOf(pod) !== updateRevision;
}

function hasCondemned({ byOrdinal, first, replicas }: Shape): boolean {
  return [...byOrdinal.keys()].some((ordinal) => ordinal < first || ordinal >= first + replicas);
}

function planShrink({ byOrdinal, first, replicas, isOrdered }: Shape): readonly View[] {
  const condemned = [...byOrdinal]
    .filter(([ordinal]) => ordinal < first || ordinal >= first + replicas)
    .toSorted(([left], [right]) => right - left);
  const candidates = (isOrdered ? condemned.slice(0, 1) : condemned).map(([, pod]) => pod);
  return candidates.filter((pod) => !isLeaving(pod));
}

/** From the highest ordinal down, one at a time. */
function planUpdate({ set, updateRevision }: StatefulSetInput, { byOrdinal, first, replicas, partition }: Shape): readonly View[] {
  if (textAt(set.spec, 'updateStrategy', 'type') === 'OnDelete') return [];
  for (let ordinal = first + replicas - 1; ordinal >= Math.max(partition, first); ordinal -= 1) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined || isLeaving(pod)) return [];
    if (revisionOf(pod) !== updateRevision) return [pod];
    if (!isReady(pod)) return [];
  }
  return [];
}

function revisionOf({ metadata }: View): string {
  return metadata.labels?.[REVISION_LABEL] ?? '';
}

function planStatus({ set, pods, updateRevision, nowMs }: StatefulSetInput, { currentRevision, byOrdinal }: Shape): JsonObject {
  const own = [...byOrdinal.values()];
  const minReadySeconds = numberAt(set.spec, 'minReadySeconds') ?? 0;
  const ofRevision = (revision: string): number => own.filter((pod) => revisionOf(pod) === revision && !isLeaving(pod)).length;
  const readyReplicas = own.filter((pod) => isReady(pod) && !isLeaving(pod)).length;
  const updatedReplicas = ofRevision(updateRevision);
  const isRolling = textAt(set.spec, 'updateStrategy', 'type') !== 'OnDelete';
  // All pods are of the new revision and ready: it is the current one from now on.
  const isDone =
    isRolling && updatedReplicas === pods.length && readyReplicas === pods.length && pods.length === (numberAt(set.spec, 'replicas') ?? 1);
  const current = isDone ? updateRevision : currentRevision;
  return compact({
    observedGeneration: set.metadata.generation,
    replicas: own.length,
    readyReplicas: positive(readyReplicas),
    availableReplicas: own.filter((pod) => isAvailable(pod, minReadySeconds, nowMs) && !isLeaving(pod)).length,
    currentReplicas: positive(ofRevision(current)),
    updatedReplicas: positive(updatedReplicas),
    currentRevision: current,
    updateRevision,
    collisionCount: 0,
  });
}

/** The claims of a pod, from the set's templates. */
export function claimsOf(set: View, podName: string): readonly { readonly volume: string; readonly claim: JsonObject }[] {
  const templates = set.spec['volumeClaimTemplates'];
  return (Array.isArray(templates) ? templates : []).map((template: JsonObject) => {
    const volume = textAt(template, 'metadata', 'name');
    const labels = { ...objectAt(template, 'metadata', 'labels'), ...objectAt(set.spec, 'selector', 'matchLabels') };
    const annotations = objectAt(template, 'metadata', 'annotations');
    const metadata = {
      name: `${volume}-${podName}`,
      namespace: set.namespace,
      labels,
      ...(Object.keys(annotations).length > 0 && { annotations }),
    };
    return { volume, claim: { metadata, spec: objectAt(template, 'spec') } };
  });
}
