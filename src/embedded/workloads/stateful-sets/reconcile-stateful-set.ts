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
  for (const { ordinal, revision } of plan.create)
    await createPod(world, { set, ordinal, revision: all.find(({ name }) => name === revision) ?? newest });
  for (const pod of plan.remove) {
    await deleteObject(world, pod);
    tellPod(world, set, 'Delete', pod);
  }
  if (plan.create.length > 0 || plan.remove.length > 0) return 'done';
  await updateStatus(world, set, plan.status);
  const used = new Set([
    newest.name,
    textAt(plan.status, 'currentRevision'),
    ...pods.map(({ metadata }) => metadata.labels?.[REVISION_LABEL] ?? ''),
  ]);
  await trimRevisions(world, set, all, used);
  return plan.wakeInMs === undefined ? 'done' : { requeueAfterMs: plan.wakeInMs };
}

async function createPod(world: World, { set, ordinal, revision }: { set: View; ordinal: number; revision: Revision }): Promise<void> {
  const name = `${set.name}-${ordinal}`;
  const claims = claimsOf(set, name);
  for (const { claim } of claims)
    if (world.cache.get('PersistentVolumeClaim', set.namespace, textAt(claim, 'metadata', 'name')) === undefined)
      await createIfMissing(world, 'PersistentVolumeClaim', claim);
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
