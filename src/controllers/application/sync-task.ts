import { ApiError } from '../../base/index.ts';
import type { ManagedResource, SyncPlan } from '../../engine/index.ts';
import type { ResourceResult, SyncOperation } from '../../model/index.ts';
import { isStatusError } from '../../objects/index.ts';
import type { ComparedApplication } from './compare.ts';

export interface TasksToApply {
  readonly plan: SyncPlan;
  readonly sync: SyncOperation;
  readonly syncOptions: readonly string[];
  readonly comparison: ComparedApplication;
  readonly signal: AbortSignal;
}

export function resultOf(
  { group, version, kind, namespace, name }: Pick<ManagedResource, 'group' | 'version' | 'kind' | 'namespace' | 'name'>,
  outcome: Pick<ResourceResult, 'status' | 'message' | 'hookPhase'>,
): ResourceResult {
  return { group, version, kind, namespace, name, ...outcome, syncPhase: 'Sync' };
}

/** Only what an API said is shown; anything else is a mistake of ours and goes on as such. */
export function messageOf(error: unknown): string {
  if (isStatusError(error) || error instanceof ApiError) return error.message;
  throw error;
}
