import {
  hasOption,
  hasOptionFor,
  objectHasOption,
  propagationPolicyOf,
  usesServerSideApply,
  type ManagedResource,
} from '../../engine/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import type { Application, ResourceResult } from '../../model/index.ts';
import { isStatusError, type KubeObject } from '../../objects/index.ts';
import { applyObject, type ApplyOptions } from './apply-object.ts';
import type { ControllerContext } from './controller-context.ts';
import { createNamespace } from './create-namespace.ts';
import { findType } from './find-type.ts';
import { messageOf, resultOf, type TasksToApply } from './sync-task.ts';
import { waitForCache, type Expectation } from './wait-for-cache.ts';

/** Applies and prunes what a plan says, and says what became of each object, in the order in which it was done. */
export async function applyTasks(
  context: ControllerContext,
  application: Application,
  tasks: TasksToApply,
): Promise<readonly ResourceResult[]> {
  const { plan, sync, syncOptions, comparison } = tasks;
  const results: ResourceResult[] = [];
  const expectations: Expectation[] = [];
  const isDryRun = sync.dryRun === true;
  const namespace = await createNamespace(application, tasks);
  if (namespace !== undefined) results.push(namespace);
  if (namespace?.status === 'SyncFailed') return results;
  for (const resource of plan.apply) {
    try {
      const applied = await applyObject(await applyOptions(resource, tasks));
      results.push(resultOf(resource, { status: 'Synced', message: applied.message, hookPhase: isDryRun ? 'Succeeded' : 'Running' }));
      if (!isDryRun) expectations.push({ key: resource, resourceVersion: applied.object.metadata.resourceVersion ?? '' });
    } catch (error) {
      results.push(resultOf(resource, { status: 'SyncFailed', message: messageOf(error), hookPhase: 'Failed' }));
    }
  }
  const hasFailed = results.some(({ status }) => status === 'SyncFailed');
  for (const resource of hasFailed ? [] : plan.prune) {
    results.push(await pruneObject(resource, tasks, propagationPolicyOf(syncOptions)));
    if (!isDryRun) expectations.push({ key: resource, resourceVersion: 'none' });
  }
  for (const { resource, message } of plan.kept)
    results.push(resultOf(resource, { status: 'PruneSkipped', message, hookPhase: 'Succeeded' }));
  // So that the comparison that follows sees what was done here.
  await waitForCache(context, comparison.cluster.cache, expectations, tasks.signal);
  return results;
}

async function applyOptions(
  resource: ManagedResource & { readonly desired: KubeObject },
  { sync, syncOptions, comparison, signal }: TasksToApply,
): Promise<ApplyOptions> {
  const { desired, live } = resource;
  const strategy = sync.syncStrategy?.hook ?? sync.syncStrategy?.apply;
  const isReplaced = hasOptionFor(desired, syncOptions, 'Replace=true');
  return {
    api: comparison.cluster.api,
    type: await findType(comparison.cluster, resource, signal),
    desired,
    live,
    mode: isReplaced ? 'replace' : usesServerSideApply(desired, syncOptions) ? 'server-side' : 'client-side',
    force: strategy?.force === true || objectHasOption(desired, 'Force=true'),
    validate: !hasOption(syncOptions, 'Validate=false') && !objectHasOption(desired, 'Validate=false'),
    dryRun: sync.dryRun === true,
    signal,
  };
}

async function pruneObject(
  resource: ManagedResource & { readonly live: KubeObject },
  { sync, comparison, signal }: TasksToApply,
  propagation: 'Foreground' | 'Background' | 'Orphan',
): Promise<ResourceResult> {
  if (sync.dryRun === true) return resultOf(resource, { status: 'Pruned', message: 'pruned (dry run)', hookPhase: 'Succeeded' });
  const { uid } = resource.live.metadata;
  try {
    const type: ResourceType = await findType(comparison.cluster, resource, signal);
    const ref = { name: resource.name, ...(resource.namespace !== '' && { namespace: resource.namespace }) };
    // Only what was looked at: an object that was made anew under the same name is not ours to delete.
    await comparison.cluster.api.delete(type, ref, { propagation, ...(uid && { preconditions: { uid } }), signal });
    return resultOf(resource, { status: 'Pruned', message: 'pruned', hookPhase: 'Succeeded' });
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return resultOf(resource, { status: 'Pruned', message: 'pruned', hookPhase: 'Succeeded' });
    return resultOf(resource, { status: 'SyncFailed', message: messageOf(error), hookPhase: 'Failed' });
  }
}
