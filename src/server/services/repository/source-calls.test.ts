import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGitRepository } from '../../../../test/support/git-repository.ts';
import { kinds } from '../../../../test/support/kinds.ts';
import {
  credentials,
  openRepositoryStage,
  startRepositoryServer,
  type RepositoryServer,
  type RepositoryStage,
} from '../../../../test/support/repository-stage.ts';
import { startStubServer } from '../../../../test/support/stub-server.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import type { Repository } from '../../../contract/index.ts';
import { applicationType, appProjectType } from '../../../model/index.ts';
import { createRepositoryService } from './create-repository-service.ts';

const call = createServiceCall('/repository.RepositoryService/Get');

describe('what repositories hold', () => {
  let git: RepositoryServer;
  let stage: RepositoryStage;
  let service: ReturnType<typeof createRepositoryService>;
  let url: string;

  beforeAll(async () => {
    git = await startRepositoryServer();
    ({ url } = git);
  });
  afterAll(() => git.close());
  beforeEach(async () => {
    stage = await openRepositoryStage();
    service = createRepositoryService(stage.options);
    git.isDown = false;
  });
  afterEach(() => stage.close());

  const create = async (repo: Partial<Repository> = {}, upsert = false): Promise<Repository> =>
    await service.CreateRepository({ repo: { repo: url, ...credentials, ...repo }, upsert }, call);
  const list = async (forceRefresh = false): Promise<Repository[]> => (await service.ListRepositories({ forceRefresh }, call)).items;

  async function seed(sourceRepos: string[]): Promise<void> {
    await stage.home.api.create(appProjectType, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { namespace: 'argocd', name: 'team-a' },
      spec: { sourceRepos },
    });
    await waitUntil(() => stage.options.projects.get({ namespace: 'argocd', name: 'team-a' }) !== undefined);
  }

  it('lists the branches and tags', async () => {
    await create({ project: 'team-a' });
    expect(await service.ListRefs({ repo: url, appProject: 'team-a' }, call)).toEqual({ branches: ['main', 'next'], tags: ['v1'] });
    expect(stage.asked.at(-1)).toBe(`repositories,get,team-a/${url}`);
    await expect(service.ListRefs({ repo: url }, call)).rejects.toThrow('failed to list refs');
  });

  it.each(['', 'team-a'])('RBAC-02: are denied by the address of the Secret, however it is spelled (project %j)', async (project) => {
    await create({ project });
    await seed(['*']);
    const bare = url.replace(/\.git$/, '');
    const object = project === '' ? url : `${project}/${url}`;
    stage.denied = (_action, asked) => asked === object;
    for (const repo of [url, bare, url.toUpperCase()]) {
      const query = { repo, revision: 'main', appName: 'shop', appProject: 'team-a' };
      const calls = {
        refs: () => service.ListRefs(query, call),
        tags: () => service.ListOCITags(query, call),
        charts: () => service.GetHelmCharts(query, call),
        apps: () => service.ListApps(query, call),
        details: () => service.GetAppDetails({ ...query, source: { repoURL: repo, path: 'chart' } }, call),
      };
      for (const [name, ask] of Object.entries(calls))
        await expect(ask(), `${name} of ${repo}`).rejects.toMatchObject({ code: 7, message: 'permission denied' });
    }
    // So they are by the caller's own spelling.
    stage.denied = (_action, asked) => asked.endsWith(bare);
    await expect(service.ListRefs({ repo: bare, appProject: 'team-a' }, call)).rejects.toMatchObject({ code: 7 });
    expect(await service.ListRefs({ repo: url, appProject: 'team-a' }, call)).toMatchObject({ tags: ['v1'] });
  });

  it('finds what can be rendered, for those who may make or change such an application', async () => {
    await create({ project: 'team-a' });
    await seed([url]);
    const query = { repo: url, revision: 'main', appName: 'shop', appProject: 'team-a' };
    expect(await service.ListApps(query, call)).toEqual({ items: [{ path: 'chart', type: 'Helm' }] });
    stage.denied = (action, object) => action === 'create' && object === 'team-a/shop';
    expect((await service.ListApps(query, call)).items).toHaveLength(1);
    stage.denied = (action, object) => action !== 'get' && object === 'team-a/shop';
    await expect(service.ListApps(query, call)).rejects.toMatchObject({ code: 7, message: 'permission denied' });
    stage.denied = () => false;
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
    const named = { ...source, helm: { valueFiles: ['envs/values-$ARGOCD_APP_NAME.yaml'] } };
    const { helm } = await service.GetAppDetails({ ...query, source: named, appName: 'prod' }, call);
    expect(helm?.parameters).toContainEqual({ name: 'replicas', value: '3' });
    expect(await service.GetAppDetails({ ...query, source: { repoURL: url, path: '.' } }, call)).toEqual({ type: 'Directory' });
    await expect(service.GetAppDetails({}, call)).rejects.toThrow('missing payload in request');
    stage.denied = (action, object) => action === 'create' && object === 'team-a/shop';
    await expect(service.GetAppDetails(query, call)).rejects.toMatchObject({ code: 7, message: 'permission denied' });

    await stage.home.api.create(applicationType, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { namespace: 'argocd', name: 'shop' },
      spec: { project: 'team-a', source, destination: { server: 'https://kubernetes.default.svc', namespace: 'x' } },
    });
    await waitUntil(() => stage.options.applications.get({ namespace: 'argocd', name: 'shop' }) !== undefined);
    expect(await service.GetAppDetails(query, call)).toMatchObject({ type: 'Helm' });
    const others = [
      { ...query, source: { ...source, path: '.' } },
      { ...query, appProject: 'team-b' },
    ];
    for (const other of others) await expect(service.GetAppDetails(other, call)).rejects.toMatchObject({ code: 7 });
  });

  it('tells of a kustomization what the registered version makes of it, with the options of the installation', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kustomize-version-'));
    const program = join(folder, 'kustomize');
    const pod = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[{"name":"web","image":"%s"}]}}';
    await writeFile(program, `#!/bin/sh\n[ "$1" = version ] && echo v5.9.9 && exit\nshift 2\nprintf '${pod}' "$*"\n`, { mode: 0o755 });
    const repository = await createGitRepository({ 'app/kustomization.yaml': 'resources: []\n' });
    try {
      const data = {
        'kustomize.path.v5.9.9': program,
        'kustomize.buildOptions': '--load-restrictor LoadRestrictionsNone',
        'kustomize.enable': 'false',
      };
      const place = { namespace: 'argocd', name: 'argocd-cm' };
      stage.options.settings.noticeWrite(await stage.home.api.patch(kinds.configMap, place, { type: 'merge', body: { data } }));
      await seed([repository.url]);
      const source = { repoURL: repository.url, path: 'app', kustomize: { version: 'v5.9.9' } };
      expect(await service.GetAppDetails({ source, appName: 'shop', appProject: 'team-a' }, call)).toEqual({
        type: 'Kustomize',
        kustomize: { images: ['--load-restrictor LoadRestrictionsNone'] },
      });
    } finally {
      await repository.remove();
      await rm(folder, { recursive: true, force: true });
    }
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
});
