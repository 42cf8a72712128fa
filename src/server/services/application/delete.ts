import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationDeleteRequest } from '../../../contract/index.ts';
import { applicationType, type Application } from '../../../model/index.ts';
import { isStatusError } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { requireAllowed } from '../authorise.ts';
import { fromHomeError } from '../../home-errors.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { applicationObject, findApplication } from './find-application.ts';
import { readAgain } from './read-again.ts';
import { recordApplicationEvent } from './record-event.ts';

const CASCADE = 'resources-finalizer.argocd.argoproj.io';
const FINALIZERS: ReadonlyMap<string, string> = new Map([
  ['', CASCADE],
  ['foreground', `${CASCADE}/foreground`],
  ['background', `${CASCADE}/background`],
]);

const ATTEMPTS_MAX = 10;

/** Deletes an application; its finalizer, set or taken off before, decides whether its resources go too. */
export async function deleteApplication(
  context: ApplicationServiceOptions,
  request: ApplicationDeleteRequest,
  call: Call,
): Promise<Record<string, never>> {
  const { cascade = true, propagationPolicy = '' } = request;
  const finalizer = chooseFinalizer(cascade, propagationPolicy.toLowerCase());
  const { application } = await findApplication(context, call, { ...request, action: 'get' });
  const { metadata, spec } = application;
  const object = applicationObject(context, spec.project || 'default', metadata);
  requireAllowed(context.policy, call, { resource: 'applications', action: 'delete', object });
  await remove(context, application, finalizer, call.signal);
  await recordApplicationEvent(context, call, application, { reason: 'ResourceDeleted', action: 'deleted application' });
  return {};
}

/** Undefined where resources stay: without a cascade, and where they are to be orphans. */
function chooseFinalizer(cascade: boolean, policy: string): string | undefined {
  if (!cascade) {
    if (policy !== '') throw new ApiError(Code.InvalidArgument, 'cannot set propagation policy when cascading is disabled');
    return undefined;
  }
  if (policy === 'orphan') return undefined;
  const finalizer = FINALIZERS.get(policy);
  if (finalizer === undefined) throw new ApiError(Code.InvalidArgument, `invalid propagation policy: ${policy}`);
  return finalizer;
}

/** Both only if nobody wrote to it meanwhile: it might be in another project since. */
async function remove(
  context: ApplicationServiceOptions,
  application: Application,
  finalizer: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const ref = { namespace: application.metadata.namespace ?? '', name: application.metadata.name ?? '' };
  let current: Application | undefined = application;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    try {
      current ??= await readAgain(context, application, signal);
      const { uid, resourceVersion } = await setFinalizer(context, current, finalizer, signal);
      const preconditions = { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) };
      await context.home.delete(applicationType, ref, { preconditions, signal });
      return;
    } catch (error) {
      const failure = fromHomeError(error);
      if (failure instanceof ApiError && failure.code === Code.NotFound) return;
      if (!isStatusError(error, 'Conflict')) throw failure;
      current = undefined;
    }
  }
  throw new ApiError(Code.Internal, 'Failed to update application. Too many conflicts');
}

/** Gives what is known of the application then. */
async function setFinalizer(
  { home, applications }: ApplicationServiceOptions,
  { metadata }: Application,
  finalizer: string | undefined,
  signal: AbortSignal,
): Promise<Pick<Application['metadata'], 'uid' | 'resourceVersion'>> {
  const present = metadata.finalizers ?? [];
  const finalizers = withFinalizer(metadata, finalizer);
  if (finalizers.length === present.length && finalizers.every((one, index) => one === present[index])) return metadata;
  const ref = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
  const body = { metadata: { resourceVersion: metadata.resourceVersion ?? '', finalizers } };
  const stored = await home.patch(applicationType, ref, { type: 'merge', body }, { signal });
  applications.noticeWrite(stored);
  return stored.metadata;
}

function withFinalizer({ finalizers = [], deletionTimestamp }: Application['metadata'], finalizer: string | undefined): string[] {
  const cascades = [...FINALIZERS.values()];
  if (finalizer === undefined) return finalizers.filter((one) => !cascades.includes(one));
  // Once the deletion has begun, nothing may be added; and one that says how is replaced only by another that says so.
  if (deletionTimestamp || finalizers.includes(finalizer)) return finalizers;
  return [...finalizers, finalizer];
}
