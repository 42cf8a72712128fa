import { pause, type Timers } from '../../base/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import { isStatusError, listAt, textAt, type JsonObject, type KubeObject } from '../../objects/index.ts';
import type { ActingCluster } from './acting-cluster.ts';

/** How long a definition is given until its kind is served. */
const limitMs = 10_000;
const pollMs = 50;

/** Waits until the kind of a definition is served, so that its objects can follow; no longer than its time, after which they say what is missing. */
export async function waitForDefinition(
  applied: KubeObject,
  type: ResourceType,
  { cluster, timers, signal }: { readonly cluster: ActingCluster; readonly timers: Timers; readonly signal: AbortSignal },
): Promise<void> {
  const endMs = timers.nowMs() + limitMs;
  let definition = applied;
  while (!isEstablished(definition) && timers.nowMs() < endMs && !signal.aborted) {
    await pause(timers, pollMs, signal);
    try {
      definition = await cluster.api.get(type, { name: applied.metadata.name ?? '' }, { signal });
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return;
      throw error;
    }
  }
}

function isEstablished(definition: KubeObject): boolean {
  const conditions = listAt(definition as unknown as JsonObject, 'status', 'conditions');
  return conditions.some((condition) => textAt(condition, 'type') === 'Established' && textAt(condition, 'status') === 'True');
}
