import { afterEach, describe, expect, it } from 'vitest';
import type { ResourceType } from '../../src/kube/index.ts';
import { applicationType, appProjectType, type Application } from '../../src/model/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { destination, openApplicationPlane, type ApplicationPlane, type PlaneOptions } from '../support/application-plane.ts';
import { configMap, createGitRepository, type FileChanges, type GitRepository } from '../support/git-repository.ts';
import { waitUntil } from '../support/wait-until.ts';

const configMaps: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const jobs: ResourceType = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true };
const namespaces: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };

let plane: ApplicationPlane;
let repository: GitRepository;

afterEach(async () => {
  await plane.close();
  await repository.remove();
});

async function open(files: FileChanges, options?: PlaneOptions): Promise<void> {
  repository = await createGitRepository(files);
  plane = await openApplicationPlane(options);
}

const source = (path = 'app') => ({ repoURL: repository.url, path, targetRevision: 'HEAD' });
const spec = (more: object = {}) => ({ project: 'default', source: source(), destination, ...more });
const isSynced = ({ status, operation }: Application): boolean =>
  status?.sync?.status === 'Synced' && status.operationState?.phase === 'Succeeded' && !operation;
const problemsOf = (application: Application | undefined): string[] =>
  (application?.status?.conditions ?? []).map(({ type, message }) => `${type}: ${message}`);

async function sync(name: string, more: object = {}): Promise<void> {
  const body = { operation: { sync: { ...more }, initiatedBy: { username: 'me' } }, status: { operationState: null } };
  await plane.home.api.patch(applicationType, { namespace: 'argocd', name }, { type: 'merge', body });
}

/** A name that ends with a dash is to be made up. */
function job(name: string, hook: string, more: Readonly<Record<string, string>> = {}): string {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'run', image: 'example.com/run:1' }] } };
  const annotations = { 'argocd.argoproj.io/hook': hook, ...more };
  const metadata = { ...(name.endsWith('-') ? { generateName: name } : { name }), annotations };
  return JSON.stringify({ apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { template } });
}

const liveJob = async (): Promise<KubeObject | undefined> =>
  plane.home.embedded.get(jobs, { namespace: 'default', name: 'before' }).catch(() => undefined);

const liveJobs = async (): Promise<readonly KubeObject[]> => (await plane.home.embedded.list(jobs, { namespace: 'default' })).items;

async function completeJob(name = 'before'): Promise<void> {
  const body = { status: { conditions: [{ type: 'Complete', status: 'True' }], succeeded: 1 } };
  await plane.home.embedded.patch(jobs, { namespace: 'default', name }, { type: 'merge', body }, { subresource: 'status' });
}

describe('What an application costs', () => {
  it('is a request for each object and two for itself when it is new, one for a sync of nothing, and none while nothing changes', async () => {
    const settings = { 'timeout.reconciliation': '1s', 'timeout.reconciliation.jitter': '0s' };
    await open(
      { 'app/a.json': configMap('a'), 'app/b.json': configMap('b'), 'app/c.json': configMap('c') },
      { settings, unwrittenMaxMs: 60_000 },
    );
    let reconciles = 0;
    plane.takeRequests();
    plane.startController({ finished: () => void reconciles++ });
    await plane.create('web', spec({ syncPolicy: { automated: {} } }));
    await plane.waitFor('web', (application) => isSynced(application) && Boolean(application.status?.history));
    await waitUntil(() => plane.get('web').status?.reconciledAt !== undefined);
    const isWrite = (request: string): boolean => /^(create|patch|update|delete) (?!Event )/.test(request);
    const writes = plane.takeRequests().filter(isWrite);
    expect(writes.toSorted()).toEqual([
      'create Application web',
      'create ConfigMap a',
      'create ConfigMap b',
      'create ConfigMap c',
      'patch Application web',
      'patch Application web',
    ]);
    await sync('web');
    await plane.waitFor('web', ({ status }) => status?.history?.length === 2);
    // The patch that asks for it is not ours.
    expect(plane.takeRequests().filter(isWrite)).toEqual(['patch Application web', 'patch Application web']);
    const before = reconciles;
    await waitUntil(() => reconciles >= before + 3);
    expect(plane.takeRequests().filter((request) => !request.startsWith('create Event '))).toEqual([]);
  });
});

