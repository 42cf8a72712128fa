import { setTimeout as wait } from 'node:timers/promises';
import { openApplicationPlane, type ApplicationPlane } from '../../test/support/application-plane.ts';
import { createGitRepository, type FileChanges } from '../../test/support/git-repository.ts';
import { cpuMs, heapBytes, megabytes } from '../support/own-usage.ts';
import { generateCluster, type GeneratedCluster } from '../cache/generated-cluster.ts';
import { quantile } from './quantile.ts';
import { manifestsOf, NODES_PER_APPLICATION, PODS_PER_APPLICATION, SETS_PER_APPLICATION } from './sample-applications.ts';

const CHANGES = 300;
const REFRESH_SECONDS = 20;

/** What is measured on. */
interface Scene {
  readonly plane: ApplicationPlane;
  readonly generated: GeneratedCluster;
  readonly applications: number;
  readonly createApplication: (index: number) => Promise<void>;
}

/** All in this process: no network and no other program is in the figures, and the bytes of the heap can be counted. */
export async function measureInProcess(sets: number, applications: number): Promise<void> {
  const generated = generateCluster(sets);
  let manifests: FileChanges = {};
  for (let index = 0; index < applications; index += 1) manifests = Object.assign(manifests, manifestsOf(generated, index));
  const repository = await createGitRepository(manifests);
  const settings = { 'timeout.reconciliation': `${REFRESH_SECONDS}s`, 'timeout.reconciliation.jitter': `${REFRESH_SECONDS}s` };
  const plane = await openApplicationPlane({ settings, cluster: generated.api });
  const destination = { server: 'https://kubernetes.default.svc', namespace: 'team-0' };
  const createApplication = (index: number): Promise<void> =>
    plane.create(`app-${index}`, { project: 'default', source: { repoURL: repository.url, path: `app-${index}` }, destination });
  const scene: Scene = { plane, generated, applications, createApplication };
  try {
    console.log(`${generated.objects} live objects, ${applications} applications of ${SETS_PER_APPLICATION * 3} managed objects each`);
    console.table({ ...(await measureFirstTree(scene)), ...(await measureChanges(scene)), ...(await measureRefreshes(scene)) });
  } finally {
    await plane.close();
    await repository.remove();
  }
}

async function measureFirstTree({ plane, createApplication }: Scene): Promise<Record<string, number>> {
  await createApplication(0);
  const application = await plane.waitFor('app-0', () => true);
  const { cache } = plane.context.clusters.resolve(application.spec.destination);
  const before = heapBytes();
  const [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  const tree = await plane.service.inspector.tree(application, { signal: AbortSignal.timeout(300_000) });
  const figures = { 'ms to the first complete tree': Math.round(performance.now() - startedMs), 'processor ms for that': cpuMs(cpu) };
  if (tree.nodes?.length !== NODES_PER_APPLICATION) throw new Error(`a tree of ${tree.nodes?.length} nodes`);
  const bytes = heapBytes() - before;
  return { ...figures, 'memory of rows and bodies, MB': megabytes(bytes), 'bytes per object': Math.round(bytes / cache.counts.rows) };
}

/** From the event of the cluster until the tree that has it is there as text. */
async function measureChanges({ plane, generated }: Scene): Promise<Record<string, number>> {
  const application = plane.get('app-0');
  const { inspector } = plane.service;
  const times: number[] = [];
  let changed = Promise.withResolvers<void>();
  const end = inspector.onTreeChange(application, () => changed.resolve());
  for (let change = 0; change < CHANGES; change += 1) {
    const pod = change % PODS_PER_APPLICATION;
    const version = `"resourceVersion":"${1000 + pod * 100 + change + 2}"`;
    const startedMs = performance.now();
    generated.changePod(pod, change + 2);
    for (let text = ''; !text.includes(version);) {
      await changed.promise;
      changed = Promise.withResolvers<void>();
      text = JSON.stringify(await inspector.tree(application, { signal: AbortSignal.timeout(60_000) }));
    }
    times.push(performance.now() - startedMs);
  }
  end();
  return {
    'ms from a changed pod to its tree, p50': Math.round(quantile(times, 0.5)),
    'ms from a changed pod to its tree, p99': Math.round(quantile(times, 0.99)),
  };
}

async function measureRefreshes({ plane, applications, createApplication }: Scene): Promise<Record<string, number>> {
  for (let index = 1; index < applications; index += 1) await createApplication(index);
  let refreshes = 0;
  plane.startController({ finished: () => void (refreshes += 1) });
  const areKnown = (): boolean =>
    [...plane.applications.values()].every((object) => JSON.stringify(object['status'] ?? {}).includes('"status":"Synced"'));
  const [startedMs, first] = [performance.now(), process.cpuUsage()];
  while (!areKnown()) await wait(250);
  const firstMs = performance.now() - startedMs;
  const firstCpuMs = cpuMs(first);
  let lateRequests = 0;
  plane.takeRequests();
  // Events of the first comparisons are written a few at a time; whatever comes later belongs to refreshes.
  for (let quietSince = performance.now(); performance.now() - quietSince < REFRESH_SECONDS * 1_000; await wait(250)) {
    const late = plane.takeRequests();
    if (late.length > 0) quietSince = performance.now();
    lateRequests += late.length;
  }
  refreshes = 0;
  const cpu = process.cpuUsage();
  await wait(3 * REFRESH_SECONDS * 1_000);
  const refreshCpuMs = cpuMs(cpu);
  const requests = plane.takeRequests();
  for (const [what, all] of Map.groupBy(requests, (request) => request.split(' ').slice(0, 2).join(' '))) console.log(what, all.length);
  return {
    's until all applications are compared for the first time': Math.round(firstMs / 100) / 10,
    'processor ms for each of them': Math.round((firstCpuMs / applications) * 100) / 100,
    'requests after it, until there are none for a while': lateRequests,
    'timed refreshes': refreshes,
    'processor ms for each timed refresh': Math.round((refreshCpuMs / Math.max(refreshes, 1)) * 100) / 100,
    'requests meanwhile': requests.length,
  };
}
