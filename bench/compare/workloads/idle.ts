import { setTimeout as wait } from 'node:timers/promises';
import { countRequestsSince, markAudit } from '../audit.ts';
import { readMegabytes, readProcessorSeconds } from '../resources.ts';
import type { Stage } from '../stage.ts';
import { round, type Figures, type Workload } from '../workload.ts';

export const idle: Workload = {
  name: 'idle',
  title: ({ applications, idleSeconds }) => `nothing happens for ${idleSeconds} seconds, ${applications} applications`,
  flavour: 'plain',
  sizes: [1_000],
  figures: [
    { name: 'processor seconds', goal: 5 },
    { name: 'requests to the API server', goal: 5 },
    { name: 'MB in the end', goal: 4, limit: 300 },
  ],
  prepare: ({ settle }) => settle(),
  measure,
};

async function measure({ contender: { plane, pids }, scale }: Stage): Promise<Figures> {
  const mark = markAudit(plane);
  const before = readProcessorSeconds(pids);
  await wait(scale.idleSeconds * 1_000);
  return {
    'processor seconds': round(readProcessorSeconds(pids) - before),
    'requests to the API server': await countRequestsSince(plane, mark),
    'MB in the end': Math.round(readMegabytes(pids)),
  };
}
