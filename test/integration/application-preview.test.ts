import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccessScene, type AccessScene } from '../support/access-scene.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { callerWith, type RestCaller } from '../support/rest-caller.ts';
import { waitUntil } from '../support/wait-until.ts';

const POLICY = [
  'p, creator, applications, create, shop/*, allow',
  'p, changer, applications, update, shop/*, allow',
  'p, changer, applications, get, shop/*, allow',
  'p, reader, applications, get, shop/*, allow',
  'g, root, role:admin',
];
const PEOPLE = ['creator', 'changer', 'reader', 'root'] as const;
const IN_CLUSTER = 'https://kubernetes.default.svc';
const SECRET = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'keys' },
  data: { key: Buffer.from('hush').toString('base64') },
});

let scene: AccessScene;
let repository: GitRepository;
const callers = {} as Record<(typeof PEOPLE)[number], RestCaller>;

beforeAll(async () => {
  repository = await createGitRepository({ 'app/a.json': configMap('a', { colour: 'blue' }), 'app/keys.json': SECRET });
  scene = await openAccessScene(Object.fromEntries(PEOPLE.map((name) => [name, 'apiKey'])), POLICY);
  for (const name of PEOPLE) callers[name] = callerWith(scene.fairway, await scene.tokenOf(name));
  const spec = {
    sourceRepos: [repository.url],
    destinations: [{ server: IN_CLUSTER, namespace: 'shop' }],
    namespaceResourceWhitelist: [{ group: '*', kind: '*' }],
  };
  expect((await callers.root('POST', '/api/v1/projects', { project: { metadata: { name: 'shop' }, spec } })).status).toBe(200);
  const project = { metadata: { name: 'other' }, spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] } };
  expect((await callers.root('POST', '/api/v1/projects', { project })).status).toBe(200);
});
afterAll(async () => {
  await scene?.close();
  await repository?.remove();
});

interface Given {
  readonly name?: string;
  readonly project?: string;
  readonly source?: object;
  readonly namespace?: string;
}

function application({ name = 'web', project = 'shop', source = {}, namespace = 'shop' }: Given = {}): object {
  return {
    metadata: { name },
    spec: { project, source: { repoURL: repository.url, path: 'app', ...source }, destination: { server: IN_CLUSTER, namespace } },
  };
}

const render = (who: (typeof PEOPLE)[number], body: unknown) => callers[who]('POST', '/api/fairway/v1/render', body);

