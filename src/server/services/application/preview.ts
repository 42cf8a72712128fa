import { ApiError, Code, createSemaphore } from '../../../base/index.ts';
import type { ManifestResponse } from '../../../contract/index.ts';
import { readApplication, type Application } from '../../../model/index.ts';
import type { Asker } from '../../call.ts';
import { mayDo, requireAllowed } from '../authorise.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { prepareApplication } from './create.ts';
import { applicationObject, requireProject } from './find-application.ts';
import { validateApplication } from './validate.ts';

/** How many are rendered at once for those who only look, and how many may wait for that. */
const places = { runningMax: 4, waitingMax: 40 };

type Preview = (context: ApplicationServiceOptions, given: Application, call: Asker) => Promise<ManifestResponse>;

/**
 * Renders an application that somebody thinks of creating, or of changing so. It asks for the same permission as the deed itself, and holds
 * the application to the rules of its project: repositories are read with the credentials of that.
 */
export function createPreview(): Preview {
  const semaphore = createSemaphore(places);
  return async (context, given, call) => {
    const application = prepareApplication(context, given);
    requireDeed(context, application, call);
    const namespace = application.metadata.namespace ?? '';
    if (!context.isNamespaceEnabled(namespace)) throw new ApiError(Code.Unknown, `namespace '${namespace}' is not permitted`);
    const project = requireProject(context, application);
    await validateApplication(context, application, { project, repositories: false, signal: call.signal });
    const rendered = semaphore.tryRun(() => render(context, application, call.signal));
    if (rendered === undefined) throw new ApiError(Code.ResourceExhausted, 'too many applications are being rendered, please try again');
    return rendered;
  };
}

/** What cannot be rendered is wrong with what was given, as when it is created. */
async function render(context: ApplicationServiceOptions, application: Application, signal: AbortSignal): Promise<ManifestResponse> {
  try {
    return await context.inspector.manifests(application, { fresh: true, signal });
  } catch (error) {
    if (error instanceof ApiError && error.code === Code.Unknown) throw new ApiError(Code.InvalidArgument, error.message, { cause: error });
    throw error;
  }
}

/** Who may only change applications may look at what becomes of one that there is, in the project that it is in. */
function requireDeed(context: ApplicationServiceOptions, { metadata, spec }: Application, call: Asker): void {
  const object = applicationObject(context, spec.project, metadata);
  const stored = context.applications.get({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
  const isThere = stored !== undefined && (readApplication(stored).spec.project || 'default') === spec.project;
  if (isThere && mayDo(context.policy, call, { resource: 'applications', action: 'update', object })) return;
  requireAllowed(context.policy, call, { resource: 'applications', action: 'create', object });
}
