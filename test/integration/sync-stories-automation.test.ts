import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applicationType, appProjectType } from '../../src/model/index.ts';
import type { ResourceType } from '../../src/kube/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { describeWithCluster } from '../support/cluster/shared-cluster.ts';
import { kinds } from '../support/kinds.ts';
import {
  hook,
  job,
  map,
  openSyncScene,
  options,
  wave,
  workload,
  type Manifests,
  type Story,
  type SyncScene,
} from '../support/sync-scene.ts';
import { waitUntil } from '../support/wait-until.ts';

const jobs: ResourceType = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true };
const slow = { timeout: 60_000 };
const many = (count: number): Manifests => Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, map(`m${index}`)]));
const now = (aheadMs = 0): string => new Date(Date.now() + aheadMs).toISOString().replace(/\.\d+/, '');

describeWithCluster('stories of automation and deletion', (cluster) => {
  let scene: SyncScene;
  beforeAll(async () => {
    scene = await openSyncScene(cluster());
    const data = { 'controller.self.heal.backoff.timeout.seconds': '0', 'controller.self.heal.loop.limit': '3' };
    const parameters = { namespace: scene.controlNamespace, name: 'argocd-cmd-params-cm' };
    await scene.api.patch(kinds.configMap, parameters, { type: 'merge', body: { data } });
  }, 120_000);
  afterAll(() => scene?.close());

  const automated = (policy: object = {}, syncOptions: readonly string[] = []) => ({
    spec: { syncPolicy: { automated: policy, syncOptions } },
  });
  const conditionsOf = (story: Story, type: string): Promise<string> =>
    story.waitFor(({ status }) => status?.conditions?.find((condition) => condition.type === type)?.message);

  describe.concurrent('Automation', () => {
    it('follows the source, and prunes only where it is told to', slow, async () => {
      const story = await scene.given('follows', { a: map('a'), b: map('b') }, automated({}));
      await story.becomes('Synced Healthy');
      const commit = await story.commit({ a: map('a', { key: 'new' }), b: undefined });
      await story.refresh();
      await story.waitFor(({ status, operation }) => !operation && status?.operationState?.syncResult?.revision === commit);
      expect(await story.dataOf('a')).toEqual({ key: 'new' });
      expect(await story.configMaps()).toEqual(['a', 'b']);
      // A revision that was synced is not synced again for another policy: the next one is.
      await story.changeApplication({ spec: { syncPolicy: { automated: { prune: true } } } });
      await story.commit({ a: map('a', { key: 'newer' }) });
      await story.refresh();
      await waitUntil(async () => (await story.configMaps()).join() === 'a');
      await story.becomes('Synced Healthy');
    });

    it('begins when it is switched on', slow, async () => {
      const story = await scene.given('switched-on', { a: map('a') });
      await story.becomes('OutOfSync Missing');
      await story.changeApplication({ spec: { syncPolicy: { automated: {} } } });
      await story.becomes('Synced Healthy');
    });

    it('heals what somebody changes, with a partial sync that is no deployment', slow, async () => {
      const story = await scene.given('heals', { a: map('a') }, automated({ selfHeal: true }));
      await story.becomes('Synced Healthy');
      await story.change(kinds.configMap, 'a', { data: { key: 'changed' } });
      await waitUntil(async () => JSON.stringify(await story.dataOf('a')) === '{"key":"value"}');
      await story.becomes('Synced Healthy');
      const { history, operationState } = (await story.get()).status ?? {};
      expect(history).toHaveLength(1);
      expect(operationState?.operation.sync?.autoHealAttemptsCount).toBe(1);
    });

    it('leaves alone what somebody changes where it does not heal', slow, async () => {
      const story = await scene.given('no-heal', { a: map('a') }, automated({}));
      await story.becomes('Synced Healthy');
      await story.change(kinds.configMap, 'a', { data: { key: 'changed' } });
      await story.becomes('OutOfSync Healthy');
      await story.refresh('hard');
      expect(await story.dataOf('a')).toEqual({ key: 'changed' });
    });

    it('pauses where somebody changes the same field back again and again, and says who', slow, async () => {
      const story = await scene.given('fight', { a: map('a') }, automated({ selfHeal: true }));
      await story.becomes('Synced Healthy');
      const isPaused = async (): Promise<boolean> =>
        (await story.get()).status?.conditions?.some(({ message }) => message.includes('self-heal is paused')) === true;
      await waitUntil(async () => {
        if (await isPaused()) return true;
        if (JSON.stringify(await story.dataOf('a')) === '{"key":"value"}')
          await story.change(kinds.configMap, 'a', { data: { key: 'mine' } });
        return false;
      });
      expect(await conditionsOf(story, 'SyncError')).toBe(
        `self-heal is paused: /data/key of /ConfigMap ${story.namespace}/a was changed back 3 times within an hour, last by "somebody"`,
      );
      expect(await story.dataOf('a')).toEqual({ key: 'mine' });
      // Another process knows it, too.
      const [record] = (await story.get()).status?.operationState?.operation.info ?? [];
      expect(record?.value).toMatch(/\/data\/key":\[\d+,\d+,\d+\]/);
      // Whoever syncs it decides.
      expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
      expect(await story.dataOf('a')).toEqual({ key: 'value' });
    });

    it('never deletes everything unless it is told that this may be', slow, async () => {
      const story = await scene.given('emptied', { a: map('a') }, automated({ prune: true }));
      await story.becomes('Synced Healthy');
      await story.commit({ a: undefined, keep: { apiVersion: 'v1', kind: 'List', items: [] } });
      await story.refresh();
      expect(await conditionsOf(story, 'SyncError')).toContain('auto-sync will wipe out all resources');
      expect(await story.configMaps()).toEqual(['a']);
      await story.changeApplication({ spec: { syncPolicy: { automated: { prune: true, allowEmpty: true } } } });
      await waitUntil(async () => (await story.configMaps()).length === 0);
    });

    it('stops where more would go than its budget allows, until somebody confirms', slow, async () => {
      const metadata = { annotations: { 'fairway.dev/deletion-budget': '25%' } };
      const story = await scene.given('budget', many(8), { ...automated({ prune: true }), metadata });
      await story.becomes('Synced Healthy');
      await story.commit({ m0: undefined, m1: undefined, m2: undefined });
      await story.refresh();
      expect(await conditionsOf(story, 'SyncError')).toMatch(
        /^Skipping sync attempt to \[[0-9a-f]{40}\]: it would delete 3 of 8 resources, and the deletion budget is 25%/,
      );
      expect(await story.configMaps()).toHaveLength(8);
      await story.changeApplication({ metadata: { annotations: { 'argocd.argoproj.io/deletion-approved': now(1_000) } } });
      await story.refresh();
      await waitUntil(async () => (await story.configMaps()).length === 5);
      await story.becomes('Synced Healthy');
    });

    it('keeps to the windows of its project, and so do people', slow, async () => {
      const syncWindows = [{ kind: 'deny', schedule: '* * * * *', duration: '2h', applications: ['closed'] }];
      const spec = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], syncWindows };
      const metadata = { name: 'windows', namespace: scene.controlNamespace };
      await scene.api.create(appProjectType, { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata, spec } as KubeObject);
      const story = await scene.given('closed', { a: map('a') }, { spec: { project: 'windows', syncPolicy: { automated: {} } } });
      await story.becomes('OutOfSync Missing');
      expect((await story.ask('POST', '/sync', {})).json).toMatchObject({ code: 7, message: 'cannot sync: blocked by sync window' });
      // An operation that is written past the API waits for its window.
      await story.changeApplication({ operation: { sync: { revision: 'HEAD' }, initiatedBy: { username: 'kubectl' } } });
      await story.waitFor(({ status }) => status?.operationState?.message === 'Sync operation blocked by sync window');
      expect(await story.configMaps()).toEqual([]);
      const body = { spec: { syncWindows: null } };
      await scene.api.patch(appProjectType, { namespace: scene.controlNamespace, name: 'windows' }, { type: 'merge', body });
      await story.becomes('Synced Healthy');
    });

    it('is held at what was deployed before, until somebody lets go', slow, async () => {
      const story = await scene.given('pinned', { web: workload('web') }, automated({ selfHeal: true }));
      await story.becomes('Synced Healthy');
      const good = (await story.get()).status?.sync?.revision ?? '';
      const bad = await story.commit({ web: workload('web', { image: 'example.com/invalid:2' }) });
      await story.refresh();
      await story.becomes('Synced Degraded');
      const refused = await story.ask('POST', '/rollback', { id: 0 });
      expect(refused.json).toMatchObject({ code: 9, message: 'rollback cannot be initiated when auto-sync is enabled' });
      await story.call('POST', '/api/v1/applications/pinned/rollback', { id: 0, pin: true, pinReason: 'version 2 does not start' });
      await story.becomes('Synced Healthy');
      const { status } = await story.get();
      expect(status?.sync?.revision).toBe(good);
      expect(await conditionsOf(story, 'PinnedWarning')).toBe(`held at ${good} by admin: version 2 does not start`);
      expect((await story.ask('POST', '/sync', { revision: bad })).json).toMatchObject({
        code: 9,
        message: expect.stringContaining('held at'),
      });
      await story.refresh('hard');
      expect((await story.get()).status?.sync?.revision).toBe(good);
      const patch = JSON.stringify({ metadata: { annotations: { 'fairway.dev/pinned-revision': null } } });
      await story.call('PATCH', '/api/v1/applications/pinned', { patch, patchType: 'merge' });
      await story.refresh();
      await story.waitFor(({ status: seen }) => seen?.sync?.revision === bad);
      expect((await story.get()).status?.conditions ?? []).toEqual([]);
    });
  });

  describe('A revision that failed', () => {
    it('is not tried for ever, and the next one is', slow, async () => {
      const retry = { limit: 1, backoff: { duration: '1s', factor: 1 } };
      const spec = { syncPolicy: { automated: {}, retry } };
      const story = await scene.given('failed-once', { bad: { ...map('bad'), dataa: {} } }, { spec });
      expect(await conditionsOf(story, 'SyncError')).toMatch(/^Failed last sync attempt to \[[0-9a-f]{40}\]: .*\(retried 1 times\)\./);
      const started = (await story.get()).status?.operationState?.startedAt;
      await story.refresh();
      expect((await story.get()).status?.operationState?.startedAt).toBe(started);
      await story.commit({ bad: map('bad') });
      await story.refresh();
      await story.becomes('Synced Healthy');
      expect((await story.get()).status?.conditions ?? []).toEqual([]);
    });
  });

  describe.concurrent('An application that is deleted', () => {
    const cascade = { metadata: { finalizers: ['resources-finalizer.argocd.argoproj.io'] } };

    it('takes along what it deployed, the last wave first', slow, async () => {
      const held = map('last', {}, wave(1));
      const story = await scene.given('waves-back', { first: map('first', {}, wave(0)), last: held }, cascade);
      await story.sync();
      await story.change(kinds.configMap, 'last', { metadata: { finalizers: ['example.com/hold'] } });
      await story.call('DELETE', '/api/v1/applications/waves-back');
      await waitUntil(async () => (await story.live(kinds.configMap, 'last'))?.metadata.deletionTimestamp !== undefined);
      // What somebody holds fast holds what was deployed before it, too.
      expect((await story.live(kinds.configMap, 'first'))?.metadata.deletionTimestamp).toBeUndefined();
      await story.change(kinds.configMap, 'last', { metadata: { finalizers: null } });
      await story.isGone();
      expect(await story.configMaps()).toEqual([]);
    });

    it('leaves what it deployed where that is asked for', slow, async () => {
      const story = await scene.given('not-cascading', { a: map('a') });
      await story.sync();
      await story.call('DELETE', '/api/v1/applications/not-cascading?cascade=false');
      await story.isGone();
      expect(await story.configMaps()).toEqual(['a']);
    });

    it('keeps what is marked, and waits for what has to be confirmed', slow, async () => {
      const story = await scene.given('confirmed', {
        kept: map('kept', {}, options('Delete=false')),
        asked: map('asked', {}, options('Delete=confirm')),
        plain: map('plain'),
      });
      await story.sync();
      await story.call('DELETE', '/api/v1/applications/confirmed');
      await story.waitFor(({ metadata }) => metadata.deletionTimestamp !== undefined);
      expect(await story.configMaps()).toEqual(['asked', 'kept', 'plain']);
      await story.changeApplication({ metadata: { annotations: { 'argocd.argoproj.io/deletion-approved': now(1_000) } } });
      await story.isGone();
      expect(await story.configMaps()).toEqual(['kept']);
    });

    it('runs its hooks before and after, and is held until they have run', slow, async () => {
      const manifests = { before: job('before', hook('PreDelete')), after: job('after', hook('PostDelete')), a: map('a') };
      const story = await scene.given('delete-hooks', manifests, cascade);
      await story.sync();
      expect(await story.live(jobs, 'before')).toBeUndefined();
      await story.waitFor(({ metadata }) => metadata.finalizers?.includes('post-delete-finalizer.argocd.argoproj.io/cleanup'));
      await story.call('DELETE', '/api/v1/applications/delete-hooks');
      await story.isGone();
      expect(await story.live(jobs, 'before')).toBeDefined();
      expect(await story.live(jobs, 'after')).toBeDefined();
      expect(await story.configMaps()).toEqual([]);
    });

    it('finishes its sync first, and can be stopped in it', slow, async () => {
      const story = await scene.given('while-syncing', { run: job('run', hook('PreSync'), ['sleep', '600']), a: map('a') }, cascade);
      await story.startSync();
      await story.waitFor(({ status }) => status?.operationState?.message === 'waiting for completion of hook batch/Job/run');
      await story.call('DELETE', '/api/v1/applications/while-syncing');
      expect((await story.ask('POST', '/sync', {})).json).toMatchObject({ code: 9, message: 'application is deleting' });
      await story.terminate();
      await story.isGone();
    });

    it('is an application of applications, which takes its own along', slow, async () => {
      const parent = await scene.given('parent', { child: map('child') }, { ...cascade, namespace: scene.controlNamespace });
      const source = { repoURL: parent.repository.url, path: 'of-child', targetRevision: 'HEAD' };
      const namespace = await scene.namespace();
      const child = {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name: 'child', ...cascade.metadata },
        spec: {
          project: 'default',
          source,
          destination: { server: 'https://kubernetes.default.svc', namespace },
          syncPolicy: { automated: {} },
        },
      };
      await parent.commit({ child, '../of-child/a': map('a') });
      await parent.sync();
      const ref = { namespace: scene.controlNamespace, name: 'child' };
      await waitUntil(async () => {
        const { items } = await scene.api.list(kinds.configMap, { namespace });
        return items.some(({ metadata }) => metadata.name === 'a');
      });
      await parent.call('DELETE', '/api/v1/applications/parent');
      await parent.isGone();
      await expect(scene.api.get(applicationType, ref)).rejects.toThrow('not found');
      const { items } = await scene.api.list(kinds.configMap, { namespace });
      expect(items.map(({ metadata }) => metadata.name)).not.toContain('a');
    });
  });
});
