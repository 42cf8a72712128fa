import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { destination, openApplicationPlane, type ApplicationPlane } from '../../../../test/support/application-plane.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { methods, type ProjectService } from '../../../contract/index.ts';
import type { AppProject } from '../../../model/index.ts';
import type { Call } from '../../call.ts';
import { createProjectService } from './create-project-service.ts';

let plane: ApplicationPlane;
let service: ProjectService<Call>;
/** Lines such as `projects get shop`; a star stands for all. */
let allowed: readonly string[] = ['*'];
const scopedRepositories = ['https://git.example/scoped'];

beforeAll(async () => {
  plane = await openApplicationPlane();
  const policy = {
    isAllowed: (_caller: unknown, resource: string, action: string, object: string) =>
      allowed.includes('*') || allowed.includes(`${resource} ${action} ${object}`),
  };
  service = createProjectService({
    ...plane.service,
    policy,
    surroundingsOf: () => ({ scopedRepositories }),
    sessions: { signForProject: async ({ project, role, id }) => `${project}/${role}/${id}` },
  });
}, 60_000);

afterAll(async () => {
  await plane.close();
});

function call(permissions: readonly string[] = ['*'], groups: readonly string[] = []): Call {
  allowed = permissions;
  const method = methods.find(({ path }) => path === '/project.ProjectService/Get');
  if (method === undefined) throw new Error('there is no such method');
  const caller = {
    username: 'me',
    issuer: 'argocd',
    groups,
    capability: 'login',
    tokenId: 'id',
    issuedAt: 0,
    expiresAt: undefined,
  } as const;
  const signal = new AbortController().signal;
  const unused = (): undefined => undefined;
  return {
    method,
    caller,
    token: undefined,
    transport: 'rest',
    signal,
    secure: false,
    remoteAddress: '',
    setHeader: unused,
    setCookie: unused,
  };
}

const base: AppProject['spec'] = { sourceRepos: ['https://git.example/one'], destinations: [{ server: 'https://one', namespace: '*' }] };
const create = (name: string, spec: AppProject['spec'] = base) => service.Create({ project: { metadata: { name }, spec } }, call());
const refused = (deed: string) => ({ code: 7, message: `permission denied: ${deed}, sub: me, iat: 1970-01-01T00:00:00Z` });

describe('Who changes a project', () => {
  const own = ['projects create parts', 'projects update parts', 'projects get parts'];
  const kinds = [{ group: '', kind: 'Namespace' }];

  it.each<[string, AppProject['spec'], string]>([
    [
      'adds a destination',
      { ...base, destinations: [...(base.destinations ?? []), { server: 'https://two', namespace: '*' }] },
      'clusters, update, https://two',
    ],
    [
      'adds one by name',
      { ...base, destinations: [...(base.destinations ?? []), { name: 'two', namespace: '*' }] },
      'clusters, update, two',
    ],
    ['takes one away', { ...base, destinations: [] }, 'clusters, update, https://one'],
    ['adds a repository', { ...base, sourceRepos: [...(base.sourceRepos ?? []), '*'] }, 'repositories, update, *'],
    ['takes one away', { ...base, sourceRepos: [] }, 'repositories, update, https://git.example/one'],
    ['allows a kind', { ...base, clusterResourceWhitelist: kinds }, 'clusters, update, https://one'],
    ['denies a kind', { ...base, namespaceResourceBlacklist: kinds }, 'clusters, update, https://one'],
  ])('and %s needs the right to that too, also by creating it again', async (_what, spec, deed) => {
    const project = await create('parts');
    const changed = { metadata: { name: 'parts' }, spec };
    await expect(service.Update({ project: changed }, call(own))).rejects.toMatchObject(refused(deed));
    await expect(service.Create({ project: changed, upsert: true }, call(own))).rejects.toMatchObject(refused(deed));
    expect((await service.Get({ name: 'parts' }, call())).spec).toEqual(project.spec);
    const permission = deed.replaceAll(',', '');
    const updated = await service.Update({ project: changed }, call([...own, permission]));
    expect(updated.metadata.generation).toBe((project.metadata.generation ?? 0) + 1);
    await service.Delete({ name: 'parts' }, call());
  });

  it('needs no more for a description', async () => {
    await create('parts');
    const changed = { metadata: { name: 'parts' }, spec: { ...base, description: 'x' } };
    expect(await service.Update({ project: changed }, call(own))).toMatchObject({ spec: { description: 'x' } });
  });

  it('learns what is different only where they may see it', async () => {
    const project = { metadata: { name: 'parts' }, spec: {} };
    await expect(service.Create({ project }, call(['projects create parts']))).rejects.toMatchObject(refused('projects, get, parts'));
    await expect(service.Create({ project }, call(own))).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining('difference in keys') as string,
    });
  });

  it('means all objects of the project by a star in a policy, and no others', async () => {
    const made = await create('starred', {
      ...base,
      roles: [{ name: 'ci', policies: ['p, proj:starred:ci, applications, sync, *, allow'] }],
    });
    expect(made.spec.roles?.[0]?.policies).toEqual(['p, proj:starred:ci, applications, sync, starred/*, allow']);
  });

  it('is told of a request without a project', async () => {
    await expect(service.Create({}, call())).rejects.toMatchObject({ code: 3 });
    await expect(service.Update({}, call())).rejects.toMatchObject({ code: 3 });
    await expect(service.Create({ project: { metadata: {}, spec: {} } }, call())).rejects.toMatchObject({ code: 3 });
  });
});

