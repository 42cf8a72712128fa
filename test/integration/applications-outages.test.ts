import { rename } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithCluster } from '../support/cluster/shared-cluster.ts';
import { startFaultProxy, type FaultProxy, type ProxiedRequest } from '../support/fault-proxy.ts';
import { hook, job, map, openSyncScene, resultsOf, type Manifests, type Story, type SyncScene } from '../support/sync-scene.ts';
import { waitUntil } from '../support/wait-until.ts';

const slow = { timeout: 90_000 };
const isWrite = ({ method, url }: ProxiedRequest): boolean => ['POST', 'PATCH', 'PUT'].includes(method) && url.includes('/configmaps');

describeWithCluster('a sync when something it needs fails', (cluster) => {
  let scene: SyncScene;
  let proxy: FaultProxy;
  beforeAll(async () => {
    scene = await openSyncScene(cluster());
    proxy = await startFaultProxy(cluster());
    const config = { bearerToken: 'anybody', tlsClientConfig: { insecure: true } };
    const answer = await scene.rest('POST', '/api/v1/clusters', { server: proxy.url, name: 'far-away', config });
    expect(answer.status).toBe(200);
  }, 120_000);
  afterEach(() => proxy.liftAll());
  afterAll(async () => {
    await scene?.close();
    await proxy?.close();
  });

  const given = async (name: string, manifests: Manifests): Promise<Story> => {
    const namespace = await scene.namespace();
    return scene.given(name, manifests, { namespace, spec: { destination: { name: 'far-away', namespace } } });
  };
  const waitsForHook = (story: Story): Promise<boolean> =>
    story.waitFor(({ status }) => status?.operationState?.message === 'waiting for completion of hook batch/Job/run');

  it('goes on when the cluster comes back half-way', slow, async () => {
    const story = await given('half-way', { run: job('run', hook('PreSync'), ['sleep', '3']), a: map('a') });
    await story.startSync();
    await waitsForHook(story);
    await proxy.refuse();
    await story.waitFor(({ status }) => status?.operationState?.message?.startsWith('waiting for the cluster: '));
    await proxy.accept();
    expect(await story.waitForEnd()).toMatchObject({ phase: 'Succeeded' });
    expect(await story.configMaps()).toEqual(['a']);
  });

  it('deletes as soon as the cluster can be read again, however often it was looked at before', slow, async () => {
    const story = await given('going', { a: map('a') });
    await story.sync();
    await proxy.refuse();
    expect((await story.ask('DELETE', '')).status).toBe(200);
    await story.waitFor(({ status }) => status?.conditions?.some(({ type }) => type === 'DeletionError'));
    for (let round = 0; round < 20; round += 1) await story.changeApplication({ metadata: { labels: { round: String(round) } } });
    await proxy.accept();
    await story.isGone();
    expect(await story.configMaps()).toEqual([]);
  });

  it('ends with a word about the cluster where it does not answer, and works when it does', slow, async () => {
    const story = await given('unreachable', { a: map('a') });
    await story.becomes('OutOfSync Missing');
    await proxy.refuse();
    const state = await story.sync();
    await proxy.accept();
    expect(['Failed', 'Error']).toContain(state.phase);
    expect(state.message).toContain(new URL(proxy.url).host);
    // Its watches come back one by one.
    await waitUntil(async () => (await story.sync()).phase === 'Succeeded');
  });

  it('waits where the cluster has too much to do', slow, async () => {
    const story = await given('too-many', { a: map('a') });
    await story.becomes('OutOfSync Missing');
    const fault = { kind: 'answer', status: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 } as const;
    const injected = proxy.inject(fault, { only: isWrite, times: 2 });
    expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
    expect(injected.hits).toBe(2);
  });

  it('takes its time where the cluster does', slow, async () => {
    const story = await given('slow-answers', { a: map('a'), b: map('b') });
    await story.becomes('OutOfSync Missing');
    proxy.inject({ kind: 'slow', bytes: 64, everyMs: 20 }, { only: isWrite });
    expect(resultsOf(await story.sync())).toEqual(['ConfigMap a: Synced', 'ConfigMap b: Synced']);
  });

  it('is not torn apart where the credentials of its cluster change half-way', slow, async () => {
    const story = await given('rotated', { a: map('a'), b: map('b') });
    await story.becomes('OutOfSync Missing');
    const injected = proxy.inject({ kind: 'slow', bytes: 32, everyMs: 150 }, { only: isWrite });
    await story.startSync();
    await waitUntil(() => injected.hits > 0);
    const config = { bearerToken: 'another-token', tlsClientConfig: { insecure: true } };
    const path = `/api/v1/clusters/${encodeURIComponent(proxy.url)}`;
    expect((await scene.rest('PUT', path, { server: proxy.url, name: 'far-away', config })).status).toBe(200);
    expect(await story.waitForEnd()).toMatchObject({ phase: 'Succeeded' });
    expect(await story.configMaps()).toEqual(['a', 'b']);
  });

  it('gives up with a word where every write meets a conflict', slow, async () => {
    const story = await given('conflicts', { a: map('a') });
    await story.sync();
    await story.commit({ a: map('a', { key: 'new' }) });
    const fault = { kind: 'answer', status: 409, reason: 'Conflict', message: 'somebody else was quicker' } as const;
    proxy.inject(fault, { only: isWrite });
    expect(await story.sync()).toMatchObject({
      phase: 'Failed',
      message: 'one or more objects failed to apply, reason: somebody else was quicker',
    });
    await proxy.liftAll();
    expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
    expect(await story.dataOf('a')).toEqual({ key: 'new' });
  });

  it('applies what it rendered though the repository is gone by then', slow, async () => {
    const story = await given('git-gone', { run: job('run', hook('PreSync'), ['sleep', '2']), a: map('a') });
    await story.startSync();
    await waitsForHook(story);
    const { folder } = story.repository;
    await rename(folder, `${folder}.away`);
    try {
      expect(await story.waitForEnd()).toMatchObject({ phase: 'Succeeded' });
      // The next one says what is missing.
      const refused = await story.ask('POST', '/sync', {});
      expect(refused.json).toMatchObject({ code: 9, message: expect.stringContaining('repository not found') });
    } finally {
      await rename(`${folder}.away`, folder);
    }
  });

  it('is broken off though the cluster does not answer', slow, async () => {
    const story = await given('dead-cluster', { run: job('run', hook('PreSync'), ['sleep', '600']) });
    await story.startSync();
    await waitsForHook(story);
    await proxy.refuse();
    await story.terminate();
    const state = await story.waitForEnd();
    await proxy.accept();
    expect(state).toMatchObject({ phase: 'Error', message: 'Operation termination had errors' });
    // Nothing is running any more: it can be synced or deleted.
    await story.call('DELETE', '/api/v1/applications/dead-cluster?cascade=false');
    await story.isGone();
  });
});
