import { isStatusError } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import type { Logger } from '../../base/index.ts';
import type { Change } from '../storage/store.ts';
import type { ObjectKey } from '../storage/stored-object.ts';
import { deleteObject } from '../verbs/delete.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../verbs/delete-plan.ts';
import { metadataOf, withMetadata } from '../verbs/decode-input.ts';
import { replaceObject } from '../verbs/update.ts';
import { fromStored } from '../verbs/verb-context.ts';
import type { VerbContext } from '../verbs/verb-context.ts';
import { classifyOwners, findOwner } from './classify-owners.ts';
import type { Judging } from './classify-owners.ts';
import { GoneOwners } from './gone-owners.ts';
import { WorkLoop } from './work-loop.ts';

/** The name under which a cluster's own collector writes; users tell its changes from others by it. */
const FIELD_MANAGER = 'kube-controller-manager';

/**
 * Deletes what has lost all its owners, and takes the owners' finalizers away: `orphan` once the dependents are let go, and
 * `foregroundDeletion` once those that block are gone.
 */
export function createGarbageCollector(
  context: VerbContext,
  log: Logger,
): WorkLoop<ObjectKey> & { observe(changes: readonly Change[]): void; scan(): void } {
  const gone = new GoneOwners((uid) => dependentsOf(context, uid).length > 0);
  const judging: Judging = { ...context, gone };
  const loop = new WorkLoop<ObjectKey>('garbage collection', log, (key) => collect(judging, key));
  const add = (key: ObjectKey): void => loop.add(`${key.resource}/${key.namespace}/${key.name}`, key);
  return Object.assign(loop, {
    observe: (changes: readonly Change[]) => {
      for (const change of changes) {
        gone.observe(change);
        for (const key of affectedBy(context, change)) add(key);
      }
    },
    // What happened while nobody looked: owners that went, and deletions that were under way.
    scan: () => {
      for (const row of [...context.store.statements.readDangling.all(), ...context.store.statements.readDeleting.all()])
        add(keyOfRow(row));
    },
  });
}

function affectedBy(context: VerbContext, { type, key, state, previous }: Change): readonly ObjectKey[] {
  const hasOwners = state.text.includes('"ownerReferences"') || previous?.text.includes('"ownerReferences"') === true;
  if (type === 'DELETED') {
    const { uid = '' } = metadataOf(state.object);
    return [...dependentsOf(context, uid), ...(hasOwners ? ownersOf(context, state.object) : [])];
  }
  const isDeleting = state.text.includes('"deletionTimestamp"');
  if (!hasOwners && !isDeleting) return [];
  return [key, ...(hasOwners ? ownersOf(context, previous?.object ?? state.object) : [])];
}

async function collect(context: Judging, key: ObjectKey): Promise<void> {
  const { store } = context;
  const object = await store.read(() => store.lookup(key)?.object);
  if (object === undefined) return;
  const { deletionTimestamp, finalizers = [], uid = '' } = metadataOf(object);
  if (deletionTimestamp !== undefined && finalizers.includes(ORPHAN_FINALIZER)) await orphanDependents(context, key, uid);
  else if (deletionTimestamp !== undefined && finalizers.includes(FOREGROUND_FINALIZER)) await deleteInForeground(context, key, uid);
  else await judge(context, key, object);
}

/** Decides by its owners what becomes of an object. */
async function judge(context: Judging, key: ObjectKey, object: JsonObject): Promise<void> {
  const metadata = metadataOf(object);
  const { solid, dangling, waiting } = classifyOwners(context, metadata);
  const lost = [...dangling, ...waiting];
  if (lost.length === 0) return;
  if (solid.length > 0) {
    await dropOwners(
      context,
      key,
      lost.map((owner) => owner.uid),
    );
    return;
  }
  if (metadata.deletionTimestamp !== undefined) return;
  const kind = context.kinds.findByResource(key.resource);
  if (kind === undefined) return;
  const { finalizers = [], uid = '' } = metadata;
  const isForeground = waiting.length > 0 && dependentsOf(context, uid).length > 0;
  const propagation =
    isForeground || finalizers.includes(FOREGROUND_FINALIZER)
      ? 'Foreground'
      : finalizers.includes(ORPHAN_FINALIZER)
        ? 'Orphan'
        : 'Background';
  await ignoringGone(context.store.write(() => deleteObject(context, kind, key, { propagation, preconditions: { uid } })));
}

async function orphanDependents(context: VerbContext, key: ObjectKey, uid: string): Promise<void> {
  await Promise.all(dependentsOf(context, uid).map((dependent) => dropOwners(context, dependent, [uid])));
  await dropFinalizer(context, key, ORPHAN_FINALIZER);
}

async function deleteInForeground(context: Judging, key: ObjectKey, uid: string): Promise<void> {
  const dependents = dependentsOf(context, uid);
  for (const dependent of dependents) {
    const object = context.store.lookup(dependent)?.object;
    if (object !== undefined && metadataOf(object).deletionTimestamp === undefined) await judge(context, dependent, object);
  }
  // What is in no namespace does not depend on what is in one, whatever it says.
  const isReachable = (dependent: ObjectKey): boolean => dependent.namespace !== '' || key.namespace === '';
  const isBlocked = dependentsOf(context, uid).some((dependent) => {
    if (!isReachable(dependent)) return false;
    const owners = metadataOf(context.store.lookup(dependent)?.object ?? {}).ownerReferences ?? [];
    return owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true);
  });
  if (!isBlocked) await dropFinalizer(context, key, FOREGROUND_FINALIZER);
}

async function dropOwners(context: VerbContext, key: ObjectKey, uids: readonly string[]): Promise<void> {
  await change(context, key, (object) => {
    const { ownerReferences = [], ...rest } = metadataOf(object);
    const kept = ownerReferences.filter((owner) => !uids.includes(owner.uid));
    return withMetadata(object, { ...rest, ...(kept.length > 0 && { ownerReferences: kept }) });
  });
}

async function dropFinalizer(context: VerbContext, key: ObjectKey, finalizer: string): Promise<void> {
  await change(context, key, (object) => {
    const { finalizers = [], ...rest } = metadataOf(object);
    const kept = finalizers.filter((name) => name !== finalizer);
    return withMetadata(object, { ...rest, ...(kept.length > 0 && { finalizers: kept }) });
  });
}

async function change(context: VerbContext, key: ObjectKey, edit: (object: JsonObject) => JsonObject): Promise<void> {
  const kind = context.kinds.findByResource(key.resource);
  if (kind === undefined) return;
  await context.store.write(() => {
    const before = context.store.lookup(key);
    if (before === undefined) return;
    const object = fromStored(kind, before.object);
    replaceObject(context, kind, { before: object, after: edit(object), options: { fieldManager: FIELD_MANAGER } });
  });
}

function dependentsOf({ store }: VerbContext, uid: string): readonly ObjectKey[] {
  return store.statements.readDependents.all(uid).map(keyOfRow);
}

/** The owners that still exist: one that waits for its dependents has to look again. */
function ownersOf(context: VerbContext, object: JsonObject): readonly ObjectKey[] {
  const { ownerReferences = [], namespace = '' } = metadataOf(object);
  return ownerReferences.flatMap((owner) => findOwner(context, owner, namespace)?.key ?? []);
}

export function keyOfRow(row: Record<string, unknown>): ObjectKey {
  return { resource: Number(row['resource']), namespace: String(row['namespace']), name: String(row['name']) };
}

/** Someone else has deleted it, or put another one in its place. */
async function ignoringGone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!isStatusError(error, 'NotFound', 'Conflict')) throw error;
  }
}
