import { ApiError, Code } from '../../../base/index.ts';
import { applicationSetType, readApplicationSet, type ApplicationSet } from '../../../model/index.ts';
import { isStatusError } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { mayDo, permissionDenied, requireAllowed } from '../authorise.ts';
import { fromHomeError } from '../../home-errors.ts';
import { applicationSetObject, projectOf, type ApplicationSetServiceOptions } from './application-set-context.ts';

export interface FindOptions {
  readonly namespace: string;
  readonly name: string | undefined;
  readonly action: 'get' | 'delete';
  /** How a failure to read it begins. */
  readonly failure: string;
}

/**
 * The application set that a request names, read anew, if the caller may do this to it. Who may not see it reads the same as if it were not
 * there: that there is none, where they could have one of this name in some project, since clients that create one ask first; else a refusal.
 */
export async function findApplicationSet(
  context: ApplicationSetServiceOptions,
  call: Call,
  { namespace, name = '', action, failure }: FindOptions,
): Promise<ApplicationSet> {
  let set: ApplicationSet | undefined;
  try {
    set = readApplicationSet(await context.home.get(applicationSetType, { namespace, name }, { signal: call.signal }));
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw fromHomeError(error);
  }
  const may = (wanted: string, project: string): boolean =>
    mayDo(context.policy, call, {
      resource: 'applicationsets',
      action: wanted,
      object: applicationSetObject(context, project, { namespace, name }),
    });
  if (set !== undefined && may(action, projectOf(set))) return set;
  if (set !== undefined && may('get', projectOf(set))) {
    const object = applicationSetObject(context, projectOf(set), set.metadata);
    requireAllowed(context.policy, call, { resource: 'applicationsets', action, object });
  }
  const projects = ['default', ...Array.from(context.projects.values(), ({ metadata }) => metadata.name ?? '')];
  if (!projects.some((project) => ['get', 'create', action].some((wanted) => may(wanted, project)))) throw permissionDenied();
  throw new ApiError(Code.NotFound, `${failure}: applicationsets.argoproj.io ${JSON.stringify(name)} not found`);
}
