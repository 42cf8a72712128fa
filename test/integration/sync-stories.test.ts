import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceType } from '../../src/kube/index.ts';
import { describeWithCluster } from '../support/cluster/shared-cluster.ts';
import { kinds } from '../support/kinds.ts';
import { hook, job, map, openSyncScene, options, resultsOf, wave, workload, type SyncScene } from '../support/sync-scene.ts';
import { waitUntil } from '../support/wait-until.ts';

const jobs: ResourceType = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true };
const definitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
const slow = { timeout: 60_000 };

function definition(kind: string, group: string): object {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

describeWithCluster('stories of syncs', (cluster) => {
  let scene: SyncScene;
  beforeAll(async () => {
    scene = await openSyncScene(cluster());
  }, 120_000);
  afterAll(() => scene?.close());

  describe.concurrent('A deployment', () => {
    it('is made from nothing, becomes healthy, and is in the history', slow, async () => {
      const story = await scene.given('first', { web: workload('web'), settings: map('settings') });
      const state = await story.sync();
      expect(state).toMatchObject({ phase: 'Succeeded', message: 'successfully synced (all tasks run)' });
      expect(resultsOf(state)).toEqual(['ConfigMap settings: Synced', 'Deployment web: Synced']);
      await story.becomes('Synced Healthy');
      expect((await story.get()).status?.history).toMatchObject([{ id: 0, initiatedBy: { username: 'admin' } }]);
    });

    it('whose drift is seen is put right by the next sync, with one write', slow, async () => {
      const story = await scene.given('drift', { a: map('a'), b: map('b') });
      await story.sync();
      await story.change(kinds.configMap, 'a', { data: { key: 'changed' } });
      await story.becomes('OutOfSync Healthy');
      const state = await story.sync();
      expect(state.syncResult?.resources?.map(({ name, message }) => `${name}: ${message}`)).toEqual([
        'a: configmap/a configured',
        'b: configmap/b unchanged',
      ]);
      expect(await story.dataOf('a')).toEqual({ key: 'value' });
    });

    it('whose drift is ignored stays as somebody made it', slow, async () => {
      const ignoreDifferences = [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }];
      const syncPolicy = { syncOptions: ['RespectIgnoreDifferences=true'] };
      const story = await scene.given('ignored', { web: workload('web') }, { spec: { ignoreDifferences, syncPolicy } });
      await story.sync();
      await story.becomes('Synced Healthy');
      await story.change(kinds.deployment, 'web', { spec: { replicas: 3 } });
      await story.becomes('Synced Healthy');
      await story.commit({ web: workload('web', { image: 'example.com/web:2' }) });
      await story.sync();
      expect(await story.live(kinds.deployment, 'web')).toMatchObject({ spec: { replicas: 3 } });
    });

    it('leaves to a manager what is theirs, where that is ignored', slow, async () => {
      const ignoreDifferences = [{ kind: 'ConfigMap', managedFieldsManagers: ['somebody'] }];
      const syncPolicy = { syncOptions: ['RespectIgnoreDifferences=true'] };
      const story = await scene.given('theirs', { a: map('a', { theirs: '1', ours: '1' }) }, { spec: { ignoreDifferences, syncPolicy } });
      await story.sync();
      await story.change(kinds.configMap, 'a', { data: { theirs: '2' } });
      await story.refresh();
      await story.becomes('Synced Healthy');
      await story.commit({ a: map('a', { theirs: '3', ours: '3' }) });
      expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
      expect(await story.dataOf('a')).toEqual({ theirs: '2', ours: '3' });
    });

    it('whose image cannot be pulled is deployed and degraded, and is rolled back', slow, async () => {
      const story = await scene.given('bad-image', { web: workload('web') });
      await story.sync();
      await story.becomes('Synced Healthy');
      await story.commit({ web: workload('web', { image: 'example.com/invalid:2' }) });
      expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
      await story.becomes('Synced Degraded');
      await story.call('POST', '/api/v1/applications/bad-image/rollback', { id: 0 });
      expect(await story.waitForEnd()).toMatchObject({ phase: 'Succeeded' });
      await story.becomes('OutOfSync Healthy');
      expect((await story.get()).status?.history?.map(({ id }) => id)).toEqual([0, 1, 2]);
    });

    it('with a resource under another name makes the new one and prunes the old one', slow, async () => {
      const story = await scene.given('renamed', { map: map('before') });
      await story.sync();
      await story.commit({ map: map('after') });
      const kept = await story.sync();
      expect(resultsOf(kept)).toEqual(['ConfigMap before: PruneSkipped', 'ConfigMap after: Synced']);
      expect(await story.configMaps()).toEqual(['after', 'before']);
      expect(resultsOf(await story.sync({ prune: true }))).toEqual(['ConfigMap before: Pruned', 'ConfigMap after: Synced']);
      await waitUntil(async () => (await story.configMaps()).join() === 'after');
      await story.becomes('Synced Healthy');
    });

    it('that moves to another namespace leaves the old one when it is pruned', slow, async () => {
      const story = await scene.given('moved', { map: map('map') });
      await story.sync();
      const other = await scene.namespace();
      await story.changeApplication({ spec: { destination: { namespace: other } } });
      await story.waitFor(({ status }) => status?.sync?.status === 'OutOfSync' && status.resources?.length === 2);
      expect(resultsOf(await story.sync({ prune: true }))).toEqual(['ConfigMap map: Pruned', 'ConfigMap map: Synced']);
      await waitUntil(async () => (await story.configMaps()).length === 0);
      await story.becomes('Synced Healthy');
    });

    it('brings a definition and objects of it in one commit', slow, async () => {
      const group = 'one-commit.example.com';
      const gadget = { apiVersion: `${group}/v1`, kind: 'Gadget', metadata: { name: 'one' }, spec: { size: 1 } };
      const story = await scene.given('kinds', { gadget, definition: definition('Gadget', group) });
      expect(resultsOf(await story.sync())).toEqual([
        'CustomResourceDefinition gadgets.one-commit.example.com: Synced',
        'Gadget one: Synced',
      ]);
      await story.becomes('Synced Healthy');
      await story.call('DELETE', '/api/v1/applications/kinds');
      await story.isGone();
      // Definitions stay: to take one away would take away everybody's objects.
      expect(await story.live(definitions, `gadgets.${group}`)).toBeDefined();
      await story.remove(definitions, `gadgets.${group}`);
    });

    it('makes the namespace that it goes to, with the labels that are asked for', slow, async () => {
      const namespace = `made-${Date.now()}`;
      const syncPolicy = { syncOptions: ['CreateNamespace=true'], managedNamespaceMetadata: { labels: { team: 'blue' } } };
      const story = await scene.given('namespace', { map: map('map') }, { namespace, spec: { syncPolicy } });
      const tried = await story.sync({ dryRun: true });
      expect(tried).toMatchObject({ phase: 'Succeeded' });
      expect(tried.syncResult?.resources?.map(({ message }) => message)).toEqual([
        `namespace/${namespace} created (dry run)`,
        'configmap/map created (dry run)',
      ]);
      expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
      expect(await story.live(kinds.namespace, namespace)).toMatchObject({ metadata: { labels: { team: 'blue' } } });
      await story.changeApplication({ spec: { syncPolicy: { managedNamespaceMetadata: { labels: { team: 'red' } } } } });
      await story.waitFor(({ status }) => status?.sync?.status === 'OutOfSync');
      await story.sync();
      expect(await story.live(kinds.namespace, namespace)).toMatchObject({ metadata: { labels: { team: 'red' } } });
    });
  });

  describe.concurrent('Waves and hooks', () => {
    it('go in their order, negative ones first, each when the one before is ready', slow, async () => {
      const manifests = {
        last: { ...map('last'), metadata: { name: 'last', annotations: wave(5) } },
        web: { ...workload('web'), metadata: { name: 'web', annotations: wave(-2) } },
        before: job('before', hook('PreSync')),
        after: job('after', hook('PostSync', 'HookSucceeded')),
        middle: map('middle'),
      };
      const story = await scene.given('waves', manifests);
      const state = await story.sync();
      expect(state).toMatchObject({ phase: 'Succeeded', message: 'successfully synced (no more tasks)' });
      expect(state.syncResult?.resources?.map(({ name, syncPhase }) => `${syncPhase} ${name}`)).toEqual([
        'PreSync before',
        'Sync web',
        'Sync middle',
        'Sync last',
        'PostSync after',
      ]);
      await waitUntil(async () => (await story.live(jobs, 'after')) === undefined);
      expect(await story.live(jobs, 'before')).toBeDefined();
    });

    it('with a name that is made up have another one in each run', slow, async () => {
      const generated = job('', hook('PreSync'));
      const { name: _name, ...metadata } = generated.metadata;
      const story = await scene.given('generated', {
        run: { ...generated, metadata: { ...metadata, generateName: 'run-' } },
        map: map('map'),
      });
      const first = await story.sync();
      expect(first).toMatchObject({ phase: 'Succeeded' });
      const revision = first.syncResult?.revision ?? '';
      const made = first.syncResult?.resources?.[0]?.name ?? '';
      expect(made).toMatch(new RegExp(`^run-${revision.slice(0, 7)}-presync-\\d{10}$`));
      await waitUntil(() => Date.now() / 1_000 > Date.parse(first.startedAt ?? '') / 1_000 + 1);
      const second = await story.sync();
      expect(second).toMatchObject({ phase: 'Succeeded' });
      expect(second.syncResult?.resources?.[0]?.name).not.toBe(made);
      expect((await story.live(jobs, made))?.metadata.finalizers ?? []).toEqual([]);
    });

    it('that are to stay are not made anew, and keep no later sync from its end', slow, async () => {
      const story = await scene.given('kept-hook', { run: job('run', hook('PreSync', 'HookFailed')), map: map('map') });
      expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
      const first = await story.live(jobs, 'run');
      await story.commit({ map: map('map', { key: 'new' }) });
      expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
      const second = await story.live(jobs, 'run');
      expect(second?.metadata.uid).toBe(first?.metadata.uid);
      expect(second?.metadata.finalizers ?? []).toEqual([]);
      expect(await story.dataOf('map')).toEqual({ key: 'new' });
    });

    it('that fail before the sync keep everything as it was, and those for failures clean up', slow, async () => {
      const story = await scene.given('presync-fails', { map: map('map', { version: '1' }) });
      await story.sync();
      await story.commit({
        map: map('map', { version: '2' }),
        before: job('before', hook('PreSync'), ['sh', '-c', 'exit 1']),
        clean: job('clean', hook('SyncFail')),
      });
      const state = await story.sync();
      expect(state).toMatchObject({
        phase: 'Failed',
        message: expect.stringContaining('one or more synchronization tasks completed unsuccessfully'),
      });
      expect(state.syncResult?.resources?.map(({ name, syncPhase, hookPhase }) => `${syncPhase} ${name} ${hookPhase}`)).toEqual([
        'PreSync before Failed',
        'SyncFail clean Succeeded',
      ]);
      expect(await story.dataOf('map')).toEqual({ version: '1' });
    });

    it('that fail in a wave keep the later ones from being applied', slow, async () => {
      const bad = { ...workload('bad', { image: 'example.com/invalid:1' }) };
      const story = await scene.given('wave-fails', {
        bad: { ...bad, metadata: { name: 'bad', annotations: wave(0) } },
        later: { ...map('later'), metadata: { name: 'later', annotations: wave(1) } },
      });
      const state = await story.sync();
      expect(state).toMatchObject({ phase: 'Failed' });
      expect(await story.configMaps()).toEqual([]);
    });

    it('are left out of a sync of some resources, and of one without hooks', slow, async () => {
      const story = await scene.given('partial', { before: job('before', hook('PreSync')), a: map('a'), b: map('b') });
      await story.becomes('OutOfSync Missing');
      expect(resultsOf(await story.sync({ resources: [{ group: '', kind: 'ConfigMap', name: 'a' }] }))).toEqual(['ConfigMap a: Synced']);
      expect((await story.get()).status?.history ?? []).toEqual([]);
      expect(resultsOf(await story.sync({ strategy: { apply: {} } }))).toEqual(['ConfigMap a: Synced', 'ConfigMap b: Synced']);
      expect(await story.live(jobs, 'before')).toBeUndefined();
    });
  });

  describe.concurrent('Options', () => {
    it('let the server apply, and take over what a client had applied before', slow, async () => {
      const story = await scene.given('server-side', { map: map('map', { a: '1', b: '2' }) });
      await story.sync();
      await story.changeApplication({ spec: { syncPolicy: { syncOptions: ['ServerSideApply=true'] } } });
      await story.commit({ map: map('map', { a: '1' }) });
      await story.refresh();
      const state = await story.sync();
      expect(state.syncResult?.resources?.[0]?.message).toBe('configmap/map serverside-applied');
      // Without the fields of the client being ours, the server would have kept what is no longer in the manifest.
      expect(await story.dataOf('map')).toEqual({ a: '1' });
      const live = await scene.api.get(kinds.configMap, { namespace: story.namespace, name: 'map' }, { keepManagedFields: true });
      const managers = (live.metadata as { managedFields?: { manager: string; operation: string }[] }).managedFields ?? [];
      expect(managers.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual(['argocd-controller Apply']);
    });

    it('replace rather than patch, and make anew what cannot be changed', slow, async () => {
      const story = await scene.given('replace', { map: map('map', { a: '1' }, options('Replace=true')) });
      await story.sync();
      await story.change(kinds.configMap, 'map', { data: { other: 'x' } });
      const replaced = await story.sync();
      expect(replaced.syncResult?.resources?.[0]?.message).toBe('configmap/map replaced');
      expect(await story.dataOf('map')).toEqual({ a: '1' });
    });

    it('prune only after everything else, keep what is to be kept, and ask where they are told to', slow, async () => {
      const story = await scene.given('pruning', {
        kept: map('kept', {}, options('Prune=false')),
        asked: map('asked', {}, options('Prune=confirm')),
        late: map('late', {}, options('PruneLast=true')),
        stays: map('stays'),
      });
      await story.sync();
      await story.commit({ kept: undefined, asked: undefined, late: undefined });
      await story.refresh();
      await story.startSync({ prune: true });
      await story.waitFor(({ status }) => status?.operationState?.message === 'waiting for pruning confirmation of /ConfigMap/asked');
      expect(await story.configMaps()).toEqual(['asked', 'kept', 'late', 'stays']);
      await story.changeApplication({
        metadata: {
          annotations: { 'argocd.argoproj.io/deletion-approved': new Date(Date.now() + 1_000).toISOString().replace(/\.\d+/, '') },
        },
      });
      const state = await story.waitForEnd();
      expect(state).toMatchObject({ phase: 'Succeeded' });
      expect(resultsOf(state).toSorted()).toEqual([
        'ConfigMap asked: Pruned',
        'ConfigMap kept: PruneSkipped',
        'ConfigMap late: Pruned',
        'ConfigMap stays: Synced',
      ]);
      await waitUntil(async () => (await story.configMaps()).join() === 'kept,stays');
    });

    it('apply only what differs', slow, async () => {
      const syncPolicy = { syncOptions: ['ApplyOutOfSyncOnly=true'] };
      const story = await scene.given('out-of-sync-only', { a: map('a'), b: map('b') }, { spec: { syncPolicy } });
      await story.sync();
      await story.commit({ a: map('a', { key: 'new' }) });
      await story.refresh();
      expect(resultsOf(await story.sync())).toEqual(['ConfigMap a: Synced']);
    });

    it('try without doing anything', slow, async () => {
      const story = await scene.given('dry', { a: map('a') });
      const state = await story.sync({ dryRun: true });
      expect(state).toMatchObject({ phase: 'Succeeded' });
      expect(state.syncResult?.resources?.[0]?.message).toBe('configmap/a created (dry run)');
      expect(await story.configMaps()).toEqual([]);
      expect((await story.get()).status?.history ?? []).toEqual([]);
    });

    it('sync what somebody brings from their own machine', slow, async () => {
      const story = await scene.given('local', { a: map('a') });
      await story.sync();
      const manifests = [JSON.stringify(map('a', { key: 'local' }))];
      expect(await story.sync({ manifests })).toMatchObject({ phase: 'Succeeded' });
      expect(await story.dataOf('a')).toEqual({ key: 'local' });
      await story.becomes('Synced Healthy');
      const refused = await story.ask('POST', '/sync', { manifests: ['[]'] });
      expect(refused.json).toMatchObject({ code: 3, message: 'a local manifest is no JSON object' });
      expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
      expect(await story.dataOf('a')).toEqual({ key: 'value' });
    });
  });
});
