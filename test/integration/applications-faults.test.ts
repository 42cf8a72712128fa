import { afterEach, describe, expect, it } from 'vitest';
import { ApiError, Code } from '../../src/base/index.ts';
import type { ResourceType } from '../../src/kube/index.ts';
import { applicationType, type Application } from '../../src/model/index.ts';
import { statusError, type JsonObject } from '../../src/objects/index.ts';
import { destination, openApplicationPlane, type ApplicationPlane } from '../support/application-plane.ts';
import { secret } from '../support/embedded-home.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { waitUntil } from '../support/wait-until.ts';

const configMaps: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const secrets: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const names = ['a', 'b', 'c', 'd'];
let plane: ApplicationPlane;
let repository: GitRepository;

afterEach(async () => {
  plane.home.disturb = () => undefined;
  await plane.close();
  await repository.remove();
});

async function open(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  repository = await createGitRepository(Object.fromEntries(names.map((name) => [`app/${name}.json`, configMap(name)])));
  plane = await openApplicationPlane({ settings });
}

const spec = () => ({
  project: 'default',
  source: { repoURL: repository.url, path: 'app' },
  destination,
  syncPolicy: { automated: { selfHeal: true, prune: true }, retry: { limit: 20, backoff: { duration: '50ms', factor: 1 } } },
});
const isSynced = ({ status, operation }: Application): boolean => status?.sync?.status === 'Synced' && !operation;
const live = async (): Promise<string[]> => {
  const { items } = await plane.home.embedded.list(configMaps, { namespace: 'default' });
  return items.map(({ metadata }) => metadata.name ?? '').filter((name) => name.length === 1);
};

describe('An application comes to where it should be', () => {
  it.each([1, 2, 3, 4])('though every third write is refused or lost (%i)', { timeout: 60_000 }, async (seed) => {
    await open();
    const random = new SeededRandom(seed);
    let calls = 0;
    plane.home.disturb = (call) => {
      if (!/^(create|patch|update|delete) (ConfigMap|Application)/.test(call)) return;
      calls++;
      const chance = random.next();
      if (chance < 0.15) throw statusError('Conflict', 'somebody else was quicker');
      if (chance < 0.25) throw new ApiError(Code.Unavailable, 'the connection broke');
      if (chance < 0.33) throw statusError('InternalError', 'the server is ill');
    };
    plane.startController();
    await waitUntil(() =>
      plane.create('web', spec()).then(
        () => true,
        () => undefined,
      ),
    );
    await plane.waitFor('web', isSynced);
    expect(await live()).toEqual(names);
    await repository.commit({ 'app/d.json': undefined, 'app/a.json': configMap('a', { key: 'new' }) });
    const body = { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } };
    await plane.home.embedded.patch(applicationType, { namespace: 'argocd', name: 'web' }, { type: 'merge', body });
    const second = await repository.git('rev-parse', 'HEAD');
    await plane.waitFor('web', (application) => isSynced(application) && application.status?.sync?.revision === second);
    expect(await live()).toEqual(['a', 'b', 'c']);
    expect(await plane.home.embedded.get(configMaps, { namespace: 'default', name: 'a' })).toMatchObject({ data: { key: 'new' } });
    // Patience, not insistence: a failure costs an attempt or two, not a storm.
    expect(calls).toBeLessThan(150);
  });

  it('when the home answers again after a while, without having asked it all the time', { timeout: 60_000 }, async () => {
    await open();
    plane.startController();
    await plane.create('web', spec());
    await plane.waitFor('web', isSynced);
    let refused = 0;
    plane.home.disturb = (call) => {
      if (!call.startsWith('patch Application')) return;
      refused++;
      throw new ApiError(Code.Unavailable, 'the connection broke');
    };
    await plane.home.embedded.delete(configMaps, { namespace: 'default', name: 'a' });
    await waitUntil(() => refused >= 3);
    expect(refused).toBeLessThan(20);
    plane.home.disturb = () => undefined;
    await waitUntil(async () => (await live()).includes('a'));
    await plane.waitFor('web', isSynced);
  });
});

