import type { ObjectMeta, OwnerReference } from '../../objects/index.ts';
import type { ObjectKey } from '../storage/stored-object.ts';
import { FOREGROUND_FINALIZER } from '../verbs/delete-plan.ts';
import { metadataOf } from '../verbs/decode-input.ts';
import type { VerbContext } from '../verbs/verb-context.ts';

/** The owners of an object by what they mean for it. */
export interface OwnerClasses {
  /** There, or of a kind that is not served, so that nobody can say. */
  readonly solid: readonly OwnerReference[];
  /** Gone. */
  readonly dangling: readonly OwnerReference[];
  /** Being deleted, after their dependents. */
  readonly waiting: readonly OwnerReference[];
}

export function classifyOwners(context: VerbContext, metadata: ObjectMeta): OwnerClasses {
  const classes = { solid: [] as OwnerReference[], dangling: [] as OwnerReference[], waiting: [] as OwnerReference[] };
  for (const owner of metadata.ownerReferences ?? []) classes[classOf(context, owner, metadata.namespace ?? '')].push(owner);
  return classes;
}

/**
 * An owner is found by its name, in the same namespace or in none; another one that has taken the name is not it. Undefined where it is
 * not there, or its kind is not served.
 */
export function findOwner(
  { store, kinds }: VerbContext,
  owner: OwnerReference,
  namespace: string,
): { readonly key: ObjectKey; readonly metadata: ObjectMeta } | undefined {
  const kind = kinds.findByKind(owner.apiVersion, owner.kind);
  if (kind === undefined) return undefined;
  const key = { resource: kind.resource, namespace: kind.type.namespaced ? namespace : '', name: owner.name };
  const found = store.lookup(key);
  const metadata = found && metadataOf(found.object);
  return metadata?.uid === owner.uid ? { key, metadata } : undefined;
}

function classOf(context: VerbContext, owner: OwnerReference, namespace: string): keyof OwnerClasses {
  if (context.kinds.findByKind(owner.apiVersion, owner.kind) === undefined) return 'solid';
  const metadata = findOwner(context, owner, namespace)?.metadata;
  if (metadata === undefined) return 'dangling';
  const isWaiting = metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(FOREGROUND_FINALIZER) === true;
  return isWaiting ? 'waiting' : 'solid';
}
