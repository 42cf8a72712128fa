import { expect } from 'vitest';
import { createReflector, type KubeApi, type Reflector, type ReflectorOptions, type ResourceType } from '../../src/kube/index.ts';
import { quietLog } from './cluster/shared-cluster.ts';
import { waitUntil } from './wait-until.ts';

/** Times that let a test see in seconds what takes minutes in service. */
export const hurriedLimits = {
  pageSize: 10,
  pageTimeoutMs: 3000,
  watchMinMs: 200,
  steadyMs: 2000,
  pollMs: 300,
  backOff: { firstMs: 50, maxMs: 400 },
} as const;

export interface Follower {
  readonly reflector: Reflector<string>;
  /** Versions by key, put together from the events alone. */
  readonly mirror: ReadonlyMap<string, string>;
  readonly api: KubeApi;
  /** Waits until the mirror and the rows are what `truth` lists afresh. */
  readonly converges: (truth: KubeApi) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Follows a kind in one namespace, as a cache would. */
export function follow(options: Pick<ReflectorOptions<string>, 'api' | 'type'> & Partial<ReflectorOptions<string>>): Follower {
  const { api, type, namespace } = options;
  const mirror = new Map<string, string>();
  const reflector = createReflector<string>({
    keep: ({ metadata }) => metadata.resourceVersion ?? '',
    onEvent(event) {
      if (event.type === 'synced') return;
      if (event.type === 'removed') expect(mirror.delete(event.key)).toBe(true);
      else mirror.set(event.key, event.row);
    },
    log: { ...quietLog, warn: () => undefined, info: () => undefined },
    ...options,
    limits: { ...hurriedLimits, ...options.limits },
  });
  reflector.start();
  return {
    reflector,
    mirror,
    api,
    async converges(truth) {
      const read = (): Promise<string[]> => readTruth(truth, type, namespace);
      await waitUntil(async () => same(await read(), entries(mirror)) && same(entries(reflector.rows()), entries(mirror)));
      expect(reflector.counts.handlerFailures).toBe(0);
    },
    stop: () => reflector.stop(),
  };
}

async function readTruth(api: KubeApi, type: ResourceType, namespace: string | undefined): Promise<string[]> {
  const { items } = await api.list(type, namespace === undefined ? {} : { namespace });
  return items
    .map(
      ({ metadata: { namespace: place, name, resourceVersion } }) => `${place === undefined ? '' : `${place}/`}${name}=${resourceVersion}`,
    )
    .toSorted();
}

function entries(rows: Iterable<[string, string]>): string[] {
  return Array.from(rows, ([key, version]) => `${key}=${version}`).toSorted();
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.join('\n') === other.join('\n');
}
