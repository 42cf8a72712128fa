import { canonicalJson, isStatusError, jsonEquals } from '../../../objects/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import type { WorkResult } from '../../../kube/index.ts';
import { numberAt, objectAt, valueAt } from '../../json-path.ts';
import { adoptOrphans } from '../adopt-orphans.ts';
import { templateHash } from '../names.ts';
import { isActive } from '../pods/pod-facts.ts';
import { workloadSimulation } from '../simulation.ts';
import { annotationOf, controllerReference, isLeaving } from '../view.ts';
import type { View } from '../view.ts';
import { createObject, deleteObject, updateObject, updateStatus } from '../world.ts';
import type { World } from '../world.ts';
import * as facts from './deployment-facts.ts';
import type { Rollout } from './deployment-facts.ts';
import { initialReplicas, isScalingEvent, planProportions, planRecreateStep, planRollingStep } from './plan-scaling.ts';
import type { Scaling } from './plan-scaling.ts';
import { planDeploymentStatus } from './plan-status.ts';
import type { CurrentNews } from './plan-status.ts';

interface Round {
  readonly rollout: Rollout;
  readonly news: CurrentNews;
}

/** Moves a Deployment one step towards its template and its number of replicas, and says in its status how far it is. */
export async function reconcileDeployment(world: World, deployment: View): Promise<WorkResult> {
  await adoptOrphans(world, deployment, 'ReplicaSet');
  const readNow = (): Rollout => facts.readRollout(deployment, world.cache.dependents('ReplicaSet', deployment.uid));
  let round: Round = { rollout: readNow(), news: undefined };
  if (!isLeaving(deployment)) {
    round = await makeCurrent(world, round.rollout, readNow);
    await scale(world, round.rollout, planScalings(world, round.rollout));
    round = { ...round, rollout: readNow() };
  }
  return await writeStatus(world, round);
}

function isPaused({ deployment }: Rollout): boolean {
  return valueAt(deployment.spec, ['paused']) === true;
}

function planScalings(world: World, rollout: Rollout): readonly Scaling[] {
  const { current } = rollout;
  if (isPaused(rollout) || isScalingEvent(rollout)) return planProportions(rollout);
  if (!rollout.isRolling) return planRecreateStep(rollout, current, hasOldPods(world, rollout));
  return current === undefined ? [] : planRollingStep(rollout, current);
}

function hasOldPods({ cache }: World, { old }: Rollout): boolean {
  return old.some(({ uid }) => cache.dependents('Pod', uid).some((pod) => isActive(pod) || isLeaving(pod)));
}

/** Sees to it that there is a ReplicaSet of the present template, and that it has the highest revision. */
async function makeCurrent(world: World, rollout: Rollout, readNow: () => Rollout): Promise<Round> {
  const { current, old, isRolling } = rollout;
  const revision = String(Math.max(0, ...old.map(facts.revisionOf)) + 1);
  if (current !== undefined) return await refreshCurrent(world, rollout, { current, revision, readNow });
  if (isPaused(rollout)) return { rollout, news: undefined };
  const mustWait = !isRolling && (facts.wantedOf(old) > 0 || hasOldPods(world, rollout));
  if (mustWait) return { rollout, news: undefined };
  await createReplicaSet(world, rollout, revision);
  return { rollout: readNow(), news: 'created' };
}

interface CurrentInput {
  readonly current: View;
  readonly revision: string;
  readonly readNow: () => Rollout;
}

async function refreshCurrent(world: World, rollout: Rollout, { current, revision, readNow }: CurrentInput): Promise<Round> {
  const { deployment } = rollout;
  const known = annotationOf(current, facts.REVISION) ?? '0';
  const isOlder = Number(known) < Number(revision);
  const history = isOlder && known !== '0' ? [annotationOf(current, facts.REVISION_HISTORY), known].filter(Boolean).join(',') : undefined;
  const annotations = {
    ...current.metadata.annotations,
    ...facts.copiedAnnotations(deployment),
    ...(isOlder && { [facts.REVISION]: revision }),
    ...(history !== undefined && { [facts.REVISION_HISTORY]: history }),
  };
  if (jsonEquals(annotations, current.metadata.annotations ?? {})) return { rollout, news: undefined };
  await updateObject(world, current, { ...current.json, metadata: { ...objectAt(current.json, 'metadata'), annotations } });
  return { rollout: readNow(), news: isOlder ? 'found' : undefined };
}

async function createReplicaSet(world: World, rollout: Rollout, revision: string): Promise<void> {
  const { deployment } = rollout;
  const template = objectAt(deployment.spec, 'template');
  const hash = templateHash(template, collisionsOf(deployment) ?? 0);
  const labels = { ...objectAt(template, 'metadata', 'labels'), [facts.HASH_LABEL]: hash };
  const minReadySeconds = numberAt(deployment.spec, 'minReadySeconds') ?? 0;
  const selector = objectAt(deployment.spec, 'selector');
  const replicaSet: JsonObject = {
    metadata: {
      name: `${deployment.name}-${hash}`,
      namespace: deployment.namespace,
      labels,
      annotations: { ...facts.copiedAnnotations(deployment), ...facts.sizeAnnotations(rollout), [facts.REVISION]: revision },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: initialReplicas(rollout, undefined),
      ...(minReadySeconds > 0 && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...objectAt(selector, 'matchLabels'), [facts.HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...objectAt(template, 'metadata'), labels } },
    },
  };
  try {
    const created = await createObject(world, 'ReplicaSet', replicaSet);
    if (facts.wantedReplicas(created) > 0) tellScaling(world, deployment, created, { from: 0, to: facts.wantedReplicas(created) });
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error;
    await countCollision(world, deployment, `${deployment.name}-${hash}`, template);
  }
}

