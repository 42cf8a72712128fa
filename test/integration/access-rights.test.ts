import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methods, type JsonObject } from '../../src/contract/index.ts';
import { makeKey } from '../conformance/contract/public-key.ts';
import { CONTRACT_REQUESTS } from '../conformance/contract/requests.ts';
import { findMethod } from '../conformance/contract/scene.ts';
import type { Things } from '../conformance/contract/things.ts';
import { openAccessScene, type AccessScene } from '../support/access-scene.ts';
import { callGrpc, callGrpcWeb, callRest, type ContractAnswer, type ContractCallOptions } from '../support/contract-call.ts';
import { createGrpcClient, type GrpcClient } from '../support/grpc-client.ts';
import { callerWith, type RestCaller } from '../support/rest-caller.ts';
import { waitUntil } from '../support/wait-until.ts';

const POLICY = [
  'p, role:shop, applications, *, shop/*, allow',
  'p, role:shop, applications, delete, shop/*, deny',
  'p, role:shop, projects, get, shop, allow',
  'g, alice, role:shop',
  'p, reader, applications, get, shop/visible-*, allow',
  'g, root, role:admin',
];

/** A server that nobody is at, on this machine. */
const NO_SERVER = 'http://127.0.0.1:1';
const IN_CLUSTER = 'https://kubernetes.default.svc';
/** How long a stream is listened to that may say nothing. */
const SILENCE_MS = 1_500;
/** Applications, projects, the cluster and the account are there; of the rest nobody without a right can know. */
const THINGS: Things = {
  app: 'visible-1',
  spare: 'visible-2',
  namespace: 'default',
  project: 'shop',
  askedProject: 'shop',
  spareProject: 'web',
  set: 'set',
  spareSet: 'spare-set',
  cluster: { server: IN_CLUSTER, name: 'in-cluster', token: 'a-token' },
  repository: `${NO_SERVER}/repo.git`,
  revision: 'a'.repeat(40),
  spareRepository: `${NO_SERVER}/spare.git`,
  packaged: 'hidden',
  charts: `${NO_SERVER}/charts`,
  oci: 'oci://127.0.0.1:1/image',
  digest: `sha256:${'a'.repeat(64)}`,
  credentials: NO_SERVER,
  host: '127.0.0.1',
  hostKey: Buffer.from('a key').toString('base64'),
  key: makeKey('Ada <ada@example.com>', 1),
  account: 'alice',
  password: 'another-password',
  accountToken: 'kept',
  adminPassword: 'not-the-password',
};

let scene: AccessScene;
let client: GrpcClient;
const callers: Record<string, RestCaller> = {};
const tokens: Record<string, string> = {};

beforeAll(async () => {
  scene = await openAccessScene({ alice: 'apiKey', reader: 'apiKey', nobody: 'apiKey', root: 'apiKey' }, POLICY);
  client = createGrpcClient(scene.fairway.address);
  for (const name of ['alice', 'reader', 'nobody', 'root']) {
    tokens[name] = await scene.tokenOf(name);
    callers[name] = callerWith(scene.fairway, tokens[name]);
  }
  const everything = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] };
  for (const name of ['shop', 'web'])
    await expectOk('root', 'POST', '/api/v1/projects', { project: { metadata: { name }, spec: everything } });
  for (const [name, project] of Object.entries({ 'visible-1': 'shop', 'visible-2': 'shop', hidden: 'shop', front: 'web' })) {
    await expectOk('root', 'POST', '/api/v1/applications?validate=false', application(name, project));
  }
});
afterAll(async () => {
  client?.close();
  await scene?.close();
});

function application(name: string, project: string): JsonObject {
  const source = { repoURL: `${NO_SERVER}/repo.git`, path: 'app' };
  return { metadata: { name }, spec: { project, source, destination: { server: IN_CLUSTER, namespace: 'default' } } };
}

async function call(who: string, verb: string, path: string, body?: unknown) {
  const caller = callers[who];
  if (caller === undefined) throw new Error(`there is no ${who}`);
  return caller(verb, path, body);
}

async function expectOk(who: string, verb: string, path: string, body?: unknown) {
  const answer = await call(who, verb, path, body);
  expect({ path, status: answer.status, text: answer.status === 200 ? '' : answer.text }).toEqual({ path, status: 200, text: '' });
  return answer.json;
}

