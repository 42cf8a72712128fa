import { formatTime, isJsonObject, parseTime } from '../../../objects/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import { listAt, numberAt, textAt, valueAt } from '../../json-path.ts';
import { findCondition } from '../conditions.ts';
import type { Simulation } from '../simulation.ts';
import { compact, positive } from '../view.ts';
import { isComplete, statusCount, wantedOf } from './deployment-facts.ts';
import type { Rollout } from './deployment-facts.ts';

/** What has happened to the new ReplicaSet in this round. */
export type CurrentNews = 'created' | 'found' | undefined;

export interface DeploymentStatusInput {
  readonly rollout: Rollout;
  readonly simulation: Simulation;
  readonly news: CurrentNews;
  /** The name of the new ReplicaSet, where there is one. */
  readonly currentName: string | undefined;
  readonly collisionCount: number | undefined;
  readonly nowMs: number;
}

export interface DeploymentStatusPlan {
  readonly status: JsonObject;
  /** Until the rollout has taken too long. */
  readonly wakeInMs?: number;
}

/** The status of a Deployment with the reasons and sentences that clients know. */
export function planDeploymentStatus(input: DeploymentStatusInput): DeploymentStatusPlan {
  const { rollout, nowMs, collisionCount } = input;
  const { deployment, all, current } = rollout;
  const available = statusCount(all, 'availableReplicas');
  const counts = compact({
    observedGeneration: deployment.metadata.generation,
    replicas: positive(statusCount(all, 'replicas')),
    updatedReplicas: positive(statusCount(current === undefined ? [] : [current], 'replicas')),
    readyReplicas: positive(statusCount(all, 'readyReplicas')),
    availableReplicas: positive(available),
    unavailableReplicas: positive(Math.max(wantedOf(all) - available, 0)),
    terminatingReplicas: statusCount(all, 'terminatingReplicas'),
    collisionCount,
  });
  const progressing = planProgressing(input, counts);
  const conditions = [planAvailable(input, available), progressing, planFailure(input)].filter((condition) => condition !== undefined);
  const status = { ...counts, conditions };
  const wakeInMs = progressing === undefined ? undefined : deadlineInMs(input, progressing, nowMs);
  return { status, ...(wakeInMs !== undefined && { wakeInMs }) };
}

