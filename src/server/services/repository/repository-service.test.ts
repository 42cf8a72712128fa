import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { secret } from '../../../../test/support/embedded-home.ts';
import { kinds } from '../../../../test/support/kinds.ts';
import {
  credentials,
  openRepositoryStage,
  startRepositoryServer,
  type RepositoryServer,
  type RepositoryStage,
} from '../../../../test/support/repository-stage.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import type { Repository } from '../../../contract/index.ts';
import type { KubeObject } from '../../../objects/index.ts';
import { createRepositoryService } from './create-repository-service.ts';

const call = createServiceCall('/repository.RepositoryService/Get');

describe('the repository service', () => {
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
  const secrets = async (): Promise<readonly KubeObject[]> =>
    (await stage.home.api.list(kinds.secret, { namespace: 'argocd', labelSelector: 'argocd.argoproj.io/secret-type=repository' })).items;
  const dataOf = (object: KubeObject | undefined): Record<string, string> =>
    Object.fromEntries(
      Object.entries((object?.['data'] ?? {}) as Record<string, string>).map(([key, text]) => [
        key,
        Buffer.from(text, 'base64').toString(),
      ]),
    );

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
    stage.denied = (action) => action === 'update';
    await expect(create({ name: 'another' }, true)).rejects.toThrow('permission denied: repositories, update,');
    const all = await secrets();
    expect(all).toHaveLength(1);
    expect(dataOf(all[0])).toMatchObject({ name: 'other' });
  });

  it('replaces all fields with an update, and keeps what it does not know', async () => {
    await stage.store('by-hand', 'repository', { url, enableLfs: 'true', password: 'old', extra: 'kept' });
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

  it.each(['get', 'update'])('does not put back a password that somebody else replaced before it could %s', async (verb) => {
    await stage.store('by-hand', 'repository', { url, ...credentials });
    const replaced = { password: Buffer.from('rotated').toString('base64') };
    let isReplaced = false;
    stage.home.disturb = async (request) => {
      if (isReplaced || request !== `${verb} Secret by-hand`) return;
      isReplaced = true;
      await stage.home.embedded.patch(kinds.secret, { namespace: 'argocd', name: 'by-hand' }, { type: 'merge', body: { data: replaced } });
    };
    await expect(service.UpdateRepository({ repo: { repo: url, name: 'shop' }, updatedFields: ['name'] }, call)).rejects.toMatchObject({
      code: 10,
      message: 'the credentials were changed meanwhile, please try again',
    });
    const [stored] = await secrets();
    expect(dataOf(stored)).toEqual({ url, ...credentials, password: 'rotated' });
  });

  it.each([
    ['get', 'made here'],
    ['delete', 'made here'],
    ['patch', 'by hand'],
  ])('does not remove what somebody else gave to another project before it could %s (%s)', async (verb, origin) => {
    await (origin === 'made here' ? create() : stage.store('by-hand', 'repository', { url }));
    const name = (await secrets())[0]?.metadata.name ?? '';
    const moved = { project: Buffer.from('team-b').toString('base64') };
    let isMoved = false;
    stage.home.disturb = async (request) => {
      if (isMoved || request !== `${verb} Secret ${name}`) return;
      isMoved = true;
      await stage.home.embedded.patch(kinds.secret, { namespace: 'argocd', name }, { type: 'merge', body: { data: moved } });
    };
    await expect(service.DeleteRepository({ repo: url }, call)).rejects.toMatchObject({
      code: 10,
      message: 'the credentials were changed meanwhile, please try again',
    });
    expect((await secrets()).map(dataOf)).toMatchObject([{ url, project: 'team-b' }]);
  });

  it('deletes what was made here, and lets go of what was not', async () => {
    await create();
    await service.DeleteRepository({ repo: url }, call);
    expect(await list()).toEqual([]);
    await expect(service.DeleteRepository({ repo: url }, call)).rejects.toMatchObject({ code: 7, message: 'permission denied' });
    await stage.store('by-hand', 'repository', { url });
    await service.DeleteRepository({ repo: url }, call);
    expect(await list()).toEqual([]);
    const kept = await stage.home.api.get(kinds.secret, { namespace: 'argocd', name: 'by-hand' });
    expect(kept.metadata.labels ?? {}).toEqual({});
  });

  it('does not touch a Secret that only has the name', async () => {
    await create();
    const name = (await secrets())[0]?.metadata.name ?? '';
    await service.DeleteRepository({ repo: url }, call);
    await stage.home.api.create(kinds.secret, secret(name, { mine: 'yes' }));
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
    expect(stage.asked).toContain(`repositories,delete,team-b/${url}`);
  });

  it('lists those of an address and of a project where they are asked for', async () => {
    await create({ project: 'team-a' });
    await create({ project: 'team-b' });
    await stage.store('other', 'repository', { url: 'https://git.example.com/other' });
    const find = async (query: object) => (await service.List(query, call)).items.map(({ repo, project = '' }) => [repo, project]);
    expect(await find({})).toHaveLength(3);
    expect(await find({ repo: url.replace('.git', '.GIT') })).toEqual([
      [url, 'team-a'],
      [url, 'team-b'],
    ]);
    expect(await find({ appProject: 'team-b' })).toEqual([[url, 'team-b']]);
    expect(await find({ repo: 'https://git.example.com/other', appProject: 'team-b' })).toEqual([]);
  });

  it('shows nothing to those who may not see it, and does nothing for those who may not', async () => {
    await create();
    stage.denied = (action) => action === 'get';
    expect(await list()).toEqual([]);
    for (const deed of [service.Get({ repo: url }, call), service.Delete({ repo: url }, call), service.ListRefs({ repo: url }, call)])
      await expect(deed).rejects.toMatchObject({ code: 7, message: 'permission denied' });
    stage.denied = (action) => action === 'delete' || action === 'create' || action === 'update';
    const requestsBefore = git.server.requests.length;
    await expect(service.Delete({ repo: url }, call)).rejects.toThrow(`permission denied: repositories, delete, ${url}, sub: admin`);
    await expect(service.ValidateAccess({ repo: url }, call)).rejects.toThrow(`permission denied: repositories, create, ${url}`);
    await expect(create({ project: 'p' })).rejects.toThrow(`permission denied: repositories, create, p/${url}`);
    await expect(service.Update({ repo: { repo: url } }, call)).rejects.toThrow(`permission denied: repositories, update, ${url}`);
    expect(git.server.requests.length).toBe(requestsBefore);
    expect(await secrets()).toHaveLength(1);
  });

  it('asks a repository once in an hour, or when told to, or when its credentials are others', async () => {
    await create();
    await list();
    const requests = git.server.requests.length;
    git.isDown = true;
    stage.nowMs += 3_599_000;
    expect(await list()).toMatchObject([{ connectionState: { status: 'Successful', attemptedAt: '2026-01-01T00:00:00Z' } }]);
    expect(git.server.requests.length).toBe(requests);
    expect(await list(true)).toMatchObject([{ connectionState: { status: 'Failed', attemptedAt: '2026-01-01T00:59:59Z' } }]);
    git.isDown = false;
    expect(await list()).toMatchObject([{ connectionState: { status: 'Failed' } }]);
    stage.nowMs += 3_601_000;
    expect(await list()).toMatchObject([{ connectionState: { status: 'Successful' } }]);
    await service.Update({ repo: { repo: url, ...credentials, password: 'wrong' } }, call);
    expect(await list()).toMatchObject([{ connectionState: { status: 'Failed' } }]);
  });

  it('takes credentials from a template, and says so', async () => {
    await expect(service.ValidateAccess({ repo: url }, call)).rejects.toThrow('failed to list refs');
    await stage.store('creds', 'repo-creds', { url: git.server.url, ...credentials });
    expect(await service.ValidateAccess({ repo: url }, call)).toEqual({});
    await service.CreateRepository({ repo: { repo: url } }, call);
    expect(await list()).toMatchObject([{ repo: url, inheritedCreds: true, connectionState: { status: 'Successful' } }]);
  });

  it('shows one that cannot be read, and what is wrong with it; no password of a URL or a proxy', async () => {
    await stage.store('broken', 'repository', {
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

  it('keeps those that are written to apart, where the installation writes at all', async () => {
    const repo = { repo: url, ...credentials };
    await expect(service.CreateWriteRepository({ repo }, call)).rejects.toMatchObject({ code: 12, message: 'hydrator is disabled' });
    await expect(service.ListWriteRepositories({}, call)).rejects.toThrow('hydrator is disabled');
    const place = { namespace: 'argocd', name: 'argocd-cmd-params-cm' };
    const patch = { type: 'merge', body: { data: { 'hydrator.enabled': 'true' } } } as const;
    stage.options.settings.noticeWrite(await stage.home.api.patch(kinds.configMap, place, patch));
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
    stage.denied = (action) => action === 'delete';
    await expect(service.DeleteWriteRepository({ repo: url }, call)).rejects.toThrow('permission denied: write-repositories, delete,');
    stage.denied = () => false;
    await service.DeleteWriteRepository({ repo: url }, call);
    expect((await service.ListWriteRepositories({}, call)).items).toEqual([]);
    expect(stage.asked.some((deed) => deed.startsWith('write-repositories,get,'))).toBe(true);
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

  it('keeps what is only credentials as a template, for those who may make templates', async () => {
    const template = { repo: 'https://git.example.com/acme', username: 'robot', password: 'planted', name: 'left out', insecure: true };
    const add = async (upsert = false, more: Partial<Repository> = {}): Promise<Repository> =>
      await service.CreateRepository({ repo: { ...template, ...more }, credsOnly: true, upsert }, call);
    // Nothing answers there, and nobody is asked.
    expect(await add()).toEqual({ repo: template.repo, type: 'git' });
    expect(stage.asked).toEqual([`repositories,create,${template.repo}`]);
    expect(await list()).toEqual([]);
    const [[name, stored] = []] = stage.options.settings.current.labelledSecrets;
    expect(stored?.type).toBe('repo-creds');
    const data = Object.fromEntries([...(stored?.data ?? [])].map(([key, value]) => [key, value.reveal()]));
    expect(data).toEqual({ url: template.repo, username: 'robot', password: 'planted' });
    await add();
    await expect(add(false, { password: 'other' })).rejects.toMatchObject({
      code: 3,
      message: 'existing repository credentials spec is different; use upsert flag to force update; difference in keys "Password"',
    });
    stage.denied = (action) => action === 'update';
    await expect(add(true, { password: 'other' })).rejects.toMatchObject({ code: 7 });
    stage.denied = () => false;
    await add(true, { password: 'other' });
    expect(
      stage.options.settings.current.labelledSecrets
        .get(name ?? '')
        ?.data.get('password')
        ?.reveal(),
    ).toBe('other');
    await expect(add(false, { project: 'team-a' })).rejects.toMatchObject({
      code: 3,
      message: 'a credential template belongs to no project',
    });
    await expect(service.CreateRepository({ credsOnly: true }, call)).rejects.toThrow('missing payload in request');
    await expect(service.CreateWriteRepository({ repo: template, credsOnly: true }, call)).rejects.toMatchObject({ code: 12 });
  });

  it('does not take what it has no use for', async () => {
    await expect(create({ repo: ' ' })).rejects.toThrow('must specify URL');
    await expect(create({ type: 'svn' })).rejects.toThrow('unsupported repository type "svn"');
    await expect(create({ type: 'oci' })).rejects.toThrow('its host is not valid');
    expect(await secrets()).toEqual([]);
  });
});
