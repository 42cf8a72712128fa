import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpKubeApi } from '../../src/kube/index.ts';
import { appProjectType, type AppProject } from '../../src/model/index.ts';
import { connectToFairway } from '../support/connect-to-fairway.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { kinds } from '../support/kinds.ts';
import { callerWith, signInAsAdmin, type RestCaller } from '../support/rest-caller.ts';
import { waitUntil } from '../support/wait-until.ts';

let fairway: Fairway;
let admin: RestCaller;
let home: HttpKubeApi;

beforeAll(async () => {
  fairway = await startFairway();
  admin = await signInAsAdmin(fairway);
  home = await connectToFairway(fairway);
});

afterAll(async () => {
  await home?.close();
  await fairway?.stop();
});

const everything = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] };

async function create(name: string, spec: object = {}, labels: object = {}): Promise<AppProject> {
  const { status, text, json } = await admin('POST', '/api/v1/projects', {
    project: { metadata: { name, labels }, spec: { ...everything, ...spec } },
  });
  expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
  return json as unknown as AppProject;
}

const get = async (name: string): Promise<AppProject> => (await admin('GET', `/api/v1/projects/${name}`)).json as unknown as AppProject;
const put = (project: AppProject, name = project.metadata.name ?? '') => admin('PUT', `/api/v1/projects/${name}`, { project });

async function issue(project: string, role: string, body: object = {}): Promise<string> {
  const { status, text, json } = await admin('POST', `/api/v1/projects/${project}/roles/${role}/token`, body);
  expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
  return String(json['token']);
}

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
const statusWith = async (token: string, path: string): Promise<number> => (await callerWith(fairway, token)('GET', path)).status;

