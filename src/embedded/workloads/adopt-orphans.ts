import { controllerReference, isLeaving, isSelected } from './view.ts';
import type { View } from './view.ts';
import type { WorkloadKind } from './workload-types.ts';
import { updateObject } from './world.ts';
import type { World } from './world.ts';

/** Takes over what nobody controls and the owner selects: what a deletion with orphaning has left behind. */
export async function adoptOrphans(world: World, owner: View, kind: WorkloadKind): Promise<void> {
  if (isLeaving(owner)) return;
  const orphans = world.cache.orphans(kind, owner.namespace).filter((view) => !isLeaving(view) && isSelected(owner.spec['selector'], view));
  for (const orphan of orphans) {
    const ownerReferences = [...(orphan.metadata.ownerReferences ?? []).map((reference) => ({ ...reference })), controllerReference(owner)];
    await updateObject(world, orphan, { ...orphan.json, metadata: { ...(orphan.json['metadata'] as object), ownerReferences } });
  }
}
