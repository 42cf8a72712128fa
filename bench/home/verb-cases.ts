import type { KubeApi } from '../../src/kube/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { applicationName, createApplications, createConfigMap, NAMESPACE, types } from './sample-objects.ts';

export const ROUNDS = 10;
const CLIENTS = 32;

/** One thing to measure. Each round makes `calls` calls; those of all rounds together touch every object once. */
export interface VerbCase {
  readonly objects: 'ConfigMaps' | 'applications';
  readonly verb: string;
  readonly clients: number;
  readonly calls: number;
  /** How many times faster than the peer it is to be. */
  readonly goal: number | undefined;
  readonly run: (api: KubeApi, index: number, round: number) => Promise<unknown>;
}

interface Sample {
  readonly objects: VerbCase['objects'];
  readonly type: (typeof types)['configMaps' | 'applications'];
  /** One client's calls of a round; the others make as many together. */
  readonly calls: number;
  readonly nameOf: (index: number) => string;
  readonly make: (index: number) => KubeObject;
  readonly patch: (round: number) => Record<string, Record<string, string>>;
}

/** In the order in which they run: what is read and patched was created before. */
export function createVerbCases(): readonly VerbCase[] {
  const applications = createApplications(1_000);
  const samples: readonly Sample[] = [
    {
      objects: 'ConfigMaps',
      type: types.configMaps,
      calls: 500,
      nameOf: (index) => `map-${index}`,
      make: (index) => createConfigMap(`map-${index}`),
      patch: (round) => ({ data: { revision: `${round}` } }),
    },
    {
      objects: 'applications',
      type: types.applications,
      calls: 50,
      nameOf: applicationName,
      make: (index) => applications[index] as KubeObject,
      patch: (round) => ({ status: { reconciledAt: `2026-01-02T03:04:${String(10 + round)}Z` } }),
    },
  ];
  return samples.flatMap(casesOf);
}

function casesOf({ objects, type, calls, nameOf, make, patch }: Sample): readonly VerbCase[] {
  const all = calls * ROUNDS * 2;
  const ref = (index: number) => ({ namespace: NAMESPACE, name: nameOf(index) });
  /** One half of the objects is for one client, the other for many. */
  const both = (verb: string, goals: readonly [number?, number?], run: (api: KubeApi, index: number) => Promise<unknown>): VerbCase[] => [
    { objects, verb, clients: 1, calls, goal: goals[0], run: (api, index, round) => run(api, round * calls + index) },
    {
      objects,
      verb,
      clients: CLIENTS,
      calls,
      goal: goals[1],
      run: (api, index, round) => run(api, ROUNDS * calls + round * calls + index),
    },
  ];
  return [
    ...both('create', [10, 5], (api, index) => api.create(type, make(index))),
    ...both('get', [], (api, index) => api.get(type, ref(index))),
    ...both('patch', [10, 5], (api, index) => api.patch(type, ref(index), { type: 'merge', body: patch(index % ROUNDS) })),
    { objects, verb: `list all ${all}`, clients: 1, calls: 1, goal: 5, run: (api) => api.list(type, { namespace: NAMESPACE }) },
    {
      objects,
      verb: 'list a page of 500',
      clients: CLIENTS,
      calls: CLIENTS,
      goal: 5,
      run: (api) => api.list(type, { namespace: NAMESPACE, limit: 500 }),
    },
  ];
}
