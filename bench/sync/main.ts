/**
 * What syncs cost on a real control plane: requests for an application of k objects, the time from a push to Synced, and the time that 200
 * applications take from nothing to Synced and Healthy. Our side only: Argo CD beside it in the same run is not there yet.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { applicationType, type Application } from '../../src/model/index.ts';
import { githubPush } from '../../test/support/webhook-payloads.ts';
import { configMap } from '../../test/support/git-repository.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { CONTROL, fourObjects, openBenchScene, type BenchScene } from './bench-scene.ts';

const SIZES = [1, 4, 20];
const PUSHES = Number(process.env['BENCH_PUSHES'] ?? 40);
const APPLICATIONS = Number(process.env['BENCH_APPLICATIONS'] ?? 200);
/** Longer than anything that follows from a sync takes to show. */
const QUIET_MS = 4_000;

const scene = await openBenchScene();
try {
  console.log('\nrequests for an application of k objects');
  console.table(await measureRequests(scene));
  console.log(`\nfrom a push to Synced, ${PUSHES} pushes, local git server, one application`);
  console.table(await measurePushes(scene));
  console.log(`\n${APPLICATIONS} applications of 4 objects from nothing to Synced and Healthy`);
  console.table(await measureCrowd(scene));
} finally {
  await scene.close();
}

async function measureRequests({ proxy, repository, api, ...stage }: BenchScene): Promise<Record<string, Record<string, number>>> {
  const figures: Record<string, Record<string, number>> = {};
  for (const size of SIZES) {
    const name = `size-${size}`;
    const files: [string, string][] = Array.from({ length: size }, (_, index) => [`${name}/m${index}.json`, configMap(`${name}-${index}`)]);
    await repository.commit(Object.fromEntries(files));
    await stage.createNamespace(name);
    await wait(QUIET_MS);
    const first = await countRequests(proxy, async () => {
      await stage.createApplication(name, name, { syncPolicy: { automated: {} } });
      await waitUntil(async () => isSettled(await stage.get(name)));
    });
    const again = await countRequests(proxy, async () => {
      const body = { operation: { sync: {}, initiatedBy: { username: 'bench' } }, status: { operationState: null } };
      await api.patch(applicationType, { namespace: CONTROL, name }, { type: 'merge', body });
      await waitUntil(async () => isSettled(await stage.get(name)));
    });
    const changed = await countRequests(proxy, async () => {
      const manifests = files.map(([file], index) => [file, configMap(`${name}-${index}`, { key: 'changed' })]);
      const revision = await repository.commit(Object.fromEntries(manifests) as Record<string, string>);
      const body = { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } };
      await api.patch(applicationType, { namespace: CONTROL, name }, { type: 'merge', body });
      await waitUntil(async () => {
        const application = await stage.get(name);
        return application.status?.sync?.revision === revision && isSettled(application);
      });
    });
    const idle = await countRequests(proxy, () => Promise.resolve());
    figures[`k = ${size}`] = {
      'first sync: writes': first.writes,
      'of them beyond k': first.writes - size,
      reads: first.reads,
      events: first.events,
      'sync of nothing: writes': again.writes,
      'reads ': again.reads,
      'events ': again.events,
      'all changed: writes': changed.writes,
      'tried before': changed.trials,
      'events  ': changed.events,
      'nothing happens': idle.writes + idle.reads,
    };
  }
  return figures;
}

interface Counted {
  readonly writes: number;
  readonly reads: number;
  readonly events: number;
  /** Of the writes. */
  readonly trials: number;
}

/** Of what the program sent: watches and Leases go on whatever happens. */
async function countRequests({ requests }: BenchScene['proxy'], work: () => Promise<void>): Promise<Counted> {
  const from = requests.length;
  await work();
  await wait(QUIET_MS);
  const sent = requests.slice(from).filter(isCounted);
  const events = sent.filter(isEvent).length;
  const writes = sent.filter(({ method }) => method !== 'GET').length - events;
  const trials = sent.filter(({ url }) => url.includes('dryRun=')).length;
  return { writes, events, trials, reads: sent.filter(({ method }) => method === 'GET').length };
}

type Sent = BenchScene['proxy']['requests'][number];