describe('Tokens of a role', () => {
  it('say who, from when, until when and which, and are kept in spec and status', async () => {
    await create('tokens', { roles: [{ name: 'ci' }] });
    const claims = claimsOf(await issue('tokens', 'ci', { expiresIn: 3600, id: 'one' }));
    expect(claims).toMatchObject({
      iss: 'argocd',
      sub: 'proj:tokens:ci',
      jti: 'one',
      nbf: claims['iat'],
      exp: Number(claims['iat']) + 3600,
    });
    const endless = claimsOf(await issue('tokens', 'ci'));
    expect(Object.keys(endless)).toEqual(['iss', 'sub', 'iat', 'nbf', 'jti']);
    const { spec, status } = await get('tokens');
    const entries = [
      { iat: claims['iat'], exp: claims['exp'], id: 'one' },
      { iat: endless['iat'], id: endless['jti'] },
    ].toSorted((first, second) => Number(second.iat) - Number(first.iat));
    expect(spec.roles?.[0]?.jwtTokens).toEqual(entries);
    expect(status?.jwtTokensByRole).toEqual({ ci: { items: spec.roles?.[0]?.jwtTokens } });
  });

  it('are made by many at once, and none is lost or has the time of another', async () => {
    await create('many', { roles: [{ name: 'ci' }, { name: 'cd' }] });
    const tokens = await Promise.all(Array.from({ length: 24 }, (_, index) => issue('many', index % 2 === 0 ? 'ci' : 'cd')));
    const { spec } = await get('many');
    for (const role of spec.roles ?? []) {
      expect(role.jwtTokens).toHaveLength(12);
      expect(new Set(role.jwtTokens?.map(({ iat }) => iat)).size).toBe(12);
    }
    const statuses = await Promise.all(tokens.map((token) => statusWith(token, '/api/v1/projects/many')));
    expect(statuses).toEqual(tokens.map(() => 200));
    // And deleted by many at once.
    const deletions = await Promise.all(
      tokens.map((token) => {
        const { sub, iat, jti } = claimsOf(token);
        return admin('DELETE', `/api/v1/projects/many/roles/${String(sub).split(':')[2]}/token/${String(iat)}?id=${String(jti)}`);
      }),
    );
    expect(deletions.map(({ status }) => status)).toEqual(tokens.map(() => 200));
    expect((await get('many')).status).toEqual({});
    expect(await statusWith(tokens[0] ?? '', '/api/v1/projects/many')).toBe(401);
  });

  it('end when they are deleted, by id or by time, whichever transport they come with next', async () => {
    await create('ended', { roles: [{ name: 'ci' }] });
    const [one, two, kept] = [await issue('ended', 'ci'), await issue('ended', 'ci'), await issue('ended', 'ci')];
    for (const token of [one, two, kept]) expect(await statusWith(token, '/api/v1/projects/ended')).toBe(200);
    const claims = claimsOf(one);
    await admin('DELETE', `/api/v1/projects/ended/roles/ci/token/0?id=${String(claims['jti'])}`);
    await admin('DELETE', `/api/v1/projects/ended/roles/ci/token/${String(claimsOf(two)['iat'])}`);
    expect(await statusWith(one, '/api/v1/projects/ended')).toBe(401);
    expect(await statusWith(two, '/api/v1/projects/ended')).toBe(401);
    expect(await statusWith(kept, '/api/v1/projects/ended')).toBe(200);
    const { text } = await callerWith(fairway, one)('GET', '/api/v1/projects/ended');
    expect(JSON.parse(text)).toMatchObject({
      code: 16,
      message: `invalid session: JWT token for role 'ci' issued at '${String(claims['iat'])}' does not exist in project 'ended'`,
    });
  });

  it('do not come back with another of the same id, nor by writing them into the project', async () => {
    await create('back', { roles: [{ name: 'ci' }] });
    const old = await issue('back', 'ci', { id: 'fixed' });
    const before = await get('back');
    await admin('DELETE', `/api/v1/projects/back/roles/ci/token/0?id=fixed`);
    const { metadata } = await get('back');
    const written = await put({ ...before, metadata });
    expect(written.status).toBe(200);
    expect((await get('back')).spec.roles?.[0]?.jwtTokens).toBeUndefined();
    expect(await statusWith(old, '/api/v1/projects/back')).toBe(401);
    // Another second, so that the new one differs in more than its signature.
    await waitUntil(() => Math.floor(Date.now() / 1000) > Number(claimsOf(old)['iat']));
    const next = await issue('back', 'ci', { id: 'fixed' });
    expect(await statusWith(next, '/api/v1/projects/back')).toBe(200);
    expect(await statusWith(old, '/api/v1/projects/back')).toBe(401);
  });

  it('outlive an update that leaves them out, and a project that is applied without them', async () => {
    await create('applied', { roles: [{ name: 'ci' }] });
    const token = await issue('applied', 'ci');
    const { metadata, spec } = await get('applied');
    await put({ metadata, spec: { ...spec, description: 'again', roles: [{ name: 'ci' }] } });
    expect(await statusWith(token, '/api/v1/projects/applied')).toBe(200);
    await home.patch(
      appProjectType,
      { namespace: 'argocd', name: 'applied' },
      { type: 'merge', body: { spec: { roles: [{ name: 'ci' }] } } },
    );
    await waitUntil(async () => (await get('applied')).spec.roles?.[0]?.jwtTokens === undefined);
    expect(await statusWith(token, '/api/v1/projects/applied')).toBe(200);
    await admin('DELETE', '/api/v1/projects/applied');
    await waitUntil(async () => (await statusWith(token, '/api/v1/projects/applied')) === 401);
  });

  it('end with a sign-out, and only they', async () => {
    await create('out-a', { roles: [{ name: 'ci' }] });
    await create('out-b', { roles: [{ name: 'ci' }] });
    const [left, stays] = [
      await issue('out-a', 'ci', { id: 'ci', expiresIn: 3600 }),
      await issue('out-b', 'ci', { id: 'ci', expiresIn: 3600 }),
    ];
    expect((await callerWith(fairway, left)('DELETE', '/api/v1/session')).status).toBe(200);
    expect(await statusWith(left, '/api/v1/projects/out-a')).toBe(401);
    expect(await statusWith(stays, '/api/v1/projects/out-b')).toBe(200);
  });

  it.each([
    ['an id that is in use', 'tokens', 'ci', { id: 'one' }, 400, "Token id 'one' has been used. "],
    ['a role that is not there', 'tokens', 'no', {}, 404, "project 'tokens' does not have role 'no'"],
    ['a project that is not there', 'nope', 'ci', {}, 404, 'appprojects.argoproj.io "nope" not found'],
    ['a lifetime in the past', 'tokens', 'ci', { expiresIn: -1 }, 400, 'expiresIn -1 is out of range'],
    ['an id without end', 'tokens', 'ci', { id: 'x'.repeat(257) }, 400, 'token id must not exceed 256 characters'],
  ])('are refused for %s', async (_why, project, role, body, status, message) => {
    const answer = await admin('POST', `/api/v1/projects/${project}/roles/${role}/token`, body);
    expect({ status: answer.status, message: answer.json['message'] }).toEqual({ status, message });
  });
});