const namesIn = (json: Readonly<Record<string, unknown>>) =>
  ((json['items'] ?? []) as readonly { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);

describe('somebody without any right', () => {
  const OPEN =
    /^\/(version\.VersionService|session\.SessionService)\/|SettingsService\/|AccountService\/(CanI|ListAccounts)$|NotificationService\//;

  /** What is answered with something else than a refusal: lists and streams have nothing in them, and links fail. */
  const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
    empty: [
      'application.ApplicationService/List',
      'applicationset.ApplicationSetService/List',
      'cluster.ClusterService/List',
      'project.ProjectService/List',
      'repocreds.RepoCredsService/ListRepositoryCredentials',
      'repocreds.RepoCredsService/ListWriteRepositoryCredentials',
      'repository.RepositoryService/List',
      'repository.RepositoryService/ListRepositories',
      'repository.RepositoryService/ListWriteRepositories',
    ],
    silent: ['application.ApplicationService/Watch', 'applicationset.ApplicationSetService/Watch'],
    2: ['project.ProjectService/ListLinks'],
  };

  it('RBAC-01: gets nothing from any method but what is open to all and their own account', { timeout: 60_000 }, async () => {
    await scene.configure('argocd-cmd-params-cm', { 'hydrator.enabled': 'true' });
    await waitUntil(async () => (await call('root', 'GET', '/api/v1/write-repositories')).status === 200);
    await expectOk('root', 'POST', `/api/v1/account/alice/token`, { id: THINGS.accountToken });
    const before = await readAll();
    const expected = (path: string): string => Object.keys(OTHERWISE).find((outcome) => OTHERWISE[outcome]?.includes(path)) ?? '7';
    const asked = methods.filter(({ path }) => !OPEN.test(path));
    const found: [string, string][] = [];
    for (const method of asked) {
      const { request, next } = CONTRACT_REQUESTS[method.path.slice(1)]!;
      const isSilent = expected(method.path.slice(1)) === 'silent';
      const options = { token: tokens['nobody'], next, ...(isSilent && { silentAfterMs: SILENCE_MS }) };
      found.push([method.path.slice(1), outcomeOf(await callGrpc(client, method, request(THINGS), options))]);
    }
    expect(found).toEqual(asked.map(({ path }) => [path.slice(1), expected(path.slice(1))]));
    expect(await readAll()).toEqual(before);
    expect(await expectOk('nobody', 'GET', '/api/v1/account/nobody')).toMatchObject({ name: 'nobody' });
    expect(namesOf(await expectOk('nobody', 'GET', '/api/v1/account'))).toEqual(['nobody']);
    await scene.configure('argocd-cmd-params-cm', { 'hydrator.enabled': null });
  });

  const namesOf = (json: Readonly<Record<string, unknown>>) =>
    ((json['items'] ?? []) as readonly { name: string }[]).map(({ name }) => name);

  function outcomeOf({ code, text }: ContractAnswer): string {
    if (code !== 0) return String(code);
    const { metadata: _metadata, items = [], ...more } = JSON.parse(text) as { metadata?: object; items?: readonly object[] };
    return items.length === 0 && Object.keys(more).length === 0 ? 'empty' : text;
  }

  /** What somebody without a right might have changed. */
  async function readAll(): Promise<object> {
    const read = (path: string) => expectOk('root', 'GET', `/api/v1/${path}`);
    const { tokens: issued } = await read('account/alice');
    const applications = (await read('applications'))['items'] as readonly { metadata: { name: string; labels?: object }; spec: object }[];
    return {
      issued,
      applications: applications.map(({ metadata, spec }) => ({ name: metadata.name, labels: metadata.labels, spec })),
      projects: namesIn(await read('projects')),
      clusters: namesOf(await read('clusters')),
      repositories: (await read('repositories'))['items'],
    };
  }
});

describe('lists', () => {
  it('RBAC-22: hold what somebody may see and nothing else, however they are asked for', async () => {
    const paths = ['', '?fields=items.metadata.name', '?selector=a!=b', '?projects=shop&projects=web', '?appNamespace=argocd'];
    for (const path of paths) {
      expect(namesIn(await expectOk('reader', 'GET', `/api/v1/applications${path}`))).toEqual(['visible-1', 'visible-2']);
      expect(namesIn(await expectOk('alice', 'GET', `/api/v1/applications${path}`))).toEqual(['hidden', 'visible-1', 'visible-2']);
      expect(namesIn(await expectOk('nobody', 'GET', `/api/v1/applications${path}`))).toEqual([]);
    }
    expect(namesIn(await expectOk('alice', 'GET', '/api/v1/projects'))).toEqual(['shop']);
  });
});

