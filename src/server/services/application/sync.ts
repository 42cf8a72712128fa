import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationSyncRequest, OperationTerminateRequest } from '../../../contract/index.ts';
import {
  describePin,
  hasMultipleSources,
  readPin,
  sourcesOf,
  type Application,
  type ApplicationSource,
  type Operation,
} from '../../../model/index.ts';
import { isJsonObject, type JsonValue } from '../../../objects/index.ts';
import { requireNoIntegrity } from '../../../sources/index.ts';
import type { Call } from '../../call.ts';
import { requireAllowed } from '../authorise.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { askedRevisions } from './asked-revisions.ts';
import { applicationObject, findApplication } from './find-application.ts';
import { isAutomated } from './is-automated.ts';
import { recordApplicationEvent } from './record-event.ts';
import { setOperation, terminateOperation } from './operation.ts';
import { requireOpenWindow } from './sync-windows.ts';

/** Starts a sync: writes down what is to be done, and whoever looks after the application does it. */
export async function syncApplication(
  context: ApplicationServiceOptions,
  request: ApplicationSyncRequest,
  call: Call,
): Promise<Application> {
  const { application, project } = await findApplication(context, call, { ...request, action: 'get' });
  requireOpenWindow(application, project, context.clock.nowMs());
  requireDeed(context, call, application, 'sync');
  const { dryRun = false, prune = false, manifests = [], resources = [] } = request;
  if (manifests.length > 0) {
    requireDeed(context, call, application, 'override');
    if (isAutomated(application) && !dryRun)
      throw precondition('cannot use local sync when Automatic Sync Policy is enabled unless for dry run');
    for (const manifest of manifests) requireManifest(manifest);
  }
  if (application.metadata.deletionTimestamp) throw precondition('application is deleting');
  const options = request.syncOptions?.items ?? application.spec.syncPolicy?.syncOptions ?? [];
  if (options.includes('Replace=true') && !context.settings.current.parameters.syncReplaceAllowed)
    throw precondition('sync with replace was disabled on the API Server level via the server configuration');
  const target = await resolveRevisions(context, application, request, call);
  if (manifests.length > 0) requireNoIntegrity(project.spec, sourcesOf(application), context.settings.current.gpgKeys);
  const retry = request.retryStrategy ?? application.spec.syncPolicy?.retry;
  const operation: Operation = {
    sync: {
      ...target,
      ...(prune && { prune }),
      ...(dryRun && { dryRun }),
      ...(request.strategy && { syncStrategy: request.strategy }),
      ...(resources.length > 0 && { resources }),
      ...(manifests.length > 0 && { manifests }),
      ...(options.length > 0 && { syncOptions: [...options] }),
    },
    initiatedBy: { username: call.caller?.username ?? '' },
    ...(request.infos?.length && { info: request.infos }),
    ...(retry && { retry }),
  };
  const started = await setOperation(context, application, operation, { signal: call.signal });
  const action = describeSync(target, { isPartial: resources.length > 0, isLocal: manifests.length > 0 });
  await recordApplicationEvent(context, call, started, { reason: 'OperationStarted', action });
  return started;
}

export async function terminateApplicationOperation(
  context: ApplicationServiceOptions,
  request: OperationTerminateRequest,
  call: Call,
): Promise<Record<string, never>> {
  const { application } = await findApplication(context, call, { ...request, action: 'sync' });
  await terminateOperation(context, application, call.signal);
  await recordApplicationEvent(context, call, application, { reason: 'ResourceUpdated', action: 'terminated running operation' });
  return {};
}

function describeSync({ revision = '', revisions = [] }: Target, { isPartial, isLocal }: { isPartial: boolean; isLocal: boolean }): string {
  const what = `initiated ${isPartial ? 'partial ' : ''}sync`;
  if (isLocal) return `${what} locally`;
  return `${what} to ${revisions.length > 0 ? revisions.join(',') : revision}`;
}

type Target = Pick<NonNullable<Operation['sync']>, 'revision' | 'revisions' | 'source' | 'sources'>;

/** What to sync to: the asked or the target revision as the commit or version that it stands for now. */
async function resolveRevisions(
  context: ApplicationServiceOptions,
  application: Application,
  request: ApplicationSyncRequest,
  call: Call,
): Promise<Target> {
  const sources = sourcesOf(application);
  const asked = askedRevisions(request, sources.length);
  const { project } = application.spec;
  const pin = readPin(application, context.clock.nowMs());
  const revisions: string[] = [];
  for (const [index, source] of sources.entries()) {
    const target = source.targetRevision || 'HEAD';
    const pinned = pin?.revisions[index];
    if (pin !== undefined && asked[index] && asked[index] !== pinned) throw precondition(`the application is ${describePin(pin)}`);
    const wanted = asked[index] || target;
    if (pinned !== undefined) {
      revisions.push(pinned);
      continue;
    }
    if (wanted !== target) requireOtherRevision(context, call, { application, request, source, wanted, target });
    revisions.push(await resolveRevision(context, { ...source, targetRevision: wanted }, project, call.signal));
  }
  if (hasMultipleSources(application)) return { sources: [...sources], revisions };
  const [source] = sources;
  return { ...(source && { source }), ...(revisions[0] !== undefined && { revision: revisions[0] }) };
}

async function resolveRevision(
  context: ApplicationServiceOptions,
  source: ApplicationSource,
  project: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    return (await context.sources.resolve(source, { project, fresh: true, signal })).revision;
  } catch (error) {
    if (error instanceof ApiError) throw precondition(error.message);
    throw error;
  }
}

interface OtherRevision {
  readonly application: Application;
  readonly request: ApplicationSyncRequest;
  readonly source: ApplicationSource;
  readonly wanted: string;
  readonly target: string;
}

function requireOtherRevision(context: ApplicationServiceOptions, call: Call, other: OtherRevision): void {
  const { application, request, source, wanted, target } = other;
  if (isAutomated(application) && request.dryRun !== true) {
    const what = hasMultipleSources(application) ? `source ${source.repoURL} to ${wanted}` : `to ${wanted}`;
    throw precondition(`Cannot sync ${what}: auto-sync currently set to ${target}`);
  }
  if (context.settings.current.general.overrideNeededForRevision) requireDeed(context, call, application, 'override');
}

function requireDeed(context: ApplicationServiceOptions, call: Call, { metadata, spec }: Application, action: string): void {
  const object = applicationObject(context, spec.project || 'default', metadata);
  requireAllowed(context.policy, call, { resource: 'applications', action, object });
}

function requireManifest(text: string): void {
  try {
    if (isJsonObject(JSON.parse(text) as JsonValue)) return;
  } catch {
    // Told below.
  }
  throw new ApiError(Code.InvalidArgument, 'a local manifest is no JSON object');
}

function precondition(message: string): ApiError {
  return new ApiError(Code.FailedPrecondition, message);
}
