import { applicationType } from '../../../src/model/index.ts';
import { fillCluster } from '../fill-cluster.ts';
import { isSettled, type Stage } from '../stage.ts';
import { round, type Figures, type Workload } from '../workload.ts';
import { readProcessorSeconds } from '../resources.ts';

const CROWD_POLL_MS = 50;
const LONG_AGO = '2020-01-01T00:00:00Z';

/**
 * While the tool is down an object of every application changes, and every verdict is old enough to be looked at again: what counts is when
 * each application says so. Both keep what they cache outside the cluster: Argo CD its Redis, Fairway its folder.
 */
export const restart: Workload = {
  name: 'restart',
  title: ({ applications, others }) =>
    `a restart with ${applications} applications and ${others} other objects, each application having changed meanwhile`,
  flavour: 'plain',
  sizes: [1_000],
  others: 20_000,
  figures: [{ name: 'seconds until every verdict is fresh', goal: 3 }, { name: 'processor seconds' }],
  async prepare(stage) {
    await stage.settle();
    await fillCluster(stage, stage.scale.others);
  },
  measure,
};

async function measure(stage: Stage): Promise<Figures> {
  const { contender, crowd, forEach, until, get, drift } = stage;
  await contender.pause();
  await forEach(crowd.names, async (name) => {
    await drift(name);
    const body = { status: { reconciledAt: LONG_AGO } };
    await contender.api.patch(applicationType, { namespace: 'argocd', name }, { type: 'merge', body });
  });
  const startMs = performance.now();
  await contender.resume();
  const isFresh = (name: string): boolean => get(name)?.status?.sync?.status === 'OutOfSync';
  const endMs = await until(() => crowd.names.every(isFresh), 1_200_000, CROWD_POLL_MS);
  const spent = readProcessorSeconds(contender.pids);
  await forEach(crowd.names, (name) => drift(name, 'back'));
  await until(() => crowd.names.every((name) => isSettled(get(name))), 1_200_000, CROWD_POLL_MS);
  return { 'seconds until every verdict is fresh': round((endMs - startMs) / 1_000), 'processor seconds': round(spent) };
}
