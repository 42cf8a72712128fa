import type { WorkResult } from '../../kube/index.ts';
import { allowedChangesOf, applicationSetType, applicationType, effectivePolicy, type ApplicationSet } from '../../model/index.ts';
import { isStatusError } from '../../objects/index.ts';
import type { ApplicationSetContext } from './application-set-context.ts';
import { ownedApplications } from './owned-applications.ts';
import { resourcesFinalizer } from './templates/render-application.ts';

/** Does what an application set that is being deleted asks for, and lets it go. Without a finalizer of ours it is not ours to do. */
export async function finalizeSet(context: ApplicationSetContext, set: ApplicationSet, signal: AbortSignal): Promise<WorkResult> {
  const { finalizers = [] } = set.metadata;
  if (!finalizers.includes(resourcesFinalizer)) return 'done';
  const { parameters } = context.settings.current;
  const policy = effectivePolicy(set, parameters.appsetPolicy, parameters.appsetPolicyOverride ?? parameters.appsetPolicy === '');
  if (!allowedChangesOf(policy).delete) await releaseApplications(context, set, signal);
  await removeFinalizer(context, set, signal);
  return 'done';
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
