import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appProjectType } from '../../src/model/index.ts';
import { hasCondition, openApplicationSetPlane, type ApplicationSetPlane } from '../support/application-set-plane.ts';
import { destination } from '../support/application-plane.ts';
import { createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { waitUntil } from '../support/wait-until.ts';

let sets: ApplicationSetPlane;
let repository: GitRepository;

const configMap = (name: string, value: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } });

beforeEach(async () => {
  repository = await createGitRepository({
    'dev.json': configMap('dev', '1'),
    'qa.json': configMap('qa', '1'),
    'prod.json': configMap('prod', '1'),
  });
  sets = await openApplicationSetPlane();
  await sets.setParameters({ 'applicationsetcontroller.enable.progressive.syncs': 'true' });
  sets.plane.startController();
  sets.start();
});

afterEach(async () => {
  await sets.close();
  await repository.remove();
});

const step = (name: string, maxUpdate?: number) => ({
  matchExpressions: [{ key: 'env', operator: 'In', values: [name] }],
  ...(maxUpdate !== undefined && { maxUpdate }),
});

function spec(steps: readonly object[], { devProject = 'default' } = {}): object {
  return {
    generators: [{ list: { elements: ['dev', 'qa', 'prod'].map((env) => ({ env, project: env === 'dev' ? devProject : 'default' })) } }],
    strategy: { type: 'RollingSync', rollingSync: { steps } },
    template: {
      metadata: { name: '{{env}}', labels: { env: '{{env}}' } },
      spec: {
        project: '{{project}}',
        source: { repoURL: repository.url, path: '.', targetRevision: 'main', directory: { include: '{{env}}.json' } },
        destination,
        syncPolicy: { automated: { prune: true } },
      },
    },
  };
}

const states = (): readonly string[] =>
  sets.get('roll')?.status?.applicationStatus?.map(({ application, status }) => `${application} ${status}`) ?? [];
const isComplete = (): boolean => states().length === 3 && states().every((state) => state.endsWith(' Healthy'));
/** When the last sync of an application began, in the order of these. */
const startOf = (name: string): string => sets.plane.get(name).status?.operationState?.startedAt ?? '';
const live = async (name: string): Promise<unknown> => {
  const type = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
  return (await sets.plane.home.api.get(type, { namespace: 'default', name }))['data'];
};

describe('a rolling sync', () => {
  it('takes one step after the other, for new applications and for new commits', async () => {
    await sets.create('roll', spec([step('dev'), step('qa'), step('prod')]));
    await waitUntil(isComplete);
    expect(sets.plane.get('dev').spec.syncPolicy?.automated).toEqual({ prune: true, enabled: false });
    expect(startOf('dev') <= startOf('qa') && startOf('qa') <= startOf('prod')).toBe(true);
    const set = await sets.waitFor('roll', (one) => hasCondition(one, 'RolloutProgressing', 'False'));
    expect(set.status?.conditions?.find(({ type }) => type === 'RolloutProgressing')).toMatchObject({
      reason: 'ApplicationSetRolloutComplete',
      message: 'ApplicationSet Rollout has completed',
    });

    await repository.commit({ 'dev.json': configMap('dev', '2'), 'qa.json': configMap('qa', '2'), 'prod.json': configMap('prod', '2') });
    const seen: string[] = [];
    const revisionOf = (name: string) => sets.plane.get(name).status?.sync?.revision;
    const before = revisionOf('dev');
    for (const name of ['dev', 'qa', 'prod']) {
      const body = { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } };
      await sets.plane.home.api.patch(sets.plane.applications.type, { namespace: 'argocd', name }, { type: 'merge', body });
      // One that hears of the commit before those of earlier steps has nothing to wait for.
      await waitUntil(() => revisionOf(name) !== before);
    }
    await waitUntil(async () => {
      seen.push(states().join());
      return isComplete() && JSON.stringify(await live('prod')) === '{"value":"2"}';
    });
    // Whenever a later step had begun, the earlier one was done.
    for (const moment of seen) if (/prod (Pending|Progressing)/.test(moment)) expect(moment).toContain('qa Healthy');
    expect(await live('dev')).toEqual({ value: '2' });
  }, 120_000);

  it('waits for one that does not become well, and goes on when it does', async () => {
    await repository.commit({
      'qa.json': JSON.stringify({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'qa' },
        spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
      }),
    });
    await sets.create('roll', spec([step('dev'), step('qa'), step('prod')]));
    await waitUntil(() => states().includes('qa Progressing') && states().includes('prod Waiting'));
    expect(hasCondition(await sets.waitFor('roll', () => true), 'RolloutProgressing', 'True')).toBe(true);
    expect(startOf('prod')).toBe('');
    await repository.commit({ 'qa.json': configMap('qa', '1') });
    const body = { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } };
    await sets.plane.home.api.patch(sets.plane.applications.type, { namespace: 'argocd', name: 'qa' }, { type: 'merge', body });
    await waitUntil(isComplete);
  }, 120_000);

  it('does not go past one that cannot be made', async () => {
    await sets.create('roll', spec([step('dev'), step('qa'), step('prod')], { devProject: 'later' }));
    await waitUntil(() => states().join() === 'prod Waiting,qa Waiting' && sets.plane.get('qa').status?.sync !== undefined);
    await sets.waitFor('roll', (set) => hasCondition(set, 'ErrorOccurred', 'True') && hasCondition(set, 'RolloutProgressing', 'True'));
    expect(['qa', 'prod'].map(startOf)).toEqual(['', '']);
    const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { name: 'later', namespace: 'argocd' } };
    const everything = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] };
    await sets.plane.home.api.create(appProjectType, { ...object, spec: everything });
    await waitUntil(isComplete);
    expect(startOf('dev') <= startOf('qa') && startOf('qa') <= startOf('prod')).toBe(true);
  }, 120_000);

  it('stands still while it is paused, goes on afterwards, and survives a restart on its way', async () => {
    await sets.create('roll', spec([step('dev'), step('qa'), step('prod')]), { annotations: { 'fairway.dev/rollout': 'pause' } });
    const paused = await sets.waitFor(
      'roll',
      (set) => set.status?.applicationStatus?.length === 3 && hasCondition(set, 'RolloutProgressing', 'True'),
    );
    expect(paused.status?.conditions?.find(({ type }) => type === 'RolloutProgressing')?.message).toBe(
      'ApplicationSet rollout is paused at step 1',
    );
    expect(['dev', 'qa', 'prod'].map(startOf)).toEqual(['', '', '']);
    await sets.patch('roll', { metadata: { annotations: { 'fairway.dev/rollout': 'resume' } } });
    await waitUntil(() => states().some((state) => state === 'dev Pending' || state === 'dev Progressing' || state === 'dev Healthy'));
    await sets.stop();
    await sets.plane.stopController();
    sets.plane.startController();
    sets.start();
    await waitUntil(isComplete);
  }, 120_000);

  it('forgets where it was when it is switched off', async () => {
    await sets.create('roll', spec([step('dev'), step('qa'), step('prod')]));
    await waitUntil(isComplete);
    await sets.setParameters({ 'applicationsetcontroller.enable.progressive.syncs': 'false' });
    await waitUntil(() => sets.get('roll')?.status?.applicationStatus === undefined);
    await waitUntil(() => sets.plane.get('dev').spec.syncPolicy?.automated?.enabled === undefined);
    expect(sets.get('roll')?.status?.conditions?.map(({ type }) => type)).not.toContain('RolloutProgressing');
  }, 120_000);
});
