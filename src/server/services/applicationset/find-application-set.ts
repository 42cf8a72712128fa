import { ApiError, Code } from '../../../base/index.ts';
import { applicationSetType, readApplicationSet, type ApplicationSet } from '../../../model/index.ts';
import { isStatusError } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { requireAllowed } from '../authorise.ts';
import { fromHomeError } from '../home-errors.ts';
import { applicationSetObject, projectOf, type ApplicationSetServiceOptions } from './application-set-context.ts';

export interface FindOptions {
  readonly namespace: string;
  readonly name: string | undefined;
  readonly action: 'get' | 'delete';
  /** How a failure to read it begins. */
  readonly failure: string;
}

/** The application set that a request names, read anew, if the caller may do this to it. */
export async function findApplicationSet(
  context: ApplicationSetServiceOptions,
  call: Call,
  { namespace, name = '', action, failure }: FindOptions,
): Promise<ApplicationSet> {
  let set: ApplicationSet;
  try {
    set = readApplicationSet(await context.home.get(applicationSetType, { namespace, name }, { signal: call.signal }));
  } catch (error) {
    if (isStatusError(error, 'NotFound')) throw new ApiError(Code.NotFound, `${failure}: ${error.message}`);
    throw fromHomeError(error);
  }
  requireAllowed(context.policy, call, {
    resource: 'applicationsets',
    action,
    object: applicationSetObject(context, projectOf(set), set.metadata),
  });
  return set;
}
