import { ApiError, Code } from '../../base/index.ts';
import type { WorkResult } from '../../kube/index.ts';
import { allowedChangesOf, applicationSetType, applicationType, type ApplicationSet } from '../../model/index.ts';
import { isStatusError, parseTime } from '../../objects/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import { ownedApplications } from './owned-applications.ts';
import { policyOf } from './policy-of.ts';
import { deletesInReverse } from './rollout/advance-rollout.ts';
import { matchSteps } from './rollout/match-steps.ts';
import { resourcesFinalizer } from './templates/render-application.ts';
import { deleteApplications } from './write-applications.ts';

/** Does what an application set that is being deleted asks for, and lets it go. Without a finalizer of ours it is not ours to do. */
export async function finalizeSet(context: ApplicationSetContext, set: ApplicationSet, signal: AbortSignal): Promise<WorkResult> {
  const { finalizers = [] } = set.metadata;
  if (!finalizers.includes(resourcesFinalizer)) return 'done';
  // It stays until sets may change something again, which is looked at then.
  if (context.settings.current.parameters.appsetDryRun) return 'done';
  if (!allowedChangesOf(policyOf(context, set)).delete) await releaseApplications(context, set, signal);
  else if (deletesInReverse(set)) {
    const waitMs = await deleteNext(context, set, signal);
    if (waitMs !== undefined) return { requeueAfterMs: waitMs };
  }
  await removeFinalizer(context, set, signal);
  return 'done';
}

/** How soon an application that is on its way out is looked at again. */
const lookAgainMs = 10_000;
const overdueMs = 120_000;

/**
 * Deletes the next application, the last step first, and says when to look again; undefined where none is left. One that belongs to no step
 * goes with the set. Throws for one that does not go.
 */
async function deleteNext(context: ApplicationSetContext, set: ApplicationSet, signal: AbortSignal): Promise<number | undefined> {
  const owned = ownedApplications(context, set);
  const labelled = [...owned].map(([name, { metadata }]) => ({ name, labels: metadata.labels ?? {} }));
  const { stepOf } = matchSteps(set.spec.strategy?.rollingSync?.steps ?? [], labelled);
  const [next] = [...stepOf].filter(([, step]) => step >= 0).sort(([, one], [, other]) => other - one);
  const application = next && owned.get(next[0]);
  if (application === undefined) return undefined;
  const since = application.metadata.deletionTimestamp;
  if (!since) {
    const failures = await deleteApplications(context, set, [application], signal);
    const [failure] = failures.values();
    if (failure !== undefined) throw new ApiError(Code.Unavailable, failure);
    return lookAgainMs;
  }
  if (context.clock.nowMs() - (parseTime(since) ?? 0) <= overdueMs) return lookAgainMs;
  const { namespace = '', name = '' } = application.metadata;
  try {
    await context.home.get(applicationType, { namespace, name }, { signal });
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return lookAgainMs;
    const why = error instanceof Error ? error.message : String(error);
    const what = `application ${name} has not been deleted in over 2m0s and could not be verified against the API server`;
    throw new ApiError(Code.Unavailable, `${what}: ${why}`);
  }
  throw new ApiError(Code.Unavailable, 'application has not been deleted in over 2 minutes');
}

/** Without owners they stay when the set goes. */
async function releaseApplications(context: ApplicationSetContext, set: ApplicationSet, signal: AbortSignal): Promise<void> {
  for (const { metadata } of ownedApplications(context, set).values()) {
    const ref = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
    const body = { metadata: { ownerReferences: null, ...(metadata.uid !== undefined && { uid: metadata.uid }) } };
    try {
      context.applications.noticeWrite(await context.home.patch(applicationType, ref, { type: 'merge', body }, { signal }));
    } catch (error) {
      if (!isStatusError(error, 'NotFound', 'Conflict')) throw error;
    }
  }
}

async function removeFinalizer(context: ApplicationSetContext, { metadata }: ApplicationSet, signal: AbortSignal): Promise<void> {
  const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== resourcesFinalizer);
  const ref = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
  const body = { metadata: { finalizers, resourceVersion: metadata.resourceVersion ?? '' } };
  try {
    const stored = await context.home.patch(applicationSetType, ref, { type: 'merge', body }, { signal });
    if (finalizers.length > 0) context.applicationSets.noticeWrite(stored);
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
  }
}
