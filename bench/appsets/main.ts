/**
 * One application set of 2,000 applications, from 200 files in git and 10 clusters: how long until all are there, what a look costs that
 * finds nothing to do, and how long until one changed file has changed its ten. Argo CD's controller as it comes and with as many writes
 * at once as it allows, and ours, each on a control plane of its own; and ours on the embedded home.
 * `npm run bench -- appsets [applications] [runs] [pattern of contenders' names]`.
 */
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { applicationSetType } from '../../src/model/index.ts';
import { median } from '../support/interleave.ts';
import { readUsage } from '../support/usage.ts';
import { contenderNames, startContender, type Contender, type ContenderName } from './contenders.ts';
import { CLUSTERS, createFleet, fleetRef, type Fleet } from './fleet.ts';
import type { Writes } from './take-writes.ts';

const refresh = 'argocd.argoproj.io/application-set-refresh';
const WAIT_LIMIT_MS = 1_800_000;
const POLL_MS = 20;
/** With no write for so long, a controller has come to rest. */
const REST_MS = 4_000;

const count = Number(process.argv[3] ?? 2_000);
const runs = Number(process.argv[4] ?? 1);
const names = contenderNames.filter((name) => new RegExp(process.argv[5] ?? '').test(name));

interface Figures {
  readonly seconds: number;
  readonly processorSeconds: number;
}

interface Outcome {
  readonly created: Figures;
  readonly nothing: Figures;
  readonly changed: Figures;
  readonly writes: { readonly created: Writes; readonly nothing: Writes; readonly changed: Writes };
  readonly peakMegabytes: number;
  readonly restMegabytes: number;
}

const outcomes = new Map<ContenderName, Outcome[]>(names.map((name) => [name, []]));
for (let run = 0; run < runs; run += 1) {
  for (const name of names) {
    await using fleet = await createFleet(count);
    const contender = await startContender(name);
    try {
      console.log(`run ${run + 1}, ${name}, load average ${loadavg()[0]?.toFixed(1)}`);
      const outcome = await measure(contender, fleet);
      outcomes.get(name)?.push(outcome);
      console.log(JSON.stringify(outcome));
    } finally {
      await contender.stop();
    }
  }
}
report();

async function measure(contender: Contender, fleet: Fleet): Promise<Outcome> {
  const { api, applications, pids } = contender;
  await rest(contender);
  const created = await timed(pids, async () => {
    await api.create(applicationSetType, fleet.set);
    await until(() => applications.size === fleet.applications);
  });
  await until(() => isUpToDate(contender));
  const createdWrites = await rest(contender);

  const nothing = await timed(pids, () => askForRefresh(contender));
  const nothingWrites = await rest(contender);

  await fleet.resize('2');
  const changed = await timed(pids, async () => {
    void askForRefresh(contender);
    await until(() => countSize(contender, '2') === CLUSTERS);
  });
  const changedWrites = await rest(contender);
  const usage = readUsage(pids);
  return {
    created,
    nothing,
    changed,
    writes: { created: createdWrites, nothing: nothingWrites, changed: changedWrites },
    peakMegabytes: Math.round(usage.peakMegabytes),
    restMegabytes: Math.round(usage.residentMegabytes),
  };
}

async function timed(pids: readonly number[], work: () => Promise<void>): Promise<Figures> {
  const before = readUsage(pids);
  const startMs = performance.now();
  await work();
  const seconds = (performance.now() - startMs) / 1_000;
  return { seconds: round(seconds), processorSeconds: round(readUsage(pids).processorSeconds - before.processorSeconds) };
}

/** Waits until nothing is written any more; answers with what was written since the last rest. */
async function rest(contender: Contender): Promise<Writes> {
  const all: Record<string, number> = {};
  for (;;) {
    await wait(REST_MS);
    const writes = Object.entries(contender.takeWrites());
    if (writes.length === 0) return all;
    for (const [what, times] of writes) all[what] = (all[what] ?? 0) + times;
  }
}

/** Asks as a webhook does, and waits until it has been done. */
async function askForRefresh({ api, applicationSets }: Contender): Promise<void> {
  const isAsked = (): boolean => applicationSets.get(fleetRef)?.metadata.annotations?.[refresh] !== undefined;
  await api.patch(applicationSetType, fleetRef, { type: 'merge', body: { metadata: { annotations: { [refresh]: 'true' } } } });
  const { resourceVersion = '' } = applicationSets.get(fleetRef)?.metadata ?? {};
  await until(() => isAsked() || applicationSets.get(fleetRef)?.metadata.resourceVersion !== resourceVersion);
  await until(() => !isAsked());
}

function countSize({ applications }: Contender, size: string): number {
  let found = 0;
  for (const { metadata } of applications.values()) if (metadata.labels?.['size'] === size) found += 1;
  return found;
}

function isUpToDate({ applicationSets }: Contender): boolean {
  const { conditions = [] } = (applicationSets.get(fleetRef)?.['status'] ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions.some(({ type, status }) => type === 'ResourcesUpToDate' && status === 'True');
}

async function until(condition: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + WAIT_LIMIT_MS;
  while (!condition()) {
    if (performance.now() > deadlineMs) throw new Error('what was waited for did not happen');
    await wait(POLL_MS);
  }
}

function report(): void {
  const middle = (name: ContenderName, part: (outcome: Outcome) => number): number => median((outcomes.get(name) ?? []).map(part));
  console.log(`\n${count} applications from ${Math.ceil(count / CLUSTERS)} files × ${CLUSTERS} clusters: median of ${runs}`);
  console.table(
    names.map((name) => ({
      controller: name,
      'all created, s': middle(name, ({ created }) => created.seconds),
      'processor s': middle(name, ({ created }) => created.processorSeconds),
      'nothing to do, s': middle(name, ({ nothing }) => nothing.seconds),
      'processor s ': middle(name, ({ nothing }) => nothing.processorSeconds),
      'one changed file, s': middle(name, ({ changed }) => changed.seconds),
      'processor s  ': middle(name, ({ changed }) => changed.processorSeconds),
      'MB at rest': middle(name, ({ restMegabytes }) => restMegabytes),
      'MB at most': middle(name, ({ peakMegabytes }) => peakMegabytes),
    })),
  );
  for (const step of ['created', 'nothing', 'changed'] as const)
    for (const name of names) console.log(`writes, ${step}, ${name}:`, JSON.stringify(outcomes.get(name)?.at(-1)?.writes[step]));
  if (!names.includes('Fairway')) return;
  for (const step of ['created', 'nothing', 'changed'] as const)
    for (const part of ['seconds', 'processorSeconds'] as const) {
      const of = (name: ContenderName): number => middle(name, (outcome) => outcome[step][part]);
      const others = names.filter((name) => name.startsWith('Argo CD')).map((name) => `${name}: ${round(of(name) / of('Fairway'))}`);
      console.log(`${step}, ${part}, in times of ours: ${others.join('; ')}`);
    }
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
