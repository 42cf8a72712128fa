import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceType } from '../../src/kube/index.ts';
import { appProjectType } from '../../src/model/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { describeWithCluster } from '../support/cluster/shared-cluster.ts';
import { kinds } from '../support/kinds.ts';
import { hook, IN_CLUSTER, job, map, openSyncScene, options, resultsOf, wave, workload, type SyncScene } from '../support/sync-scene.ts';
import { waitUntil } from '../support/wait-until.ts';
import { definitionType } from '../support/widget-definition.ts';

const jobs: ResourceType = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true };
const services: ResourceType = { group: '', version: 'v1', plural: 'services', kind: 'Service', namespaced: true };
const quotas: ResourceType = { group: '', version: 'v1', plural: 'resourcequotas', kind: 'ResourceQuota', namespaced: true };
const events: ResourceType = { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true };
const roles: ResourceType = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'roles', kind: 'Role', namespaced: true };
const roleBindings: ResourceType = { ...roles, plural: 'rolebindings', kind: 'RoleBinding' };
const slow = { timeout: 60_000 };

/** A kind whose objects have a size and nothing else. */
function sizedDefinition(group: string, rules: object = {}): object {
  const spec = { type: 'object', required: ['size'], properties: { size: { type: 'integer' } }, ...rules };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `sizeds.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'sizeds', singular: 'sized', kind: 'Sized', listKind: 'SizedList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

describeWithCluster('stories of syncs that fail', (cluster) => {
  let scene: SyncScene;
  beforeAll(async () => {
    scene = await openSyncScene(cluster());
  }, 120_000);
  afterAll(() => scene?.close());

  const project = async (name: string, spec: object): Promise<void> => {
    const metadata = { name, namespace: scene.controlNamespace };
    const all = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], ...spec };
    await scene.api.create(appProjectType, { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata, spec: all } as KubeObject);
  };

  describe.concurrent('A set with a bad manifest changes nothing', () => {
    it('where a field is unknown', slow, async () => {
      const story = await scene.given('unknown-field', { good: map('good'), bad: { ...map('bad'), dataa: {} } });
      const state = await story.sync();
      expect(state).toMatchObject({ phase: 'Failed', message: expect.stringContaining('unknown field "dataa"') });
      expect(await story.configMaps()).toEqual([]);
    });

    it('where a field has another type', slow, async () => {
      const bad = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'bad' }, spec: { ports: [{ port: 'eighty' }] } };
      const story = await scene.given('wrong-type', { good: map('good'), bad });
      const state = await story.sync();
      expect(state.message).toContain('spec.ports[0].port in body must be of type integer: "string"');
      expect(await story.configMaps()).toEqual([]);
    });

    it('where a kind does not exist, unless it may come later', slow, async () => {
      const missing = { apiVersion: 'absent.example.com/v1', kind: 'Absent', metadata: { name: 'one' } };
      const story = await scene.given('no-kind', { good: map('good'), missing });
      const state = await story.sync();
      expect(state.message).toContain('Make sure the "Absent" CRD is installed on the destination cluster.');
      expect(await story.configMaps()).toEqual([]);
      const later = await story.sync({ syncOptions: { items: ['SkipDryRunOnMissingResource=true'] } });
      expect(later).toMatchObject({ phase: 'Failed' });
      expect(resultsOf(later)).toEqual(['ConfigMap good: Synced', 'Absent one: SyncFailed']);
    });

    it('where a field cannot be changed; and is made anew where that is asked for', slow, async () => {
      const story = await scene.given('immutable', { a: map('a', { version: '1' }), web: workload('web') });
      await story.sync();
      await story.commit({ a: map('a', { version: '2' }), web: workload('web', { labels: { app: 'other' } }) });
      const state = await story.sync();
      expect(state).toMatchObject({ phase: 'Failed', message: 'one or more objects failed to apply (dry run)' });
      expect(state.syncResult?.resources).toMatchObject([
        { kind: 'Deployment', status: 'SyncFailed', message: expect.stringContaining('field is immutable') },
      ]);
      expect(await story.dataOf('a')).toEqual({ version: '1' });
      const before = (await story.live(kinds.deployment, 'web'))?.metadata.uid;
      expect(await story.sync({ strategy: { hook: { force: true } } })).toMatchObject({ phase: 'Succeeded' });
      expect(await story.dataOf('a')).toEqual({ version: '2' });
      expect((await story.live(kinds.deployment, 'web'))?.metadata.uid).not.toBe(before);
    });

    it('where another role is to be bound, which only a new binding can do; and not where that is refused', slow, async () => {
      const apiGroup = 'rbac.authorization.k8s.io';
      const role = (name: string): object => ({ apiVersion: `${apiGroup}/v1`, kind: 'Role', metadata: { name }, rules: [] });
      const binding = (name: string, more: object = {}): object => ({
        apiVersion: `${apiGroup}/v1`,
        kind: 'RoleBinding',
        metadata: { name: 'bound' },
        roleRef: { apiGroup, kind: 'Role', name },
        subjects: [{ kind: 'User', name: 'somebody', apiGroup }],
        ...more,
      });
      const story = await scene.given('rebound', { one: role('one'), two: role('two'), binding: binding('one'), a: map('a', { v: '1' }) });
      await story.sync();
      const before = (await story.live(roleBindings, 'bound'))?.metadata.uid;
      const wrong = { subjects: [{ kind: 'User', name: '', apiGroup }] };
      await story.commit({ binding: binding('two', wrong), a: map('a', { v: '2' }) });
      expect(await story.sync()).toMatchObject({ phase: 'Failed' });
      expect((await story.live(roleBindings, 'bound'))?.metadata.uid).toBe(before);
      await story.commit({ binding: binding('two') });
      expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
      const live = await story.live(roleBindings, 'bound');
      expect(live).toMatchObject({ roleRef: { kind: 'Role', name: 'two' } });
      expect(live?.metadata.uid).not.toBe(before);
      expect(await story.dataOf('a')).toEqual({ v: '2' });
      await story.becomes('Synced Healthy');
    });

    it('where an object of a custom kind does not fit its definition, in the cluster or beside it', slow, async () => {
      const group = `fits-${scene.controlNamespace}.example.com`;
      const definition = sizedDefinition(group);
      const sized = (name: string, spec: object): object => ({ apiVersion: `${group}/v1`, kind: 'Sized', metadata: { name }, spec });
      const story = await scene.given('custom-fields', { good: map('good'), definition, bad: sized('bad', { size: 'large' }) });
      const refused = 'spec.size in body must be of type integer: "string"';
      expect(await story.sync()).toMatchObject({ phase: 'Failed', message: expect.stringContaining(refused) });
      expect(await story.configMaps()).toEqual([]);
      await story.commit({ bad: undefined });
      expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
      await story.commit({ bad: sized('bad', { size: 3, colour: 'red' }), good: undefined, other: map('other'), definition });
      expect(await story.sync()).toMatchObject({ phase: 'Failed', message: expect.stringContaining('unknown field "spec.colour"') });
      await story.commit({ bad: sized('bad', {}) });
      expect(await story.sync()).toMatchObject({ phase: 'Failed', message: expect.stringContaining('spec.size: Required value') });
      expect(await story.configMaps()).toEqual(['good']);
      await story.commit({ bad: sized('bad', { size: 3 }) });
      expect(await story.sync({ prune: true })).toMatchObject({ phase: 'Succeeded' });
      expect(await story.configMaps()).toEqual(['other']);
      await story.remove(definitionType, `sizeds.${group}`);
    });

    it('where an object of a custom kind breaks a rule that only the cluster can judge', slow, async () => {
      const group = `rules-${scene.controlNamespace}.example.com`;
      const rule = { rule: 'self.size < 10', message: 'too large for us' };
      const definition = sizedDefinition(group, { 'x-kubernetes-validations': [rule] });
      const sized = (size: number): object => ({ apiVersion: `${group}/v1`, kind: 'Sized', metadata: { name: 'one' }, spec: { size } });
      const story = await scene.given('custom-rules', { definition });
      expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
      await story.commit({ good: map('good'), bad: sized(11) });
      const state = await story.sync();
      expect(state).toMatchObject({ phase: 'Failed', message: 'one or more objects failed to apply (dry run)' });
      expect(JSON.stringify(state.syncResult?.resources)).toContain('too large for us');
      expect(await story.configMaps()).toEqual([]);
      await story.commit({ bad: sized(9) });
      expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
      expect(await story.configMaps()).toEqual(['good']);
      await story.remove(definitionType, `sizeds.${group}`);
    });

    it('where a name or a label has a form that no cluster takes', slow, async () => {
      const labelled = { ...map('bad'), metadata: { name: 'bad', labels: { team: 'the red one' } } };
      const story = await scene.given('wrong-label', { good: map('good'), bad: labelled });
      const label = 'metadata.labels: Invalid value: "the red one"';
      expect(await story.sync()).toMatchObject({ phase: 'Failed', message: expect.stringContaining(label) });
      await story.commit({ bad: { ...map('bad'), metadata: { name: 'Bad_Name' } } });
      const name = 'metadata.name: Invalid value: "Bad_Name"';
      expect(await story.sync()).toMatchObject({ phase: 'Failed', message: expect.stringContaining(name) });
      expect(await story.configMaps()).toEqual([]);
    });

    it('where its project does not allow a kind or a namespace', slow, async () => {
      await project('narrow-kinds', { namespaceResourceBlacklist: [{ group: '', kind: 'Service' }] });
      const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } };
      const story = await scene.given('not-permitted', { good: map('good'), service }, { spec: { project: 'narrow-kinds' } });
      const state = await story.sync();
      expect(state).toMatchObject({
        phase: 'Failed',
        message: 'one or more synchronization tasks are not valid: resource :Service is not permitted in project narrow-kinds',
      });
      expect(resultsOf(state)).toEqual(['Service web: SyncFailed']);
      expect(await story.configMaps()).toEqual([]);
    });
  });

  describe.concurrent('A cluster that refuses', () => {
    it('one object for want of quota is told by name, and the sync succeeds when there is room', slow, async () => {
      const story = await scene.given('quota', { a: map('a'), service: serviceNamed('web') });
      const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'none' }, spec: { hard: { services: '0' } } };
      await story.create(quotas, quota);
      await waitUntil(async () => (await story.live(quotas, 'none'))?.['status'] !== undefined);
      const state = await story.sync();
      expect(state).toMatchObject({
        phase: 'Failed',
        message: expect.stringMatching(/^one or more objects failed to apply, reason: .*exceeded quota: none/),
      });
      expect(resultsOf(state)).toEqual(['ConfigMap a: Synced', 'Service web: SyncFailed']);
      await story.remove(quotas, 'none');
      expect(await waitUntil(async () => (await story.sync()).phase === 'Succeeded')).toBe(true);
    });

    it('everything, as its namespace is not there, says so for each, and has it when it is made', slow, async () => {
      const namespace = `late-${Date.now()}`;
      const story = await scene.given('no-namespace', { a: map('a') }, { namespace });
      expect(await story.sync()).toMatchObject({
        phase: 'Failed',
        message: expect.stringContaining(`namespaces "${namespace}" not found`),
      });
      await scene.api.create(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      expect(await story.sync()).toMatchObject({ phase: 'Succeeded' });
    });

    it('is tried again, and succeeds the third time', slow, async () => {
      const namespace = `third-${Date.now()}`;
      const story = await scene.given('third-time', { a: map('a') }, { namespace });
      await story.startSync({ retryStrategy: { limit: 5, backoff: { duration: '1s', factor: 1 } } });
      await story.waitFor(({ status }) => (status?.operationState?.retryCount ?? 0) >= 2);
      await scene.api.create(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      const state = await story.waitForEnd();
      expect(state).toMatchObject({ phase: 'Succeeded' });
      expect(state.retryCount).toBeGreaterThanOrEqual(2);
    });

    it('gives up when it was tried often enough, and says how often', slow, async () => {
      const story = await scene.given('gives-up', { a: map('a') }, { namespace: 'never-there' });
      const state = await story.sync({ retryStrategy: { limit: 1, backoff: { duration: '1s', factor: 1 } } });
      expect(state).toMatchObject({ phase: 'Failed', retryCount: 1, message: expect.stringMatching(/ \(retried 1 times\)\.$/) });
    });
  });

  describe.concurrent('What is in a Secret', () => {
    it('is in no word about a change of it that the cluster refuses', slow, async () => {
      const secret = (more: object): object => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'guarded' }, ...more });
      const good = { stringData: { pw: 'canary-5c1e-before' } };
      const story = await scene.given('guarded', { guarded: secret(good) });
      await story.sync();
      for (const [bad, field] of [
        [{ data: { pw: 'canary-5c1e-after!' } }, 'patch'],
        [{ data: { pw: { deep: 'canary-5c1e-after' } } }, 'patch'],
        [{ ...good, type: 'canary-5c1e-type' }, 'type'],
      ] as const) {
        await story.commit({ guarded: secret(bad) });
        const state = await story.sync();
        const message = `the cluster refuses the Secret ${story.namespace}/guarded (Invalid: ${field})`;
        expect(state).toMatchObject({ phase: 'Failed', message: expect.stringContaining(message) });
        const application = await story.refresh('hard');
        const { items } = await scene.api.list(events, { namespace: scene.controlNamespace });
        const shown = JSON.stringify([state, application.status, items, scene.fairway.output()]);
        for (const value of ['canary-5c1e-before', 'canary-5c1e-after'])
          for (const form of [value, Buffer.from(value).toString('base64').replace(/=*$/, '')]) expect(shown).not.toContain(form);
      }
    });
  });

  describe('The service account of a destination', () => {
    beforeAll(async () => {
      const body = { data: { 'application.sync.impersonation.enabled': 'true' } };
      await scene.api.patch(kinds.configMap, { namespace: scene.controlNamespace, name: 'argocd-cm' }, { type: 'merge', body });
      await project('accounts', {
        destinationServiceAccounts: [{ server: IN_CLUSTER, namespace: 'test-*', defaultServiceAccount: 'deployer' }],
      });
    });
    afterAll(async () => {
      const body = { data: { 'application.sync.impersonation.enabled': null } };
      await scene.api.patch(kinds.configMap, { namespace: scene.controlNamespace, name: 'argocd-cm' }, { type: 'merge', body });
    });

    it('may do what its roles allow, and is refused the rest with its name', slow, async () => {
      const story = await scene.given('as-account', { a: map('a'), service: serviceNamed('web') }, { spec: { project: 'accounts' } });
      const user = `system:serviceaccount:${story.namespace}:deployer`;
      const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }];
      const apiVersion = 'rbac.authorization.k8s.io/v1';
      await story.create(kinds.serviceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'deployer' } });
      await story.create(roles, { apiVersion, kind: 'Role', metadata: { name: 'maps' }, rules } as KubeObject);
      await story.create(roleBindings, {
        apiVersion,
        kind: 'RoleBinding',
        metadata: { name: 'maps' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'maps' },
        subjects: [{ kind: 'ServiceAccount', name: 'deployer', namespace: story.namespace }],
      } as KubeObject);
      const state = await waitUntil(async () => {
        const ended = await story.sync();
        return resultsOf(ended).includes('ConfigMap a: Synced') && ended;
      });
      expect(state).toMatchObject({ phase: 'Failed' });
      expect(state.syncResult?.resources?.find(({ kind }) => kind === 'Service')?.message).toContain(
        `User "${user}" cannot create resource "services"`,
      );
      expect(await story.live(services, 'web')).toBeUndefined();
      // Whoever deletes a resource through the application has no more rights than it has.
      const query = `?resourceName=a&namespace=${story.namespace}&version=v1&kind=ConfigMap`;
      expect((await story.ask('DELETE', `/resource${query}`)).status).toBe(200);
      await story.call('DELETE', '/api/v1/applications/as-account');
      await story.isGone();
    });

    it('is missed with a clear word where the project names none, and nothing is written', slow, async () => {
      const story = await scene.given('no-account', { a: map('a') });
      expect(await story.sync()).toMatchObject({
        phase: 'Error',
        message: `no matching service account found for destination server ${IN_CLUSTER} and namespace ${story.namespace}`,
      });
      expect(await story.configMaps()).toEqual([]);
    });
  });

  describe.concurrent('An operation that is to stop', () => {
    const runs = (name: string, type: string): KubeObject => job(name, hook(type), ['sleep', '600']);

    it.each(['PreSync', 'Sync', 'PostSync'])('does so while a hook of %s runs, and leaves no hook behind', slow, async (type) => {
      const story = await scene.given(`stop-${type.toLowerCase()}`, { run: runs('run', type), a: map('a') });
      await story.startSync();
      await story.waitFor(({ status }) => status?.operationState?.message === 'waiting for completion of hook batch/Job/run');
      expect((await story.terminate()).status).toBe(200);
      const state = await story.waitForEnd();
      expect(state).toMatchObject({ phase: 'Failed', message: 'Operation terminated' });
      expect(state.syncResult?.resources?.find(({ name }) => name === 'run')).toMatchObject({ hookPhase: 'Failed', message: 'Terminated' });
      await waitUntil(async () => (await story.live(jobs, 'run')) === undefined);
      expect(await story.configMaps()).toEqual(type === 'PreSync' ? [] : ['a']);
    });

    it('does so while it waits for something to become healthy', slow, async () => {
      const waiting = { ...workload('bad', { image: 'example.com/invalid:1' }), metadata: { name: 'bad', annotations: wave(0) } };
      const spec = { ...(workload('bad', { image: 'example.com/invalid:1' })['spec'] as object), progressDeadlineSeconds: 600 };
      const late = { ...map('late'), metadata: { name: 'late', annotations: wave(1) } };
      const story = await scene.given('stop-health', { bad: { ...waiting, spec }, late });
      await story.startSync();
      await story.waitFor(({ status }) => status?.operationState?.message === 'waiting for healthy state of apps/Deployment/bad');
      await story.terminate();
      expect(await story.waitForEnd()).toMatchObject({ phase: 'Failed', message: 'Operation terminated' });
      expect(await story.configMaps()).toEqual([]);
    });

    it('does so while it waits for another attempt, and while somebody holds a hook fast', slow, async () => {
      const story = await scene.given('stop-retry', { a: map('a') }, { namespace: 'never-there' });
      await story.startSync({ retryStrategy: { limit: 5, backoff: { duration: '300s' } } });
      await story.waitFor(({ status }) => status?.operationState?.retryCount === 1);
      await story.terminate();
      expect(await story.waitForEnd()).toMatchObject({ phase: 'Failed' });
      const held = runs('held', 'PreSync');
      const stuck = await scene.given('stop-stuck', {
        held: { ...held, metadata: { ...held.metadata, finalizers: ['example.com/hold'] } },
      });
      await stuck.startSync();
      await stuck.waitFor(({ status }) => status?.operationState?.message === 'waiting for completion of hook batch/Job/held');
      await stuck.terminate();
      expect(await stuck.waitForEnd()).toMatchObject({ phase: 'Failed', message: 'Operation terminated' });
      await stuck.change(jobs, 'held', { metadata: { finalizers: null } });
    });

    it('is told that there is none where there is none', slow, async () => {
      const story = await scene.given('stop-none', { a: map('a') });
      expect((await story.terminate()).json).toMatchObject({
        code: 3,
        message: 'Unable to terminate operation. No operation is in progress',
      });
    });
  });

  describe.concurrent('An object that two applications claim', () => {
    it('is told to both, and stops the one that does not want to share', slow, async () => {
      const one = await scene.given('claim-one', { shared: map('shared', { by: 'one' }) });
      await one.sync();
      const syncPolicy = { syncOptions: ['FailOnSharedResource=true'] };
      const other = await scene.given(
        'claim-two',
        { shared: map('shared', { by: 'two' }) },
        { namespace: one.namespace, spec: { syncPolicy } },
      );
      const state = await other.sync();
      expect(state).toMatchObject({
        phase: 'Failed',
        message: expect.stringMatching(/^Shared resource found: ConfigMap\/shared is part of applications /),
      });
      expect(await one.dataOf('shared')).toEqual({ by: 'one' });
      await other.changeApplication({ spec: { syncPolicy: { syncOptions: [] } } });
      await other.sync();
      expect(await one.dataOf('shared')).toEqual({ by: 'two' });
      await one.waitFor(({ status }) => status?.sync?.status === 'OutOfSync');
    });

    it('goes with neither of them where it only copied the mark', slow, async () => {
      const story = await scene.given('copied', { a: map('a') });
      await story.sync();
      const mark = (await story.live(kinds.configMap, 'a'))?.metadata.annotations?.['argocd.argoproj.io/tracking-id'] ?? '';
      await story.create(kinds.configMap, map('copy', {}, { 'argocd.argoproj.io/tracking-id': mark }));
      await story.refresh();
      await story.sync({ prune: true });
      expect(await story.configMaps()).toEqual(['a', 'copy']);
    });
  });

  function serviceNamed(name: string): object {
    return { apiVersion: 'v1', kind: 'Service', metadata: { name, annotations: options('') }, spec: { ports: [{ port: 80 }] } };
  }
});
