import type { JsonObject } from '../../objects/index.ts';
import type { DeleteOptions } from '../../kube/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { listAt, numberAt, textAt } from '../json-path.ts';
import { metadataOf } from './decode-input.ts';

export const ORPHAN_FINALIZER = 'orphan';
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

/** Whether nothing holds an object any more that is being deleted. */
export function isReadyToGo(object: JsonObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadataOf(object);
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0 && !hasNamespaceFinalizers(object);
}

/** A Namespace has finalizers in its spec too, which go when its content is gone. */
export function hasNamespaceFinalizers(object: JsonObject): boolean {
  return object['kind'] === 'Namespace' && object['apiVersion'] === 'v1' && listAt(object, 'spec', 'finalizers').length > 0;
}

/** The finalizers after a delete has said what shall become of the dependents; it overrules an earlier one that said otherwise. */
export function planFinalizers(kind: Kind, object: JsonObject, { propagation }: DeleteOptions): readonly string[] {
  const { finalizers: given = [], deletionTimestamp } = metadataOf(object);
  const added = deletionTimestamp === undefined ? (kind.rules.finalizersOnDelete ?? []) : [];
  const finalizers = [...given, ...added.filter((finalizer) => !given.includes(finalizer))];
  const others = finalizers.filter((finalizer) => finalizer !== ORPHAN_FINALIZER && finalizer !== FOREGROUND_FINALIZER);
  if (propagation === 'Orphan') return [...others, ORPHAN_FINALIZER];
  if (propagation === 'Foreground') return [...others, FOREGROUND_FINALIZER];
  if (propagation === 'Background') return others;
  if (finalizers.length > others.length) return finalizers;
  return kind.rules.orphansByDefault === true ? [...others, ORPHAN_FINALIZER] : others;
}

/** How long a Pod may take to stop. One that is on no node, or has ended, goes at once, as everything else does. */
export function planGraceSeconds(object: JsonObject, { gracePeriodSeconds }: DeleteOptions): number {
  if (object['kind'] !== 'Pod' || object['apiVersion'] !== 'v1') return 0;
  const isRunning = textAt(object, 'spec', 'nodeName') !== '' && !['Succeeded', 'Failed'].includes(textAt(object, 'status', 'phase'));
  if (!isRunning) return 0;
  const wanted = gracePeriodSeconds ?? numberAt(object, 'spec', 'terminationGracePeriodSeconds') ?? 30;
  const { deletionGracePeriodSeconds } = metadataOf(object);
  return Math.max(0, Math.min(wanted, deletionGracePeriodSeconds ?? wanted));
}
