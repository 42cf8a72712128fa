import { controllerOf } from '../../objects/index.ts';
import { objectAt, textAt } from '../json-path.ts';
import type { ObjectCache } from './object-cache.ts';
import { hasSameSimulation } from './simulation.ts';
import { hasLabels, isSelected, keyOf } from './view.ts';
import type { View } from './view.ts';
import { isWorkloadKind } from './workload-types.ts';
import type { WorkloadKind } from './workload-types.ts';

/** Kinds that take over what they select and nobody controls. */
const ADOPTERS: Partial<Record<WorkloadKind, readonly WorkloadKind[]>> = {
  Pod: ['ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job'],
  ReplicaSet: ['Deployment'],
};
const SCALED: ReadonlySet<WorkloadKind> = new Set(['Deployment', 'StatefulSet', 'ReplicaSet']);
/** Kinds whose annotations steer the pods below them. */
const STEERING: ReadonlySet<WorkloadKind> = new Set(['Deployment', 'StatefulSet', 'ReplicaSet', 'DaemonSet', 'Job', 'CronJob']);

/** The keys that must be looked at when an object comes, changes or goes. */
export function keysToWake(cache: ObjectCache, now: View | undefined, before: View | undefined): ReadonlySet<string> {
  const keys = new Set<string>();
  const add = (kind: WorkloadKind, namespace: string, name: string): void => void keys.add(keyOf({ kind, namespace, name }));
  for (const view of [now, before]) {
    if (view === undefined) continue;
    keys.add(keyOf(view));
    const owner = controllerOf(view.metadata);
    if (owner !== undefined && isWorkloadKind(owner.kind)) add(owner.kind, view.namespace, owner.name);
    for (const other of relatedTo(cache, view, owner === undefined)) keys.add(keyOf(other));
    const claim = objectAt(view.spec, 'claimRef');
    if (view.kind === 'PersistentVolume') add('PersistentVolumeClaim', textAt(claim, 'namespace'), textAt(claim, 'name'));
    if (view.kind === 'PersistentVolumeClaim') add('PersistentVolume', '', textAt(view.spec, 'volumeName'));
    if (view.kind === 'Endpoints') add('Service', view.namespace, view.name);
    if (view.kind === 'ServiceAccount' || view.kind === 'ConfigMap') add('Namespace', '', view.namespace);
  }
  const subject = now ?? before;
  if (subject !== undefined && now !== undefined && STEERING.has(subject.kind) && !hasSameSimulation(now, before))
    for (const pod of podsBelow(cache, subject)) keys.add(keyOf(pod));
  return keys;
}

function relatedTo(cache: ObjectCache, view: View, isOrphan: boolean): readonly View[] {
  const { kind, namespace } = view;
  const adopters = isOrphan ? (ADOPTERS[kind] ?? []) : [];
  const related = adopters.flatMap((adopter) =>
    cache.inNamespace(adopter, namespace).filter((other) => isSelected(other.spec['selector'], view)),
  );
  if (kind === 'Pod') {
    related.push(
      ...cache.inNamespace('Service', namespace).filter(({ spec }) => hasLabels(objectAt(spec, 'selector'), view)),
      ...cache.inNamespace('PodDisruptionBudget', namespace).filter((other) => isSelected(other.spec['selector'], view)),
    );
  }
  if (SCALED.has(kind)) {
    const isTarget = ({ spec }: View): boolean =>
      textAt(spec, 'scaleTargetRef', 'kind') === kind && textAt(spec, 'scaleTargetRef', 'name') === view.name;
    related.push(...cache.inNamespace('HorizontalPodAutoscaler', namespace).filter(isTarget));
  }
  return related;
}

function podsBelow(cache: ObjectCache, view: View): readonly View[] {
  const between = [...cache.dependents('ReplicaSet', view.uid), ...cache.dependents('Job', view.uid)];
  return [view, ...between].flatMap(({ uid }) => cache.dependents('Pod', uid));
}
