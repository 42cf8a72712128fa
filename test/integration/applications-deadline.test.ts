import { afterEach, describe, expect, it } from 'vitest';
import { applicationType } from '../../src/model/index.ts';
import { destination, openApplicationPlane, type ApplicationPlane } from '../support/application-plane.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { kinds } from '../support/kinds.ts';
import { hook, job } from '../support/sync-scene.ts';
import { waitUntil } from '../support/wait-until.ts';

let plane: ApplicationPlane;
let repository: GitRepository;

afterEach(async () => {
  await plane.close();
  await repository.remove();
});

async function open(files: Record<string, string>, parameters: Record<string, string> = {}): Promise<void> {
  repository = await createGitRepository(files);
  plane = await openApplicationPlane({ settings: { 'timeout.reconciliation': '0s' } });
  const ref = { namespace: 'argocd', name: 'argocd-cmd-params-cm' };
  await plane.home.api.patch(kinds.configMap, ref, { type: 'merge', body: { data: parameters } });
  const [name] = Object.keys(parameters);
  if (name !== undefined) await waitUntil(() => plane.settings.current.parameters.syncTimeoutSeconds === 2);
}

const spec = (more: object = {}) => ({ project: 'default', source: { repoURL: repository.url, path: 'app' }, destination, ...more });

async function sync(more: object = {}): Promise<void> {
  const operation = { sync: {}, initiatedBy: { username: 'me' }, ...more };
  const body = JSON.parse(JSON.stringify({ operation, status: { operationState: null } })) as Record<string, never>;
  await plane.home.api.patch(applicationType, { namespace: 'argocd', name: 'web' }, { type: 'merge', body });
}

describe('An operation that takes too long', () => {
  const limit = { 'controller.sync.timeout.seconds': '2' };

  it('is broken off while a hook runs, and leaves no hook behind', async () => {
    await open({ 'app/run.json': JSON.stringify(job('run', hook('PreSync'), ['sleep', '600'])), 'app/a.json': configMap('a') }, limit);
    plane.startController();
    await plane.create('web', spec());
    await sync({ retry: { limit: 5 } });
    const { status } = await plane.waitFor('web', ({ operation, status: seen }) => !operation && seen?.operationState !== undefined);
    expect(status?.operationState).toMatchObject({
      phase: 'Failed',
      message: 'Operation terminated, triggered by controller sync timeout',
    });
  });

  it('is not tried again for longer than its time, however often it may be', async () => {
    await open({ 'app/bad.json': JSON.stringify({ ...(JSON.parse(configMap('bad')) as object), dataa: {} }) }, limit);
    plane.startController();
    await plane.create('web', spec());
    await sync({ retry: { limit: -1, backoff: { duration: '300s' } } });
    const { status } = await plane.waitFor('web', ({ operation, status: seen }) => !operation && seen?.operationState !== undefined);
    // How far it comes in its time depends on the machine; it ends with it.
    expect(status?.operationState).toMatchObject({ phase: 'Failed' });
    expect(status?.operationState?.retryCount ?? 0).toBeLessThanOrEqual(1);
  });
});
