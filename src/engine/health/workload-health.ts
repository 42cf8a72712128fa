import { numberAt, textAt, valueAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { findCondition, health } from './condition.ts';
import type { Health } from './health-status.ts';

/** The controller has not seen the object as it is now. */
function isUnobserved(object: JsonObject): boolean {
  return (numberAt(object, 'metadata', 'generation') ?? 0) > (numberAt(object, 'status', 'observedGeneration') ?? 0);
}

const count = (object: JsonObject, name: string): number => numberAt(object, 'status', name) ?? 0;

export function deploymentHealth(deployment: JsonObject): Health {
  if (valueAt(deployment, ['spec', 'paused']) === true) return health('Suspended', 'Deployment is paused');
  if (isUnobserved(deployment))
    return health('Progressing', 'Waiting for rollout to finish: observed deployment generation less than desired generation');
  if (findCondition(deployment, 'Progressing')?.reason === 'ProgressDeadlineExceeded')
    return health('Degraded', `Deployment ${JSON.stringify(textAt(deployment, 'metadata', 'name'))} exceeded its progress deadline`);
  const wanted = numberAt(deployment, 'spec', 'replicas');
  const [replicas, updated, available] = [
    count(deployment, 'replicas'),
    count(deployment, 'updatedReplicas'),
    count(deployment, 'availableReplicas'),
  ];
  if (wanted !== undefined && updated < wanted)
    return health('Progressing', `Waiting for rollout to finish: ${updated} out of ${wanted} new replicas have been updated...`);
  if (replicas > updated)
    return health('Progressing', `Waiting for rollout to finish: ${replicas - updated} old replicas are pending termination...`);
  if (available < updated)
    return health('Progressing', `Waiting for rollout to finish: ${available} of ${updated} updated replicas are available...`);
  return health('Healthy');
}

export function replicaSetHealth(replicaSet: JsonObject): Health {
  if (isUnobserved(replicaSet))
    return health('Progressing', 'Waiting for rollout to finish: observed replica set generation less than desired generation');
  const failure = findCondition(replicaSet, 'ReplicaFailure');
  if (failure?.status === 'True') return health('Degraded', failure.message);
  const wanted = numberAt(replicaSet, 'spec', 'replicas');
  const available = count(replicaSet, 'availableReplicas');
  if (wanted !== undefined && available < wanted)
    return health('Progressing', `Waiting for rollout to finish: ${available} out of ${wanted} new replicas are available...`);
  return health('Healthy');
}

export function statefulSetHealth(set: JsonObject): Health {
  if (count(set, 'observedGeneration') === 0 || isUnobserved(set))
    return health('Progressing', 'Waiting for statefulset spec update to be observed...');
  const wanted = numberAt(set, 'spec', 'replicas');
  const [ready, updated] = [count(set, 'readyReplicas'), count(set, 'updatedReplicas')];
  if (wanted !== undefined && ready < wanted) return health('Progressing', `Waiting for ${wanted - ready} pods to be ready...`);
  const strategy = textAt(set, 'spec', 'updateStrategy', 'type');
  if (strategy === 'RollingUpdate' && valueAt(set, ['spec', 'updateStrategy', 'rollingUpdate']) !== undefined) {
    const partition = numberAt(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition');
    if (wanted !== undefined && partition !== undefined && updated < wanted - partition) {
      const progress = `${updated} out of ${wanted - partition} new pods have been updated...`;
      return health('Progressing', `Waiting for partitioned roll out to finish: ${progress}`);
    }
    return health('Healthy', `partitioned roll out complete: ${updated} new pods have been updated...`);
  }
  if (strategy === 'OnDelete') return health('Healthy', `statefulset has ${ready} ready pods`);
  const [updateRevision, currentRevision] = [textAt(set, 'status', 'updateRevision'), textAt(set, 'status', 'currentRevision')];
  if (updateRevision !== currentRevision)
    return health('Progressing', `waiting for statefulset rolling update to complete ${updated} pods at revision ${updateRevision}...`);
  const current = count(set, 'currentReplicas');
  return health('Healthy', `statefulset rolling update complete ${current} pods at revision ${currentRevision}...`);
}

export function daemonSetHealth(set: JsonObject): Health {
  if (isUnobserved(set))
    return health('Progressing', 'Waiting for rollout to finish: observed daemon set generation less than desired generation');
  const [updated, wanted] = [count(set, 'updatedNumberScheduled'), count(set, 'desiredNumberScheduled')];
  if (textAt(set, 'spec', 'updateStrategy', 'type') === 'OnDelete')
    return health('Healthy', `daemon set ${updated} out of ${wanted} new pods have been updated`);
  const waiting = `Waiting for daemon set ${JSON.stringify(textAt(set, 'metadata', 'name'))} rollout to finish`;
  if (updated < wanted) return health('Progressing', `${waiting}: ${updated} out of ${wanted} new pods have been updated...`);
  const available = count(set, 'numberAvailable');
  if (available < wanted) return health('Progressing', `${waiting}: ${available} of ${wanted} updated pods are available...`);
  return health('Healthy');
}
