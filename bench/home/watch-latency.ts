import type { Contender } from './contenders.ts';
import { createConfigMap, NAMESPACE, types } from './sample-objects.ts';

const ROUNDS = 25;
const WRITES = 20;
const NAME = 'watched';

/** How long after the beginning of a write a watcher sees it. One write at a time; the contenders take turns. */
export async function measureWatches(contenders: readonly Contender[]): Promise<void> {
  const watchers = await Promise.all(contenders.map(openWatcher));
  try {
    for (let round = -2; round < ROUNDS; round += 1)
      for (const watcher of watchers) for (let write = 0; write < WRITES; write += 1) await watcher.write(round >= 0);
  } finally {
    for (const watcher of watchers) watcher.stop();
  }
  console.log('From the beginning of a write to its event in a watch, in milliseconds');
  console.table(
    watchers.map(({ name, latenciesMs }) => {
      const sorted = latenciesMs.toSorted((left, right) => left - right);
      const at = (share: number): number => Number((sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(2));
      return { API: name, writes: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99) };
    }),
  );
}

interface Watcher {
  readonly name: string;
  readonly latenciesMs: number[];
  write(isCounted: boolean): Promise<void>;
  stop(): void;
}

async function openWatcher({ name, api }: Contender): Promise<Watcher> {
  const ref = { namespace: NAMESPACE, name: NAME };
  const { metadata } = await api.create(types.configMaps, createConfigMap(NAME));
  const controller = new AbortController();
  const seen = new Map<string, () => void>();
  const latenciesMs: number[] = [];
  const follow = async (): Promise<void> => {
    const options = { namespace: NAMESPACE, resourceVersion: metadata.resourceVersion ?? '', signal: controller.signal };
    for await (const { object } of api.watch(types.configMaps, options)) {
      const revision = (object as unknown as { data?: { revision?: string } }).data?.revision ?? '';
      seen.get(revision)?.();
      seen.delete(revision);
    }
  };
  // It ends when it is stopped, whichever way that shows.
  void follow().catch(() => undefined);
  let count = 0;
  return {
    name,
    latenciesMs,
    write: async (isCounted) => {
      count += 1;
      const revision = `write-${count}`;
      const arrived = new Promise<void>((resolve) => seen.set(revision, resolve));
      const begin = performance.now();
      const written = api.patch(types.configMaps, ref, { type: 'merge', body: { data: { revision } } });
      await arrived;
      if (isCounted) latenciesMs.push(performance.now() - begin);
      await written;
    },
    stop: () => controller.abort(),
  };
}
