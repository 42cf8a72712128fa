import { compareQuantities, parseQuantity, parseTime } from '../../../objects/index.ts';
import type { JsonObject } from '../../../objects/index.ts';
import type { WorkResult } from '../../../kube/index.ts';
import { listAt, objectAt, textAt } from '../../json-path.ts';
import { STORAGE_CLASS } from '../node.ts';
import { workloadSimulation } from '../simulation.ts';
import { byAge, isLeaving } from '../view.ts';
import type { View } from '../view.ts';
import { createObject, deleteObject, updateObject, updateStatus } from '../world.ts';
import type { World } from '../world.ts';

const BOUND_ANNOTATIONS = { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' };
const PROVISIONER = 'simulated.fairway.dev/none';

/** Binds a claim to a volume that waits for one, or to a new one that holds nothing. Any storage class will do. */
export async function reconcileClaim(world: World, claim: View): Promise<WorkResult> {
  if (isLeaving(claim) || textAt(claim.status, 'phase') === 'Bound') return 'done';
  const { behavior, delayMs } = workloadSimulation(claim);
  if (behavior !== 'normal') return 'done';
  const nowMs = world.clock.nowMs();
  const dueMs = (parseTime(String(claim.metadata.creationTimestamp)) ?? nowMs) + delayMs;
  if (nowMs < dueMs) return { requeueAfterMs: dueMs - nowMs };
  const volume = await findVolume(world, claim);
  if (volume === undefined) return 'done';
  const bound = textAt(claim.spec, 'volumeName') === volume.name ? claim : await noteVolume(world, claim, volume);
  await updateStatus(world, bound, {
    phase: 'Bound',
    accessModes: listAt(volume.spec, 'accessModes'),
    capacity: objectAt(volume.spec, 'capacity'),
  });
  return 'done';
}

/** Says what has become of a volume; one whose claim is gone goes too, if it was made for it. */
export async function reconcileVolume(world: World, volume: View): Promise<WorkResult> {
  if (isLeaving(volume)) return 'done';
  const reference = objectAt(volume.spec, 'claimRef');
  const claim = world.cache.get('PersistentVolumeClaim', textAt(reference, 'namespace'), textAt(reference, 'name'));
  const isClaimed = Object.keys(reference).length > 0;
  const isHeld = claim !== undefined && (textAt(reference, 'uid') === '' || claim.uid === textAt(reference, 'uid'));
  if (isClaimed && !isHeld && textAt(reference, 'uid') !== '' && textAt(volume.spec, 'persistentVolumeReclaimPolicy') === 'Delete') {
    await deleteObject(world, volume);
    return 'done';
  }
  const phase = !isClaimed || textAt(reference, 'uid') === '' ? 'Available' : isHeld ? 'Bound' : 'Released';
  if (textAt(volume.status, 'phase') !== phase) await updateStatus(world, volume, { ...volume.status, phase });
  return 'done';
}

async function findVolume(world: World, claim: View): Promise<View | undefined> {
  const wanted = textAt(claim.spec, 'volumeName') || `pvc-${claim.uid}`;
  const known = world.cache.get('PersistentVolume', '', wanted);
  const isOurs = (volume: View): boolean => textAt(volume.spec, 'claimRef', 'uid') === claim.uid;
  if (known !== undefined) return isOurs(known) ? known : await claimVolume(world, known, claim);
  // A volume that the claim names must be there; it is not ours to make.
  if (textAt(claim.spec, 'volumeName') !== '') return undefined;
  const waiting = world.cache.all('PersistentVolume').filter((volume) => isOurs(volume) || fits(volume, claim));
  const [first] = waiting.toSorted(byAge);
  if (first !== undefined) return isOurs(first) ? first : await claimVolume(world, first, claim);
  return claim.spec['storageClassName'] === '' ? undefined : await createObject(world, 'PersistentVolume', newVolume(claim, wanted));
}

function fits(volume: View, claim: View): boolean {
  const reference = objectAt(volume.spec, 'claimRef');
  const isFree =
    Object.keys(reference).length === 0 ||
    (textAt(reference, 'uid') === '' && textAt(reference, 'name') === claim.name && textAt(reference, 'namespace') === claim.namespace);
  if (!isFree || textAt(volume.spec, 'storageClassName') !== (textAt(claim.spec, 'storageClassName') || '')) return false;
  const modes = listAt(volume.spec, 'accessModes');
  if (!listAt(claim.spec, 'accessModes').every((mode) => modes.includes(mode))) return false;
  try {
    const [size, needed] = [textAt(volume.spec, 'capacity', 'storage'), textAt(claim.spec, 'resources', 'requests', 'storage')];
    return compareQuantities(parseQuantity(size), parseQuantity(needed)) >= 0;
  } catch {
    // A size that cannot be read fits nothing.
    return false;
  }
}

async function claimVolume(world: World, volume: View, claim: View): Promise<View | undefined> {
  const holder = textAt(volume.spec, 'claimRef', 'uid');
  if (holder !== '' && holder !== claim.uid) return undefined;
  return await updateObject(world, volume, { ...volume.json, spec: { ...volume.spec, claimRef: referenceTo(claim) } });
}

async function noteVolume(world: World, claim: View, volume: View): Promise<View> {
  const annotations = { ...claim.metadata.annotations, ...BOUND_ANNOTATIONS };
  const metadata = { ...objectAt(claim.json, 'metadata'), annotations };
  const storageClassName = textAt(volume.spec, 'storageClassName');
  const spec = { ...claim.spec, ...(claim.spec['storageClassName'] === undefined && { storageClassName }), volumeName: volume.name };
  return await updateObject(world, claim, { ...claim.json, metadata, spec });
}

function newVolume(claim: View, name: string): JsonObject {
  return {
    metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': PROVISIONER } },
    spec: {
      capacity: objectAt(claim.spec, 'resources', 'requests'),
      accessModes: listAt(claim.spec, 'accessModes'),
      claimRef: referenceTo(claim),
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: textAt(claim.spec, 'storageClassName') || STORAGE_CLASS,
      volumeMode: textAt(claim.spec, 'volumeMode') || 'Filesystem',
      csi: { driver: PROVISIONER, volumeHandle: name },
    },
  };
}

function referenceTo({ name, namespace, uid }: View): JsonObject {
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid };
}
