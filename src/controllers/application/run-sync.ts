import { planSync, type ManagedResource } from '../../engine/index.ts';
import {
  hasMultipleSources,
  sourcesOf,
  type Application,
  type ApplicationSource,
  type OperationState,
  type ResourceResult,
  type SyncOperation,
  type SyncOperationResource,
  type SyncOperationResult,
} from '../../model/index.ts';
import type { ApplicationMemory } from './application-memory.ts';
import { applyTasks } from './apply-tasks.ts';
import { checkTasks } from './check-tasks.ts';
import { compare, type ComparedApplication } from './compare.ts';
import type { ControllerContext } from './controller-context.ts';

export interface SyncOutcome {
  readonly phase: 'Succeeded' | 'Failed' | 'Error';
  readonly message: string;
  readonly syncResult?: SyncOperationResult;
}

/** Brings a cluster to what the sources of an application say. */
export async function runSync(
  context: ControllerContext,
  application: Application,
  state: OperationState,
  memory: ApplicationMemory,
  signal: AbortSignal,
): Promise<SyncOutcome> {
  const sync = state.operation.sync ?? {};
  const sources = operationSources(application, sync);
  const several = sources.length > 1 || hasMultipleSources(application);
  // What an earlier attempt resolved is kept: what is retried is the same revision.
  const pinned = state.syncResult && !(state.operation.retry?.refresh === true) ? state.syncResult : undefined;
  const asked = several ? (pinned?.revisions ?? sync.revisions ?? []) : [pinned?.revision || sync.revision || ''];
  const comparison = await compare(context, application, { sources, revisions: asked, fresh: true, memory, signal });
  if (comparison.kind !== 'compared')
    return { phase: 'Error', message: describe(comparison.problems), ...(pinned && { syncResult: pinned }) };
  const errors = comparison.problems.filter(({ type }) => type.endsWith('Error'));
  const { target } = comparison;
  const base: SyncOperationResult = {
    revision: several ? '' : (target.revisions[0] ?? ''),
    ...(several ? { sources: [...sources], revisions: [...target.revisions] } : sources[0] && { source: sources[0] }),
  };
  const end = (phase: SyncOutcome['phase'], message: string, resources: readonly ResourceResult[]): SyncOutcome => ({
    phase,
    message,
    syncResult: { ...base, ...(resources.length > 0 && { resources: [...resources] }) },
  });
  if (errors.length > 0) return end('Error', describe(errors), []);
  return runTasks(context, application, { state, sync, comparison, signal, end });
}

interface TaskRun {
  readonly state: OperationState;
  readonly sync: SyncOperation;
  readonly comparison: ComparedApplication;
  readonly signal: AbortSignal;
  readonly end: (phase: SyncOutcome['phase'], message: string, resources: readonly ResourceResult[]) => SyncOutcome;
}

async function runTasks(context: ControllerContext, application: Application, run: TaskRun): Promise<SyncOutcome> {
  const { sync, comparison, signal, end } = run;
  const selected = sync.resources ?? [];
  const isApplyOnly = sync.syncStrategy?.apply !== undefined || selected.length > 0;
  if (comparison.result.hooks.length > 0 && !isApplyOnly)
    return end('Error', 'hooks are not implemented yet: sync with the strategy apply to leave them out', []);
  const resources = comparison.result.resources.filter((resource) => isSelected(resource, selected));
  const syncOptions = sync.syncOptions ?? application.spec.syncPolicy?.syncOptions ?? [];
  const plan = planSync({ resources, prune: sync.prune === true, syncOptions });
  const refused = checkTasks(context, comparison, plan);
  if (refused.length > 0) {
    const reasons = refused.map(({ message = '' }) => message).join('; ');
    return end('Failed', `one or more synchronization tasks are not valid: ${reasons}`, refused);
  }
  const results = await applyTasks(context, application, { plan, sync, syncOptions, comparison, signal });
  const failed = results.filter(({ status }) => status === 'SyncFailed').map(({ message = '' }) => message);
  if (failed.length > 0) return end('Failed', `one or more objects failed to apply, reason: ${failed.join(',')}`, results);
  return end('Succeeded', `successfully synced (${results.length > 0 ? 'all tasks run' : 'no more tasks'})`, results);
}

function operationSources(application: Application, { source, sources }: SyncOperation): readonly ApplicationSource[] {
  if (sources && sources.length > 0) return sources;
  return source ? [source] : sourcesOf(application);
}

function isSelected(resource: ManagedResource, selected: readonly SyncOperationResource[]): boolean {
  return (
    selected.length === 0 ||
    selected.some(
      ({ group = '', kind, name, namespace = '' }) =>
        resource.group === group &&
        resource.kind === kind &&
        resource.name === name &&
        (namespace === '' || resource.namespace === namespace),
    )
  );
}

function describe(problems: readonly { readonly type: string; readonly message: string }[]): string {
  return problems.map(({ type, message }) => `${type}: ${message}`).join(';');
}
