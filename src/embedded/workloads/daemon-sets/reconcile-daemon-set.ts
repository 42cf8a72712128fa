import type { JsonObject } from '../../../objects/index.ts';
import type { WorkResult } from '../../../kube/index.ts';
import { listAt, objectAt } from '../../json-path.ts';
import { adoptOrphans } from '../adopt-orphans.ts';
import { tellPod } from '../events/tell-pods.ts';
import { NODE_NAME } from '../node.ts';
import { podFromTemplate } from '../pods/pod-from-template.ts';
import { keepRevisions, trimRevisions } from '../revisions/keep-revisions.ts';
import { annotationOf, isLeaving } from '../view.ts';
import type { View } from '../view.ts';
import { createObject, deleteObject, updateStatus } from '../world.ts';
import type { World } from '../world.ts';
import { planDaemonSet, REVISION_LABEL } from './plan-daemon-set.ts';

const GENERATION_ANNOTATION = 'deprecated.daemonset.template.generation';
const PRESSURES = ['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'];

/** Keeps the pod of a DaemonSet on the node. */
export async function reconcileDaemonSet(world: World, set: View): Promise<WorkResult> {
  if (isLeaving(set)) return 'done';
  await adoptOrphans(world, set, 'Pod');
  const { newest, all } = await keepRevisions(world, { owner: set, hashLabel: REVISION_LABEL });
  const pods = world.cache.dependents('Pod', set.uid);
  const plan = planDaemonSet(set, pods, newest.hash, world.clock.nowMs());
  for (const pod of plan.remove) {
    await deleteObject(world, pod);
    tellPod(world, set, 'Delete', pod);
  }
  const count = world.room.take(set, plan.createCount);
  try {
    if (count > 0) tellPod(world, set, 'Create', await createObject(world, 'Pod', newPod(set, newest.hash)));
  } finally {
    world.room.giveBack(count);
  }
  if (count > 0 || plan.remove.length > 0) return 'done';
  await updateStatus(world, set, plan.status);
  const inUse = new Set(pods.map(({ metadata }) => metadata.labels?.[REVISION_LABEL] ?? ''));
  await trimRevisions(world, set, all, new Set(all.filter(({ hash }) => hash === newest.hash || inUse.has(hash)).map(({ name }) => name)));
  return plan.wakeInMs === undefined ? 'done' : { requeueAfterMs: plan.wakeInMs };
}

function newPod(set: View, hash: string): JsonObject {
  const template = objectAt(set.spec, 'template');
  const tolerations = [
    ...listAt(template, 'spec', 'tolerations'),
    ...['not-ready', 'unreachable'].map((key) => ({ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect: 'NoExecute' })),
    ...PRESSURES.map((key) => ({ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect: 'NoSchedule' })),
  ];
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [NODE_NAME] }] };
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } };
  const generation = annotationOf(set, GENERATION_ANNOTATION);
  return podFromTemplate({
    owner: set,
    template,
    generateName: `${set.name}-`,
    labels: { [REVISION_LABEL]: hash, ...(generation !== undefined && { 'pod-template-generation': generation }) },
    spec: { tolerations, affinity: { ...objectAt(template, 'spec', 'affinity'), ...affinity } },
  });
}
