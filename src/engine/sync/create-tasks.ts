import type { SyncOperationResource } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import { hookFinalizer, withAnnotation } from '../annotations.ts';
import type { ManagedResource } from '../compare/compare-application.ts';
import { keyOf, kindOf } from '../resource-key.ts';
import type { ResourceKey } from '../resource-key.ts';
import { hookTypesOf, isSkipped, syncPhases, syncWaveOf } from './hooks.ts';
import type { SyncPhase } from './hooks.ts';
import { orderTasks } from './order-tasks.ts';
import type { SyncTask } from './sync-task.ts';

/** The operation that a sync carries out, as far as its plan depends on it. */
export interface SyncOperationFacts {
  /** Milliseconds since the epoch; part of the names of hooks, so that each run has its own. */
  readonly startedAtMs: number;
  /** How many times it was tried before. */
  readonly attempt: number;
  /** The revision that is synced to; for names of hooks. */
  readonly revision: string;
  readonly dryRun: boolean;
  readonly prune: boolean;
  /** Whether hooks run: false for the strategy `apply`. They never run when only some resources are synced. */
  readonly usesHooks: boolean;
  /** Only these; all where there are none. */
  readonly selected: readonly SyncOperationResource[];
  readonly syncOptions: readonly string[];
}

export interface TasksInput {
  readonly operation: SyncOperationFacts;
  /**
   * From a comparison with what the operation syncs to. The live objects must not be older than the last write of the sync: an old state of
   * health would be taken for the outcome.
   */
  readonly resources: readonly ManagedResource[];
  readonly hooks: readonly KubeObject[];
  /** The live object of a hook. `unread` where nobody has looked: a hook that is running and known to be gone has failed. */
  readonly liveHook: (key: ResourceKey) => KubeObject | undefined | 'unread';
  /** The object with the marks of the application: a hook that gets its name here was marked without it. */
  readonly mark: (object: KubeObject) => KubeObject;
}

/** Says of a hook's live object which run of which operation made it, so that an interrupted sync knows its own. */
export const hookRunAnnotation = 'fairway.dev/hook-run';

/** Everything that a sync does, in order. */
export function createTasks(input: TasksInput): readonly SyncTask[] {
  const { operation, resources, hooks } = input;
  const tasks = resources.flatMap((resource) => resourceTask(resource, operation));
  if (operation.usesHooks && operation.selected.length === 0) {
    for (const hook of hooks) tasks.push(...hookTasks(hook, input));
  }
  return orderTasks(tasks, operation.syncOptions);
}

function resourceTask(resource: ManagedResource, { selected }: SyncOperationFacts): SyncTask[] {
  const { group, kind, namespace, name, version, desired, live } = resource;
  const isOutside = resource.isHook || !resource.isSelfReferenced || (desired !== undefined && isSkipped(desired));
  if (isOutside || (desired === undefined && !resource.requiresPruning) || !isSelected(resource, selected)) return [];
  const wave = syncWaveOf(desired ?? live);
  const { modified } = resource.comparison;
  return [{ group, kind, namespace, name, version, phase: 'Sync', wave, desired, live, isHook: false, modified }];
}

/** Whether an operation on some resources means this one. The namespace counts only where it is given. */
export function isSelected(key: ResourceKey, selected: readonly SyncOperationResource[]): boolean {
  return (
    selected.length === 0 ||
    selected.some(
      ({ group = '', kind, name, namespace = '' }) =>
        group === key.group && kind === key.kind && name === key.name && (namespace === '' || namespace === key.namespace),
    )
  );
}

function hookTasks(hook: KubeObject, { operation, liveHook, mark }: TasksInput): SyncTask[] {
  const phases = hookTypesOf(hook).filter((type): type is SyncPhase => (syncPhases as readonly string[]).includes(type));
  return phases.map((phase) => {
    const desired = prepareHook(mark(nameHook(hook, phase, operation)), phase, operation);
    const key = keyOf(desired);
    const { version } = kindOf(desired);
    return { ...key, version, phase, wave: syncWaveOf(hook), desired, live: liveHook(key), isHook: true, modified: true };
  });
}

/** Where the name of a hook is to be made up, each run has its own. */
function nameHook(hook: KubeObject, phase: SyncPhase, { revision, startedAtMs }: SyncOperationFacts): KubeObject {
  const { generateName, ...metadata } = hook.metadata;
  if (metadata.name || !generateName) return hook;
  const name = `${generateName}${revision.slice(0, 7)}-${phase.toLowerCase()}-${Math.floor(startedAtMs / 1000)}`;
  return { ...hook, metadata: { ...metadata, name } };
}

/** A hook as it is created: it stays until its end was seen, and says which run it belongs to. */
function prepareHook(hook: KubeObject, phase: SyncPhase, operation: SyncOperationFacts): KubeObject {
  const { finalizers = [], ...metadata } = hook.metadata;
  const held = { ...hook, metadata: { ...metadata, finalizers: [...new Set([...finalizers, hookFinalizer])] } };
  return withAnnotation(held, hookRunAnnotation, hookRun(phase, operation));
}

/** Which run of a hook: another phase, attempt or operation is another run. */
export function hookRun(phase: SyncPhase, { startedAtMs, attempt }: SyncOperationFacts): string {
  return `${Math.floor(startedAtMs / 1000)}-${attempt}-${phase}`;
}