describe('Applications of a project', () => {
  it('keep it from losing what they use, but for what it has without saying so', async () => {
    const spec = {
      sourceRepos: ['https://git.example/one', 'https://git.example/scoped'],
      destinations: [{ server: '*', namespace: '*' }],
    };
    await create('used', spec);
    await plane.create('first', { project: 'used', source: { repoURL: 'https://git.example/one', path: 'x' }, destination });
    await plane.create('scoped', { project: 'used', source: { repoURL: 'https://git.example/scoped', path: 'x' }, destination });
    await waitUntil(() => plane.applications.size === 2);
    const update = (changed: AppProject['spec']) => service.Update({ project: { metadata: { name: 'used' }, spec: changed } }, call());
    await expect(update({ ...spec, sourceRepos: [] })).rejects.toMatchObject({
      code: 3,
      message: 'as a result of project update 1 applications source became invalid',
    });
    await expect(update({ ...spec, destinations: [] })).rejects.toMatchObject({
      code: 3,
      message: 'as a result of project update 2 applications destination became invalid',
    });
    await update({ ...spec, sourceRepos: ['https://git.example/one'] });
    await expect(service.Delete({ name: 'used' }, call())).rejects.toMatchObject({
      code: 3,
      message: 'project is referenced by 2 applications',
    });
  });
});

describe('While the applications are not known', () => {
  it('a project is neither deleted nor changed: somebody may use it', async () => {
    const project = await create('awaited');
    const applications = { ...plane.service.applications, values: () => [].values(), whenSynced: async () => false };
    const sessions = { signForProject: async () => '' };
    const waiting = createProjectService({ ...plane.service, policy: { isAllowed: () => true }, applications, sessions });
    const unavailable = { code: 14, message: expect.stringContaining('have not been read yet') as string };
    await expect(waiting.Delete({ name: 'awaited' }, call())).rejects.toMatchObject(unavailable);
    const changed = { metadata: { name: 'awaited' }, spec: { ...base, description: 'x' } };
    await expect(waiting.Update({ project: changed }, call())).rejects.toMatchObject(unavailable);
    expect((await service.Get({ name: 'awaited' }, call())).spec).toEqual(project.spec);
  });
});

describe('Tokens of a role', () => {
  const request = { project: 'grouped', role: 'ci', id: 'mine' };

  it('are issued and deleted by whoever has the role through a group, and by nobody else', async () => {
    await create('grouped', { ...base, roles: [{ name: 'ci', groups: ['builders'] }, { name: 'cd' }] });
    expect(await service.CreateToken(request, call([], ['builders']))).toEqual({ token: 'grouped/ci/mine' });
    const denied = refused('projects, update, grouped');
    await expect(service.CreateToken({ ...request, id: 'other' }, call([], ['readers']))).rejects.toMatchObject(denied);
    await expect(service.CreateToken({ ...request, role: 'cd' }, call([], ['builders']))).rejects.toMatchObject(denied);
    await expect(service.CreateToken({ ...request, role: 'none' }, call([], ['builders']))).rejects.toMatchObject(denied);
    await expect(service.DeleteToken(request, call([], ['readers']))).rejects.toMatchObject(denied);
    await expect(service.DeleteToken({ ...request, project: 'none' }, call([], ['builders']))).rejects.toMatchObject(
      refused('projects, update, none'),
    );
    expect((await service.Get({ name: 'grouped' }, call())).status?.jwtTokensByRole?.['ci']?.items).toHaveLength(1);
    await service.DeleteToken(request, call([], ['builders']));
    expect((await service.Get({ name: 'grouped' }, call())).status?.jwtTokensByRole).toBeUndefined();
  });

  it('are issued by members of a group with a comma in its name', async () => {
    await create('quoted', { ...base, roles: [{ name: 'ci', groups: ['"cn=builders,ou=eu"'] }] });
    const member = call([], ['cn=builders,ou=eu']);
    expect(await service.CreateToken({ ...request, project: 'quoted' }, member)).toEqual({ token: 'quoted/ci/mine' });
    await expect(service.CreateToken({ ...request, project: 'quoted' }, call([], ['cn=builders']))).rejects.toMatchObject({ code: 7 });
  });

  it('that are not there are gone already', async () => {
    expect(await service.DeleteToken({ ...request, id: 'gone', iat: 1 }, call())).toEqual({});
    expect(await service.DeleteToken({ ...request, role: 'none' }, call())).toEqual({});
    await expect(service.DeleteToken({ ...request, project: 'none' }, call())).rejects.toMatchObject({ code: 5 });
  });
});
