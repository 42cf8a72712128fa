import type { JsonObject } from '../../objects/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { ObjectFacts } from '../storage/store.ts';
import { metadataOf } from './decode-input.ts';

/** What the store keeps of an object beside its text, to find it by. */
export function objectFacts(kind: Kind, object: JsonObject, nowMs: number): ObjectFacts {
  const { uid = '', labels, ownerReferences = [], deletionTimestamp } = metadataOf(object);
  const { ttlMs, isSealed = false } = kind.rules;
  return {
    uid,
    labels,
    ownerUids: ownerReferences.map((owner) => owner.uid),
    isDeleting: deletionTimestamp !== undefined,
    expiresMs: ttlMs === undefined ? undefined : nowMs + ttlMs,
    isSealed,
  };
}