describe('the three transports', () => {
  const METHODS = ['Get', 'ResourceTree', 'WatchResourceTree', 'PodLogs'].map((name) => `application.ApplicationService/${name}`);
  /** Who may see which of the applications; nobody but the administrator may read logs. */
  const SEEN: Readonly<Record<string, readonly string[]>> = {
    alice: ['visible-1', 'hidden'],
    reader: ['visible-1'],
    nobody: [],
    root: ['visible-1', 'hidden', 'front'],
  };

  async function askAll(path: string, request: JsonObject, options: ContractCallOptions): Promise<ContractAnswer[]> {
    const method = findMethod(path);
    return Promise.all([
      callGrpc(client, method, request, options),
      callRest(scene.fairway.url, method, request, options),
      callGrpcWeb(scene.fairway.url, method, request, options),
    ]);
  }

  it('RBAC-23: decide alike, about one thing, about many and about streams', { timeout: 60_000 }, async () => {
    const questions = Object.entries(SEEN).flatMap(([who, seen]) =>
      METHODS.flatMap((path) => ['visible-1', 'hidden', 'front'].map((app) => ({ who, seen, path, app }))),
    );
    await Promise.all(
      questions.map(async ({ who, seen, path, app }) => {
        const request = CONTRACT_REQUESTS[path]!.request({ ...THINGS, app });
        const isAllowed = seen.includes(app) && (who === 'root' || !path.endsWith('/PodLogs'));
        // A refusal is waited for longer than anything that may not come.
        const answers = await askAll(path, request, { token: tokens[who], ...(isAllowed && { silentAfterMs: SILENCE_MS }) });
        // A stream that says nothing is open.
        const [overGrpc, ...others] = answers.map(({ code }) => (code === 'silent' ? 0 : code));
        expect({ who, path, app, isAllowed: overGrpc !== 7, others }).toEqual({ who, path, app, isAllowed, others: [overGrpc, overGrpc] });
      }),
    );
    for (const [who, seen] of Object.entries(SEEN)) {
      const lists = await askAll('application.ApplicationService/List', {}, { token: tokens[who] });
      const names = lists.map(({ text }) => ['visible-1', 'hidden', 'front'].filter((name) => text.includes(`"name":"${name}"`)));
      expect({ who, names }).toEqual({ who, names: [seen, seen, seen] });
    }
  });
});

