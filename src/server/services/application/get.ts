import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationQuery } from '../../../contract/index.ts';
import { applicationType, readApplication, type Application } from '../../../model/index.ts';
import { isStatusError, type KubeObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { withHomeErrors } from '../../home-errors.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { findApplication } from './find-application.ts';

export const refreshAnnotation = 'argocd.argoproj.io/refresh';

/** The longest that a refresh is waited for; clients usually give up sooner. */
const refreshLimitMs = 180_000;

/** One application, read anew; with `refresh`, after it has been compared anew. */
export async function getApplication(context: ApplicationServiceOptions, query: ApplicationQuery, call: Call): Promise<Application> {
  const projects = query.project?.length ? query.project : (query.projects ?? []);
  if (projects.length > 1)
    throw new ApiError(Code.InvalidArgument, 'multiple projects specified - the get endpoint accepts either zero or one project');
  const [project = ''] = projects;
  const { name = '', appNamespace = '' } = query;
  const { application } = await findApplication(context, call, { name, appNamespace, project, action: 'get' });
  if (query.refresh === undefined) return application;
  return refreshApplication(context, application, query.refresh === 'hard' ? 'hard' : 'normal', call.signal);
}

/** Marks an application for a comparison, which whoever looks after it then makes. Gives it as it is marked. */
export function askForRefresh(
  context: ApplicationServiceOptions,
  ref: { readonly namespace: string; readonly name: string },
  kind: 'normal' | 'hard',
  signal: AbortSignal,
): Promise<KubeObject> {
  const patch = { type: 'merge', body: { metadata: { annotations: { [refreshAnnotation]: kind } } } } as const;
  return withHomeErrors(() => context.home.patch(applicationType, ref, patch, { signal }));
}

/** Asks for a comparison, and gives the application as that left it. */
export async function refreshApplication(
  context: ApplicationServiceOptions,
  { metadata }: Application,
  kind: 'normal' | 'hard',
  signal: AbortSignal,
): Promise<Application> {
  const ref = { namespace: metadata.namespace ?? context.namespace, name: metadata.name ?? '' };
  const { promise, resolve } = Promise.withResolvers<KubeObject | undefined>();
  const cancelTimer = context.timers.schedule(refreshLimitMs, () => resolve(undefined));
  const onAbort = (): void => resolve(undefined);
  let askedAt = Infinity;
  const look = (object: KubeObject): void => {
    if (Number(object.metadata.resourceVersion) > askedAt && object.metadata.annotations?.[refreshAnnotation] === undefined)
      resolve(object);
  };
  const unsubscribe = context.applications.subscribe(({ object }) => {
    if (object.metadata.name === ref.name && object.metadata.namespace === ref.namespace) look(object);
  });
  signal.addEventListener('abort', onAbort);
  try {
    const asked = await askForRefresh(context, ref, kind, signal);
    askedAt = Number(asked.metadata.resourceVersion);
    // The answer to the patch may have come after what it set off.
    const known = context.applications.get(ref);
    if (known !== undefined) look(known);
    const refreshed = await promise;
    if (refreshed === undefined) throw new ApiError(Code.DeadlineExceeded, 'application refresh deadline exceeded');
    return readApplication(refreshed);
  } catch (error) {
    if (isStatusError(error, 'NotFound')) throw new ApiError(Code.NotFound, error.message);
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    cancelTimer();
    unsubscribe();
  }
}
