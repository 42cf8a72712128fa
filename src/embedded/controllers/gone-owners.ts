import type { JsonObject } from '../../objects/index.ts';
import type { Change } from '../storage/store.ts';
import { metadataOf } from '../verbs/decode-input.ts';

/** More than are ever on their way at once; the oldest are forgotten first. */
const GONE_MAX = 100_000;

/**
 * The owners that were deleted while others depended on them. Their kind may no longer be served when the dependents are looked at, as
 * after the deletion of a CustomResourceDefinition, and then nothing else says that they are gone.
 */
export class GoneOwners {
  readonly #hasDependents: (uid: string) => boolean;
  /** By uid: the namespace that they were in. */
  readonly #namespaces = new Map<string, string>();

  constructor(hasDependents: (uid: string) => boolean) {
    this.#hasDependents = hasDependents;
  }

  observe({ type, key, state }: Change): void {
    if (type !== 'DELETED') return;
    const { uid = '' } = metadataOf(state.object);
    if (uid !== '' && this.#hasDependents(uid)) this.#add(uid, key.namespace);
    if (this.#namespaces.size > 0) this.#forgetOwnersOf(state.object);
  }

  /** The namespace of an owner that is gone, empty for one that was in none; undefined for one that nobody has seen go. */
  namespaceOf(uid: string): string | undefined {
    return this.#namespaces.get(uid);
  }

  #add(uid: string, namespace: string): void {
    this.#namespaces.set(uid, namespace);
    if (this.#namespaces.size > GONE_MAX) this.#namespaces.delete(this.#namespaces.keys().next().value ?? '');
  }

  /** The last dependent has gone too. */
  #forgetOwnersOf(object: JsonObject): void {
    for (const { uid } of metadataOf(object).ownerReferences ?? [])
      if (this.#namespaces.has(uid) && !this.#hasDependents(uid)) this.#namespaces.delete(uid);
  }
}
