/**
 * Argo CD as it comes, Argo CD tuned, and Fairway, one after the other, each on a control plane of its own: many applications of four
 * objects from nothing to Synced and Healthy. `npm run bench -- compare [applications] [runs]`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createLogger } from '../../src/base/index.ts';
import { createObjectStore, type ResourceType } from '../../src/kube/index.ts';
import { applicationType, type Application } from '../../src/model/index.ts';
import { median } from '../support/interleave.ts';
import { startContender, type Contender, type ContenderName } from './contenders.ts';
import { createCrowd, DESTINATION_NAMESPACE, type Crowd } from './crowd.ts';
import { countRequests, readUsage } from '../support/usage.ts';

const NAMES: readonly ContenderName[] = ['Argo CD, defaults', 'Argo CD, tuned', 'Fairway'];
const SETTLE_LIMIT_MS = 1_200_000;
const REST_MS = 20_000;
const WRITERS = 8;
const namespaceType: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
const log = createLogger({ level: 'error', format: 'text', write: (line) => void process.stderr.write(line) });

const count = Number(process.argv[3] ?? 200);
const runs = Number(process.argv[4] ?? 3);

interface Outcome {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMegabytes: number;
  readonly restMegabytes: number;
  readonly requestsPerApplication: number;
}

const outcomes = new Map<ContenderName, Outcome[]>(NAMES.map((name) => [name, []]));
await using crowd = await createCrowd(count);
for (let run = 0; run < runs; run += 1) {
  for (const name of NAMES) {
    const contender = await startContender(name);
    try {
      const outcome = await measure(contender, crowd);
      outcomes.get(name)?.push(outcome);
      console.log(`run ${run + 1}, ${name}:`, JSON.stringify(outcome));
    } finally {
      await contender.stop();
    }
  }
}
report();

async function measure({ api, plane, pids }: Contender, { applications }: Crowd): Promise<Outcome> {
  await api.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: DESTINATION_NAMESPACE } });
  const store = createObjectStore({ api, type: applicationType, namespace: 'argocd', log });
  store.start();
  await store.whenSynced(30_000);
  const before = readUsage(pids);
  const startMs = performance.now();
  const waiting = [...applications];
  const write = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await api.create(applicationType, next);
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  const isSettled = (object: unknown): boolean => {
    const { status } = object as Application;
    return status?.sync?.status === 'Synced' && status.health?.status === 'Healthy';
  };
  while ([...store.values()].filter(isSettled).length < applications.length) {
    if (performance.now() - startMs > SETTLE_LIMIT_MS) throw new Error('the applications did not settle');
    await wait(100);
  }
  const seconds = (performance.now() - startMs) / 1000;
  const after = readUsage(pids);
  await wait(REST_MS);
  const rest = readUsage(pids);
  await store.stop();
  const requests = [...countRequests(plane, 'fairway-test').values()].reduce((total, value) => total + value, 0);
  return {
    seconds: round(seconds),
    processorSeconds: round(after.processorSeconds - before.processorSeconds),
    peakMegabytes: Math.round(rest.peakMegabytes),
    restMegabytes: Math.round(rest.residentMegabytes),
    requestsPerApplication: round(requests / applications.length),
  };
}

function report(): void {
  const middle = (name: ContenderName, part: keyof Outcome): number => median((outcomes.get(name) ?? []).map((outcome) => outcome[part]));
  console.log(`\n${count} applications of 4 objects, plain YAML, one repository: median of ${runs}`);
  console.table(
    NAMES.map((name) => ({
      tool: name,
      seconds: middle(name, 'seconds'),
      'processor s': middle(name, 'processorSeconds'),
      'MB at rest': middle(name, 'restMegabytes'),
      'MB at most': middle(name, 'peakMegabytes'),
      'requests/application': middle(name, 'requestsPerApplication'),
    })),
  );
  const better = (part: keyof Outcome): number => Math.min(middle('Argo CD, defaults', part), middle('Argo CD, tuned', part));
  for (const part of ['seconds', 'processorSeconds', 'restMegabytes', 'requestsPerApplication'] as const)
    console.log(`${part}: the better Argo CD has ${round(better(part) / middle('Fairway', part))} times ours`);
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
