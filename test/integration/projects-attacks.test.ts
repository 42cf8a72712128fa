import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applicationType, type Application } from '../../src/model/index.ts';
import { configMap } from '../support/git-repository.ts';
import { kinds } from '../support/kinds.ts';
import { applicationObject, IN_CLUSTER, openProjectScene, type ProjectScene } from '../support/project-scene.ts';
import { waitUntil } from '../support/wait-until.ts';

let scene: ProjectScene;

beforeAll(async () => {
  scene = await openProjectScene();
  for (const name of ['team-x', 'elsewhere', 'tenant', 'victim'])
    await scene.home.create(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
});
afterAll(async () => {
  await scene?.close();
});

const slow = { timeout: 60_000 };
const spec = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] };

/** What a create of an application is refused with; nothing where it is not. */
async function refusal(application: Application): Promise<string> {
  const { status, json } = await scene.admin('POST', '/api/v1/applications?validate=false', application);
  if (status === 200) await scene.admin('DELETE', `/api/v1/applications/${application.metadata.name}?cascade=false`);
  return status === 200 ? '' : `${status} ${String(json['message'])}`;
}

async function syncOf(name: string): Promise<{ status: number; message: string }> {
  const { status, json } = await scene.admin('POST', `/api/v1/applications/${name}/sync`, {});
  return { status, message: String(json['message'] ?? '') };
}

const isOver = (phase: string | undefined): boolean => ['Succeeded', 'Failed', 'Error'].includes(phase ?? '');

/** The state of the operation of an application, once it is over. */
async function outcomeOf(name: string): Promise<NonNullable<NonNullable<Application['status']>['operationState']>> {
  return waitUntil(async () => {
    const { status } = await scene.read(name);
    return isOver(status?.operationState?.phase) ? status?.operationState : undefined;
  });
}

async function exists(type: Parameters<ProjectScene['home']['get']>[0], namespace: string, name: string): Promise<boolean> {
  return scene.home.get(type, { ...(type.namespaced && { namespace }), name }).then(
    () => true,
    () => false,
  );
}

describe('Where an application may be', () => {
  it('PROJ-01: one in a namespace that its project does not let in is refused in every call, and never synced', slow, async () => {
    const application = scene.application('stranger', 'mine', { syncPolicy: { automated: {} } });
    const inTeam = { ...application, metadata: { ...application.metadata, namespace: 'team-x' } };
    const message = 'app is not allowed in project "mine", or the project does not exist';
    expect(await refusal(inTeam)).toBe(`400 ${message}`);
    await scene.home.create(applicationType, applicationObject(application, 'team-x'));
    for (const [verb, path, body] of [
      ['GET', ''],
      ['POST', '/sync', { appNamespace: 'team-x' }],
      ['GET', '/resource-tree'],
      ['GET', '/managed-resources'],
      ['DELETE', ''],
    ] as const) {
      const answer = await scene.admin(verb, `/api/v1/applications/stranger${path}?appNamespace=team-x`, body);
      expect([verb, path, answer.status, answer.json['message']]).toEqual([verb, path, 400, message]);
    }
    const { status } = await waitUntil(async () => {
      const seen = await scene.read('stranger', 'team-x');
      return seen.status?.conditions ? seen : undefined;
    });
    expect(status?.conditions?.[0]?.message).toContain("is not permitted to use project 'mine'");
    expect(status?.operationState).toBeUndefined();
    // Nor may somebody outside keep the project from being deleted by naming it.
    await scene.createProject('named', spec);
    const naming = { ...application, metadata: { name: 'naming' }, spec: { ...application.spec, project: 'named' } };
    await scene.home.create(applicationType, applicationObject(naming, 'team-x'));
    expect((await scene.admin('DELETE', '/api/v1/projects/named')).status).toBe(200);
  });

  it('PROJ-02: one in a namespace that is not looked after is neither looked after nor shown', slow, async () => {
    const application = scene.application('hidden', 'mine', { syncPolicy: { automated: {} } });
    await scene.home.create(applicationType, applicationObject(application, 'elsewhere'));
    expect((await scene.admin('GET', '/api/v1/applications/hidden?appNamespace=elsewhere')).status).toBe(403);
    expect((await scene.admin('POST', '/api/v1/applications/hidden/sync', { appNamespace: 'elsewhere' })).status).toBe(403);
    const { json } = await scene.admin('GET', '/api/v1/applications');
    expect(JSON.stringify(json)).not.toContain('"hidden"');
    // Touched again, and then something that is looked after: the one stays as it was written.
    await scene.home.patch(
      applicationType,
      { namespace: 'elsewhere', name: 'hidden' },
      { type: 'merge', body: { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'hard' } } } },
    );
    await scene.createApplication('seen', 'mine');
    await waitUntil(async () => (await scene.read('seen')).status?.sync !== undefined);
    const kept = await scene.read('hidden', 'elsewhere');
    expect([kept.status, kept.metadata.annotations?.['argocd.argoproj.io/refresh']]).toEqual([undefined, 'hard']);
  });
});