describe('A sync', () => {
  it('goes on with the successor of its cluster where that is registered anew meanwhile', { timeout: 60_000 }, async () => {
    await open();
    const { clusters } = plane.context;
    const first = clusters.resolve({ name: 'in-cluster' });
    await plane.home.embedded.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name: 'a' },
    });
    let isRegistered = false;
    plane.home.disturb = async (call) => {
      if (call !== 'get ConfigMap a' || isRegistered) return;
      isRegistered = true;
      const data = { server: destination.server, name: 'in-cluster', config: '{"bearerToken":"other"}' };
      await plane.home.embedded.create(secrets, secret('cluster-home', data, { 'argocd.argoproj.io/secret-type': 'cluster' }));
      await waitUntil(() => clusters.resolve({ name: 'in-cluster' }) !== first);
    };
    await first.cache.whenSynced();
    await waitUntil(() => first.cache.find({ group: '', kind: 'ConfigMap', namespace: 'default', name: 'a' }));
    const operation = { sync: { syncOptions: ['ServerSideApply=true'] }, initiatedBy: { username: 'ada' } };
    await plane.create('web', { ...spec(), syncPolicy: { syncOptions: ['ServerSideApply=true'] } });
    await plane.home.embedded.patch(applicationType, { namespace: 'argocd', name: 'web' }, { type: 'merge', body: { operation } });
    await waitUntil(() => plane.get('web').operation !== undefined);
    plane.startController();
    const { status } = await plane.waitFor('web', ({ operation: left, status: reached }) => !left && reached?.operationState !== undefined);
    expect(isRegistered).toBe(true);
    expect(status?.operationState).toMatchObject({ phase: 'Succeeded' });
    expect(await live()).toEqual(names);
  });
});

describe('A deletion', () => {
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  const isGone = (): boolean => plane.applications.get({ namespace: 'argocd', name: 'web' }) === undefined;

  /** From here on the cluster refuses such calls, and the application is on its way out. */
  async function refuse(calls: RegExp): Promise<void> {
    const { cache } = plane.context.clusters.resolve({ name: 'in-cluster' });
    plane.home.disturb = (call) => {
      if (calls.test(call)) throw statusError('Forbidden', 'it is forbidden');
    };
    cache.invalidate();
    await cache.whenSynced();
    await waitUntil(() => cache.troubles().length === 0);
    await plane.home.embedded.delete(applicationType, { namespace: 'argocd', name: 'web' });
    plane.startController();
  }

  it('does not take for gone what it may neither list nor read', { timeout: 60_000 }, async () => {
    await open({ 'resource.respectRBAC': 'normal' });
    plane.startController();
    await plane.create('web', spec(), { finalizers });
    await plane.waitFor('web', isSynced);
    await plane.stopController();
    await refuse(/^((list|watch) ConfigMap|get ConfigMap [a-d]$)/);
    const { status } = await plane.waitFor('web', (application) => application.status?.conditions?.length === 1);
    expect(status?.conditions).toMatchObject([
      {
        type: 'DeletionError',
        message: 'cannot tell whether ConfigMap default/a is left: the cluster lets us neither list its kind nor read it',
      },
    ]);
    expect(await live()).toEqual(names);
    plane.home.disturb = () => undefined;
    plane.context.clusters.resolve({ name: 'in-cluster' }).cache.invalidate();
    await waitUntil(isGone);
    expect(await live()).toEqual([]);
  });

  it('asks by name for what it may not list, and never for definitions', { timeout: 60_000 }, async () => {
    await open({ 'resource.respectRBAC': 'normal' });
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }];
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gadgets.corp.example' },
      spec: { group: 'corp.example', names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget' }, scope: 'Namespaced', versions },
    };
    await repository.commit({ 'app/definition.json': JSON.stringify(definition) });
    plane.startController();
    await plane.create('web', spec(), { finalizers });
    await plane.waitFor('web', isSynced);
    await plane.stopController();
    const annotate = (name: string, annotations: JsonObject) =>
      plane.home.embedded.patch(configMaps, { namespace: 'default', name }, { type: 'merge', body: { metadata: { annotations } } });
    await annotate('b', { 'argocd.argoproj.io/tracking-id': 'other:/ConfigMap:default/b' });
    await plane.home.embedded.delete(configMaps, { namespace: 'default', name: 'c' });
    await annotate('d', { 'argocd.argoproj.io/sync-options': 'Delete=false' });
    await refuse(/^((list|watch) ConfigMap|(get|list|watch) CustomResourceDefinition)/);
    await waitUntil(isGone);
    expect(await live()).toEqual(['b', 'd']);
  });
});
