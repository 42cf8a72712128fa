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
  if (!tasks.some(isDefinition)) return tasks;
  const firstNeeds = new Map<string, number>();
  for (const [index, task] of tasks.entries()) {
    if (task.desired === undefined) continue;
    for (const need of needsOf(task)) if (!firstNeeds.has(need)) firstNeeds.set(need, index);
  }
  const moved = new Map<number, SyncTask[]>();
  const staying = new Set(tasks.keys());
  for (const [index, task] of tasks.entries()) {
    const first = firstNeeds.get(broughtBy(task) ?? '');
    const before = first === undefined || first >= index ? undefined : tasks[first];
    if (first === undefined || before === undefined) continue;
    staying.delete(index);
    const others = moved.get(first) ?? [];
    others.push({ ...task, phase: before.phase, wave: before.wave });
    moved.set(first, others);
  }
  return tasks.flatMap((task, index) => [...(moved.get(index) ?? []), ...(staying.has(index) ? [task] : [])]);
}

function isDefinition({ desired, kind, group }: SyncTask): boolean {
  if (desired === undefined) return false;
  return (kind === 'Namespace' && group === '') || (kind === 'CustomResourceDefinition' && group === 'apiextensions.k8s.io');
}

function needsOf({ namespace, group, kind }: SyncTask): readonly string[] {
  return [`namespace ${namespace}`, `kind ${group}/${kind}`];
}

/** What others may need and a task brings, in the words of `needsOf`. */
function broughtBy(task: SyncTask): string | undefined {
  if (!isDefinition(task)) return undefined;
  if (task.kind === 'Namespace') return `namespace ${task.name}`;
  const spec = valueAt(task.desired as unknown as JsonObject, ['spec']);
  return isJsonObject(spec) ? `kind ${textAt(spec, 'group')}/${textAt(spec, 'names', 'kind')}` : undefined;
}