describe('A change of a project', () => {
  it('counts only for the version that was read', async () => {
    await create('versions');
    const read = await get('versions');
    expect((await put({ ...read, spec: { ...read.spec, description: 'first' } })).status).toBe(200);
    const late = await put({ ...read, spec: { ...read.spec, description: 'second' } });
    expect({ status: late.status, code: late.json['code'] }).toEqual({ status: 409, code: 10 });
    expect((await get('versions')).spec.description).toBe('first');
  });

  it('of what belongs to others needs the right to it', async () => {
    await create('parts', { destinations: [{ server: 'https://one', namespace: '*' }], sourceRepos: ['https://git/one'] });
    await create('holder', { roles: [{ name: 'ci' }] });
    const token = await issue('holder', 'ci');
    const settings = { namespace: 'argocd', name: 'argocd-rbac-cm' };
    const lines = [
      'p, proj:holder:ci, projects, update, parts, allow',
      'p, proj:holder:ci, projects, create, parts, allow',
      'p, proj:holder:ci, projects, get, parts, allow',
    ];
    await home.patch(kinds.configMap, settings, {
      type: 'merge',
      body: { data: { 'policy.csv': `p, role:parts, projects, *, parts, allow\n${lines.join('\n')}` } },
    });
    // A token of one project counts for nothing in another, whatever the policy says.
    const project = await get('parts');
    const answer = await callerWith(fairway, token)('PUT', '/api/v1/projects/parts', { project });
    expect(answer.status).toBe(403);
    await home.patch(kinds.configMap, settings, { type: 'merge', body: { data: { 'policy.csv': '' } } });
  });
});

describe('What a project answers', () => {
  it('windows that are open, with nothing where none is', async () => {
    const open = { kind: 'deny', schedule: '* * * * *', duration: '2m', applications: ['*'] };
    const shut = { kind: 'allow', schedule: '0 0 29 2 *', duration: '1m', applications: ['*'] };
    await create('windows', { syncWindows: [open, shut] });
    expect((await admin('GET', '/api/v1/projects/windows/syncwindows')).json).toEqual({ windows: [open] });
    expect((await admin('GET', '/api/v1/projects/default/syncwindows')).text).toBe('{}');
  });

  it('events and links', async () => {
    expect((await admin('GET', '/api/v1/projects/default/events')).status).toBe(200);
    expect((await admin('GET', '/api/v1/projects/default/links')).text).toBe('{}');
  });

  it('PROJ-14: what it inherits from global projects, which also denies', async () => {
    await create('global', {
      clusterResourceBlacklist: [{ group: '*', kind: '*' }],
      namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }],
      sourceRepos: [],
    });
    const text = '- projectName: global\n  labelSelector:\n    matchLabels: {tier: strict}\n';
    await home.patch(
      kinds.configMap,
      { namespace: 'argocd', name: 'argocd-cm' },
      { type: 'merge', body: { data: { globalProjects: text } } },
    );
    const own = { clusterResourceWhitelist: [{ group: '*', kind: '*' }], namespaceResourceWhitelist: [{ group: '*', kind: '*' }] };
    await create('child', own, { tier: 'strict' });
    const items = await waitUntil(async () => (await admin('GET', '/api/v1/projects/child/globalprojects')).json['items']);
    expect(items).toMatchObject([{ metadata: { name: 'global' } }]);
    const { json } = await admin('GET', '/api/v1/projects/child/detailed');
    expect(json).toMatchObject({
      project: {
        metadata: { name: 'child' },
        spec: {
          ...own,
          clusterResourceBlacklist: [{ group: '*', kind: '*' }],
          namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }],
        },
      },
      globalProjects: [{ metadata: { name: 'global' } }],
    });
    expect((await get('child')).spec.namespaceResourceBlacklist).toBeUndefined();
  });
});
