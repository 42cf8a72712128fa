import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { HttpKubeApi, ResourceType } from '../../src/kube/index.ts';
import { applicationType, type Application } from '../../src/model/index.ts';
import { isStatusError, type KubeObject } from '../../src/objects/index.ts';
import { connectToFairway } from '../support/connect-to-fairway.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { waitUntil } from '../support/wait-until.ts';

/** 200 of them with `npm run soak`. Another seed kills at other moments. */
const ROUNDS = Number(process.env['APPLICATION_CRASH_ROUNDS'] ?? 5);
const random = new SeededRandom(Number(process.env['APPLICATION_CRASH_SEED'] ?? 1));
const jobs: ResourceType = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true };
const configMaps: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const ref = { namespace: 'argocd', name: 'web' };

function job(name: string, hook: string, policy?: string): string {
  const container = { name: 'run', image: 'example.com/run:1', command: ['sleep', '0.3'] };
  return JSON.stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      annotations: { 'argocd.argoproj.io/hook': hook, ...(policy && { 'argocd.argoproj.io/hook-delete-policy': policy }) },
    },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
  });
}

function inWave(wave: number, manifest: string): string {
  const object = JSON.parse(manifest) as KubeObject;
  const annotations = { 'argocd.argoproj.io/sync-wave': String(wave) };
  return JSON.stringify({ ...object, metadata: { ...object.metadata, annotations } });
}

async function find(api: HttpKubeApi, type: ResourceType, name: string): Promise<KubeObject | undefined> {
  try {
    return await api.get(type, { namespace: 'default', name });
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}

it('goes on with a sync after being killed at any moment, and runs no hook twice', { timeout: 60_000 + ROUNDS * 20_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fairway-crash-'));
  const repository = await createGitRepository({
    'app/before.json': job('before', 'PreSync'),
    'app/after.json': job('after', 'PostSync'),
    // Goes with the end of the sync: a kill between the two must not look as if somebody else had taken it away.
    'app/swept.json': job('swept', 'PostSync', 'HookSucceeded'),
    'app/first.json': inWave(-1, configMap('first')),
    'app/second.json': configMap('second'),
    'app/third.json': inWave(1, configMap('third')),
  });
  let fairway: Fairway | undefined;
  let api: HttpKubeApi | undefined;
  const start = async (): Promise<HttpKubeApi> => {
    fairway = await startFairway({ dataDir });
    api = await connectToFairway(fairway);
    return api;
  };
  const read = async (): Promise<Application> => (await (api as HttpKubeApi).get(applicationType, ref)) as unknown as Application;
  try {
    let client = await start();
    const spec = {
      project: 'default',
      source: { repoURL: repository.url, path: 'app' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
    };
    await client.create(applicationType, { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: ref, spec });
    for (let round = 0; round < ROUNDS; round++) {
      await repository.commit({
        'app/second.json': configMap('second', { round: String(round) }),
        [`app/old-${round}.json`]: configMap(`old-${round}`),
        [`app/old-${round - 1}.json`]: undefined,
      });
      const operation = { sync: { prune: true }, initiatedBy: { username: 'me' } };
      await client.patch(applicationType, ref, { type: 'merge', body: { operation, status: { operationState: null } } });
      // Any moment of the sync, which takes about two seconds, and of what comes just after it.
      const momentMs = Math.floor(random.next() * 2_500);
      await wait(momentMs);
      const seen = new Map<string, string>();
      for (const name of ['before', 'after']) {
        const live = await find(client, jobs, name);
        const { startedAt } = (await read()).status?.operationState ?? {};
        // A hook of an earlier round has another operation in its mark.
        if (
          live &&
          startedAt &&
          live.metadata.annotations?.['fairway.dev/hook-run']?.startsWith(String(Date.parse(startedAt) / 1000)) === true
        )
          seen.set(name, live.metadata.uid ?? '');
      }
      process.kill((fairway as Fairway).pid, 'SIGKILL');
      await client.close();
      await (fairway as Fairway).stop();
      client = await start();
      const { status } = await waitUntil(async () => {
        const application = await read();
        return application.operation || !application.status?.operationState ? undefined : application;
      });
      expect({ round, momentMs, phase: status?.operationState?.phase, message: status?.operationState?.message }).toMatchObject({
        phase: 'Succeeded',
      });
      expect(status?.history?.at(-1)?.revision).toBe(await repository.git('rev-parse', 'HEAD'));
      expect(status?.history?.at(-1)?.id).toBe(round);
      expect((await find(client, configMaps, 'second'))?.['data']).toEqual({ round: String(round) });
      expect(await find(client, configMaps, `old-${round - 1}`)).toBeUndefined();
      expect(await find(client, configMaps, 'third')).toBeDefined();
      expect(await find(client, jobs, 'swept')).toBeUndefined();
      for (const [name, uid] of seen) expect((await find(client, jobs, name))?.metadata.uid, `${name} of round ${round}`).toBe(uid);
    }
  } finally {
    await api?.close();
    await fairway?.stop();
    await repository.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
});
