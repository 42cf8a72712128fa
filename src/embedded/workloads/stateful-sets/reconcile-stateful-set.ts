import { isJsonObject } from '../../../objects/index.ts';
import type { WorkResult } from '../../../kube/index.ts';
import { listAt, objectAt, textAt } from '../../json-path.ts';
import { adoptOrphans } from '../adopt-orphans.ts';
import { tellPod } from '../events/tell-pods.ts';
import { createIfMissing } from '../node.ts';
import { podFromTemplate } from '../pods/pod-from-template.ts';
import { keepRevisions, trimRevisions } from '../revisions/keep-revisions.ts';
import type { Revision } from '../revisions/keep-revisions.ts';
import { isLeaving } from '../view.ts';
import type { View } from '../view.ts';
import { createObject, deleteObject, updateStatus } from '../world.ts';
import type { World } from '../world.ts';
import { claimsOf, planStatefulSet, REVISION_LABEL } from './plan-stateful-set.ts';

const HASH_LABEL = 'controller.kubernetes.io/hash';

/** Moves a StatefulSet one step: pods with names and claims of their own, in order. */
export async function reconcileStatefulSet(world: World, set: View): Promise<WorkResult> {
  if (isLeaving(set)) return 'done';
  await adoptOrphans(world, set, 'Pod');
  const { newest, all } = await keepRevisions(world, { owner: set, hashLabel: HASH_LABEL });
  const pods = world.cache.dependents('Pod', set.uid);
  const plan = planStatefulSet({ set, pods, updateRevision: newest.name, nowMs: world.clock.nowMs() });
  const made = await createPods(
    world,
    set,
    plan.create.map(({ ordinal, revision }) => ({ ordinal, revision: all.find(({ name }) => name === revision) ?? newest })),
  );
  for (const pod of plan.remove) {
    await deleteObject(world, pod);
    tellPod(world, set, 'Delete', pod);
  }
  if (made > 0 || plan.remove.length > 0) return 'done';
  await updateStatus(world, set, plan.status);
  const used = new Set([
    newest.name,
    textAt(plan.status, 'currentRevision'),
    ...pods.map(({ metadata }) => metadata.labels?.[REVISION_LABEL] ?? ''),
  ]);
  await trimRevisions(world, set, all, used);
  return plan.wakeInMs === undefined ? 'done' : { requeueAfterMs: plan.wakeInMs };
}

interface NewPod {
  readonly ordinal: number;
  readonly revision: Revision;
}

/** Makes the pods in their order, as far as there is room for them and for their claims; says how many. */
async function createPods(world: World, set: View, pods: readonly NewPod[]): Promise<number> {
  const { room, cache } = world;
  if (pods.length === 0) room.take(set, 0);
  for (const [made, pod] of pods.entries()) {
    const claims = claimsOf(set, `${set.name}-${pod.ordinal}`);
    const missing = claims.filter(
      ({ claim }) => cache.get('PersistentVolumeClaim', set.namespace, textAt(claim, 'metadata', 'name')) === undefined,
    );
    const places = 1 + missing.length;
    if (!room.takeAll(set, places)) return made;
    try {
      for (const { claim } of missing) await createIfMissing(world, 'PersistentVolumeClaim', claim);
      await createPod(world, set, pod);
    } finally {
      room.giveBack(places);
    }
  }
  return pods.length;
}

async function createPod(world: World, set: View, { ordinal, revision }: NewPod): Promise<void> {
  const name = `${set.name}-${ordinal}`;
  const claims = claimsOf(set, name);
  const spec = objectAt(revision.template, 'spec');
  const volumes = [
    ...claims.map(({ volume, claim }) => ({ name: volume, persistentVolumeClaim: { claimName: textAt(claim, 'metadata', 'name') } })),
    ...listAt(spec, 'volumes').filter((volume) => isJsonObject(volume) && !claims.some((claim) => claim.volume === volume['name'])),
  ];
  const pod = podFromTemplate({
    owner: set,
    template: revision.template,
    name,
    labels: {
      'apps.kubernetes.io/pod-index': String(ordinal),
      [REVISION_LABEL]: revision.name,
      'statefulset.kubernetes.io/pod-name': name,
    },
    spec: { hostname: name, subdomain: textAt(set.spec, 'serviceName'), ...(volumes.length > 0 && { volumes }) },
  });
  tellPod(world, set, 'Create', await createObject(world, 'Pod', pod));
}
