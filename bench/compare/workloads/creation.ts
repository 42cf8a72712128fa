import { setTimeout as wait } from 'node:timers/promises';
import { countRequestsSince, markAudit } from '../audit.ts';
import type { Flavour } from '../crowd.ts';
import { readMegabytes, readProcessorSeconds, watchMegabytes } from '../resources.ts';
import type { Stage } from '../stage.ts';
import { round, type Figures, type Workload } from '../workload.ts';

const REST_MS = 30_000;

const HOW: Record<Flavour, string> = { plain: 'plain YAML', kustomize: 'Kustomize', helm: 'Helm' };

/** Many applications from nothing to Synced and Healthy, and what is left when they are. */
export function creation(flavour: Flavour): Workload {
  return {
    name: flavour,
    title: ({ applications }) =>
      `${applications} applications of 4 objects, one repository, ${HOW[flavour]}, from nothing to Synced and Healthy`,
    flavour,
    sizes: [200, 1_000],
    figures: [
      { name: 'seconds', goal: flavour === 'plain' ? 5 : 3 },
      { name: 'requests to the API server for each', goal: 3 },
      { name: 'processor seconds', goal: 3 },
      { name: 'MB at rest', goal: 4, limit: 300 },
      { name: 'MB at most', goal: 4 },
    ],
    prepare: () => Promise.resolve(),
    measure,
  };
}

async function measure({ contender, scale, settle }: Stage): Promise<Figures> {
  const { plane, pids } = contender;
  const mark = markAudit(plane);
  const processorSeconds = readProcessorSeconds(pids);
  const memory = watchMegabytes(() => contender.pids);
  const startMs = performance.now();
  await settle();
  const seconds = (performance.now() - startMs) / 1000;
  const spent = readProcessorSeconds(pids) - processorSeconds;
  const most = memory.stop();
  await wait(REST_MS);
  return {
    seconds: round(seconds),
    'requests to the API server for each': round((await countRequestsSince(plane, mark)) / scale.applications),
    'processor seconds': round(spent),
    'MB at rest': Math.round(readMegabytes(pids)),
    'MB at most': Math.round(most),
  };
}
