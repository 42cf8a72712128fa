import type { ObjectMeta, OwnerReference } from '../../objects/index.ts';
import type { ObjectKey } from '../storage/stored-object.ts';
import { FOREGROUND_FINALIZER } from '../verbs/delete-plan.ts';
import { metadataOf } from '../verbs/decode-input.ts';
import type { VerbContext } from '../verbs/verb-context.ts';
import type { GoneOwners } from './gone-owners.ts';

/** The owners of an object by what they mean for it. */
export interface OwnerClasses {
  /** There, or such that nobody can say: of a kind that is not served, or in a namespace where the object is in none. */
  readonly solid: readonly OwnerReference[];
  /** Gone. */
  readonly dangling: readonly OwnerReference[];
  /** Being deleted, after their dependents. */
  readonly waiting: readonly OwnerReference[];
}

/** What the collector judges by. */
export interface Judging extends VerbContext {
  readonly gone: GoneOwners;
}

export function classifyOwners(context: Judging, metadata: ObjectMeta): OwnerClasses {
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

function classOf(context: Judging, owner: OwnerReference, namespace: string): keyof OwnerClasses {
  const goneFrom = context.gone.namespaceOf(owner.uid);
  const kind = context.kinds.findByKind(owner.apiVersion, owner.kind);
  // What is in no namespace cannot say in which one its owner is: such a reference leads nowhere, and nothing is deleted for it.
  const isNamespaced = goneFrom === undefined ? kind?.type.namespaced === true : goneFrom !== '';
  if (isNamespaced && namespace === '') return 'solid';
  if (goneFrom !== undefined) return 'dangling';
  if (kind === undefined) return 'solid';
  const metadata = findOwner(context, owner, namespace)?.metadata;
  if (metadata === undefined) return 'dangling';
  const isWaiting = metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(FOREGROUND_FINALIZER) === true;
  return isWaiting ? 'waiting' : 'solid';
}
