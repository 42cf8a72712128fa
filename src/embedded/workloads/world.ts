import type { Clock, Logger } from '../../base/index.ts';
import { isStatusError, jsonEquals } from '../../objects/index.ts';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import type { DeleteOptions, KubeApi, WorkResult } from '../../kube/index.ts';
import type { AddressPool } from './address-pool.ts';
import type { EventRecorder } from './events/event-recorder.ts';
import type { ObjectCache } from './object-cache.ts';
import type { Room } from './room.ts';
import { apiVersionOf, isLeaving, viewOf } from './view.ts';
import type { View } from './view.ts';
import { workloadTypes } from './workload-types.ts';
import type { WorkloadKind } from './workload-types.ts';

/** What a controller works with: the cache to read from, and writes that go to the API and back into the cache. */
export interface World {
  readonly api: KubeApi;
  readonly clock: Clock;
  readonly log: Logger;
  readonly cache: ObjectCache;
  readonly podAddresses: AddressPool;
  readonly balancerAddresses: AddressPool;
  readonly events: EventRecorder;
  readonly room: Room;
}

/** Brings one object to where it should be, from its present state. It is asked again whenever something changes that it depends on. */
export type Reconcile = (world: World, view: View) => Promise<WorkResult>;

/** Who the writes say that they come from. */
const MANAGER = 'kube-controller-manager';

export async function createObject(world: World, kind: WorkloadKind, object: JsonObject, fieldManager = MANAGER): Promise<View> {
  const full = { apiVersion: apiVersionOf(kind), kind, ...object } as unknown as KubeObject;
  const created = await world.api.create(workloadTypes[kind], full, { fieldManager });
  world.cache.put(kind, created);
  return viewOf(kind, created);
}

/** Replaces fields of the object itself; the status has its own endpoint. */
export async function updateObject(world: World, view: View, changed: JsonObject, fieldManager = MANAGER): Promise<View> {
  const updated = await world.api.update(workloadTypes[view.kind], changed as unknown as KubeObject, { fieldManager });
  world.cache.put(view.kind, updated);
  return viewOf(view.kind, updated);
}

/** Writes a status where it differs from the one that is there; says whether it did. */
export async function updateStatus(world: World, view: View, status: JsonObject, fieldManager = MANAGER): Promise<boolean> {
  if (jsonEquals(view.status, status)) return false;
  const object = { ...view.json, status } as unknown as KubeObject;
  const updated = await world.api.update(workloadTypes[view.kind], object, { fieldManager, subresource: 'status' });
  world.cache.put(view.kind, updated);
  return true;
}

/** Deletes an object, if it is still the same; one that is gone already is no matter. */
export async function deleteObject(world: World, view: View, options: DeleteOptions = {}): Promise<void> {
  const ref = { ...(view.namespace !== '' && { namespace: view.namespace }), name: view.name };
  try {
    const answer = await world.api.delete(workloadTypes[view.kind], ref, { preconditions: { uid: view.uid }, ...options });
    const left = answer.kind === view.kind ? viewOf(view.kind, answer as KubeObject) : undefined;
    if (
      left !== undefined &&
      isLeaving(left) &&
      !(left.metadata.deletionGracePeriodSeconds === 0 && (left.metadata.finalizers ?? []).length === 0)
    )
      world.cache.put(view.kind, answer as KubeObject);
    else world.cache.bury(view);
  } catch (error) {
    if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error;
  }
}
