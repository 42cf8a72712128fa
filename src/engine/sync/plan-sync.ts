import type { KubeObject } from '../../objects/index.ts';
import type { ManagedResource } from '../compare/compare-application.ts';
import { compareTexts } from '../resource-key.ts';
import { isSkipped, syncWaveOf } from './hooks.ts';
import { compareKinds } from './kind-order.ts';
import { hasOption, hasOptionFor } from './sync-options.ts';

export interface SyncPlanInput {
  readonly resources: readonly ManagedResource[];
  readonly prune: boolean;
  /** The options of the operation, or else of the application. */
  readonly syncOptions: readonly string[];
}

export interface SyncPlan {
  /** In the order in which they are applied. */
  readonly apply: readonly (ManagedResource & { readonly desired: KubeObject })[];
  /** After everything is applied, in this order. */
  readonly prune: readonly (ManagedResource & { readonly live: KubeObject })[];
  /** What would be pruned and is not, and the message that says why. */
  readonly kept: readonly { readonly resource: ManagedResource; readonly message: string }[];
}

/** What a sync without hooks does: apply in the order of waves, kinds and names, then prune in the reverse order. */
export function planSync({ resources, prune, syncOptions }: SyncPlanInput): SyncPlan {
  const own = resources.filter((resource) => resource.isSelfReferenced && !resource.isHook);
  const apply = own
    .filter(
      (resource): resource is ManagedResource & { desired: KubeObject } => resource.desired !== undefined && !isSkipped(resource.desired),
    )
    .filter(({ comparison, live }) => !hasOption(syncOptions, 'ApplyOutOfSyncOnly=true') || live === undefined || comparison.modified)
    .sort(compareResources);
  const extra = own.filter(
    (resource): resource is ManagedResource & { live: KubeObject } => resource.requiresPruning && resource.live !== undefined,
  );
  const isProtected = ({ live }: ManagedResource): boolean => hasOptionFor(live, syncOptions, 'Prune=false');
  return {
    apply,
    prune: prune ? extra.filter((resource) => !isProtected(resource)).sort((left, right) => -compareResources(left, right)) : [],
    kept: extra
      .filter((resource) => !prune || isProtected(resource))
      .map((resource) => ({ resource, message: isProtected(resource) ? 'ignored (no prune)' : 'ignored (requires pruning)' })),
  };
}

function compareResources(left: ManagedResource, right: ManagedResource): number {
  return (
    syncWaveOf(left.desired ?? left.live) - syncWaveOf(right.desired ?? right.live) ||
    compareKinds(left.kind, right.kind) ||
    compareTexts(left.name, right.name)
  );
}