describe('A sync that is cut off', () => {
  it('goes on where it was, and runs its hook once', async () => {
    await open({ 'app/before.json': job('before', 'PreSync'), 'app/a.json': configMap('a') });
    plane.startController();
    await plane.create('web', spec());
    await sync('web');
    const started = await waitUntil(liveJob);
    await plane.waitFor('web', ({ status }) => status?.operationState?.message?.startsWith('waiting for completion of hook') === true);
    await plane.stopController();
    expect(plane.get('web').status?.operationState?.phase).toBe('Running');
    await completeJob();
    plane.startController();
    await plane.waitFor('web', isSynced);
    expect((await liveJob())?.metadata.uid).toBe(started.metadata.uid);
    expect(await plane.home.embedded.get(configMaps, { namespace: 'default', name: 'a' })).toMatchObject({ data: { key: 'value' } });
    expect(plane.get('web').status?.history).toHaveLength(1);
  });

  it('by its user leaves no hook behind, and says so', async () => {
    await open({ 'app/before.json': job('before', 'PreSync'), 'app/a.json': configMap('a') });
    plane.startController();
    await plane.create('web', spec());
    await sync('web');
    await waitUntil(liveJob);
    await plane.waitFor('web', ({ status }) => (status?.operationState?.syncResult?.resources ?? []).length > 0);
    const body = { status: { operationState: { phase: 'Terminating' } } };
    await plane.home.api.patch(applicationType, { namespace: 'argocd', name: 'web' }, { type: 'merge', body });
    const { status } = await plane.waitFor('web', ({ operation }) => !operation);
    expect(status?.operationState).toMatchObject({ phase: 'Failed', message: 'Operation terminated' });
    await waitUntil(async () => (await liveJob()) === undefined);
  });

  it('by somebody who deletes its hook fails, and does not wait for ever', async () => {
    await open({ 'app/before.json': job('before', 'PreSync'), 'app/a.json': configMap('a') });
    plane.startController();
    await plane.create('web', spec());
    await sync('web');
    await waitUntil(liveJob);
    await plane.waitFor('web', ({ status }) => (status?.operationState?.syncResult?.resources ?? []).length > 0);
    await plane.home.embedded.patch(
      jobs,
      { namespace: 'default', name: 'before' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
    await plane.home.embedded.delete(jobs, { namespace: 'default', name: 'before' });
    const { status } = await plane.waitFor('web', ({ operation }) => !operation);
    expect(status?.operationState?.phase).toBe('Failed');
    expect(JSON.stringify(status?.operationState?.syncResult)).toContain('is missing, it might have been deleted');
  });
});

describe('A hook of a sync', () => {
  const POLICY = 'argocd.argoproj.io/hook-delete-policy';

  it("whose name is made up is the application's, and is let go at its end", async () => {
    await open({ 'app/run.json': job('run-', 'PreSync'), 'app/a.json': configMap('a') });
    plane.startController();
    await plane.create('web', spec());
    await sync('web');
    const name = await waitUntil(async () => (await liveJobs())[0]?.metadata.name);
    await plane.waitFor('web', ({ status }) => status?.operationState?.message?.startsWith('waiting for completion of hook') === true);
    await completeJob(name);
    const { status } = await plane.waitFor('web', isSynced);
    expect(status?.resources?.filter(({ hook }) => hook).map((resource) => resource.name)).toEqual([name]);
    const [live, ...others] = await liveJobs();
    expect(others).toEqual([]);
    expect(live?.metadata.annotations?.['argocd.argoproj.io/tracking-id']).toBe(`web:batch/Job:default/${name}`);
    expect(live?.metadata.finalizers ?? []).toEqual([]);
  });

  it('that is to stay is applied again by the next sync, and not made anew', async () => {
    await open({ 'app/before.json': job('before', 'PreSync', { [POLICY]: 'HookFailed' }), 'app/a.json': configMap('a') });
    plane.startController();
    await plane.create('web', spec());
    await sync('web');
    const first = await waitUntil(liveJob);
    await completeJob();
    const { status } = await plane.waitFor('web', isSynced);
    // A run is known by the second of its start.
    await waitUntil(() => Date.now() >= Date.parse(status?.operationState?.startedAt ?? '') + 1_000);
    await sync('web');
    await plane.waitFor('web', (application) => isSynced(application) && application.status?.history?.length === 2);
    const second = await liveJob();
    expect(second?.metadata.uid).toBe(first.metadata.uid);
    const runOf = (hook: KubeObject | undefined): string | undefined => hook?.metadata.annotations?.['fairway.dev/hook-run'];
    expect(runOf(second)).not.toBe(runOf(first));
    expect(second?.metadata.finalizers ?? []).toEqual([]);
  });

  it('may have fields that nobody knows where it says so', async () => {
    const annotations = { 'argocd.argoproj.io/hook': 'PreSync', 'argocd.argoproj.io/sync-options': 'Validate=false' };
    const odd = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'odd', annotations }, data: {}, unheardOf: 'x' };
    await open({ 'app/odd.json': JSON.stringify(odd), 'app/a.json': configMap('a') });
    plane.startController();
    await plane.create('web', spec());
    await sync('web');
    await plane.waitFor('web', isSynced);
  });
});

