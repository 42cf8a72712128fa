import { isJsonObject, textAt, valueAt } from '../../objects/index.ts';
import type { JsonObject } from '../../objects/index.ts';
import { compareTexts } from '../resource-key.ts';
import { syncPhases } from './hooks.ts';
import { compareKinds } from './kind-order.ts';
import { hasOptionFor } from './sync-options.ts';
import { isPrune, liveOf } from './sync-task.ts';
import type { SyncTask } from './sync-task.ts';

/** The tasks in the order in which they run: by phase, wave, kind and name; what defines a kind or a namespace before what needs it. */
export function orderTasks(tasks: readonly SyncTask[], syncOptions: readonly string[]): readonly SyncTask[] {
  const moved = moveLastPrunes(reversePruneWaves(tasks), syncOptions);
  return moveDefinitions([...moved].sort(compareTasks));
}

export function compareTasks(left: SyncTask, right: SyncTask): number {
  return (
    syncPhases.indexOf(left.phase) - syncPhases.indexOf(right.phase) ||
    left.wave - right.wave ||
    compareKinds(left.kind, right.kind) ||
    compareTexts(left.name, right.name) ||
    compareTexts(left.namespace, right.namespace)
  );
}

/** What was created last is pruned first: the waves of prunes are swapped, the lowest with the highest and so on. */
function reversePruneWaves(tasks: readonly SyncTask[]): readonly SyncTask[] {
  const waves = [...new Set(tasks.filter(isPrune).map(({ wave }) => wave))].sort((left, right) => left - right);
  const swapped = new Map(waves.map((wave, index) => [wave, waves[waves.length - 1 - index] ?? wave]));
  return tasks.map((task) => (isPrune(task) ? { ...task, wave: swapped.get(task.wave) ?? task.wave } : task));
}

/** What asks to be pruned last goes one wave after everything else of the phase. */
function moveLastPrunes(tasks: readonly SyncTask[], syncOptions: readonly string[]): readonly SyncTask[] {
  const isLast = (task: SyncTask): boolean => isPrune(task) && hasOptionFor(liveOf(task), syncOptions, 'PruneLast=true');
  if (!tasks.some(isLast)) return tasks;
  const lastWave = Math.max(0, ...tasks.filter(({ phase }) => phase === 'Sync').map(({ wave }) => wave));
  return tasks.map((task) => (isLast(task) ? { ...task, wave: lastWave + 1 } : task));
}

/** A namespace or a definition that comes too late moves in front of the first task that needs it, into its phase and wave. */
function moveDefinitions(tasks: readonly SyncTask[]): readonly SyncTask[] {
  const result = [...tasks];
  for (let index = 0; index < result.length; index++) {
    const task = result[index];
    if (task === undefined || !isDefinition(task)) continue;
    const first = result.findIndex((other) => other.desired !== undefined && needs(other, task));
    const before = result[first];
    if (before === undefined || first > index) continue;
    result.splice(index, 1);
    result.splice(first, 0, { ...task, phase: before.phase, wave: before.wave });
  }
  return result;
}

function isDefinition({ desired, kind, group }: SyncTask): boolean {
  if (desired === undefined) return false;
  return (kind === 'Namespace' && group === '') || (kind === 'CustomResourceDefinition' && group === 'apiextensions.k8s.io');
}

function needs(task: SyncTask, definition: SyncTask): boolean {
  if (definition.kind === 'Namespace') return task.namespace === definition.name;
  return definesKind(definition, task.group, task.kind);
}

/** Whether a task brings the definition of a kind. */
export function definesKind({ desired, kind: ownKind }: SyncTask, group: string, kind: string): boolean {
  if (desired === undefined || ownKind !== 'CustomResourceDefinition') return false;
  const spec = valueAt(desired as unknown as JsonObject, ['spec']);
  return isJsonObject(spec) && textAt(spec, 'group') === group && textAt(spec, 'names', 'kind') === kind;
}
