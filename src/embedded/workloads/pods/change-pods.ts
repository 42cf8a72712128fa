import type { JsonObject } from '../../../objects/index.ts';
import { tellPod } from '../events/tell-pods.ts';
import type { View } from '../view.ts';
import { createObject, deleteObject } from '../world.ts';
import type { World } from '../world.ts';

/**
 * Makes and removes pods of an owner at once, and tells of each. For each that is made a place was taken; it is given back as soon as the pod is
 * there, or was refused: until then both would count.
 */
export async function changePods(
  world: World,
  owner: View,
  { make, remove }: { readonly make: readonly JsonObject[]; readonly remove: readonly View[] },
): Promise<void> {
  await Promise.all([
    ...make.map(async (pod) => {
      try {
        tellPod(world, owner, 'Create', await createObject(world, 'Pod', pod));
      } finally {
        world.room.giveBack(1);
      }
    }),
    ...remove.map(async (pod) => {
      await deleteObject(world, pod);
      tellPod(world, owner, 'Delete', pod);
    }),
  ]);
}
