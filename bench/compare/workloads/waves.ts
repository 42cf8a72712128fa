import { applicationType } from '../../../src/model/index.ts';
import type { FileChanges } from '../../../test/support/git-repository.ts';
import type { Stage } from '../stage.ts';
import { quantile, round, type Figures, type Workload } from '../workload.ts';

const WAVES = 5;
const OBJECTS_PER_WAVE = 2;
const ROUNDS = 5;
const NAME = 'waves';

export const waves: Workload = {
  name: 'waves',
  title: ({ applications }) => `a sync of ${WAVES} waves of ${OBJECTS_PER_WAVE} objects, beside ${applications} applications that rest`,
  flavour: 'plain',
  sizes: [200],
  figures: [
    { name: 'seconds', goal: 5 },
    { name: 'the slowest', goal: 5 },
  ],
  async prepare({ settle, crowd, contender, until, get }) {
    await settle();
    await crowd.commit(manifests('first'));
    await contender.api.create(applicationType, crowd.describe(NAME, NAME, false));
    await until(() => get(NAME)?.status?.sync?.status === 'OutOfSync');
  },
  measure,
};

async function measure(stage: Stage): Promise<Figures> {
  const times: number[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) times.push(await syncOnce(stage, `turn-${turn}`));
  return { seconds: round(quantile(times, 0.5)), 'the slowest': round(Math.max(...times)) };
}

async function syncOnce({ crowd, contender, token, until, get }: Stage, mark: string): Promise<number> {
  const revision = await crowd.commit(manifests(mark));
  const call = async (verb: string, path: string, body?: object): Promise<void> => {
    const answer = await fetch(`${contender.url}/api/v1/applications/${NAME}${path}`, {
      method: verb,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${verb} ${path} is answered with ${answer.status}: ${await answer.text()}`);
  };
  await call('GET', '?refresh=normal');
  await until(() => get(NAME)?.status?.sync?.revision === revision);
  const startMs = performance.now();
  await call('POST', '/sync', {});
  const endMs = await until(() => {
    const { operation, status } = get(NAME) ?? {};
    const { phase, syncResult } = status?.operationState ?? {};
    return operation === undefined && phase === 'Succeeded' && syncResult?.revision === revision;
  });
  return (endMs - startMs) / 1_000;
}

function manifests(mark: string): FileChanges {
  const objects = Array.from({ length: WAVES * OBJECTS_PER_WAVE }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `wave-${index}`,
      annotations: { 'argocd.argoproj.io/sync-wave': String(Math.floor(index / OBJECTS_PER_WAVE)) },
    },
    data: { mark },
  }));
  return { [`${NAME}/all.yaml`]: objects.map((object) => JSON.stringify(object)).join('\n---\n') };
}
