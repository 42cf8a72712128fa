import { setTimeout as wait } from 'node:timers/promises';
import { fillCluster } from '../fill-cluster.ts';
import { readMegabytes } from '../resources.ts';
import type { Stage } from '../stage.ts';
import { listVersion, openWatch } from '../watch-stream.ts';
import { quantile, round, type Figures, type Workload } from '../workload.ts';

const REST_MS = 30_000;
const CHANGES = 100;

export const large: Workload = {
  name: 'large',
  title: ({ applications, others }) => `${others} objects in the cluster, ${applications * 4} of them of applications`,
  flavour: 'plain',
  sizes: [250],
  others: 100_000,
  figures: [
    { name: 'MB at rest', goal: 3 },
    { name: 'ms from a changed object until a watching client sees the verdict, p50' },
    { name: 'ms from a changed object until a watching client sees the verdict, p99', limit: 500 },
  ],
  async prepare(stage) {
    await stage.settle();
    await fillCluster(stage, stage.scale.others - stage.scale.applications * 4);
    await wait(REST_MS);
  },
  measure,
};

async function measure(stage: Stage): Promise<Figures> {
  const megabytes = readMegabytes(stage.contender.pids);
  const lags = await measureLags(stage);
  return {
    'MB at rest': Math.round(megabytes),
    'ms from a changed object until a watching client sees the verdict, p50': round(quantile(lags, 0.5)),
    'ms from a changed object until a watching client sees the verdict, p99': round(quantile(lags, 0.99)),
  };
}

/** Objects of applications are changed and changed back; a client that watches sees their verdicts follow. */
async function measureLags(stage: Stage): Promise<readonly number[]> {
  const { crowd, drift } = stage;
  let expected = { name: '', status: '', seen: (): void => undefined };
  const stream = await openWatch(stage, await listVersion(stage), (text) => {
    for (const line of text.split('\n')) if (isAbout(line, expected)) expected.seen();
  });
  const lags: number[] = [];
  try {
    for (let change = 0; change < CHANGES; change += 1) {
      const isBack = change % 2 === 1;
      const name = crowd.names[(change >> 1) % crowd.names.length] ?? '';
      const { promise, resolve } = Promise.withResolvers<void>();
      expected = { name, status: isBack ? 'Synced' : 'OutOfSync', seen: resolve };
      const startMs = performance.now();
      await drift(name, isBack ? 'back' : undefined);
      await Promise.race([promise, failLate(name)]);
      lags.push(performance.now() - startMs);
    }
  } finally {
    stream.close();
  }
  return lags;
}

async function failLate(name: string): Promise<never> {
  await wait(120_000, undefined, { ref: false });
  throw new Error(`nobody saw that ${name} changed`);
}

interface Event {
  readonly result?: {
    readonly application?: {
      readonly metadata?: { readonly name?: string };
      readonly status?: { readonly sync?: { readonly status?: string } };
    };
  };
}

function isAbout(line: string, { name, status }: { readonly name: string; readonly status: string }): boolean {
  if (name === '' || !line.includes(name)) return false;
  const { result } = JSON.parse(line.replace(/^data: /, '')) as Event;
  return result?.application?.metadata?.name === name && result.application.status?.sync?.status === status;
}