describe('A sync that names no revision', () => {
  it('is of one revision from its first step to its last', async () => {
    const inWave = (wave: string, version: string): string =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `wave${wave}`, annotations: { 'argocd.argoproj.io/sync-wave': wave } },
        data: { version },
      });
    const files = (version: string): FileChanges => ({ 'app/one.json': inWave('1', version), 'app/two.json': inWave('2', version) });
    await open(files('old'));
    const revision = await repository.git('rev-parse', 'HEAD');
    // Somebody pushes between the two waves.
    plane.home.disturb = async (call) => {
      if (call !== 'create ConfigMap wave1') return;
      plane.home.disturb = () => undefined;
      await repository.commit(files('new'));
    };
    plane.startController();
    await plane.create('web', spec());
    await sync('web');
    const { status } = await plane.waitFor('web', ({ operation, status: now }) => !operation && now?.operationState?.phase === 'Succeeded');
    expect(status?.operationState?.syncResult?.revision).toBe(revision);
    for (const name of ['wave1', 'wave2'])
      expect(await plane.home.embedded.get(configMaps, { namespace: 'default', name })).toMatchObject({ data: { version: 'old' } });
  });
});

describe('A revision that cannot be rendered', () => {
  it('is shown when somebody asks, stops nothing else, and is forgotten with the next good one', async () => {
    await open({ 'app/a.json': configMap('a') });
    plane.startController();
    await plane.create('web', spec({ syncPolicy: { automated: { prune: true } } }));
    await plane.waitFor('web', isSynced);
    await repository.commit({
      'app/a.json': 'apiVersion: v1\nkind: ConfigMap\nmetadata: [',
      'app/x.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: [b\n',
    });
    const refresh = async (): Promise<void> => {
      const body = { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } };
      await plane.home.api.patch(applicationType, { namespace: 'argocd', name: 'web' }, { type: 'merge', body });
    };
    await refresh();
    const broken = await plane.waitFor('web', ({ status }) => status?.sync?.status === 'Unknown');
    expect(problemsOf(broken)).toEqual([
      expect.stringMatching(/^ComparisonError: Failed to load target state: failed to generate manifest for source 1 of 1: /),
    ]);
    // What is there stays: that nothing can be read does not mean that nothing is wanted.
    expect(await plane.home.embedded.get(configMaps, { namespace: 'default', name: 'a' })).toBeDefined();
    await repository.commit({ 'app/a.json': configMap('a', { key: 'new' }), 'app/x.yaml': undefined });
    await refresh();
    const mended = await plane.waitFor(
      'web',
      (application) => isSynced(application) && (application.status?.conditions ?? []).length === 0,
    );
    expect(problemsOf(mended)).toEqual([]);
    expect(await plane.home.embedded.get(configMaps, { namespace: 'default', name: 'a' })).toMatchObject({ data: { key: 'new' } });
  });
});

describe('An application in a namespace of its own', () => {
  it('is looked after where its project lets it be, under a name that nobody else has', async () => {
    await open({ 'app/a.json': configMap('a') });
    await plane.home.api.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } });
    plane.startController();
    await plane.create('web', spec({ syncPolicy: { automated: {} } }), { namespace: 'team-a' });
    const find = (): Application => plane.applications.get({ namespace: 'team-a', name: 'web' }) as unknown as Application;
    await waitUntil(() => problemsOf(find()).length > 0);
    expect(problemsOf(find())).toEqual(["UnknownError: application 'web' in namespace 'team-a' is not permitted to use project 'default'"]);
    const body = { spec: { sourceNamespaces: ['team-*'] } };
    await plane.home.api.patch(appProjectType, { namespace: 'argocd', name: 'default' }, { type: 'merge', body });
    await waitUntil(() => isSynced(find()));
    const { metadata } = await plane.home.embedded.get(configMaps, { namespace: 'default', name: 'a' });
    expect(metadata.annotations?.['argocd.argoproj.io/tracking-id']).toBe('team-a_web:/ConfigMap:default/a');
  });
});

