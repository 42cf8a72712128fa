import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../../test/support/kinds.ts';
import {
  credentials,
  openRepositoryStage,
  startRepositoryServer,
  type RepositoryServer,
  type RepositoryStage,
} from '../../../../test/support/repository-stage.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { applicationType, appProjectType } from '../../../model/index.ts';
import { createRepositoryService } from './create-repository-service.ts';

const call = createServiceCall('/repository.RepositoryService/Update');
const labelSelector = 'argocd.argoproj.io/secret-type=repository';

describe('who may not have a repository', () => {
  let git: RepositoryServer;
  let stage: RepositoryStage;
  let service: ReturnType<typeof createRepositoryService>;
  beforeAll(async () => {
    git = await startRepositoryServer();
  });
  afterAll(() => git.close());
  beforeEach(async () => {
    stage = await openRepositoryStage();
    service = createRepositoryService(stage.options);
  });
  afterEach(() => stage.close());

  const stored = async (): Promise<readonly Record<string, string>[]> => {
    const { items } = await stage.home.api.list(kinds.secret, { namespace: 'argocd', labelSelector });
    const decode = (data: Record<string, string>) =>
      Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()] as const);
    return items.map((item) => Object.fromEntries(decode((item['data'] ?? {}) as Record<string, string>)) as Record<string, string>);
  };

  it('RBAC-15: cannot move it to a project of theirs, and its password with it', async () => {
    await service.CreateRepository({ repo: { repo: git.url, project: 'team-a', ...credentials } }, call);
    stage.denied = (_action, object) => object.startsWith('team-a/');
    const moved = { repo: git.url, project: 'team-b' };
    await expect(service.UpdateRepository({ repo: moved }, call)).rejects.toMatchObject({ code: 5 });
    await service.CreateRepository({ repo: moved, upsert: true }, call);
    const all = await stored();
    expect(all.map(({ project, password = '' }) => [project, password])).toEqual(
      expect.arrayContaining([
        ['team-a', credentials.password],
        ['team-b', ''],
      ]),
    );
    expect(all).toHaveLength(2);
    const back = service.UpdateRepository({ repo: { repo: git.url, project: 'team-a', username: 'mine' } }, call);
    await expect(back).rejects.toMatchObject({ code: 7 });
    const upserted = service.CreateRepository({ repo: { repo: git.url, project: 'team-a', username: 'mine' }, upsert: true }, call);
    await expect(upserted).rejects.toMatchObject({ code: 7 });
    expect(await stored()).toEqual(all);
  });

  it('RBAC-15: cannot find out its password by another spelling of its address', async () => {
    await service.CreateRepository({ repo: { repo: git.url, project: 'team-a', ...credentials } }, call);
    stage.denied = (_action, object) => object === `team-a/${git.url}`;
    for (const password of ['guessed', credentials.password]) {
      const guess = { repo: git.url.replace('.git', '.GIT'), project: 'team-a', ...credentials, password };
      await expect(service.CreateRepository({ repo: guess }, call)).rejects.toMatchObject({ code: 7 });
    }
  });

  it('RBAC-15: cannot have its password sent to another address', async () => {
    await service.CreateRepository({ repo: { repo: git.url, project: 'team-a', ...credentials } }, call);
    const elsewhere = git.url.replace('127.0.0.1', 'localhost');
    const swapped = service.UpdateRepository({ repo: { repo: elsewhere, project: 'team-a' } }, call);
    await expect(swapped).rejects.toMatchObject({ code: 5 });
    // The same repository written differently is an update, and whoever changes it has to know the password.
    await service.UpdateRepository({ repo: { repo: git.url.replace('.git', '.GIT'), project: 'team-a' } }, call);
    expect(await stored()).toMatchObject([{ project: 'team-a', password: '', username: '' }]);
  });

  it('RBAC-15: changes some fields and keeps the password, but not the way that it is sent', async () => {
    await service.CreateRepository({ repo: { repo: git.url, project: 'team-a', ...credentials } }, call);
    const renamed = { repo: git.url, project: 'team-a', name: 'shop', proxy: 'http://elsewhere.example' };
    await service.UpdateRepository({ repo: renamed, updatedFields: ['name'] }, call);
    const [before] = await stored();
    expect(before).toMatchObject({ name: 'shop', ...credentials });
    expect(before).not.toHaveProperty('proxy');
    const diverted = service.UpdateRepository({ repo: renamed, updatedFields: ['proxy'] }, call);
    await expect(diverted).rejects.toMatchObject({ code: 3, message: expect.stringMatching(/^proxy decides where the stored password/) });
    expect(await stored()).toEqual([before]);
  });

  it('RBAC-16: is not told what is in it, who may only see that it is there', async () => {
    const repo = { repo: git.url, project: 'team-a', ...credentials };
    await service.CreateRepository({ repo }, call);
    const project = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', spec: { sourceRepos: [git.url] } };
    await stage.home.api.create(appProjectType, { ...project, metadata: { namespace: 'argocd', name: 'team-a' } });
    await waitUntil(() => stage.options.projects.get({ namespace: 'argocd', name: 'team-a' }) !== undefined);
    const source = { repoURL: git.url, path: 'chart', targetRevision: 'main' };
    const query = { source, appName: 'shop', appProject: 'team-a' };
    const ofRepositoryOnly = (object: string): boolean => object === `team-a/${git.url}`;
    stage.denied = (action, object) => !(action === 'get' && ofRepositoryOnly(object));
    const before = git.server.requests.length;
    await expect(service.GetAppDetails(query, call)).rejects.toMatchObject({ code: 7, message: 'permission denied' });

    await stage.home.api.create(applicationType, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { namespace: 'argocd', name: 'shop' },
      spec: { project: 'team-a', source, destination: { server: 'https://kubernetes.default.svc', namespace: 'x' } },
    });
    await waitUntil(() => stage.options.applications.get({ namespace: 'argocd', name: 'shop' }) !== undefined);
    // All rights on the application, whose source is another.
    stage.denied = () => false;
    const never = { ...query, source: { ...source, path: 'secrets' } };
    await expect(service.GetAppDetails(never, call)).rejects.toMatchObject({ code: 7, message: 'permission denied' });
    expect(git.server.requests.length).toBe(before);
    expect(await service.GetAppDetails(query, call)).toMatchObject({ type: 'Helm' });
  });
});
