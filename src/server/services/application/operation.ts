import { ApiError, Code } from '../../../base/index.ts';
import { applicationType, readApplication, type Application, type Operation } from '../../../model/index.ts';
import { isStatusError, type JsonObject } from '../../../objects/index.ts';
import { fromHomeError } from '../../home-errors.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { readAgain } from './read-again.ts';

const ATTEMPTS_MAX = 10;

/** Writes down an operation to be carried out, unless there is one already. */
export function setOperation(
  context: ApplicationServiceOptions,
  application: Application,
  operation: Operation,
  { annotations = {}, signal }: { readonly annotations?: Readonly<Record<string, string | null>>; readonly signal: AbortSignal },
): Promise<Application> {
  return patchAtVersion(context, application, signal, (current) => {
    if (current.operation) throw new ApiError(Code.FailedPrecondition, 'another operation is already in progress');
    const metadata = Object.keys(annotations).length > 0 ? { metadata: { annotations: { ...annotations } } } : {};
    return { operation: operation as unknown as JsonObject, status: { operationState: null }, ...metadata };
  });
}

/** Asks the running operation to stop. */
export async function terminateOperation(context: ApplicationServiceOptions, application: Application, signal: AbortSignal): Promise<void> {
  await patchAtVersion(context, application, signal, (current) => {
    if (!current.operation || !current.status?.operationState)
      throw new ApiError(Code.InvalidArgument, 'Unable to terminate operation. No operation is in progress');
    return { status: { operationState: { phase: 'Terminating' } } };
  });
}

/** Merges what `bodyFor` says into the application, only if nobody wrote to it since that was decided; otherwise decides anew. */
async function patchAtVersion(
  context: ApplicationServiceOptions,
  application: Application,
  signal: AbortSignal,
  bodyFor: (current: Application) => JsonObject,
): Promise<Application> {
  const { home, applications, namespace } = context;
  const ref = { namespace: application.metadata.namespace ?? namespace, name: application.metadata.name ?? '' };
  let current = application;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const { metadata, ...rest } = bodyFor(current);
    const body = {
      ...rest,
      metadata: { ...(metadata as JsonObject | undefined), resourceVersion: current.metadata.resourceVersion ?? '' },
    };
    try {
      const stored = await home.patch(applicationType, ref, { type: 'merge', body }, { signal });
      applications.noticeWrite(stored);
      return readApplication(stored);
    } catch (error) {
      if (!isStatusError(error, 'Conflict')) throw fromHomeError(error);
      current = await readAgain(context, application, signal);
    }
  }
  throw new ApiError(Code.Internal, 'Failed to update application. Too many conflicts');
}
