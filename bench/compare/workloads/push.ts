import { githubPush } from '../../../test/support/webhook-payloads.ts';
import type { Stage } from '../stage.ts';
import { quantile, round, type Figures, type Workload } from '../workload.ts';

const SINGLE_PUSHES = 3;
const MANY = 200;
/** After a push everybody looks at the repository; the next one waits until they have, or so long. */
const CALM_LIMIT_MS = 60_000;
const CROWD_POLL_MS = 20;

export const push: Workload = {
  name: 'push',
  title: ({ applications }) =>
    `a commit with a webhook, one repository with ${applications} applications: to one of them, and to ${Math.min(MANY, applications)} at once`,
  flavour: 'plain',
  sizes: [1_000],
  figures: [
    { name: 'seconds until one is Synced', goal: 3 },
    { name: 'the slowest of them', goal: 3 },
    { name: 'seconds until all are Synced', goal: 3 },
  ],
  prepare: ({ settle }) => settle(),
  measure,
};

async function measure(stage: Stage): Promise<Figures> {
  const { names } = stage.crowd;
  const singles: number[] = [];
  for (const name of names.slice(-SINGLE_PUSHES)) singles.push(await pushTo(stage, [name]));
  const many = await pushTo(stage, names.slice(0, MANY));
  return {
    'seconds until one is Synced': round(quantile(singles, 0.5)),
    'the slowest of them': round(Math.max(...singles)),
    'seconds until all are Synced': round(many),
  };
}

async function pushTo({ contender, crowd, get, until }: Stage, touched: readonly string[]): Promise<number> {
  const revision = await crowd.commitTo(touched, `${touched.length}-${touched[0]}-${Date.now()}`);
  const files = touched.map((name) => `apps/${name}/all.yaml`);
  const { headers, payload } = githubPush({ url: crowd.repositoryUrl, files });
  const startMs = performance.now();
  const answer = await fetch(`${contender.url}/api/webhook`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  });
  if (!answer.ok) throw new Error(`the webhook was answered with ${answer.status}`);
  const hasIt = (name: string): boolean => get(name)?.status?.sync?.revision === revision;
  const isDone = (name: string): boolean => {
    const { status, operation } = get(name) ?? {};
    const { phase, syncResult } = status?.operationState ?? {};
    const isSynced = hasIt(name) && status?.sync?.status === 'Synced';
    return isSynced && operation === undefined && phase === 'Succeeded' && syncResult?.revision === revision;
  };
  const endMs = await until(() => touched.every(isDone), 900_000, CROWD_POLL_MS);
  // The others need not show the new commit, as it is nothing to them.
  await until(() => crowd.names.every(hasIt), CALM_LIMIT_MS, CROWD_POLL_MS).catch(() => undefined);
  return (endMs - startMs) / 1_000;
}
