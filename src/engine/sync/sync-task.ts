import type { ResourceResult } from '../../model/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { ResourceKey } from '../resource-key.ts';
import type { SyncPhase } from './hooks.ts';

/** One thing that a sync does to one object in one phase. */
export interface SyncTask extends ResourceKey {
  readonly version: string;
  readonly phase: SyncPhase;
  readonly wave: number;
  /** Undefined: the object is pruned. A hook has its final name and finalizer. */
  readonly desired: KubeObject | undefined;
  /** As it is now; `unread` where that is not known. */
  readonly live: KubeObject | undefined | 'unread';
  readonly isHook: boolean;
  /** Whether applying it would change anything, as far as the comparison knows. */
  readonly modified: boolean;
}

export type TaskState = 'pending' | 'running' | 'succeeded' | 'failed';

/** What became of a task, as the status of the application records it. */
export type ResultStatus = 'Synced' | 'SyncFailed' | 'Pruned' | 'PruneSkipped';

/** What tells the results of one operation apart: a hook may run in several phases. */
export function taskId({ group, kind, namespace, name, phase }: SyncTask): string {
  return `${group}/${kind}/${namespace}/${name}/${phase}`;
}

export function resultId({ group, kind, namespace, name, syncPhase = 'Sync' }: ResourceResult): string {
  return `${group}/${kind}/${namespace}/${name}/${syncPhase}`;
}

export function isPrune(task: SyncTask): boolean {
  return task.desired === undefined;
}

/** The live object, where it is known to be there. */
export function liveOf({ live }: SyncTask): KubeObject | undefined {
  return live === 'unread' ? undefined : live;
}

/** How far a task is, by the results of the operation. */
export function stateOf(result: ResourceResult | undefined): TaskState {
  switch (result?.hookPhase) {
    case undefined:
    case '':
      return result?.status === 'SyncFailed' ? 'failed' : 'pending';
    case 'Running':
      return 'running';
    case 'Succeeded':
      return 'succeeded';
    default:
      return 'failed';
  }
}

/** `<group>/<Kind>/<name>`, as messages name a task. */
export function printTask({ group, kind, name }: ResourceKey): string {
  return `${group}/${kind}/${name}`;
}
