import { formatTime } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { listAt, textAt } from '../json-path.ts';

/** What is left in a namespace that is being deleted: counts by resource (`pods.`, `deployments.apps`) and by finalizer. */
export interface NamespaceRest {
  readonly resources: ReadonlyMap<string, number>;
  readonly finalizers: ReadonlyMap<string, number>;
}

/** The conditions that say why a namespace does not go, in the words of a cluster's own controller; times change only with what they are of. */
export function planNamespaceConditions(
  namespace: JsonObject,
  { resources, finalizers }: NamespaceRest,
  nowMs: number,
): readonly JsonObject[] {
  const resourceTexts = [...resources].map(([name, count]) => `${name} has ${count} resource instances`);
  const finalizerTexts = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`);
  const wanted: readonly Condition[] = [
    condition('NamespaceDeletionDiscoveryFailure', false, 'ResourcesDiscovered', 'All resources successfully discovered'),
    condition('NamespaceDeletionGroupVersionParsingFailure', false, 'ParsedGroupVersions', 'All legacy kube types successfully parsed'),
    condition(
      'NamespaceDeletionContentFailure',
      false,
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    resourceTexts.length === 0
      ? condition('NamespaceContentRemaining', false, 'ContentRemoved', 'All content successfully removed')
      : condition('NamespaceContentRemaining', true, 'SomeResourcesRemain', `Some resources are remaining: ${resourceTexts.join(', ')}`),
    finalizerTexts.length === 0
      ? condition('NamespaceFinalizersRemaining', false, 'ContentHasNoFinalizers', 'All content-preserving finalizers finished')
      : condition(
          'NamespaceFinalizersRemaining',
          true,
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${finalizerTexts.join(', ')}`,
        ),
  ];
  const known = listAt(namespace, 'status', 'conditions');
  return wanted.map((next) => {
    const before = known.find((other) => textAt(other, 'type') === next.type);
    const isSame = before !== undefined && textAt(before, 'status') === next.status && textAt(before, 'message') === next.message;
    return { ...next, lastTransitionTime: isSame ? textAt(before, 'lastTransitionTime') : formatTime(nowMs) };
  });
}

type Condition = Readonly<Record<'type' | 'status' | 'reason' | 'message', string>>;

function condition(type: string, isTrue: boolean, reason: string, message: string): Condition {
  return { type, status: isTrue ? 'True' : 'False', reason, message };
}
