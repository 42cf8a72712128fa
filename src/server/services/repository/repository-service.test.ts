import { basename, dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedHome, secret, type EmbeddedHome } from '../../../../test/support/embedded-home.ts';
import { startGitHttpServer, type GitHttpServer } from '../../../../test/support/git-http-server.ts';
import { configMap, createGitRepository, type GitRepository } from '../../../../test/support/git-repository.ts';
import { kinds } from '../../../../test/support/kinds.ts';
import { openTestSources, type TestSources } from '../../../../test/support/sources.ts';
import { startStubServer } from '../../../../test/support/stub-server.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import type { Caller } from '../../../access/index.ts';
import { methods, type Repository } from '../../../contract/index.ts';
import { createObjectStore, type ObjectStore } from '../../../kube/index.ts';
import { applicationType, appProjectType } from '../../../model/index.ts';
import type { KubeObject } from '../../../objects/index.ts';
import { openSettings, prepareHome, type Settings } from '../../../settings/index.ts';
import { findAccess } from '../../../sources/index.ts';
import type { Call } from '../../call.ts';
import { createRepositoryService } from './create-repository-service.ts';

const caller: Caller = { username: 'admin', issuer: 'argocd', groups: [], capability: 'login', tokenId: 'id', issuedAt: 0, expiresAt: 100 };
const call: Call = {
  method: methods.find(({ path }) => path === '/repository.RepositoryService/Get')!,
  caller,
  token: undefined,
  transport: 'grpc',
  signal: new AbortController().signal,
  secure: false,
  remoteAddress: '127.0.0.1',
  setHeader: () => undefined,
  setCookie: () => undefined,
};
const credentials = { username: 'planted-user', password: 'planted-password' };