describe('Where an application may go and come from', () => {
  it('PROJ-04: a cluster has one identity, however it is named, and what is not meant wins', slow, async () => {
    await scene.createProject('places', {
      sourceRepos: ['*'],
      destinations: [
        { server: IN_CLUSTER, namespace: '*' },
        { server: '*', namespace: '!kube-*' },
      ],
    });
    const to = (destination: object): Promise<string> => refusal(scene.application('going', 'places', { destination }));
    expect(await to({ server: IN_CLUSTER, namespace: 'default' })).toBe('');
    expect(await to({ name: 'in-cluster', namespace: 'default' })).toBe('');
    expect(await to({ server: `${IN_CLUSTER}/`, namespace: 'default' })).toBe('');
    for (const destination of [{ server: IN_CLUSTER }, { name: 'in-cluster' }, { server: `${IN_CLUSTER}/` }])
      expect(await to({ ...destination, namespace: 'kube-system' })).toContain('do not match any of the allowed destinations');
    expect(await to({ server: IN_CLUSTER.toUpperCase(), namespace: 'default' })).toMatch(/^400 /);
    expect(await to({ server: 'https://elsewhere.example', namespace: 'default' })).toMatch(/^400 /);
    expect(await to({ server: IN_CLUSTER, name: 'in-cluster', namespace: 'default' })).toMatch(/^400 /);
    await scene.createProject('not-here', {
      sourceRepos: ['*'],
      destinations: [
        { server: '*', namespace: '*' },
        { name: '!in-cluster', namespace: '*' },
      ],
    });
    for (const destination of [{ server: IN_CLUSTER }, { name: 'in-cluster' }])
      expect(await refusal(scene.application('going', 'not-here', { destination: { ...destination, namespace: 'default' } }))).toContain(
        'do not match',
      );
  });

  it('PROJ-05: an address that only looks like an allowed one is not', slow, async () => {
    await scene.createProject('sources', { ...spec, sourceRepos: ['https://git.example/ok/**', 'https://git.example/one.git'] });
    const from = (repoURL: string): Promise<string> => refusal(scene.application('coming', 'sources', { source: { repoURL, path: 'x' } }));
    for (const good of [
      'https://git.example/ok/a',
      'https://git.example/ok/a/b.git',
      'https://GIT.example/OK/a',
      'https://git.example/one',
      'https://git.example/ok/..a/b..',
    ])
      expect([good, await from(good)]).toEqual([good, '']);
    for (const bad of [
      'https://git.example/ok/../evil',
      'https://git.example/ok/%2e%2e/evil',
      'https://git.example/ok/%2E./evil',
      'https://git.example/ok/..%2fevil',
      'https://git.example/ok/./../evil',
      String.raw`https://git.example/ok/..\evil`,
      'https://git.example/ok/.\t./evil',
      'https://git.example/ok/a\n',
      ' https://git.example/ok/a',
      'https://git.example@evil.example/ok/a',
      'https://git.example:8443/ok/a',
      'http://git.example/ok/a',
      'https://gıt.example/ok/a',
      'https://git.example.evil.example/ok/a',
      'https://git.example/okay/a',
      'https://git.example/one.git/../two',
      'ssh://git@git.example/ok/a',
    ])
      expect([bad, await from(bad)]).toEqual([bad, expect.stringContaining('is not permitted in project') as string]);
  });

  it('PROJ-06: every one of several sources is checked, also one that only lends files, and both of a hydrator', slow, async () => {
    const good = { repoURL: 'https://git.example/one', path: 'x' };
    const bad = { repoURL: 'https://evil.example/x' };
    const { source: _one, ...rest } = scene.application('several', 'sources').spec;
    const several = (more: object): Promise<string> =>
      refusal({ metadata: { name: 'several' }, spec: { ...rest, ...more } as Application['spec'] });
    expect(await several({ sources: [good, { ...good, path: 'y' }] })).toBe('');
    expect(await several({ sources: [good, { ...bad, path: 'x' }] })).toContain('https://evil.example/x is not permitted');
    expect(await several({ sources: [good, { ...bad, ref: 'values' }] })).toContain('https://evil.example/x is not permitted');
    const dry = { ...good, targetRevision: 'main' };
    const sync = { path: 'x', targetBranch: 'out' };
    expect(await several({ sourceHydrator: { drySource: { ...dry, ...bad }, syncSource: sync } })).toContain('is not permitted');
    expect(await several({ sourceHydrator: { drySource: dry, syncSource: { ...sync, ...bad } } })).toContain('is not permitted');
  });
});

