import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationRollbackRequest, ApplicationSyncRequest, OperationTerminateRequest } from '../../../contract/index.ts';
import {
  applicationQualifiedName,
  hasMultipleSources,
  permitsSource,
  sourcesOf,
  type Application,
  type ApplicationSource,
  type AppProject,
  type Operation,
} from '../../../model/index.ts';
import { isJsonObject, type JsonValue } from '../../../objects/index.ts';
import { findIntegrity } from '../../../sources/index.ts';
import type { Call } from '../../call.ts';
import { requireAllowed } from '../authorise.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { askedRevisions } from './asked-revisions.ts';
import { applicationObject, findApplication } from './find-application.ts';
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
  const isAutomated = automated(application);
  if (manifests.length > 0) {
    requireDeed(context, call, application, 'override');
    if (isAutomated && !dryRun) throw precondition('cannot use local sync when Automatic Sync Policy is enabled unless for dry run');
    for (const manifest of manifests) requireManifest(manifest);
  }
  if (application.metadata.deletionTimestamp) throw precondition('application is deleting');
  const options = request.syncOptions?.items ?? application.spec.syncPolicy?.syncOptions ?? [];
  if (options.includes('Replace=true') && !context.settings.current.parameters.syncReplaceAllowed)
    throw precondition('sync with replace was disabled on the API Server level via the server configuration');
  const target = await resolveRevisions(context, application, request, call);
  if (manifests.length > 0 && isIntegrityEnforced(context, application, project))
    throw precondition('Cannot use local manifests when source integrity is enforced');
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
  const started = await setOperation(context, application, operation, call.signal);
  const action = describeSync(target, { isPartial: resources.length > 0, isLocal: manifests.length > 0 });
  await recordApplicationEvent(context, call, started, { reason: 'OperationStarted', action });
  return started;
}

/** Starts a sync to what was deployed before. */
export async function rollbackApplication(
  context: ApplicationServiceOptions,
  request: ApplicationRollbackRequest,
  call: Call,
): Promise<Application> {
  const { application, project } = await findApplication(context, call, { ...request, action: 'sync' });
  if (application.metadata.deletionTimestamp) throw precondition('application is deleting');
  if (automated(application)) throw precondition('rollback cannot be initiated when auto-sync is enabled');
  const { id, prune = false, dryRun = false } = request;
  const entry = application.status?.history?.find((one) => one.id === id);
  if (entry === undefined) {
    const name = applicationQualifiedName(application);
    throw new ApiError(Code.InvalidArgument, `application ${name} does not have deployment with id ${id}`);
  }
  const { source, sources, revision, revisions } = entry;
  if (source === undefined && sources === undefined)
    throw precondition('cannot rollback to revision deployed with Argo CD v0.11 or lower. sync to revision instead.');
  requirePermittedSources(context, project, source ? [source] : (sources ?? []));
  const options = application.spec.syncPolicy?.syncOptions ?? [];
  const operation: Operation = {
    sync: {
      ...(source && { source }),
      ...(sources && { sources }),
      ...(revision && { revision }),
      ...(revisions && { revisions }),
      ...(prune && { prune }),
      ...(dryRun && { dryRun }),
      syncStrategy: { apply: {} },
      ...(options.length > 0 && { syncOptions: options }),
    },
    initiatedBy: { username: call.caller?.username ?? '' },
  };
  const started = await setOperation(context, application, operation, call.signal);
  await recordApplicationEvent(context, call, started, { reason: 'OperationStarted', action: `initiated rollback to ${id}` });
  return started;
}

/** What was allowed when it was deployed may not be allowed any more. */
function requirePermittedSources(
  { surroundingsOf }: ApplicationServiceOptions,
  project: AppProject,
  sources: readonly ApplicationSource[],
): void {
  const { name = '' } = project.metadata;
  const refused = sources.find((source) => !permitsSource(project, source, surroundingsOf(name)));
  if (refused === undefined) return;
  throw new ApiError(Code.PermissionDenied, `application repo ${refused.repoURL} is not permitted in project '${name}'`);
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
  const revisions: string[] = [];
  for (const [index, source] of sources.entries()) {
    const target = source.targetRevision || 'HEAD';
    const wanted = asked[index] || target;
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
  if (automated(application) && request.dryRun !== true) {
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

/** Whoever insists on signatures does not want what nobody signed. */
function isIntegrityEnforced({ settings }: ApplicationServiceOptions, application: Application, { spec }: AppProject): boolean {
  return sourcesOf(application).some(({ repoURL }) => findIntegrity(spec, repoURL, settings.current.gpgKeys) !== undefined);
}

function automated({ spec }: Application): boolean {
  return spec.syncPolicy?.automated !== undefined && spec.syncPolicy.automated.enabled !== false;
}

function precondition(message: string): ApiError {
  return new ApiError(Code.FailedPrecondition, message);
}