describe('the repository service', () => {
  let repository: GitRepository;
  let server: GitHttpServer;
  let home: EmbeddedHome;
  let settings: Settings;
  let test: TestSources;
  let service: ReturnType<typeof createRepositoryService>;
  let denied: (action: string, object: string) => boolean;
  let asked: string[];
  let nowMs: number;
  let isDown: boolean;
  let applications: ObjectStore;
  let projects: ObjectStore;
  let url: string;

  beforeAll(async () => {
    repository = await createGitRepository({
      'a.yaml': configMap('a'),
      'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'chart/values.yaml': 'image: {tag: v1}\nreplicas: 1\n',
      'chart/envs/values-prod.yaml': 'replicas: 3\n',
    });
    await repository.git('tag', 'v1');
    await repository.git('branch', 'next');
    server = await startGitHttpServer({
      root: dirname(repository.folder),
      authorization: `Basic ${Buffer.from('planted-user:planted-password').toString('base64')}`,
      misbehave: () => (isDown ? { status: 500 } : undefined),
    });
    url = `${server.url}/${basename(repository.folder)}/.git`;
  });
  afterAll(async () => {
    await server.close();
    await repository.remove();
  });

  beforeEach(async () => {
    home = await openEmbeddedHome();
    const clock = { nowMs: () => nowMs };
    nowMs = Date.parse('2026-01-01T00:00:00Z');
    const { api, log } = home;
    await prepareHome({ api, namespace: 'argocd', clock, log, hashPassword: async () => 'no password' });
    settings = await openSettings({ api, namespace: 'argocd', clock, log, coalesceMs: 5 });
    test = await openTestSources({ credentialsFor: (of, project) => findAccess(settings.current, of, project) });
    denied = () => false;
    asked = [];
    isDown = false;
    const policy = {
      isAllowed: (_caller: Caller, resource: string, action: string, object: string) => {
        asked.push(`${resource},${action},${object}`);
        return !denied(action, object);
      },
    };
    applications = createObjectStore({ api, type: applicationType, log });
    projects = createObjectStore({ api, type: appProjectType, log });
    for (const objects of [applications, projects]) objects.start();
    service = createRepositoryService({
      home: api,
      namespace: 'argocd',
      settings,
      policy,
      sources: test.sources,
      applications,
      projects,
      surroundingsOf: () => ({}),
      clock,
    });
  });
  afterEach(async () => {
    await applications.stop();
    await projects.stop();
    await test.close();
    await settings.close();
    await home.close();
  });

  const create = async (repo: Partial<Repository> = {}, upsert = false): Promise<Repository> =>
    await service.CreateRepository({ repo: { repo: url, ...credentials, ...repo }, upsert }, call);
  const list = async (forceRefresh = false): Promise<Repository[]> => (await service.ListRepositories({ forceRefresh }, call)).items;
  const secrets = async (): Promise<readonly KubeObject[]> =>
    (await home.api.list(kinds.secret, { namespace: 'argocd', labelSelector: 'argocd.argoproj.io/secret-type=repository' })).items;
  const dataOf = (object: KubeObject | undefined): Record<string, string> =>
    Object.fromEntries(
      Object.entries((object?.['data'] ?? {}) as Record<string, string>).map(([key, text]) => [
        key,
        Buffer.from(text, 'base64').toString(),
      ]),
    );
  async function store(name: string, type: string, data: Record<string, string>): Promise<void> {
    settings.noticeWrite(await home.api.create(kinds.secret, secret(name, data, { 'argocd.argoproj.io/secret-type': type })));
  }

  it('stores a repository that answers, and shows it without its credentials', async () => {
    expect(await create({ name: 'shop', depth: 1 })).toEqual({ repo: url, type: 'git', name: 'shop' });
    const [stored] = await secrets();
    expect(stored?.metadata.name).toMatch(/^repo-\d+$/);
    expect(stored?.metadata.annotations).toEqual({ 'managed-by': 'argocd.argoproj.io' });
    expect(dataOf(stored)).toEqual({ url, type: 'git', name: 'shop', depth: '1', ...credentials });
    const shown = await service.Get({ repo: url }, call);
    const connectionState = { status: 'Successful', message: '', attemptedAt: '2026-01-01T00:00:00Z' };
    expect(shown).toEqual({ repo: url, type: 'git', name: 'shop', depth: 1, connectionState });
    expect(await list()).toEqual([shown]);
    expect(JSON.stringify(await list())).not.toContain('planted');
  });

  it('does not store one that does not answer, unless it belongs to a project', async () => {
    await expect(create({ password: 'wrong' })).rejects.toThrow(
      'error testing repository connectivity: unable to ls-remote HEAD on repository: failed to list refs: ',
    );
    expect(await secrets()).toEqual([]);
    await create({ password: 'wrong', project: 'team-a' });
    expect(await list()).toMatchObject([
      {
        repo: url,
        project: 'team-a',
        connectionState: { status: 'Failed', message: expect.stringMatching(/^Unable to connect to repository: /) },
      },
    ]);
    expect(JSON.stringify(await list())).not.toContain('wrong');
  });

  it('takes the same again, and something else only when told to', async () => {
    await create();
    await create();
    await expect(create({ name: 'other', enableOCI: true })).rejects.toThrow(
      'existing repository spec is different; use upsert flag to force update; difference in keys "Name,EnableOCI"',
    );
    expect(await create({ name: 'other' }, true)).toEqual({ repo: url, type: 'git', name: 'other' });
    denied = (action) => action === 'update';
    await expect(create({ name: 'another' }, true)).rejects.toThrow('permission denied: repositories, update,');
    const all = await secrets();
    expect(all).toHaveLength(1);
    expect(dataOf(all[0])).toMatchObject({ name: 'other' });
  });

  it('replaces all fields with an update, and keeps what it does not know', async () => {
    await store('by-hand', 'repository', { url, enableLfs: 'true', password: 'old', extra: 'kept' });
    await service.UpdateRepository({ repo: { repo: url.replace('.git', '.GIT'), username: 'new' } }, call);
    const [stored] = await secrets();
    expect(dataOf(stored)).toEqual({
      url: url.replace('.git', '.GIT'),
      enableLfs: 'false',
      password: '',
      extra: 'kept',
      type: 'git',
      username: 'new',
    });
    expect(stored?.metadata).toMatchObject({ name: 'by-hand', annotations: { 'managed-by': 'argocd.argoproj.io' } });
    await expect(service.UpdateRepository({ repo: { repo: url, project: 'team-a' } }, call)).rejects.toMatchObject({
      code: 5,
      message: `repo '${url}' not found`,
    });
    await expect(service.UpdateRepository({}, call)).rejects.toThrow('missing payload in request');
  });

  it('deletes what was made here, and lets go of what was not', async () => {
    await create();
    await service.DeleteRepository({ repo: url }, call);
    expect(await list()).toEqual([]);
    await expect(service.DeleteRepository({ repo: url }, call)).rejects.toMatchObject({ code: 7, message: 'permission denied' });
    await store('by-hand', 'repository', { url });
    await service.DeleteRepository({ repo: url }, call);
    expect(await list()).toEqual([]);
    const kept = await home.api.get(kinds.secret, { namespace: 'argocd', name: 'by-hand' });
    expect(kept.metadata.labels ?? {}).toEqual({});
  });

  it('does not touch a Secret that only has the name', async () => {
    await create();
    const name = (await secrets())[0]?.metadata.name ?? '';
    await service.DeleteRepository({ repo: url }, call);
    await home.api.create(kinds.secret, secret(name, { mine: 'yes' }));
    await expect(create()).rejects.toMatchObject({
      code: 3,
      message: `secret "${name}" doesn't have the proper "argocd.argoproj.io/secret-type" label: please fix the secret or delete it`,
    });
  });

  it('tells repositories of projects apart', async () => {
    await create({ project: 'team-b' });
    await create({ project: 'team-a' });
    expect((await list()).map(({ project }) => project)).toEqual(['team-a', 'team-b']);
    await expect(service.Get({ repo: url }, call)).rejects.toMatchObject({
      code: 2,
      message: `repository not found for url ${JSON.stringify(url)} and project ""`,
    });
    expect(await service.Get({ repo: url, appProject: 'team-b' }, call)).toMatchObject({ project: 'team-b' });
    await service.DeleteRepository({ repo: url, appProject: 'team-b' }, call);
    expect(await service.Get({ repo: url }, call)).toMatchObject({ project: 'team-a' });
    expect(asked).toContain(`repositories,delete,team-b/${url}`);
  });

  it('shows nothing to those who may not see it, and does nothing for those who may not', async () => {
    await create();
    denied = (action) => action === 'get';
    expect(await list()).toEqual([]);
    for (const deed of [service.Get({ repo: url }, call), service.Delete({ repo: url }, call), service.ListRefs({ repo: url }, call)])
      await expect(deed).rejects.toMatchObject({ code: 7, message: 'permission denied' });
    denied = (action) => action === 'delete' || action === 'create' || action === 'update';
    const requestsBefore = server.requests.length;
    await expect(service.Delete({ repo: url }, call)).rejects.toThrow(`permission denied: repositories, delete, ${url}, sub: admin`);
    await expect(service.ValidateAccess({ repo: url }, call)).rejects.toThrow(`permission denied: repositories, create, ${url}`);
    await expect(create({ project: 'p' })).rejects.toThrow(`permission denied: repositories, create, p/${url}`);
    await expect(service.Update({ repo: { repo: url } }, call)).rejects.toThrow(`permission denied: repositories, update, ${url}`);
    expect(server.requests.length).toBe(requestsBefore);
    expect(await secrets()).toHaveLength(1);
  });

  it('asks a repository once in an hour, or when told to, or when its credentials are others', async () => {
    await create();
    await list();
    const requests = server.requests.length;
    isDown = true;
    nowMs += 3_599_000;
    expect(await list()).toMatchObject([{ connectionState: { status: 'Successful', attemptedAt: '2026-01-01T00:00:00Z' } }]);
    expect(server.requests.length).toBe(requests);
    expect(await list(true)).toMatchObject([{ connectionState: { status: 'Failed', attemptedAt: '2026-01-01T00:59:59Z' } }]);
    isDown = false;
    expect(await list()).toMatchObject([{ connectionState: { status: 'Failed' } }]);
    nowMs += 3_601_000;
    expect(await list()).toMatchObject([{ connectionState: { status: 'Successful' } }]);
    await service.Update({ repo: { repo: url, ...credentials, password: 'wrong' } }, call);
    expect(await list()).toMatchObject([{ connectionState: { status: 'Failed' } }]);
  });

  it('takes credentials from a template, and says so', async () => {
    await expect(service.ValidateAccess({ repo: url }, call)).rejects.toThrow('failed to list refs');
    await store('creds', 'repo-creds', { url: server.url, ...credentials });
    expect(await service.ValidateAccess({ repo: url }, call)).toEqual({});
    await service.CreateRepository({ repo: { repo: url } }, call);
    expect(await list()).toMatchObject([{ repo: url, inheritedCreds: true, connectionState: { status: 'Successful' } }]);
  });

  it('shows one that cannot be read, and what is wrong with it; no password of a URL or a proxy', async () => {
    await store('broken', 'repository', {
      url: `https://u:planted-secret@host.example/x`,
      insecure: 'maybe',
      proxy: 'http://a:planted-b@p',
    });
    const [shown] = await list();
    expect(shown).toMatchObject({ repo: 'https://u@host.example/x', proxy: 'http://p', connectionState: { status: 'Failed' } });
    expect(shown?.connectionState?.message).toContain('insecure is not a boolean');
    expect(JSON.stringify(shown)).not.toContain('planted');
    expect(await service.Get({ repo: 'https://u@host.example/x' }, call)).toEqual(shown);
    await service.Delete({ repo: 'https://u@host.example/x' }, call);
    expect(await list()).toEqual([]);
  });

  it('lists the branches and tags', async () => {
    await create({ project: 'team-a' });
    expect(await service.ListRefs({ repo: url, appProject: 'team-a' }, call)).toEqual({ branches: ['main', 'next'], tags: ['v1'] });
    expect(asked.at(-1)).toBe(`repositories,get,team-a/${url}`);
    await expect(service.ListRefs({ repo: url }, call)).rejects.toThrow('failed to list refs');
  });

  it('keeps those that are written to apart, where the installation writes at all', async () => {
    const repo = { repo: url, ...credentials };
    await expect(service.CreateWriteRepository({ repo }, call)).rejects.toMatchObject({ code: 12, message: 'hydrator is disabled' });
    await expect(service.ListWriteRepositories({}, call)).rejects.toThrow('hydrator is disabled');
    const place = { namespace: 'argocd', name: 'argocd-cmd-params-cm' };
    const patch = { type: 'merge', body: { data: { 'hydrator.enabled': 'true' } } } as const;
    settings.noticeWrite(await home.api.patch(kinds.configMap, place, patch));
    await expect(service.CreateWriteRepository({ repo: { repo: url } }, call)).rejects.toThrow('missing credentials in request');
    await expect(service.ValidateWriteAccess({ repo: url, password: 'wrong' }, call)).rejects.toThrow('failed to list refs');
    expect(await service.CreateWriteRepository({ repo }, call)).toEqual({ repo: url, type: 'git' });
    await expect(service.CreateWriteRepository({ repo: { ...repo, name: 'x' } }, call)).rejects.toThrow(
      'existing write repository spec is different; use upsert flag to force update; difference in keys "Name"',
    );
    expect(await list()).toEqual([]);
    // What writes to it does not open the way to read it.
    expect(await service.GetWrite({ repo: url }, call)).toMatchObject({ repo: url, connectionState: { status: 'Failed' } });
    await service.UpdateWriteRepository({ repo: { ...repo, name: 'y' } }, call);
    expect((await service.ListWriteRepositories({}, call)).items).toMatchObject([{ repo: url, name: 'y' }]);
    denied = (action) => action === 'delete';
    await expect(service.DeleteWriteRepository({ repo: url }, call)).rejects.toThrow('permission denied: write-repositories, delete,');
    denied = () => false;
    await service.DeleteWriteRepository({ repo: url }, call);
    expect((await service.ListWriteRepositories({}, call)).items).toEqual([]);
    expect(asked.some((deed) => deed.startsWith('write-repositories,get,'))).toBe(true);
  });

  async function seed(sourceRepos: string[]): Promise<void> {
    await home.api.create(appProjectType, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { namespace: 'argocd', name: 'team-a' },
      spec: { sourceRepos },
    });
    await waitUntil(() => projects.get({ namespace: 'argocd', name: 'team-a' }) !== undefined);
  }

  it('finds what can be rendered, for those who may make or change such an application', async () => {
    await create({ project: 'team-a' });
    await seed([url]);
    const query = { repo: url, revision: 'main', appName: 'shop', appProject: 'team-a' };
    expect(await service.ListApps(query, call)).toEqual({ items: [{ path: 'chart', type: 'Helm' }] });
    denied = (action, object) => action === 'create' && object === 'team-a/shop';
    expect((await service.ListApps(query, call)).items).toHaveLength(1);
    denied = (action, object) => action !== 'get' && object === 'team-a/shop';
    await expect(service.ListApps(query, call)).rejects.toMatchObject({ code: 7, message: 'permission denied' });
    denied = () => false;
    const elsewhere = { ...query, repo: 'https://elsewhere.example/x' };
    await expect(service.ListApps(elsewhere, call)).rejects.toMatchObject({
      code: 7,
      message: "repository 'https://elsewhere.example/x' not permitted in project 'team-a'",
    });
  });

  it('tells what can be set in a source, of an application that exists only in its own', async () => {
    await create({ project: 'team-a' });
    await seed([url]);
    const source = { repoURL: url, path: 'chart', targetRevision: 'main', helm: { valueFiles: ['envs/values-prod.yaml'] } };
    const query = { source, appName: 'shop', appProject: 'team-a' };
    expect(await service.GetAppDetails(query, call)).toEqual({
      type: 'Helm',
      helm: {
        valueFiles: ['envs/values-prod.yaml', 'values.yaml'],
        values: 'image: {tag: v1}\nreplicas: 1\n',
        parameters: [
          { name: 'image.tag', value: 'v1' },
          { name: 'replicas', value: '3' },
        ],
      },
    });
    expect(await service.GetAppDetails({ ...query, source: { repoURL: url, path: '.' } }, call)).toEqual({ type: 'Directory' });
    await expect(service.GetAppDetails({}, call)).rejects.toThrow('missing payload in request');
    denied = (action, object) => action === 'create' && object === 'team-a/shop';
    await expect(service.GetAppDetails(query, call)).rejects.toMatchObject({ code: 7, message: 'permission denied' });

    await home.api.create(applicationType, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { namespace: 'argocd', name: 'shop' },
      spec: { project: 'team-a', source, destination: { server: 'https://kubernetes.default.svc', namespace: 'x' } },
    });
    await waitUntil(() => applications.get({ namespace: 'argocd', name: 'shop' }) !== undefined);
    expect(await service.GetAppDetails(query, call)).toMatchObject({ type: 'Helm' });
    const others = [
      { ...query, source: { ...source, path: '.' } },
      { ...query, appProject: 'team-b' },
    ];
    for (const other of others) await expect(service.GetAppDetails(other, call)).rejects.toMatchObject({ code: 7 });
  });

  it('lists the charts of a Helm repository', async () => {
    const index = 'apiVersion: v1\nentries:\n  shop:\n  - version: 1.2.0\n  - version: 1.0.0\n  web:\n  - version: 0.1.0\n';
    const charts = await startStubServer((request, response) => {
      if (request.url === '/charts/index.yaml') response.end(index);
      else response.writeHead(404).end();
    });
    try {
      const repo = `${charts.url}/charts`;
      await service.CreateRepository({ repo: { repo, type: 'helm', name: 'charts' } }, call);
      expect(await service.GetHelmCharts({ repo }, call)).toEqual({
        items: [
          { name: 'shop', versions: ['1.2.0', '1.0.0'] },
          { name: 'web', versions: ['0.1.0'] },
        ],
      });
      expect(await list()).toMatchObject([{ type: 'helm', name: 'charts', connectionState: { status: 'Successful' } }]);
      await expect(service.ValidateAccess({ repo: charts.url, type: 'helm' }, call)).rejects.toThrow(
        'error testing repository connectivity: error loading repo index: failed to get index: 404 Not Found',
      );
    } finally {
      await charts.close();
    }
  });

  it.each([
    'https://host/team-a/../team-b/x',
    'https://host/team-a/%2e%2e/x',
    'https://host/a b',
    'https://host\\evil/x',
    'https://host/\u0000',
  ])('CRED-08: does not take an address that leads elsewhere than it seems to: %j', async (odd) => {
    await expect(create({ repo: odd, project: 'p' })).rejects.toMatchObject({ code: 3 });
    await expect(service.ListRefs({ repo: odd }, call)).rejects.toMatchObject({ code: 3 });
    await expect(service.ValidateAccess({ repo: odd }, call)).rejects.toMatchObject({ code: 3 });
  });

  it('does not take what it has no use for', async () => {
    await expect(create({ repo: ' ' })).rejects.toThrow('must specify URL');
    await expect(create({ type: 'svn' })).rejects.toThrow('unsupported repository type "svn"');
    await expect(create({ type: 'oci' })).rejects.toMatchObject({ code: 12 });
    expect(await secrets()).toEqual([]);
  });
});