/** The name is taken: by our own, which the watch is about to tell of, or by another's, and then the next attempt takes another name. */
async function countCollision(world: World, deployment: View, name: string, template: JsonObject): Promise<void> {
  const taken = world.cache.get('ReplicaSet', deployment.namespace, name);
  const isOwn = taken?.metadata.ownerReferences?.some(({ uid }) => uid === deployment.uid) === true;
  if (isOwn && canonicalJson(objectAt(taken.spec, 'template', 'spec')) === canonicalJson(objectAt(template, 'spec'))) return;
  if (taken === undefined) return;
  await updateStatus(world, deployment, { ...deployment.status, collisionCount: (collisionsOf(deployment) ?? 0) + 1 });
}

function collisionsOf({ status }: View): number | undefined {
  return numberAt(status, 'collisionCount');
}

/** Scales, and notes on each ReplicaSet that has pods how many there may be now. */
async function scale(world: World, rollout: Rollout, scalings: readonly Scaling[]): Promise<void> {
  const sizes = facts.sizeAnnotations(rollout);
  for (const replicaSet of rollout.all) {
    const target = scalings.find((scaling) => scaling.replicaSet === replicaSet)?.replicas ?? facts.wantedReplicas(replicaSet);
    const isSized = target === 0 || Object.entries(sizes).every(([name, value]) => annotationOf(replicaSet, name) === value);
    if (isSized && target === facts.wantedReplicas(replicaSet)) continue;
    const metadata = { ...objectAt(replicaSet.json, 'metadata'), annotations: { ...replicaSet.metadata.annotations, ...sizes } };
    await updateObject(world, replicaSet, { ...replicaSet.json, metadata, spec: { ...replicaSet.spec, replicas: target } });
    const from = facts.wantedReplicas(replicaSet);
    if (from !== target) tellScaling(world, rollout.deployment, replicaSet, { from, to: target });
  }
}

function tellScaling({ events }: World, deployment: View, replicaSet: View, { from, to }: { from: number; to: number }): void {
  const message = `Scaled ${to > from ? 'up' : 'down'} replica set ${replicaSet.name} from ${from} to ${to}`;
  events.record(deployment, { type: 'Normal', reason: 'ScalingReplicaSet', message, component: 'deployment-controller' });
}

async function writeStatus(world: World, { rollout, news }: Round): Promise<WorkResult> {
  const { deployment, current } = rollout;
  const nowMs = world.clock.nowMs();
  const simulation = workloadSimulation(deployment);
  const collisionCount = collisionsOf(deployment);
  const { status, wakeInMs } = planDeploymentStatus({ rollout, simulation, news, currentName: current?.name, collisionCount, nowMs });
  const revision = current && annotationOf(current, facts.REVISION);
  const noted = annotationOf(deployment, facts.REVISION);
  if (revision !== undefined && revision !== noted) {
    // The status endpoint takes annotations too, and through it the generation does not count this as a change of the user's.
    const metadata = {
      ...objectAt(deployment.json, 'metadata'),
      annotations: { ...deployment.metadata.annotations, [facts.REVISION]: revision },
    };
    await updateStatus(world, { ...deployment, json: { ...deployment.json, metadata }, status: {} }, status);
  } else await updateStatus(world, deployment, status);
  if (facts.isComplete(rollout, status)) await trimHistory(world, rollout);
  return wakeInMs === undefined ? 'done' : { requeueAfterMs: wakeInMs };
}

/** Old ReplicaSets beyond the limit go, those of the lowest revisions first. */
async function trimHistory(world: World, { deployment, old }: Rollout): Promise<void> {
  const limit = numberAt(deployment.spec, 'revisionHistoryLimit') ?? 10;
  const isUnused = (replicaSet: View): boolean =>
    facts.wantedReplicas(replicaSet) === 0 &&
    facts.statusCount([replicaSet], 'replicas') === 0 &&
    (numberAt(replicaSet.status, 'observedGeneration') ?? 0) >= (replicaSet.metadata.generation ?? 0) &&
    !isLeaving(replicaSet);
  const candidates = old
    .filter((replicaSet) => !isLeaving(replicaSet))
    .toSorted((left, right) => facts.revisionOf(left) - facts.revisionOf(right));
  for (const replicaSet of candidates.slice(0, Math.max(candidates.length - limit, 0)))
    if (isUnused(replicaSet)) await deleteObject(world, replicaSet, { propagation: 'Background' });
}
