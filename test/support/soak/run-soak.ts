/** Everything at once for a while, then a look at whether all is well. */
import { setTimeout as wait } from 'node:timers/promises';
import { applicationType } from '../../../src/model/index.ts';
import { SeededRandom } from '../seeded-random.ts';
import { findErrors } from './find-errors.ts';
import { createActors, populate, type SoakActor } from './soak-actors.ts';
import { SoakRecord } from './soak-record.ts';
import type { Level } from '../level/process-level.ts';
import { findTrend, startSampling, type Sample, type Trend } from './soak-samples.ts';
import { openSoakStage, type SoakStage } from './soak-stage.ts';
import { findDifferences, syncByHand } from './soak-truth.ts';
import { startWatcher, type SoakWatcher } from './soak-watcher.ts';

const WATCHERS = 8;
const CONVERGE_LIMIT_MS = 240_000;
const WARM_UP_MS = 60_000;

export interface SoakOutcome {
  /** How often everybody did what, and how that was answered. */
  readonly counts: Readonly<Record<string, number>>;
  /** Calls that failed without a reason, and actors that could not act. */
  readonly problems: readonly string[];
  /** What was still not as it should be when nobody had done anything for minutes. */
  readonly differences: readonly string[];
  /** Watchers whose view is not that of a list. */
  readonly strayWatchers: readonly string[];
  /** In the log. */
  readonly errors: readonly string[];
  readonly convergedMs: number;
  /** Of what the last process held; nothing of one that did not live long enough to tell. */
  readonly trends: Readonly<Partial<Record<keyof Level, Trend>>>;
  readonly megabytesMost: number;
}

export interface SoakPlan {
  readonly durationMs: number;
  readonly seed: number;
  readonly applications: number;
}

export async function runSoak({ durationMs, seed, applications }: SoakPlan): Promise<SoakOutcome> {
  const stage = await openSoakStage({ applications, members: 6 });
  const record = new SoakRecord();
  const watchers: SoakWatcher[] = [];
  const sampling = startSampling(() => stage.fairway, durationMs);
  try {
    await populate(stage);
    for (let index = 0; index < WATCHERS; index += 1) watchers.push(startWatcher(stage));
    const deadline = Date.now() + durationMs;
    const actors = createActors(stage, record, durationMs);
    await Promise.all(
      actors.map((actor, index) => keepActing(actor, new SeededRandom(seed * 1_000 + index), { durationMs, deadline, record })),
    );
    // What is held while nobody does anything is less, and says nothing about growth.
    const samples = [...sampling.samples];
    await Promise.all([stage.farRoad.liftAll(), stage.homeRoad.liftAll()]);
    const startMs = Date.now();
    const differences = await converge(stage, record);
    const convergedMs = Date.now() - startMs;
    const strayWatchers = await findStrays(stage, watchers);
    return {
      counts: record.counts(),
      problems: record.problems,
      differences,
      strayWatchers,
      errors: findErrors(stage.output()),
      convergedMs,
      trends: findTrends(samples),
      megabytesMost: sampling.megabytesMost(),
    };
  } finally {
    sampling.stop();
    await Promise.all(watchers.map((watcher) => watcher.stop()));
    await stage.close();
  }
}

function findTrends(samples: readonly Sample[]): SoakOutcome['trends'] {
  const parts = ['inUseMb', 'memoryMb', 'files', 'children'] as const;
  return Object.fromEntries(
    parts.flatMap((part) => {
      const trend = findTrend(samples, part, WARM_UP_MS);
      return trend === undefined ? [] : [[part, trend]];
    }),
  );
}

async function keepActing(
  { name, everyMs, untilShare = 1, act }: SoakActor,
  random: SeededRandom,
  { durationMs, deadline, record }: { durationMs: number; deadline: number; record: SoakRecord },
): Promise<void> {
  const endMs = deadline - durationMs * (1 - untilShare);
  for (;;) {
    const pauseMs = everyMs * (0.5 + random.next());
    if (Date.now() + pauseMs >= endMs) return;
    await wait(pauseMs);
    record.count(name);
    await act(random).catch((error: unknown) => record.problem(`${name}: ${describe(error)}`));
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
}

async function converge(stage: SoakStage, record: SoakRecord): Promise<readonly string[]> {
  const deadline = Date.now() + CONVERGE_LIMIT_MS;
  for (;;) {
    const differences = await findDifferences(stage, record);
    if (differences.length === 0 || Date.now() > deadline) return differences;
    await syncByHand(stage, record, differences);
    await wait(2_000);
  }
}

/** A watcher has seen everything once it has every application in the version that a list has. */
async function findStrays({ api }: SoakStage, watchers: readonly SoakWatcher[]): Promise<readonly string[]> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { items } = await api.list(applicationType, { namespace: 'argocd' });
    const truth = show(items.map(({ metadata }) => [metadata.name ?? '', metadata.resourceVersion ?? '']));
    const strays = watchers.map(({ seen }) => show([...seen])).filter((seen) => seen !== truth);
    if (strays.length === 0 || Date.now() > deadline) return strays.map((seen) => `${seen} instead of ${truth}`);
    await wait(500);
  }
}

function show(versions: readonly (readonly [name: string, version: string])[]): string {
  return versions
    .map(([name, version]) => `${name}@${version}`)
    .toSorted()
    .join(' ');
}
