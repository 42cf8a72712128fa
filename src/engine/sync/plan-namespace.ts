import type { ManagedNamespaceMetadata } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { annotations } from '../annotations.ts';
import { hasOption } from './sync-options.ts';
import type { SyncTask } from './sync-task.ts';

export interface NamespaceInput {
  readonly syncOptions: readonly string[];
  readonly destinationNamespace: string;
  readonly metadata?: ManagedNamespaceMetadata | undefined;
  /** What the application wants. */
  readonly desired: readonly KubeObject[];
  /** The live namespace; undefined where there is none. */
  readonly live: KubeObject | undefined;
}

/**
 * The task that creates the destination's namespace before anything else, or keeps its labels and annotations; undefined where the
 * application does not ask for it, brings the namespace itself, or has nothing to change about it. The namespace is not the application's:
 * it carries no mark, and is not pruned.
 */
export function planNamespace({ syncOptions, destinationNamespace, metadata, desired, live }: NamespaceInput): SyncTask | undefined {
  if (!hasOption(syncOptions, 'CreateNamespace=true') || destinationNamespace === '') return undefined;
  const isBrought = desired.some(
    ({ apiVersion, kind, metadata: { name } }) => apiVersion === 'v1' && kind === 'Namespace' && name === destinationNamespace,
  );
  if (isBrought || (live !== undefined && metadata === undefined)) return undefined;
  const labels = metadata?.labels ?? {};
  // Applied by the server, so that labels and annotations of others stay theirs.
  const own = metadata === undefined ? {} : { ...metadata.annotations, [annotations.syncOptions]: 'ServerSideApply=true' };
  const namespace: KubeObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: destinationNamespace,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(own).length > 0 && { annotations: own }),
    },
  };
  const key = { group: '', kind: 'Namespace', namespace: '', name: destinationNamespace };
  return { ...key, version: 'v1', phase: 'PreSync', wave: 0, desired: namespace, live, isHook: false, modified: true };
}