describe('applications', () => {
  it('RBAC-02: cannot be deleted by who is denied it, whatever else they may', async () => {
    expect((await call('alice', 'DELETE', '/api/v1/applications/hidden')).status).toBe(403);
    await expectOk('root', 'GET', '/api/v1/applications/hidden');
  });

  it('RBAC-08: are not synced by an operation in what is created', async () => {
    const operation = { sync: { revision: 'HEAD', manifests: ['{}'] } };
    await expectOk('root', 'POST', '/api/v1/applications?validate=false', { ...application('sneaky', 'shop'), operation });
    // The controller has looked at it, and would have begun what it found.
    const json = await waitUntil(async () => {
      const read = await expectOk('root', 'GET', '/api/v1/applications/sneaky');
      return (read['status'] as { sync?: object } | undefined)?.sync !== undefined && read;
    });
    expect(json).not.toHaveProperty('operation');
    expect(json['status']).not.toHaveProperty('operationState');
  });

  it('RBAC-11: are moved to another project only by who may do so in both', async () => {
    const moved = (application('visible-1', 'web') as { spec: object }).spec;
    for (const [verb, path, body] of [
      ['PUT', '/api/v1/applications/visible-1/spec?validate=false', moved],
      ['PUT', '/api/v1/applications/visible-1?validate=false', application('visible-1', 'web')],
      ['PATCH', '/api/v1/applications/visible-1', { patchType: 'merge', patch: JSON.stringify({ spec: { project: 'web' } }) }],
    ] as const) {
      expect({ path, status: (await call('alice', verb, path, body)).status }).toEqual({ path, status: 403 });
    }
    expect(await expectOk('root', 'GET', '/api/v1/applications/visible-1')).toMatchObject({ spec: { project: 'shop' } });
  });

  it('RBAC-12: are replaced by a create only with upsert and the right to update', async () => {
    await scene.configure('argocd-rbac-cm', { 'policy.create.csv': 'p, nobody, applications, create, shop/*, allow' });
    const changed = application('hidden', 'shop');
    Object.assign(changed['spec'] as object, { source: { repoURL: `${NO_SERVER}/other.git`, path: 'x' } });
    await waitUntil(async () => (await call('nobody', 'POST', '/api/v1/applications?validate=false', changed)).status === 400);
    const without = await call('nobody', 'POST', '/api/v1/applications?validate=false', changed);
    expect(without.text).toContain('existing application spec is different');
    expect((await call('nobody', 'POST', '/api/v1/applications?validate=false&upsert=true', changed)).status).toBe(403);
    await scene.configure('argocd-rbac-cm', { 'policy.create.csv': null });
    await waitUntil(async () => (await call('nobody', 'GET', '/api/v1/account/can-i/applications/create/shop/x')).json['value'] === 'no');
  });

  it('RBAC-10: are not synced with manifests of the caller by who may only sync', async () => {
    await scene.configure('argocd-rbac-cm', {
      'policy.sync.csv': 'p, nobody, applications, sync, shop/*, allow\np, nobody, applications, get, shop/*, allow',
    });
    await waitUntil(async () => (await call('nobody', 'GET', '/api/v1/applications/hidden')).status === 200);
    const answer = await call('nobody', 'POST', '/api/v1/applications/hidden/sync', { manifests: ['{"kind":"ConfigMap"}'] });
    expect(answer.status).toBe(403);
    await scene.configure('argocd-rbac-cm', { 'policy.sync.csv': null });
    await waitUntil(async () => (await call('nobody', 'GET', '/api/v1/applications/hidden')).status === 403);
  });

  it('RBAC-07, RBAC-18, RBAC-20: have parts that nobody reaches without a right, nor through an application that they are not part of', async () => {
    const part = 'namespace=kube-system&resourceName=secret&version=v1&group=&kind=Secret';
    for (const [verb, path, body] of [
      ['GET', `resource?${part}`],
      ['POST', `resource?${part}&patchType=application/merge-patch%2Bjson`, '{}'],
      ['DELETE', `resource?${part}`],
      ['GET', `resource/actions?${part}`],
      [
        'POST',
        'resource/actions/v2',
        { resourceName: 'secret', namespace: 'kube-system', version: 'v1', kind: 'Secret', action: 'restart' },
      ],
      ['GET', 'links'],
      ['GET', `resource/links?${part}`],
    ] as const) {
      const refused = await call('nobody', verb, `/api/v1/applications/hidden/${path}`, body);
      expect({ verb, path, status: refused.status }).toEqual({ verb, path, status: 403 });
      if (path === 'links') continue;
      const answer = await call('root', verb, `/api/v1/applications/hidden/${path}`, body);
      expect({ verb, path, status: answer.status, text: answer.text }).toEqual({
        verb,
        path,
        status: 400,
        text: expect.stringContaining('not found as part of application hidden'),
      });
    }
  });

  it('RBAC-21: give their logs to nobody who may only see them', async () => {
    const answer = await call('reader', 'GET', '/api/v1/applications/visible-1/logs?namespace=default&follow=false');
    expect(answer.status).toBe(403);
  });

  it('RBAC-25, RBAC-26: are not synced to positions, nor rolled back to entries, that are not there', async () => {
    for (const sourcePositions of [[0], [-1], [99], [1, 2]]) {
      const answer = await call('root', 'POST', '/api/v1/applications/hidden/sync', { sourcePositions, revisions: ['HEAD'] });
      expect({ sourcePositions, refused: answer.status >= 400 && answer.status !== 503 }).toEqual({ sourcePositions, refused: true });
    }
    expect((await call('root', 'POST', '/api/v1/applications/hidden/rollback', { id: 99 })).status).toBe(400);
    expect((await call('reader', 'POST', '/api/v1/applications/visible-1/rollback', { id: 99 })).status).toBe(403);
  });

  it('RBAC-17: are not watched without a right, nor shown in a stream that others may see', async () => {
    const seen: string[] = [];
    const stream = client.serverStream('/application.ApplicationService/Watch', {}, { metadata: { token: tokens['reader'] ?? '' } });
    const ended = (async () => {
      for await (const event of stream) seen.push((event as { application: { metadata: { name: string } } }).application.metadata.name);
    })().catch(() => 'cancelled');
    await waitUntil(() => seen.includes('visible-2'));
    for (const name of ['hidden', 'visible-1']) {
      const { metadata, ...rest } = application(name, 'shop');
      const changed = { ...rest, metadata: { ...(metadata as object), labels: { changed: 'yes' } } };
      await expectOk('root', 'PUT', `/api/v1/applications/${name}?validate=false`, changed);
    }
    await waitUntil(() => seen.filter((name) => name === 'visible-1').length >= 2);
    stream.cancel();
    await ended;
    expect(new Set(seen)).toEqual(new Set(['visible-1', 'visible-2']));
    const tree = client.serverStream(
      '/application.ApplicationService/WatchResourceTree',
      { applicationName: 'hidden' },
      { metadata: { token: tokens['reader'] ?? '' } },
    );
    await expect(
      (async () => {
        for await (const event of tree) expect(event).toBeUndefined();
      })(),
    ).rejects.toMatchObject({ code: 7 });
  });

  it('RBAC-13: are held against their project also where they are not validated', async () => {
    const project = { metadata: { name: 'narrow' }, spec: { sourceRepos: [`${NO_SERVER}/allowed.git`], destinations: [] } };
    await expectOk('root', 'POST', '/api/v1/projects', { project });
    const answer = await call('root', 'POST', '/api/v1/applications?validate=false', application('outside', 'narrow'));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('is not permitted in project');
  });
});