describe('An application that is given to another project', () => {
  it('is told at once what that project does not allow', async () => {
    await open({ 'app/a.json': configMap('a') });
    const project = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { name: 'narrow', namespace: 'argocd' } };
    await plane.home.api.create(appProjectType, { ...project, spec: { sourceRepos: ['*'], destinations: [] } });
    plane.startController();
    await plane.create('web', spec({ syncPolicy: { automated: {} } }));
    await plane.waitFor('web', isSynced);
    const move = (name: string) =>
      plane.home.api.patch(applicationType, { namespace: 'argocd', name: 'web' }, { type: 'merge', body: { spec: { project: name } } });
    await move('narrow');
    const refused = await plane.waitFor('web', ({ status }) => status?.sync?.status === 'Unknown');
    expect(problemsOf(refused)).toEqual([
      expect.stringMatching(/^InvalidSpecError: .* do not match any of the allowed destinations in project 'narrow'$/),
    ]);
    await move('default');
    const allowed = await plane.waitFor('web', isSynced);
    expect(problemsOf(allowed)).toEqual([]);
  });
});

describe('Two applications that want one object', () => {
  it('are both told', async () => {
    await open({ 'app/a.json': configMap('a') });
    plane.startController();
    await plane.create('one', spec());
    await plane.waitFor('one', ({ status }) => status?.sync !== undefined);
    await sync('one');
    await plane.waitFor('one', isSynced);
    await plane.create('two', spec());
    const two = await plane.waitFor('two', ({ status }) => (status?.conditions ?? []).length > 0);
    expect(problemsOf(two)).toEqual(['SharedResourceWarning: ConfigMap/a is part of applications argocd/two and one']);
  });
});

describe('An application that goes', () => {
  const cascade = { finalizers: ['resources-finalizer.argocd.argoproj.io'] };
  const remove = async (): Promise<unknown> => plane.home.api.delete(applicationType, { namespace: 'argocd', name: 'web' });

  it('holds on while its project is not there, and says why', async () => {
    await open({ 'app/a.json': configMap('a') });
    plane.startController();
    await plane.create('web', spec({ project: 'nope' }), cascade);
    await plane.waitFor('web', ({ status }) => (status?.conditions ?? []).length > 0);
    await remove();
    const stuck = await plane.waitFor('web', (application) =>
      problemsOf(application).some((problem) => problem.startsWith('DeletionError')),
    );
    expect(problemsOf(stuck)).toContain('DeletionError: appproject.argoproj.io "nope" not found');
  });

  it('is let go where nobody knows its cluster', async () => {
    await open({ 'app/a.json': configMap('a') });
    plane.startController();
    await plane.create('web', spec({ destination: { name: 'gone', namespace: 'x' } }), cascade);
    await remove();
    await waitUntil(() => plane.applications.get({ namespace: 'argocd', name: 'web' }) === undefined);
  });

  it('keeps what is marked to be kept, and what only copied its mark', async () => {
    const keep = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kept', annotations: { 'argocd.argoproj.io/sync-options': 'Delete=false' } },
    };
    await open({ 'app/a.json': configMap('a'), 'app/kept.json': JSON.stringify(keep) });
    plane.startController();
    await plane.create('web', spec({ syncPolicy: { automated: {} } }), cascade);
    await plane.waitFor('web', isSynced);
    const copy = { 'argocd.argoproj.io/tracking-id': 'web:/ConfigMap:default/a' };
    await plane.home.api.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'copy', namespace: 'default', annotations: copy },
    });
    await remove();
    await waitUntil(() => plane.applications.get({ namespace: 'argocd', name: 'web' }) === undefined);
    const left = await plane.home.embedded.list(configMaps, { namespace: 'default' });
    expect(
      left.items
        .map(({ metadata }) => metadata.name ?? '')
        .filter((name) => name !== 'kube-root-ca.crt')
        .toSorted(),
    ).toEqual(['copy', 'kept']);
  });
});

describe('An application that fails again and again', () => {
  it('is not synced again and again to the same revision', async () => {
    await open({ 'app/a.json': configMap('a') });
    const controller = plane.startController();
    const policy = { automated: { selfHeal: true }, retry: { limit: 0 } };
    await plane.create('web', spec({ destination: { ...destination, namespace: 'not-there' }, syncPolicy: policy }));
    const failed = await plane.waitFor('web', (application) => problemsOf(application).some((problem) => problem.startsWith('SyncError')));
    expect(problemsOf(failed)).toEqual([
      expect.stringMatching(/^SyncError: Failed last sync attempt to \[[0-9a-f]{40}\]: one or more objects failed to apply/),
    ]);
    await waitUntil(() => controller.counts.ready === 0 && controller.counts.running === 0);
    expect(plane.get('web').operation).toBeUndefined();
  });
});