function isCounted({ isWatch, url }: Sent): boolean {
  return !isWatch && !url.includes('/leases');
}

function isEvent({ method, url }: Sent): boolean {
  return method === 'POST' && url.includes('/events');
}

/** For each of many applications, by what they are for. */
function shareRequests(sent: readonly Sent[], count: number): Record<string, number> {
  const share = (isMeant: (request: Sent) => boolean): number => Math.round((sent.filter(isMeant).length / count) * 10) / 10;
  const isApplication = ({ url }: Sent): boolean => url.includes('/applications/');
  return {
    'requests for each': share(() => true),
    'of them patches of the application': share((request) => request.method === 'PATCH' && isApplication(request)),
    events: share(isEvent),
    reads: share(({ method }) => method === 'GET'),
    'writes of its objects': share((request) => request.method !== 'GET' && !isEvent(request) && !isApplication(request)),
  };
}

async function measurePushes({ fairway, repository, repositoryUrl, ...stage }: BenchScene): Promise<Record<string, number>> {
  await repository.commit({ 'pushed/a.json': configMap('pushed', { round: 'none' }) });
  await stage.createNamespace('pushed');
  await stage.createApplication('pushed', 'pushed', { syncPolicy: { automated: {} } });
  await waitUntil(async () => isSettled(await stage.get('pushed')));
  const times: number[] = [];
  for (let round = 0; round < PUSHES; round++) {
    const revision = await repository.commit({ 'pushed/a.json': configMap('pushed', { round: String(round) }) });
    const { headers, payload } = githubPush({ url: repositoryUrl });
    const startMs = performance.now();
    const answer = await fetch(`${fairway.url}/api/webhook`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    if (!answer.ok) throw new Error(`the webhook was answered with ${answer.status}`);
    await waitUntil(async () => {
      const application = await stage.get('pushed');
      return application.status?.sync?.revision === revision && isSettled(application);
    });
    times.push(performance.now() - startMs);
  }
  times.sort((one, other) => one - other);
  const at = (share: number): number => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  return { 'p50, ms (goal 1500)': at(0.5), 'p99, ms (goal 4000)': at(0.99), 'slowest, ms': at(1) };
}

async function measureCrowd({ fairway, repository, proxy, ...stage }: BenchScene): Promise<Record<string, number>> {
  const names = Array.from({ length: APPLICATIONS }, (_, index) => `crowd-${index}`);
  await repository.commit(Object.assign({}, ...names.map(fourObjects)) as Record<string, string>);
  await stage.createNamespace('crowd');
  const before = processorSeconds(fairway.pid);
  const from = proxy.requests.length;
  const startMs = performance.now();
  await Promise.all(names.map((name) => stage.createApplication(name, 'crowd', { syncPolicy: { automated: {} } })));
  const createdMs = performance.now() - startMs;
  const reached = (isThere: (application: Application) => boolean) => async (): Promise<number> => {
    for (;;) {
      const crowd = (await stage.list()).filter(({ metadata }) => metadata.name?.startsWith('crowd-'));
      if (crowd.filter(isThere).length === APPLICATIONS) return Math.round(performance.now() - startMs);
      if (performance.now() - startMs > 900_000) return Number.NaN;
      await wait(250);
    }
  };
  const syncedMs = await reached(isSettled)();
  const healthyMs = await reached((application) => isSettled(application) && application.status?.health?.status === 'Healthy')();
  await wait(QUIET_MS);
  return {
    ...shareRequests(proxy.requests.slice(from).filter(isCounted), APPLICATIONS),
    'ms to create them': Math.round(createdMs),
    'ms until all are Synced': syncedMs,
    'ms until all are Healthy too': healthyMs,
    'applications per second': Math.round((APPLICATIONS / healthyMs) * 10_000) / 10,
    'processor seconds of Fairway and what it started': Math.round((processorSeconds(fairway.pid) - before) * 10) / 10,
  };
}

/** Of a process and of those that it started and that have ended; clock ticks are hundredths of a second on every Linux that there is. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) / 100;
}

function isSettled({ status, operation }: Application): boolean {
  return !operation && status?.sync?.status === 'Synced' && status.operationState?.phase === 'Succeeded';
}
