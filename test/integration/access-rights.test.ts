import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methods, type JsonObject } from '../../src/contract/index.ts';
import { openAccessScene, type AccessScene } from '../support/access-scene.ts';
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
  const source = { repoURL: 'https://git.example.com/repo.git', path: 'app' };
  return { metadata: { name }, spec: { project, source, destination: { server: 'https://kubernetes.default.svc', namespace: 'default' } } };
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

  it('RBAC-01: gets nothing from any method but what is open to all and their own account', async () => {
    const given: string[] = [];
    for (const { path, clientStreaming, serverStreaming } of methods) {
      if (clientStreaming || serverStreaming || OPEN.test(path)) continue;
      const request = { name: 'visible-1', applicationName: 'visible-1', query: { name: 'shop' } };
      const outcome = await client
        .unary(path, request, { metadata: { token: tokens['nobody'] ?? '' } })
        .catch((error: { code: number }) => error.code);
      // Refused; or not built yet; or not even a request that could be allowed.
      if (typeof outcome === 'number')
        expect({ path, outcome: [7, 12, 3, 5, 2].includes(outcome) ? '' : outcome }).toEqual({ path, outcome: '' });
      else if (
        ((outcome['items'] ?? []) as unknown[]).length > 0 ||
        Object.keys(outcome).some((key) => !['metadata', 'items'].includes(key))
      ) {
        given.push(path);
      }
    }
    expect(given).toEqual([]);
    expect(await expectOk('nobody', 'GET', '/api/v1/account/nobody')).toMatchObject({ name: 'nobody' });
  });
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
  it('RBAC-23: decide alike', async () => {
    const questions = ['alice', 'reader', 'nobody', 'root'].flatMap((who) =>
      ['visible-1', 'hidden', 'front'].flatMap((name) => [
        { who, path: '/application.ApplicationService/Get', request: { name }, rest: `/api/v1/applications/${name}` },
      ]),
    );
    for (const { who, path, request, rest } of questions) {
      const token = tokens[who] ?? '';
      const overGrpc = await client.unary(path, request, { metadata: { token } }).then(
        () => 0,
        (error: { code: number }) => error.code,
      );
      const overRest = await call(who, 'GET', rest);
      expect({ who, rest, code: overRest.status === 200 ? 0 : overRest.json['code'] }).toEqual({ who, rest, code: overGrpc });
      expect(await askGrpcWeb(path, request.name, token)).toBe(overGrpc);
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
    const json = await expectOk('root', 'GET', '/api/v1/applications/sneaky');
    expect(json).not.toHaveProperty('operation');
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
    Object.assign(changed['spec'] as object, { source: { repoURL: 'https://git.example.com/other.git', path: 'x' } });
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
      // What is not built yet says so to everyone.
      if (refused.status !== 501) expect({ verb, path, status: refused.status }).toEqual({ verb, path, status: 403 });
      if (path === 'links') continue;
      const answer = await call('root', verb, `/api/v1/applications/hidden/${path}`, body);
      // Not part of it, so there is nothing to be had; what is not built yet gives nothing either.
      expect({ path, given: answer.status === 200 }).toEqual({ path, given: false });
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
    const project = { metadata: { name: 'narrow' }, spec: { sourceRepos: ['https://git.example.com/allowed.git'], destinations: [] } };
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

async function askGrpcWeb(path: string, name: string, token: string): Promise<number> {
  // One field with the number 1, a text: the name.
  const message = Buffer.concat([Buffer.from([0x0a, name.length]), Buffer.from(name)]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  const answer = await fetch(`${scene.fairway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto', token },
    body: Buffer.concat([head, message]),
  });
  const body = Buffer.from(await answer.arrayBuffer()).toString('latin1');
  return Number(answer.headers.get('grpc-status') ?? /grpc-status: ?(\d+)/i.exec(body)?.[1] ?? NaN);
}
