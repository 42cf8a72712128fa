import { pause, type Timers } from '../../base/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import { isJsonObject, isStatusError, listAt, textAt, type JsonObject, type KubeObject } from '../../objects/index.ts';
import type { ActingCluster } from './acting-cluster.ts';

/** How long a definition is given until its kind is served. */
const limitMs = 10_000;
const pollMs = 50;
const definitions = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' };

interface DefinitionInput {
  readonly cluster: ActingCluster;
  readonly timers: Timers;
  readonly signal: AbortSignal;
}

/** Waits until the kind of a definition is served, so that its objects can follow; no longer than its time, after which they say what is missing. */
export async function waitForDefinition(applied: KubeObject, type: ResourceType, input: DefinitionInput): Promise<void> {
  const { cluster, timers, signal } = input;
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
  await waitForVersions(definition, input, endMs);
}

/**
 * One that was in force before says nothing of a version that it serves from now on: the cache learns of that when it hears of the
 * definition. A kind that is new is asked for by whoever needs it.
 */
async function waitForVersions(definition: KubeObject, { cluster, timers, signal }: DefinitionInput, endMs: number): Promise<void> {
  const { cache } = cluster;
  const root = definition as unknown as JsonObject;
  const [group, kind] = [textAt(root, 'spec', 'group'), textAt(root, 'spec', 'names', 'kind')];
  const served = listAt(root, 'spec', 'versions').filter((one) => isJsonObject(one) && one['served'] === true);
  const isKnown = (version: string): boolean => cache.typeOf({ group, kind, version })?.version === version;
  const isOpen = (): boolean => cache.typeOf({ group, kind }) !== undefined && !served.every((one) => isKnown(textAt(one, 'name')));
  while (isOpen() && cache.state.name === 'synced' && cache.isKnown(definitions) && timers.nowMs() < endMs && !signal.aborted)
    await pause(timers, pollMs, signal);
}

function isEstablished(definition: KubeObject): boolean {
  const conditions = listAt(definition as unknown as JsonObject, 'status', 'conditions');
  return conditions.some((condition) => textAt(condition, 'type') === 'Established' && textAt(condition, 'status') === 'True');
}