describe('What an application may bring', () => {
  it('PROJ-07: nothing for another tenant, and nothing hidden in a list', slow, async () => {
    await scene.createProject('tenant', { sourceRepos: ['*'], destinations: [{ server: IN_CLUSTER, namespace: 'tenant' }] });
    const clusterRole = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'hidden-role' }, rules: [] };
    const inList = (object: object): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [object] });
    const victim = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'intruder', namespace: 'victim' } };
    await scene.repository.commit({
      'role/role.json': JSON.stringify(clusterRole),
      'hidden/list.json': inList(clusterRole),
      'nested/list.json': inList(JSON.parse(inList(clusterRole)) as object),
      'victim/one.json': JSON.stringify(victim),
      'victim-list/one.json': inList(victim),
      'own/one.json': configMap('own'),
    });
    const destination = { server: IN_CLUSTER, namespace: 'tenant' };
    for (const path of ['role', 'hidden', 'nested', 'victim', 'victim-list']) {
      const name = `brings-${path}`;
      await scene.createApplication(name, 'tenant', { source: { repoURL: scene.repository.url, path }, destination });
      expect((await syncOf(name)).status).toBe(200);
      const { phase, message, syncResult } = await outcomeOf(name);
      expect([path, phase === 'Failed' || phase === 'Error', `${message} ${JSON.stringify(syncResult)}`]).toEqual([
        path,
        true,
        expect.stringMatching(/is not permitted in project|do not match|not managed|could not find \/List/) as string,
      ]);
    }
    const role = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterroles', kind: 'ClusterRole', namespaced: false };
    expect(await exists(role, '', 'hidden-role')).toBe(false);
    expect(await exists(kinds.configMap, 'victim', 'intruder')).toBe(false);
    await scene.createApplication('brings-own', 'tenant', { source: { repoURL: scene.repository.url, path: 'own' }, destination });
    await syncOf('brings-own');
    expect((await outcomeOf('brings-own')).phase).toBe('Succeeded');
  });

  it('PROJ-07: nothing for the whole cluster of a kind that comes with it', slow, async () => {
    await scene.createProject('definer', {
      sourceRepos: ['*'],
      destinations: [{ server: IN_CLUSTER, namespace: 'tenant' }],
      clusterResourceWhitelist: [{ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }],
    });
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'walls.tenant.example' },
      spec: {
        group: 'tenant.example',
        names: { kind: 'Wall', plural: 'walls', singular: 'wall' },
        scope: 'Cluster',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    await scene.repository.commit({
      'wide/definition.json': JSON.stringify(definition),
      'wide/wall.json': JSON.stringify({ apiVersion: 'tenant.example/v1', kind: 'Wall', metadata: { name: 'everywhere' } }),
    });
    const destination = { server: IN_CLUSTER, namespace: 'tenant' };
    await scene.createApplication('wide', 'definer', { source: { repoURL: scene.repository.url, path: 'wide' }, destination });
    expect((await syncOf('wide')).status).toBe(200);
    const { phase, message } = await outcomeOf('wide');
    expect([phase, message]).toEqual([
      'Failed',
      expect.stringContaining('resource tenant.example:Wall is not permitted in project definer') as string,
    ]);
    const definitions = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', kind: definition.kind };
    expect(await exists({ ...definitions, namespaced: false }, '', 'walls.tenant.example')).toBe(true);
    const walls = { group: 'tenant.example', version: 'v1', plural: 'walls', kind: 'Wall', namespaced: false };
    expect(await exists(walls, '', 'everywhere')).toBe(false);
  });

  it('PROJ-07: nothing of another tenant is shown to who guesses its name', slow, async () => {
    await scene.createProject('reader', { sourceRepos: ['*'], destinations: [{ server: IN_CLUSTER, namespace: 'tenant' }] });
    const theirs = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs', namespace: 'victim' } };
    await scene.home.create(kinds.configMap, { ...theirs, data: { precious: 'not for you' } });
    await scene.repository.commit({ 'guess/one.json': JSON.stringify(theirs) });
    const destination = { server: IN_CLUSTER, namespace: 'tenant' };
    await scene.createApplication('guess', 'reader', { source: { repoURL: scene.repository.url, path: 'guess' }, destination });
    await waitUntil(async () => (await scene.read('guess')).status?.resources);
    const { status, text } = await scene.admin('GET', '/api/v1/applications/guess/managed-resources');
    expect([status, text.includes('"theirs"'), text.includes('not for you')]).toEqual([200, true, false]);
  });

  it('PROJ-07: nothing for another tenant when it goes, and nothing of theirs with it', slow, async () => {
    await scene.createProject('leaving', { sourceRepos: ['*'], destinations: [{ server: IN_CLUSTER, namespace: 'tenant' }] });
    const hook = (type: string) => ({ 'argocd.argoproj.io/hook': type, 'argocd.argoproj.io/hook-delete-policy': 'HookSucceeded' });
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', rules: [] };
    const precious = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'precious', namespace: 'tenant' } };
    await scene.repository.commit({
      'last-role/role.json': JSON.stringify({ ...role, metadata: { name: 'last-role', annotations: hook('PreDelete') } }),
      'last-map/map.json': JSON.stringify({ ...precious, metadata: { ...precious.metadata, annotations: hook('PostDelete') } }),
    });
    const mark = { 'argocd.argoproj.io/tracking-id': 'theirs:/ConfigMap:tenant/precious' };
    await scene.home.create(kinds.configMap, { ...precious, metadata: { ...precious.metadata, annotations: mark } });
    const destination = { server: IN_CLUSTER, namespace: 'tenant' };
    for (const [path, reason] of [
      ['last-role', 'is not permitted in project leaving'],
      ['last-map', 'is not of this application'],
    ] as const) {
      await scene.createApplication(path, 'leaving', { source: { repoURL: scene.repository.url, path }, destination });
      await syncOf(path);
      await waitUntil(async () => (await scene.read(path)).metadata.finalizers?.some((one) => one.includes('-delete-finalizer')));
      expect((await scene.admin('DELETE', `/api/v1/applications/${path}`)).status).toBe(200);
      const { status } = await waitUntil(async () => {
        const seen = await scene.read(path);
        return seen.status?.conditions?.some(({ type }) => type === 'DeletionError') === true ? seen : undefined;
      });
      expect(status?.conditions?.find(({ type }) => type === 'DeletionError')?.message).toContain(reason);
    }
    const roles = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterroles', kind: 'ClusterRole', namespaced: false };
    expect(await exists(roles, '', 'last-role')).toBe(false);
    expect(await exists(kinds.configMap, 'tenant', 'precious')).toBe(true);
  });

  it('PROJ-06: nothing from a repository that only an operation names', slow, async () => {
    const permitted = 'https://git.example.com/permitted.git';
    await scene.createProject('fixed', { sourceRepos: [permitted], destinations: [{ server: IN_CLUSTER, namespace: 'tenant' }] });
    const application = scene.application('fixed', 'fixed', {
      source: { repoURL: permitted, path: '.' },
      destination: { server: IN_CLUSTER, namespace: 'tenant' },
    });
    const source = { repoURL: scene.repository.url, path: 'own' };
    await scene.repository.commit({ 'own/one.json': configMap('smuggled') });
    const object = applicationObject(application, 'argocd');
    await scene.home.create(applicationType, { ...object, operation: { sync: { source } } });
    const { phase, message } = await outcomeOf('fixed');
    expect([phase, message]).toEqual(['Error', expect.stringContaining("is not permitted in project 'fixed'") as string]);
    expect(await exists(kinds.configMap, 'tenant', 'smuggled')).toBe(false);
  });

  it('PROJ-12: nothing unsigned where the project demands a signature', slow, async () => {
    await scene.createProject('signed', { ...spec, signatureKeys: [{ keyID: 'D56C4FCA57A46444' }] });
    await scene.createApplication('unsigned', 'signed', { syncPolicy: { automated: {} } });
    const { status } = await waitUntil(async () => {
      const seen = await scene.read('unsigned');
      return seen.status?.conditions ? seen : undefined;
    });
    expect(status?.conditions?.map(({ type }) => type)).toContain('ComparisonError');
    await syncOf('unsigned');
    const seen = await waitUntil(async () => {
      const found = await scene.read('unsigned');
      return found.operation === undefined ? found : undefined;
    });
    expect(seen.status?.operationState?.phase).not.toBe('Succeeded');
    expect(seen.status?.history ?? []).toEqual([]);
  });

  it('PROJ-12: nor what somebody brings along, whoever wrote the operation', slow, async () => {
    await scene.createProject('signed-only', { ...spec, signatureKeys: [{ keyID: 'D56C4FCA57A46444' }] });
    await scene.createApplication('brought', 'signed-only');
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'brought', namespace: 'default' } };
    const operation = { sync: { manifests: [JSON.stringify(manifest)] } };
    const refused = 'Cannot use local manifests when source integrity is enforced';
    const { status, json } = await scene.admin('POST', '/api/v1/applications/brought/sync', operation.sync);
    expect([status, json['message']]).toEqual([400, refused]);
    await scene.home.patch(applicationType, { namespace: 'argocd', name: 'brought' }, { type: 'merge', body: { operation } });
    const { phase, message } = await outcomeOf('brought');
    expect([phase, message]).toEqual(['Error', expect.stringContaining(refused) as string]);
    expect(await exists(kinds.configMap, 'default', 'brought')).toBe(false);
  });

  it('PROJ-11: nothing with our own rights where a service account is to do it', slow, async () => {
    await scene.createProject('accounts', {
      ...spec,
      destinationServiceAccounts: [{ server: 'https://elsewhere.example', namespace: '*', defaultServiceAccount: 'x' }],
    });
    await scene.createApplication('as-account', 'accounts', { destination: { server: IN_CLUSTER, namespace: 'tenant' } });
    await scene.setSettings({ 'application.sync.impersonation.enabled': 'true', 'accounts.canary': 'apiKey' });
    // Settings come with a watch: the account that came with this one is there when it is.
    await waitUntil(async () => (await scene.admin('GET', '/api/v1/account/canary')).status === 200);
    await syncOf('as-account');
    const { phase, message } = await outcomeOf('as-account');
    await scene.setSettings({ 'application.sync.impersonation.enabled': null });
    expect([phase, message]).toEqual([
      'Error',
      expect.stringContaining('no matching service account found for destination server') as string,
    ]);
    expect(await exists(kinds.configMap, 'tenant', 'one')).toBe(false);
  });
});

