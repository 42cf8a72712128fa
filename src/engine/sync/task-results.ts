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
  const updates = outcomes.map(({ task, status, message }) => {
    // A namespace that exists is ready.
    const isDone = status === 'Synced' && (options.dryRun === true || task.kind === 'Namespace');
    return { task, status, phase: isDone ? 'Succeeded' : PHASES[status], message } as const;
  });
  return withResults(results, updates);
}

export interface TaskUpdate {
  readonly status?: string;
  readonly phase: OperationPhase;
  readonly message: string;
}

/** The results with others for some tasks. In one walk over all of them: a sync has tens of thousands. */
export function withResults(
  results: readonly ResourceResult[],
  updates: readonly (TaskUpdate & { readonly task: SyncTask })[],
): readonly ResourceResult[] {
  if (updates.length === 0) return results;
  const all = [...results];
  const places = new Map<string, number>();
  for (const [place, result] of all.entries()) if (!places.has(resultId(result))) places.set(resultId(result), place);
  for (const { task, ...update } of updates) {
    const id = taskId(task);
    const place = places.get(id) ?? all.length;
    places.set(id, place);
    all[place] = toResult(task, update);
  }
  return all;
}

function toResult(task: SyncTask, { status = '', phase, message }: TaskUpdate): ResourceResult {
  const { group, version, kind, namespace, name } = task;
  const images = task.desired ? imagesOfTemplate(task.desired) : [];
  return {
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
}

export function indexResults(results: readonly ResourceResult[]): ReadonlyMap<string, ResourceResult> {
  return new Map(results.map((result) => [resultId(result), result]));
}