describe('A window of the project', () => {
  it('keeps automation and people from syncing, and lets them once it is gone', async () => {
    await open({ 'app/a.json': configMap('a') });
    const always = { kind: 'deny', schedule: '* * * * *', duration: '1h', applications: ['*'] };
    const project = { namespace: 'argocd', name: 'default' };
    await plane.home.api.patch(appProjectType, project, { type: 'merge', body: { spec: { syncWindows: [always] } } });
    plane.startController();
    await plane.create('web', spec({ syncPolicy: { automated: {} } }));
    await plane.waitFor('web', ({ status }) => status?.sync?.status === 'OutOfSync');
    expect(plane.get('web').operation).toBeUndefined();
    // Written past the API, an operation waits and says for what.
    await sync('web');
    const held = await plane.waitFor('web', ({ status }) => Boolean(status?.operationState?.message));
    expect(held.status?.operationState).toMatchObject({ phase: 'Running', message: 'Sync operation blocked by sync window' });
    await plane.home.api.patch(appProjectType, project, { type: 'merge', body: { spec: { syncWindows: null } } });
    await plane.waitFor('web', isSynced);
  });
});

describe('Hooks on deletion', () => {
  const find = async (name: string): Promise<KubeObject | undefined> =>
    plane.home.embedded.get(jobs, { namespace: 'default', name }).catch(() => undefined);
  const complete = async (name: string, type: 'Complete' | 'Failed' = 'Complete'): Promise<void> => {
    const body = { status: { conditions: [{ type, status: 'True' }] } };
    await plane.home.embedded.patch(jobs, { namespace: 'default', name }, { type: 'merge', body }, { subresource: 'status' });
  };

  it('run before and after the resources go, hold the application until they have, and are tried again', async () => {
    await open({
      'app/before.json': job('before', 'PreDelete'),
      'app/after.json': job('after', 'PostDelete'),
      'app/a.json': configMap('a'),
    });
    plane.startController();
    await plane.create('web', spec({ syncPolicy: { automated: {} } }), { finalizers: ['resources-finalizer.argocd.argoproj.io'] });
    const made = await plane.waitFor('web', isSynced);
    expect(made.metadata.finalizers).toContain('pre-delete-finalizer.argocd.argoproj.io');
    expect([await find('before'), await find('after')]).toEqual([undefined, undefined]);
    await plane.home.api.delete(applicationType, { namespace: 'argocd', name: 'web' });
    const first = await waitUntil(() => find('before'));
    await complete('before', 'Failed');
    const stuck = await plane.waitFor('web', (application) => problemsOf(application).length > 0);
    expect(problemsOf(stuck)).toEqual(['DeletionError: PreDelete hook(s) failed: default/before']);
    await waitUntil(async () => {
      const again = await find('before');
      return again !== undefined && again.metadata.uid !== first.metadata.uid;
    });
    expect(await plane.home.embedded.get(configMaps, { namespace: 'default', name: 'a' })).toBeDefined();
    await complete('before');
    await waitUntil(() => find('after'));
    await expect(plane.home.embedded.get(configMaps, { namespace: 'default', name: 'a' })).rejects.toThrow('not found');
    expect(plane.applications.get({ namespace: 'argocd', name: 'web' })).toBeDefined();
    await complete('after');
    await waitUntil(() => plane.applications.get({ namespace: 'argocd', name: 'web' }) === undefined);
  });

  it('have one name for the whole deletion where it is made up', async () => {
    await open({
      'app/before.json': job('before-', 'PreDelete'),
      'app/after.json': job('after-', 'PostDelete', { 'argocd.argoproj.io/hook-delete-policy': 'HookSucceeded' }),
      'app/a.json': configMap('a'),
    });
    plane.startController();
    await plane.create('web', spec({ syncPolicy: { automated: {} } }), { finalizers: ['resources-finalizer.argocd.argoproj.io'] });
    await plane.waitFor('web', isSynced);
    await plane.home.api.delete(applicationType, { namespace: 'argocd', name: 'web' });
    const { metadata } = await waitUntil(async () => (await liveJobs())[0]);
    const seconds = Date.parse(plane.get('web').metadata.deletionTimestamp ?? '') / 1000;
    const [before, after] = [`before-predelete-${seconds}`, `after-postdelete-${seconds}`];
    expect(metadata.name).toBe(before);
    await complete(before, 'Failed');
    await waitUntil(async () => {
      const again = await find(before);
      return again !== undefined && again.metadata.uid !== metadata.uid;
    });
    await complete(before);
    await waitUntil(() => find(after));
    await complete(after);
    await waitUntil(() => plane.applications.get({ namespace: 'argocd', name: 'web' }) === undefined);
    expect((await liveJobs()).map((live) => live.metadata.name)).toEqual([before]);
  });
});
