import type { ResourceResult } from '../../model/index.ts';
import { imagesOfTemplate } from './images-of-template.ts';
import { resultId, taskId } from './sync-task.ts';
import type { ResultStatus, SyncTask } from './sync-task.ts';

/** What an executor reports of a task that it carried out. */
export interface TaskOutcome {
  readonly task: SyncTask;
  readonly status: ResultStatus;
  readonly message: string;
}

type OperationPhase = 'Running' | 'Succeeded' | 'Failed' | 'Error';

/** An applied object is still on its way to be healthy; what is pruned or skipped is done. */
const PHASES: Readonly<Record<ResultStatus, OperationPhase>> = {
  Synced: 'Running',
  SyncFailed: 'Failed',
  Pruned: 'Succeeded',
  PruneSkipped: 'Succeeded',
};

/** The results of an operation with those of more tasks; a task has one result, and keeps its place in their order. */
export function recordOutcomes(
  results: readonly ResourceResult[],
  outcomes: readonly TaskOutcome[],
  options: { readonly dryRun?: boolean } = {},
): readonly ResourceResult[] {
  return outcomes.reduce((known, { task, status, message }) => {
    // A namespace that exists is ready.
    const isDone = status === 'Synced' && (options.dryRun === true || task.kind === 'Namespace');
    const phase = isDone ? 'Succeeded' : PHASES[status];
    return withResult(known, task, { status, phase, message });
  }, results);
}

export interface TaskUpdate {
  readonly status?: string;
  readonly phase: OperationPhase;
  readonly message: string;
}

/** The results with another one for a task. */
export function withResult(
  results: readonly ResourceResult[],
  task: SyncTask,
  { status = '', phase, message }: TaskUpdate,
): readonly ResourceResult[] {
  const { group, version, kind, namespace, name } = task;
  const images = task.desired ? imagesOfTemplate(task.desired) : [];
  const result: ResourceResult = {
    group,
    version,
    kind,
    namespace,
    name,
    ...(status !== '' && { status }),
    ...(message !== '' && { message }),
    ...(task.isHook && { hookType: task.phase }),
    hookPhase: phase,
    syncPhase: task.phase,
    ...(images.length > 0 && { images: [...images] }),
  };
  const at = results.findIndex((other) => resultId(other) === taskId(task));
  return at < 0 ? [...results, result] : results.with(at, result);
}

export function indexResults(results: readonly ResourceResult[]): ReadonlyMap<string, ResourceResult> {
  return new Map(results.map((result) => [resultId(result), result]));
}