describe('When an application may be synced', () => {
  it('PROJ-09: not while a window denies it, by whichever way', slow, async () => {
    const deny = { kind: 'deny', schedule: '* * * * *', duration: '5m', applications: ['frozen-*'] };
    await scene.createProject('frozen', spec);
    const destination = { server: IN_CLUSTER, namespace: 'victim' };
    await scene.createApplication('frozen-app', 'frozen', { destination });
    await syncOf('frozen-app');
    expect((await outcomeOf('frozen-app')).phase).toBe('Succeeded');
    const setWindows = async (syncWindows: readonly object[]): Promise<void> => {
      const { json } = await scene.admin('GET', '/api/v1/projects/frozen');
      const answer = await scene.admin('PUT', '/api/v1/projects/frozen', { project: { ...json, spec: { ...spec, syncWindows } } });
      expect(answer.status).toBe(200);
    };
    await setWindows([deny]);
    expect(await syncOf('frozen-app')).toEqual({ status: 403, message: 'cannot sync: blocked by sync window' });
    expect((await scene.admin('GET', '/api/v1/applications/frozen-app/syncwindows')).json).toEqual({
      activeWindows: [{ kind: 'deny', schedule: '* * * * *', duration: '5m', manualSync: false }],
      assignedWindows: [{ kind: 'deny', schedule: '* * * * *', duration: '5m', manualSync: false }],
      canSync: false,
    });
    // What healing would put back stays away, and what automation would bring does not come.
    await scene.home.delete(kinds.configMap, { namespace: 'victim', name: 'one' });
    const automated = { syncPolicy: { automated: { selfHeal: true } }, destination };
    await scene.admin('POST', '/api/v1/applications?validate=false&upsert=true', scene.application('frozen-app', 'frozen', automated));
    await scene.createApplication('frozen-auto', 'frozen', { ...automated, source: { repoURL: scene.repository.url, path: 'own' } });
    await waitUntil(async () => (await scene.read('frozen-auto')).status?.sync?.status === 'OutOfSync');
    await scene.admin('GET', '/api/v1/applications/frozen-app?refresh=hard');
    expect((await scene.read('frozen-app')).operation).toBeUndefined();
    expect(await exists(kinds.configMap, 'victim', 'one')).toBe(false);
    expect((await scene.read('frozen-auto')).status?.operationState).toBeUndefined();
    // A rollback is taken and waits for the window.
    await scene.admin(
      'POST',
      '/api/v1/applications?validate=false&upsert=true',
      scene.application('frozen-app', 'frozen', { destination }),
    );
    await scene.admin('POST', '/api/v1/applications/frozen-app/rollback', { id: 0 });
    await waitUntil(
      async () => (await scene.read('frozen-app')).status?.operationState?.message === 'Sync operation blocked by sync window',
    );
    expect(await exists(kinds.configMap, 'victim', 'one')).toBe(false);
    // Whom the window lets, may; and nothing else is in its way.
    await setWindows([{ ...deny, manualSync: true }]);
    await waitUntil(() => exists(kinds.configMap, 'victim', 'one'));
    expect((await outcomeOf('frozen-app')).phase).toBe('Succeeded');
    await setWindows([deny]);
    expect((await scene.admin('DELETE', '/api/v1/applications/frozen-app?cascade=true')).status).toBe(200);
    await waitUntil(async () => !(await exists(applicationType, 'argocd', 'frozen-app')));
    expect(await exists(kinds.configMap, 'victim', 'one')).toBe(false);
  });
});