function planAvailable(input: DeploymentStatusInput, available: number): JsonObject {
  const { replicas, maxUnavailable } = input.rollout;
  return available >= replicas - maxUnavailable
    ? condition(input, 'Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
    : condition(input, 'Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.');
}

/** Why a ReplicaSet gets no pods: the new one, or else any other. */
function planFailure(input: DeploymentStatusInput): JsonObject | undefined {
  const { current, old } = input.rollout;
  const failure = [...(current === undefined ? [] : [current]), ...old]
    .map((replicaSet) => findCondition(replicaSet, 'ReplicaFailure'))
    .find((found) => found?.['status'] === 'True');
  return failure && condition(input, 'ReplicaFailure', 'True', textAt(failure, 'reason'), textAt(failure, 'message'));
}

function planProgressing(input: DeploymentStatusInput, counts: JsonObject): JsonObject | undefined {
  const { rollout, simulation, news, currentName } = input;
  const { deployment } = rollout;
  const before = conditionOf(input, 'Progressing');
  const reason = textAt(before, 'reason');
  if (numberAt(deployment.spec, 'progressDeadlineSeconds') === undefined) return undefined;
  const isPaused = valueAt(deployment.spec, ['paused']) === true;
  if (isPaused) {
    if (reason === 'ProgressDeadlineExceeded') return before;
    return condition(input, 'Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused');
  }
  const subject = currentName === undefined ? `Deployment "${deployment.name}"` : `ReplicaSet "${currentName}"`;
  if (isComplete(rollout, counts))
    return condition(input, 'Progressing', 'True', 'NewReplicaSetAvailable', `${subject} has successfully progressed.`);
  if (isTimedOut(input, before))
    return condition(input, 'Progressing', 'False', 'ProgressDeadlineExceeded', `${subject} has timed out progressing.`);
  if (news === 'created')
    return condition(input, 'Progressing', 'True', 'NewReplicaSetCreated', `Created new replica set "${currentName ?? ''}"`);
  if (news === 'found' && before !== undefined && reason !== 'FoundNewReplicaSet')
    return condition(input, 'Progressing', 'True', 'FoundNewReplicaSet', `Found new replica set "${currentName ?? ''}"`);
  const isSettled = reason === 'NewReplicaSetAvailable' && counts['replicas'] === counts['updatedReplicas'];
  if (before !== undefined && isSettled) return before;
  if (hasProgressed(deployment.status, counts) || before === undefined) {
    const updated = condition(input, 'Progressing', 'True', 'ReplicaSetUpdated', `${subject} is progressing.`);
    return { ...updated, lastUpdateTime: formatTime(input.nowMs) };
  }
  if (reason === 'DeploymentPaused') return condition(input, 'Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed');
  return simulation.behavior === 'fail' && reason === 'NewReplicaSetAvailable'
    ? condition(input, 'Progressing', 'True', 'ReplicaSetUpdated', `${subject} is progressing.`)
    : before;
}

function hasProgressed(before: JsonObject, now: JsonObject): boolean {
  const count = (status: JsonObject, name: string): number => numberAt(status, name) ?? 0;
  const oldPods = (status: JsonObject): number => count(status, 'replicas') - count(status, 'updatedReplicas');
  return (
    count(now, 'updatedReplicas') > count(before, 'updatedReplicas') ||
    oldPods(now) < oldPods(before) ||
    count(now, 'readyReplicas') > count(before, 'readyReplicas') ||
    count(now, 'availableReplicas') > count(before, 'availableReplicas')
  );
}

/** A workload that is told to fail has waited long enough as soon as its own delay is over. */
function isTimedOut({ rollout, simulation, nowMs }: DeploymentStatusInput, before: JsonObject | undefined): boolean {
  const reason = textAt(before, 'reason');
  if (before === undefined) return false;
  if (reason === 'ProgressDeadlineExceeded') return !hasNewTemplate(rollout);
  const updatedMs = parseTime(textAt(before, 'lastUpdateTime')) ?? nowMs;
  if (simulation.behavior === 'fail') return updatedMs + simulation.delayMs <= nowMs;
  if (reason === 'NewReplicaSetAvailable') return false;
  return updatedMs + deadlineMs(rollout) <= nowMs;
}

/** A template that has not been looked at yet gets time of its own. */
function hasNewTemplate({ deployment }: Rollout): boolean {
  return (numberAt(deployment.status, 'observedGeneration') ?? 0) < (deployment.metadata.generation ?? 0);
}

function deadlineMs({ deployment }: Rollout): number {
  return (numberAt(deployment.spec, 'progressDeadlineSeconds') ?? 600) * 1_000;
}

function deadlineInMs({ rollout, simulation }: DeploymentStatusInput, progressing: JsonObject, nowMs: number): number | undefined {
  const reason = textAt(progressing, 'reason');
  if (['NewReplicaSetAvailable', 'ProgressDeadlineExceeded', 'DeploymentPaused'].includes(reason)) return undefined;
  const limitMs = simulation.behavior === 'fail' ? simulation.delayMs : deadlineMs(rollout);
  return Math.max((parseTime(textAt(progressing, 'lastUpdateTime')) ?? nowMs) + limitMs - nowMs, 1);
}

function conditionOf({ rollout }: DeploymentStatusInput, type: string): JsonObject | undefined {
  return listAt(rollout.deployment.status, 'conditions')
    .filter(isJsonObject)
    .find((other) => other['type'] === type);
}

function condition(input: DeploymentStatusInput, type: string, status: string, reason: string, message: string): JsonObject {
  const before = conditionOf(input, type);
  if (before?.['status'] === status && before['reason'] === reason && before['message'] === message) return before;
  const now = formatTime(input.nowMs);
  const lastTransitionTime = before?.['status'] === status ? (before['lastTransitionTime'] ?? now) : now;
  return { type, status, lastUpdateTime: now, lastTransitionTime, reason, message };
}