describe('the policy', () => {
  it('RBAC-03: is replaced under traffic without a request that fails or gets more than it should', async () => {
    const over = new AbortController();
    const statuses = new Set<number>();
    const ask = async (): Promise<void> => {
      while (!over.signal.aborted) statuses.add((await call('reader', 'GET', '/api/v1/applications/front')).status);
    };
    const traffic = Promise.all(Array.from({ length: 4 }, ask));
    for (let round = 0; round < 20; round += 1) {
      const lines = [...POLICY, ...(round % 2 === 0 ? ['p, reader, nonsense'] : []), `p, x${round}, logs, get, */*, allow`];
      await scene.configure('argocd-rbac-cm', { 'policy.csv': lines.join('\n') });
    }
    over.abort();
    await traffic;
    expect([...statuses]).toEqual([403]);
    await scene.configure('argocd-rbac-cm', { 'policy.csv': POLICY.join('\n') });
  });

  it('says which line decided', async () => {
    const ask = (who: string, query: string) => call(who, 'GET', `/api/fairway/v1/can-i?resource=applications&${query}`);
    expect((await ask('alice', 'action=sync&object=shop/argocd/x')).json).toMatchObject({
      allowed: true,
      reason: 'alice is allowed by: p, role:shop, applications, *, shop/*, allow (argocd-rbac-cm)',
    });
    expect((await ask('alice', 'action=delete&object=shop/x')).json).toMatchObject({
      allowed: false,
      steps: [{ subject: 'alice', allowed: false, line: 'p, role:shop, applications, delete, shop/*, deny', origin: 'argocd-rbac-cm' }],
    });
    expect((await ask('nobody', 'action=get&object=shop/x')).json).toMatchObject({ allowed: false, reason: 'no line allows it' });
    const somewhere = '/api/fairway/v1/can-i-somewhere?resource=applications&action=sync';
    expect((await call('alice', 'GET', somewhere)).json).toMatchObject({ allowed: true });
    expect((await call('nobody', 'GET', somewhere)).json).toMatchObject({ allowed: false, reason: 'no line allows it' });
    expect((await callerWith(scene.fairway, '')('GET', somewhere)).status).toBe(401);
    expect((await ask('alice', 'action=fly&object=shop/x')).status).toBe(400);
    expect((await callerWith(scene.fairway, '')('GET', '/api/fairway/v1/can-i?resource=applications&action=get')).status).toBe(401);
  });

  it('says who can, to who may see accounts', async () => {
    const path = '/api/fairway/v1/who-can?resource=applications&action=sync&object=shop/x';
    expect((await call('alice', 'GET', path)).status).toBe(403);
    const { everyone, subjects } = (await call('root', 'GET', path)).json as { everyone: boolean; subjects: { subject: string }[] };
    expect(everyone).toBe(false);
    expect(subjects.map(({ subject }) => subject)).toEqual(['admin', 'alice', 'role:admin', 'role:shop', 'root']);
  });
});
