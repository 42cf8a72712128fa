import { ApiError, Code } from '../../../base/index.ts';
import { applicationType, permitsApplicationNamespace, readApplication, type Application, type AppProject } from '../../../model/index.ts';
import { isStatusError, type StatusReason } from '../../../objects/index.ts';
import type { Asker } from '../../call.ts';
import { mayDo, permissionDenied } from '../authorise.ts';
import { effectiveProject, knownProject } from '../project/project-context.ts';
import type { ApplicationServiceOptions } from './application-context.ts';

/** How a request names an application. */
export interface ApplicationName {
  readonly name?: string;
  /** Empty is the namespace of the control plane. */
  readonly appNamespace?: string;
  /** The project that it is expected to be in; empty is any. */
  readonly project?: string;
}

export interface FoundApplication {
  readonly application: Application;
  readonly project: AppProject;
}

/** Refusals that say nothing of what was asked for: the home is busy, is not there, or does not know us any more. */
const outages: readonly StatusReason[] = ['ServiceUnavailable', 'ServerTimeout', 'Timeout', 'TooManyRequests', 'Unauthorized'];

/**
 * The application that a request names, read anew, if the caller may do this to it. Who may not, cannot tell from the refusal whether it
 * exists: it reads the same for both, unless the caller names a project that they have access to. While the home cannot be read, everybody
 * is told so, whatever they ask for.
 */
export async function findApplication(
  context: ApplicationServiceOptions,
  call: Asker,
  asked: ApplicationName & { readonly action: string },
): Promise<FoundApplication> {
  const { name = '', project = '', action } = asked;
  const namespace = asked.appNamespace || context.namespace;
  const isAllowedIn = (projectName: string): boolean =>
    mayDo(context.policy, call, { resource: 'applications', action, object: applicationObject(context, projectName, { namespace, name }) });
  if (project !== '' && !isAllowedIn(project)) throw permissionDenied();
  if (name === '' || !context.isNamespaceEnabled(namespace)) throw permissionDenied();
  const notFound = (): ApiError =>
    project === '' ? permissionDenied() : new ApiError(Code.NotFound, `applications.argoproj.io "${name}" not found`);

  const application = await readLive(context, namespace, name, call.signal);
  if (application === 'missing') throw notFound();
  if (application === undefined) throw permissionDenied();
  const actual = application.spec.project || 'default';
  if (!isAllowedIn(actual)) throw notFound();
  if (project !== '' && project !== actual) throw notFound();
  return { application, project: requireProject(context, application) };
}

/** Undefined where this one cannot be read, for whatever reason. Throws Unavailable where nothing can. */
async function readLive(
  { home, log }: ApplicationServiceOptions,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<Application | 'missing' | undefined> {
  try {
    return readApplication(await home.get(applicationType, { namespace, name }, { signal }));
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return 'missing';
    log.warn('an application could not be read', { namespace, name, error });
    if (isOutage(error)) throw new ApiError(Code.Unavailable, 'the applications cannot be read at the moment, please try again');
    return undefined;
  }
}

/**
 * Whether reading any other application would have failed as well. A server that fails in another way may do so because of the one that was asked
 * for, one that it cannot decode for example: to tell of that would tell that it exists.
 */
function isOutage(error: unknown): boolean {
  if (isStatusError(error)) return outages.includes(error.reason);
  return error instanceof ApiError && (error.code === Code.Unavailable || error.code === Code.DeadlineExceeded);
}

/** The project of an application, where there is one and it lets applications of that namespace in. */
export function requireProject(context: ApplicationServiceOptions, { metadata, spec }: Application): AppProject {
  const name = spec.project || 'default';
  if (!context.projects.synced) throw new ApiError(Code.Unavailable, 'the projects have not been read yet, please try again');
  const project = knownProject(context, name);
  const namespace = metadata.namespace || context.namespace;
  if (project !== undefined && permitsApplicationNamespace(project, namespace, context.namespace))
    return effectiveProject(context, project);
  throw new ApiError(Code.InvalidArgument, `app is not allowed in project "${name}", or the project does not exist`);
}

/** How policies name an application: outside the namespace of the control plane, with its namespace. */
export function applicationObject(
  { namespace: control }: Pick<ApplicationServiceOptions, 'namespace'>,
  project: string,
  { namespace = '', name = '' }: { readonly namespace?: string; readonly name?: string },
): string {
  return namespace === '' || namespace === control ? `${project}/${name}` : `${project}/${namespace}/${name}`;
}
