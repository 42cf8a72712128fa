import { ApiError, Code } from '../../../base/index.ts';
import type { ApplicationRollbackRequest } from '../../../contract/index.ts';
import {
  applicationQualifiedName,
  permitsSource,
  pinAnnotations,
  type Application,
  type ApplicationSource,
  type AppProject,
  type Operation,
  type RevisionHistory,
  type SyncOperation,
} from '../../../model/index.ts';
import { parseTime } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { requireAllowed } from '../authorise.ts';
import type { ApplicationServiceOptions } from './application-context.ts';
import { applicationObject, findApplication } from './find-application.ts';
import { isAutomated } from './is-automated.ts';
import { setOperation } from './operation.ts';
import { recordApplicationEvent } from './record-event.ts';

/** Starts a sync to what was deployed before. */
export async function rollbackApplication(
  context: ApplicationServiceOptions,
  request: ApplicationRollbackRequest,
  call: Call,
): Promise<Application> {
  const { application, project } = await findApplication(context, call, { ...request, action: 'sync' });
  if (application.metadata.deletionTimestamp) throw precondition('application is deleting');
  const { id, prune = false, dryRun = false } = request;
  const pins = request.pin === true && !dryRun;
  // What follows the source by itself would be back where it was at once, unless it is held.
  if (isAutomated(application) && !pins) throw precondition('rollback cannot be initiated when auto-sync is enabled');
  const untilMs = parseTime(request.pinUntil ?? '');
  if (request.pinUntil && (untilMs === undefined || untilMs <= context.clock.nowMs()))
    throw new ApiError(Code.InvalidArgument, 'pinUntil is no time ahead');
  const entry = application.status?.history?.find((one) => one.id === id);
  if (entry === undefined) {
    const name = applicationQualifiedName(application);
    throw new ApiError(Code.InvalidArgument, `application ${name} does not have deployment with id ${id}`);
  }
  const deployed = readDeployed(entry);
  requirePermittedSources(context, project, deployed.sources);
  const options = application.spec.syncPolicy?.syncOptions ?? [];
  const operation: Operation = {
    sync: {
      ...deployed.what,
      ...(prune && { prune }),
      ...(dryRun && { dryRun }),
      syncStrategy: { apply: {} },
      ...(options.length > 0 && { syncOptions: options }),
    },
    initiatedBy: { username: call.caller?.username ?? '' },
  };
  const pin = pins
    ? {
        [pinAnnotations.revision]: deployed.revisions.join(','),
        [pinAnnotations.reason]: request.pinReason || null,
        [pinAnnotations.until]: request.pinUntil || null,
        [pinAnnotations.by]: call.caller?.username || null,
      }
    : {};
  if (pins) requireUpdate(context, call, application);
  const started = await setOperation(context, application, operation, { annotations: pin, signal: call.signal });
  await recordApplicationEvent(context, call, started, {
    reason: 'OperationStarted',
    action: `initiated rollback to ${id}${pins ? ' and pinned it' : ''}`,
  });
  return started;
}

interface Deployed {
  readonly sources: readonly ApplicationSource[];
  readonly revisions: readonly string[];
  /** The same, as an operation says it. */
  readonly what: Pick<SyncOperation, 'source' | 'sources' | 'revision' | 'revisions'>;
}

/** Others write an empty source beside several: only what is not empty counts. */
function readDeployed({ source, sources = [], revision, revisions = [] }: RevisionHistory): Deployed {
  if (sources.length > 0) return { sources, revisions, what: { sources, ...(revisions.length > 0 && { revisions }) } };
  if (!source?.repoURL) throw precondition('cannot rollback to revision deployed with Argo CD v0.11 or lower. sync to revision instead.');
  return { sources: [source], revisions: [revision ?? ''], what: { source, ...(revision && { revision }) } };
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

/** Whoever holds an application changes what it follows, which is more than to sync it. */
function requireUpdate(context: ApplicationServiceOptions, call: Call, { metadata, spec }: Application): void {
  const object = applicationObject(context, spec.project || 'default', metadata);
  requireAllowed(context.policy, call, { resource: 'applications', action: 'update', object });
}

function precondition(message: string): ApiError {
  return new ApiError(Code.FailedPrecondition, message);
}
