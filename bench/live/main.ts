/**
 * What it costs to look after applications in a cluster of 100,000 objects: memory, time until the first tree is complete, time from a
 * changed pod until whoever watches the tree has it, and the work of a timed refresh of 1,000 applications in which nothing changed.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openApplicationPlane } from '../../test/support/application-plane.ts';
import { createGitRepository } from '../../test/support/git-repository.ts';
import { generateCluster, type GeneratedCluster } from '../cache/generated-cluster.ts';

/** Eight objects each; ten make an application. */
const SETS = 12_500;
const SETS_PER_APPLICATION = 10;
const PODS_PER_SET = 3;
const APPLICATIONS = Number(process.argv[3] ?? 1_000);
const CHANGES = 300;
const REFRESH_SECONDS = 20;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const generated = generateCluster(SETS);
const repository = await createGitRepository(manifests(generated));
const settings = { 'timeout.reconciliation': `${REFRESH_SECONDS}s`, 'timeout.reconciliation.jitter': `${REFRESH_SECONDS}s` };
const plane = await openApplicationPlane({ settings, cluster: generated.api });
try {
  console.log(`${generated.objects} live objects, ${APPLICATIONS} applications of ${SETS_PER_APPLICATION * 3} managed objects each`);
  console.table({ ...(await measureFirstTree()), ...(await measureChanges()), ...(await measureRefreshes()) });
} finally {
  await plane.close();
  await repository.remove();
}

/** What git says is what lives. */
function manifests(cluster: GeneratedCluster): Record<string, string> {
  const files: Record<string, string> = {};
  for (let application = 0; application < APPLICATIONS; application += 1) {
    const sets = Array.from({ length: SETS_PER_APPLICATION }, (_, index) => application * SETS_PER_APPLICATION + index);
    files[`app-${application}/all.yaml`] = sets
      .flatMap((set) => cluster.textsOf(set))
      .map(withoutServerFields)
      .join('\n---\n');
  }
  return files;
}

function withoutServerFields(text: string): string {
  const { status: _status, metadata, ...object } = JSON.parse(text) as { status?: unknown; metadata: Record<string, unknown> };
  const { name, namespace, labels } = metadata;
  return JSON.stringify({ ...object, metadata: { name, namespace, labels } });
}

async function createApplication(index: number): Promise<void> {
  const name = `app-${index}`;
  const source = { repoURL: repository.url, path: name };
  await plane.create(name, { project: 'default', source, destination: { server: 'https://kubernetes.default.svc', namespace: 'team-0' } });
}

async function measureFirstTree(): Promise<Record<string, number>> {
  await createApplication(0);
  const application = await plane.waitFor('app-0', () => true);
  const { cache } = plane.context.clusters.resolve(application.spec.destination);
  const before = heapBytes();
  const [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  const tree = await plane.service.inspector.tree(application, { signal: AbortSignal.timeout(300_000) });
  const figures = { 'ms to the first complete tree': Math.round(performance.now() - startedMs), 'processor ms for that': cpuMs(cpu) };
  if ((tree.nodes ?? []).length !== SETS_PER_APPLICATION * (PODS_PER_SET + 4)) throw new Error(`a tree of ${tree.nodes?.length} nodes`);
  const bytes = heapBytes() - before;
  return { ...figures, 'memory of rows and bodies, MB': megabytes(bytes), 'bytes per object': Math.round(bytes / cache.counts.rows) };
}

/** From the event of the cluster until the tree that has it is there as text. */
async function measureChanges(): Promise<Record<string, number>> {
  const application = plane.get('app-0');
  const { inspector } = plane.service;
  const times: number[] = [];
  let changed = Promise.withResolvers<void>();
  const end = inspector.onTreeChange(application, () => changed.resolve());
  for (let change = 0; change < CHANGES; change += 1) {
    const pod = change % (SETS_PER_APPLICATION * PODS_PER_SET);
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
  times.sort((one, other) => one - other);
  const at = (share: number): number => Math.round(times[Math.min(Math.floor(times.length * share), times.length - 1)] ?? 0);
  return { 'ms from a changed pod to its tree, p50': at(0.5), 'ms from a changed pod to its tree, p99': at(0.99) };
}

async function measureRefreshes(): Promise<Record<string, number>> {
  for (let index = 1; index < APPLICATIONS; index += 1) await createApplication(index);
  let refreshes = 0;
  plane.startController({ finished: () => void (refreshes += 1) });
  const areKnown = (): boolean =>
    [...plane.applications.values()].every((object) => JSON.stringify(object['status'] ?? {}).includes('"status":"Synced"'));
  const [startedMs, first] = [performance.now(), process.cpuUsage()];
  while (!areKnown()) await waitMs(250);
  const firstMs = performance.now() - startedMs;
  const firstCpuMs = cpuMs(first);
  await waitMs(2 * REFRESH_SECONDS * 1_000);
  plane.takeRequests();
  refreshes = 0;
  const cpu = process.cpuUsage();
  await waitMs(3 * REFRESH_SECONDS * 1_000);
  const requests = plane.takeRequests();
  for (const [what, all] of Map.groupBy(requests, (request) => request.split(' ').slice(0, 2).join(' '))) console.log(what, all.length);
  return {
    's until all applications are compared for the first time': Math.round(firstMs / 100) / 10,
    'processor ms for each of them': Math.round((firstCpuMs / APPLICATIONS) * 100) / 100,
    'timed refreshes': refreshes,
    'processor ms for each timed refresh': Math.round((cpuMs(cpu) / Math.max(refreshes, 1)) * 100) / 100,
    'requests meanwhile': requests.length,
  };
}

function waitMs(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

function heapBytes(): number {
  for (let round = 0; round < 4; round += 1) collect();
  return process.memoryUsage().heapUsed;
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return Math.round((user + system) / 1000);
}

function megabytes(bytes: number): number {
  return Math.round((bytes / (1 << 20)) * 10) / 10;
}
