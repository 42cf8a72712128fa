/** What it costs to know everything that lives in a cluster: memory for 100,000 objects, time to read them, and 10,000 changes. */
import { setTimeout as wait } from 'node:timers/promises';
import { createLogger, systemClock } from '../../src/base/index.ts';
import { createClusters, type LiveCache } from '../../src/clusters/index.ts';
import { openSettings, prepareHome, type Settings } from '../../src/settings/index.ts';
import { configMap, openEmbeddedHome } from '../../test/support/embedded-home.ts';
import { cpuMs, heapBytes, megabytes } from '../support/own-usage.ts';
import { generateCluster, type GeneratedCluster } from './generated-cluster.ts';

/** Eight objects each. */
const SETS = 12_500;
const SETS_PER_APPLICATION = 10;
const CHANGES = 10_000;

const log = createLogger({ level: 'error', format: 'text', write: (line) => void process.stderr.write(line) });

/** Under another installation's name nothing belongs to an application, so that no body is kept. */
await measure('rows alone', { installationID: 'another' });
await measure('rows, and the bodies of what applications manage', {});

async function measure(title: string, general: Readonly<Record<string, string>>): Promise<void> {
  const home = await openEmbeddedHome();
  await home.api.create(
    { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true },
    configMap('argocd-cm', general),
  );
  await prepareHome({ api: home.api, namespace: 'argocd', clock: systemClock, log, hashPassword: () => Promise.resolve('') });
  const settings = await openSettings({ api: home.api, namespace: 'argocd', clock: systemClock, log });
  console.log(`\n${title}`);
  console.table(await measureCache(settings, generateCluster(SETS)));
  await settings.close();
  await home.close();
}

async function measureCache(settings: Settings, generated: GeneratedCluster): Promise<Record<string, number>> {
  const home = { api: generated.api, kind: 'embedded' } as const;
  const clusters = createClusters({ home, settings, allowCommands: false, userAgent: 'bench', clock: systemClock, log });
  const { cache } = clusters.resolve({ name: 'in-cluster' });
  const before = heapBytes();
  const reading = process.cpuUsage();
  await cache.whenSynced();
  const readMs = cpuMs(reading);
  const after = heapBytes();
  const { managed, treeMs } = measureTree(cache);
  const figures = {
    objects: cache.counts.rows,
    managed,
    'memory, MB': megabytes(after - before),
    'bytes per object': Math.round((after - before) / cache.counts.rows),
    'processor ms to read all': readMs,
    'processor µs for a changed pod': await measureChanges(cache, generated),
    'ms for the tree of an application': treeMs,
  };
  await clusters.stop();
  return { ...figures, 'memory after the stop, MB': megabytes(heapBytes() - before) };
}

function measureTree(cache: LiveCache): { readonly managed: number; readonly treeMs: number } {
  let managed = 0;
  for (let application = 0; application < SETS / SETS_PER_APPLICATION; application += 1)
    managed += cache.managed(`app-${application}`).size;
  const roots = Array.from({ length: SETS_PER_APPLICATION }, (_, set) => ({
    group: 'apps',
    kind: 'Deployment',
    namespace: `team-${set}`,
    name: `web-${set}`,
  }));
  const startedMs = performance.now();
  for (let round = 0; round < 100; round += 1) cache.tree(roots);
  return { managed, treeMs: Math.round(((performance.now() - startedMs) / 100) * 100) / 100 };
}

/** From the text of the event until listeners have been told. */
async function measureChanges(cache: LiveCache, generated: GeneratedCluster): Promise<number> {
  let told = 0;
  const stop = cache.onChange(() => (told += 1));
  const changing = process.cpuUsage();
  for (let change = 0; change < CHANGES; change += 1) {
    generated.changePod((change * 7) % generated.pods, change + 2);
    if (change % 100 === 99) await wait(1);
  }
  const last = told;
  while (told === last) await wait(10);
  stop();
  return Math.round((cpuMs(changing) * 1000) / CHANGES);
}