describe('an application that does not exist', () => {
  it('is rendered for who may create it, with secrets masked, and is not created', async () => {
    const { status, json, text } = await render('creator', application());
    expect(status).toBe(200);
    const kinds = (json['manifests'] as string[]).map((manifest) => (JSON.parse(manifest) as { kind: string }).kind);
    expect(kinds.toSorted()).toEqual(['ConfigMap', 'Secret']);
    expect(text).not.toContain(Buffer.from('hush').toString('base64'));
    expect(json['revision']).toMatch(/^[0-9a-f]{40}$/);
    expect((await callers.root('GET', '/api/v1/applications/web')).status).not.toBe(200);
  });

  it.each([
    ['somebody who may only read', 'reader', {}, 403, /permission denied: applications, create, shop\/web/],
    ['somebody who may only change what there is', 'changer', {}, 403, /permission denied: applications, create, shop\/web/],
    ['another project', 'creator', { project: 'other' }, 403, /permission denied: applications, create, other\/web/],
    ['a project that does not exist', 'root', { project: 'none' }, 400, /, or the project does not exist/],
    [
      'a repository that the project does not allow',
      'creator',
      { source: { repoURL: 'https://git.example/x' } },
      400,
      /is not permitted in project/,
    ],
    [
      'a namespace that the project does not allow',
      'creator',
      { namespace: 'kube-system' },
      400,
      /do not match any of the allowed destinations/,
    ],
    ['a path that is not there', 'creator', { source: { path: 'nowhere' } }, 400, /nowhere: app path does not exist/],
  ] as const)('is not rendered for or with %s', async (_what, who, given, status, why) => {
    const answer = await render(who, application(given));
    expect(answer.text).toMatch(why);
    expect(answer.status).toBe(status);
  });

  it('finds its folder in the repository, for who may create or change applications of the project', async () => {
    const path = (project: string, repo = repository.url): string =>
      `/api/fairway/v1/folders?repo=${encodeURIComponent(repo)}&revision=HEAD&appProject=${project}&appName=web`;
    await scene.configure('argocd-rbac-cm', { 'policy.csv': [...POLICY, 'p, creator, repositories, get, *, allow'].join('\n') });
    await waitUntil(async () => (await callers.creator('GET', path('shop'))).status === 200);
    expect((await callers.creator('GET', path('shop'))).json).toEqual({ items: [{ path: 'app', type: 'Directory' }] });
    expect((await callers.creator('GET', path('other'))).status).toBe(403);
    expect((await callers.creator('GET', path('shop', 'https://git.example/x'))).text).toMatch(/not permitted in project/);
    expect((await callers.reader('GET', path('shop'))).status).toBe(403);
  });

  it('is refused where it is none, or too large', async () => {
    for (const body of [{}, [], { metadata: {} }, { spec: {} }, 'text'])
      expect((await render('root', body)).status, JSON.stringify(body)).toBe(400);
    expect((await render('root', application({ source: { helm: { values: 'x'.repeat(2 << 20) } } }))).status).toBe(413);
    const answer = await fetch(`${scene.fairway.url}/api/fairway/v1/render`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(401);
  });
});

describe('an application that exists', () => {
  beforeAll(async () => {
    expect((await callers.root('POST', '/api/v1/applications', application({ name: 'there' }))).status).toBe(200);
  });

  it('is rendered as it would be for who may change it, in the project that it is in', async () => {
    const changed = application({ name: 'there', source: { directory: { exclude: 'keys.json' } } });
    await waitUntil(async () => (await render('changer', changed)).status === 200);
    const { json } = await render('changer', changed);
    expect(json['manifests']).toHaveLength(1);
    expect((await render('changer', application({ name: 'there', project: 'other' }))).status).toBe(403);
    expect((await render('reader', changed)).status).toBe(403);
  });

  it('is found by the kind and name of what it declares, by who may see it', async () => {
    const find = (who: (typeof PEOPLE)[number], query: string) => callers[who]('GET', `/api/fairway/v1/resources?${query}`);
    const itemsOf = async (who: (typeof PEOPLE)[number], query: string): Promise<readonly unknown[]> =>
      (await find(who, query)).json['items'] as readonly unknown[];
    const owner = { name: 'there', namespace: 'argocd', project: 'shop' };
    const secret = { application: owner, group: '', kind: 'Secret', namespace: 'shop', name: 'keys' };
    await waitUntil(async () => (await itemsOf('root', 'search=keys')).length > 0);
    expect(await itemsOf('reader', 'search=KEY')).toEqual([secret]);
    expect(await itemsOf('reader', 'search=ke%20secr')).toEqual([secret]);
    // Who may create applications there may not see them.
    expect(await itemsOf('creator', 'search=keys')).toEqual([]);
    expect(await itemsOf('reader', 'search=')).toEqual([]);
    expect(await itemsOf('reader', 'search=no-such')).toEqual([]);
    const both = (await itemsOf('reader', 'search=a')) as readonly { readonly name: string }[];
    expect(both[0]).toMatchObject({ kind: 'ConfigMap', name: 'a' });
    expect(await itemsOf('reader', 'search=e&limit=1')).toHaveLength(1);
    for (const query of [`search=${'a'.repeat(300)}`, 'search=a&limit=0', 'search=a&limit=1000', 'search=a&limit=x'])
      expect((await find('reader', query)).status, query).toBe(400);
    expect((await callerWith(scene.fairway, '')('GET', '/api/fairway/v1/resources?search=keys')).status).toBe(401);
  });

  it('tells when its windows open and close to who may see it', async () => {
    const windows = [{ kind: 'deny', schedule: '* * * * *', duration: '1h', applications: ['there'], description: 'frozen' }];
    const { json: project } = await callers.root('GET', '/api/v1/projects/shop');
    const spec = { ...(project['spec'] as object), syncWindows: windows };
    expect((await callers.root('PUT', '/api/v1/projects/shop', { project: { ...project, spec } })).status).toBe(200);
    const path = '/api/fairway/v1/sync-windows?name=there';
    await waitUntil(async () => ((await callers.reader('GET', path)).json['windows'] as unknown[]).length === 1);
    const { json } = await callers.reader('GET', path);
    expect(json).toMatchObject({
      windows: [{ kind: 'deny', description: 'frozen', timeZone: 'UTC', isActive: true }],
      manual: { allowed: false },
      automatic: { allowed: false },
    });
    expect((await callers.creator('GET', path)).status).toBe(403);
  });
});
