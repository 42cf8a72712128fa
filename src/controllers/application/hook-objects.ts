import { hookFinalizer, hookRunAnnotation, propagationPolicyOf, type SyncTask } from '../../engine/index.ts';
import { isStatusError, type KubeObject } from '../../objects/index.ts';
import type { ActingCluster } from './acting-cluster.ts';
import { FIELD_MANAGER } from './controller-context.ts';
import { findType } from './find-type.ts';

export interface HookInput {
  readonly cluster: ActingCluster;
  readonly syncOptions: readonly string[];
  readonly signal: AbortSignal;
}

/** Whether this very run has made the object of a hook, before it was cut off: it must not run twice. */
export function isOfThisRun({ isHook, desired }: SyncTask, found: KubeObject): boolean {
  const run = runOf(found);
  return isHook && run !== '' && run === runOf(desired);
}

function runOf(object: KubeObject | undefined): string {
  return object?.metadata.annotations?.[hookRunAnnotation] ?? '';
}

/** Lets go of a hook and deletes it. */
export async function deleteHook(task: SyncTask, input: HookInput): Promise<void> {
  const { cluster, syncOptions, signal } = input;
  await releaseHook(task, input);
  try {
    await cluster.api.delete(await findType(cluster, task, signal), refOf(task), { propagation: propagationPolicyOf(syncOptions), signal });
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
  }
}

const ATTEMPTS_MAX = 5;

/** Takes our finalizer off the object of a hook, and leaves those of others. */
export async function releaseHook(task: SyncTask, { cluster, signal }: HookInput): Promise<void> {
  const type = await findType(cluster, task, signal);
  for (let attempt = 1; ; attempt++) {
    try {
      const { metadata } = await cluster.api.get(type, refOf(task), { signal });
      const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== hookFinalizer);
      if (finalizers.length === (metadata.finalizers ?? []).length) return;
      const body = { metadata: { finalizers, resourceVersion: metadata.resourceVersion ?? '' } };
      await cluster.api.patch(type, refOf(task), { type: 'merge', body }, { fieldManager: FIELD_MANAGER, signal });
      return;
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return;
      if (!isStatusError(error, 'Conflict') || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

function refOf({ namespace, name }: SyncTask): { readonly namespace?: string; readonly name: string } {
  return { name, ...(namespace !== '' && { namespace }) };
}
