import { jsonEquals, scaleIntOrPercent } from '../../../objects/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import { numberAt, objectAt, textAt, withValueAt } from '../../json-path.ts';
import { annotationOf, byAge } from '../view.ts';
import type { View } from '../view.ts';

export const HASH_LABEL = 'pod-template-hash';
export const REVISION = 'deployment.kubernetes.io/revision';
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';
/** Annotations of a Deployment that its ReplicaSets do not get. */
const OWN_ANNOTATIONS = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  'deprecated.deployment.rollback.to',
]);

/** A Deployment and its ReplicaSets, sorted out. */
export interface Rollout {
  readonly deployment: View;
  /** The one whose template is the Deployment's; the oldest of several. */
  readonly current: View | undefined;
  /** All others, oldest first. */
  readonly old: readonly View[];
  readonly all: readonly View[];
  readonly replicas: number;
  readonly isRolling: boolean;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

export function readRollout(deployment: View, replicaSets: readonly View[]): Rollout {
  const all = replicaSets.toSorted(byAge);
  const template = objectAt(deployment.spec, 'template');
  const current = all.find((replicaSet) => jsonEquals(plainTemplate(replicaSet), template));
  const replicas = numberAt(deployment.spec, 'replicas') ?? 1;
  const isRolling = textAt(deployment.spec, 'strategy', 'type') !== 'Recreate';
  const rolling = objectAt(deployment.spec, 'strategy', 'rollingUpdate');
  const share = (name: string, rounding: 'up' | 'down'): number => {
    const { [name]: value } = rolling;
    if (typeof value !== 'number' && typeof value !== 'string') return 0;
    return Math.max(scaleIntOrPercent(value, replicas, rounding) ?? 0, 0);
  };
  const [maxSurge, unavailable] = isRolling ? [share('maxSurge', 'up'), share('maxUnavailable', 'down')] : [0, 0];
  // With neither, nothing could ever move.
  const maxUnavailable = isRolling && maxSurge === 0 && unavailable === 0 ? 1 : Math.min(unavailable, replicas);
  return { deployment, current, old: all.filter((other) => other !== current), all, replicas, isRolling, maxSurge, maxUnavailable };
}

/** A ReplicaSet's template without the label that tells it from its siblings. */
function plainTemplate({ spec }: View): JsonObject {
  return withValueAt(objectAt(spec, 'template'), ['metadata', 'labels', HASH_LABEL], undefined);
}

export function wantedReplicas({ spec }: View): number {
  return numberAt(spec, 'replicas') ?? 1;
}

export function statusCount(replicaSets: readonly View[], name: string): number {
  return replicaSets.reduce((total, { status }) => total + (numberAt(status, name) ?? 0), 0);
}

export function wantedOf(replicaSets: readonly View[]): number {
  return replicaSets.reduce((total, replicaSet) => total + wantedReplicas(replicaSet), 0);
}

export function revisionOf(view: View): number {
  const revision = Number(annotationOf(view, REVISION) ?? 0);
  return Number.isSafeInteger(revision) && revision > 0 ? revision : 0;
}

/** The annotations of a Deployment that its newest ReplicaSet gets too. */
export function copiedAnnotations({ metadata }: View): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => !OWN_ANNOTATIONS.has(name)));
}

/** How many pods there may be in all, as the ReplicaSets note it for later proportions. */
export function sizeAnnotations({ replicas, maxSurge }: Rollout): Readonly<Record<string, string>> {
  return { [DESIRED_REPLICAS]: String(replicas), [MAX_REPLICAS]: String(replicas + maxSurge) };
}

export function isComplete({ deployment, replicas }: Rollout, status: JsonObject): boolean {
  const count = (name: string): number => numberAt(status, name) ?? 0;
  return (
    count('updatedReplicas') === replicas &&
    count('replicas') === replicas &&
    count('availableReplicas') === replicas &&
    count('observedGeneration') >= (deployment.metadata.generation ?? 0)
  );
}
