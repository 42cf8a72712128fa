import { formatTime, jsonEquals } from '../../objects/index.ts';
import type { JsonObject, ObjectMeta, Status } from '../../objects/index.ts';
import type { DeleteOptions, ObjectRef } from '../../kube/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { objectForbidden, objectNotFound, preconditionConflict } from '../refusals.ts';
import { withValueAt } from '../json-path.ts';
import { metadataOf, withMetadata } from './decode-input.ts';
import { hasNamespaceFinalizers, isReadyToGo, planFinalizers, planGraceSeconds } from './delete-plan.ts';
import { objectFacts } from './object-facts.ts';
import { fromStored, keyOf, toStored } from './verb-context.ts';
import type { VerbContext } from './verb-context.ts';

/** Without these there is no cluster to speak of. */
const LASTING_NAMESPACES: readonly string[] = ['default', 'kube-system', 'kube-public'];

/** Deletes an object, or marks it so where something holds it. To be run inside a write of the store. */
export function deleteObject(context: VerbContext, kind: Kind, ref: ObjectRef, options: DeleteOptions): JsonObject | Status {
  const key = keyOf(kind, ref);
  const state = context.store.lookup(key);
  if (state === undefined) throw objectNotFound(kind.type, ref.name);
  const before = fromStored(kind, state.object);
  checkPreconditions(kind, ref.name, metadataOf(before), options);
  if (kind.type.group === '' && kind.type.plural === 'namespaces' && LASTING_NAMESPACES.includes(ref.name))
    throw objectForbidden(kind.type, ref.name, 'this namespace may not be deleted');
  const finalizers = planFinalizers(kind, before, options);
  const marked = markDeleting(context, kind, before, { finalizers, graceSeconds: planGraceSeconds(before, options) });
  const isGone = isReadyToGo(marked);
  if (options.dryRun === true) return isGone ? answer(kind, before) : marked;
  if (isGone) {
    // The last state that watchers see is the object as it was, without the mark that it never needed.
    const last = context.store.remove(
      key,
      toStored(kind, metadataOf(before).deletionTimestamp === undefined ? before : marked),
      kind.rules.isSealed === true,
    );
    return answer(kind, fromStored(kind, last));
  }
  if (jsonEquals(before, marked)) return before;
  const stored = toStored(kind, marked);
  return fromStored(kind, context.store.put(key, stored, objectFacts(kind, stored, context.clock.nowMs())));
}

interface DeletionPlan {
  readonly finalizers: readonly string[];
  readonly graceSeconds: number;
}

function markDeleting({ clock }: VerbContext, kind: Kind, object: JsonObject, { finalizers, graceSeconds }: DeletionPlan): JsonObject {
  const { finalizers: _finalizers, ...metadata } = metadataOf(object);
  const isFirst = metadata.deletionTimestamp === undefined;
  const isShorter = !isFirst && graceSeconds < (metadata.deletionGracePeriodSeconds ?? 0);
  const isNamespace = hasNamespaceFinalizers(object);
  const mark = {
    deletionTimestamp: formatTime(clock.nowMs() + graceSeconds * 1_000),
    ...(!isNamespace && { deletionGracePeriodSeconds: graceSeconds }),
    ...(isFirst && metadata.generation !== undefined && { generation: metadata.generation + 1 }),
  };
  const marked = withMetadata(object, {
    ...metadata,
    ...((isFirst || isShorter) && mark),
    ...(finalizers.length > 0 && { finalizers }),
  });
  return isNamespace ? withValueAt(marked, ['status', 'phase'], 'Terminating') : marked;
}

function checkPreconditions(kind: Kind, name: string, metadata: ObjectMeta, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const { uid: ownUid = '', resourceVersion: ownVersion = '' } = metadata;
  if (uid !== undefined && uid !== ownUid) {
    const text = `the UID in the precondition (${uid}) does not match the UID in record (${ownUid}). The object might have been deleted and then recreated`;
    throw preconditionConflict(kind.type, name, text);
  }
  if (resourceVersion === undefined || resourceVersion === ownVersion) return;
  const text = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${ownVersion}). The object might have been modified`;
  throw preconditionConflict(kind.type, name, text);
}

function answer(kind: Kind, object: JsonObject): JsonObject | Status {
  if (kind.rules.returnsDeleted === true) return object;
  const { name = '', uid = '' } = metadataOf(object);
  const { group, plural } = kind.type;
  const details = { name, ...(group !== '' && { group }), kind: plural, uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
