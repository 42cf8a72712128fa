import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiError, Code } from '../../../src/base/index.ts';
import { startTestServer, TOKEN, type TestServer } from '../../support/test-server.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly json: unknown;
}

describe('REST', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({
      handlers: {
        'SessionService/Create': async (_request, call) => {
          call.setCookie('argocd.token=jwt; path=/; HttpOnly');
          call.setHeader('renew-token', 'fresh');
          return { token: 'jwt' };
        },
        'AccountService/GetAccount': async ({ name = '' }: { name?: string }) => {
          if (name === 'broken') throw new Error('the disk is full');
          if (name in Code) throw new ApiError(Code[name as keyof typeof Code], `it is ${name}`);
          return { name };
        },
        'ApplicationService/List': async () => ({
          metadata: { resourceVersion: '7' },
          items: [{ metadata: { name: 'a', labels: { ['__proto__']: 'kept' } }, spec: { project: 'p', destination: { namespace: 'n' } } }],
        }),
        'ApplicationService/GetManifestsWithFiles': async (requests: AsyncIterable<{ query?: { name?: string } }>) => {
          const manifests: string[] = [];
          for await (const request of requests) manifests.push(request.query?.name ?? '');
          return { manifests };
        },
      },
    });
  });

  afterAll(() => server.stop());
  beforeEach(() => server.requests.splice(0));

  /** Sends the target exactly as it is written, which fetch would not. */
  function send(
    verb: string,
    target: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string | Buffer } = {},
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest({
        host: server.host,
        port: server.port,
        method: verb,
        path: target,
        headers: { 'grpc-metadata-token': TOKEN, ...headers },
      });
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          const json: unknown = incoming.headers['content-encoding'] === undefined && text.startsWith('{') ? JSON.parse(text) : undefined;
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: bytes, json });
        });
      });
      outgoing.end(body);
    });
  }

  const sendJson = (verb: string, target: string, body: unknown): Promise<Answer> =>
    send(verb, target, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  const lastRequest = (): unknown => server.requests.at(-1)?.request;

  it('answers with JSON, and with the headers that keep browsers safe (WEB-09)', async () => {
    const answer = await send('GET', '/api/v1/account/admin');
    expect(answer).toMatchObject({ status: 200, json: { name: 'admin' } });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'sameorigin',
      'content-security-policy': "frame-ancestors 'self';",
      'cache-control': 'no-store',
    });
    expect(answer.headers).not.toHaveProperty('server');
  });

  it('passes metadata and cookies of the handler on', async () => {
    const answer = await sendJson('POST', '/api/v1/session', { username: 'a', password: 'b' });
    expect(answer.headers).toMatchObject({ 'grpc-metadata-renew-token': 'fresh', 'set-cookie': ['argocd.token=jwt; path=/; HttpOnly'] });
  });

  describe('sign-in', () => {
    it.each([
      ['a bearer token', { authorization: `Bearer ${TOKEN}` }],
      ['a cookie', { cookie: `other=1; argocd.token=${TOKEN}` }],
      ['a cookie in two parts', { cookie: `argocd.token-1=${TOKEN.slice(5)}; argocd.token=2:${TOKEN.slice(0, 5)}` }],
    ])('takes %s', async (_name, headers) => {
      const response = await fetch(`${server.url}/api/v1/account/a`, { headers });
      expect(response.status).toBe(200);
    });

    it.each([
      ['no token', {}, 'no session information'],
      ['an empty one, though another is there', { 'grpc-metadata-token': '', authorization: `Bearer ${TOKEN}` }, 'no session information'],
      ['a wrong one', { authorization: 'Bearer a.b.c' }, 'invalid session: signature is invalid'],
      ['metadata under its bare name', { token: TOKEN }, 'no session information'],
    ])('refuses %s', async (_name, headers, message) => {
      const response = await fetch(`${server.url}/api/v1/account/a`, { headers: headers as Record<string, string> });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ error: message, code: 16, message });
    });
  });

  describe('errors', () => {
    it.each([
      ['Canceled', 408],
      ['Unknown', 500],
      ['InvalidArgument', 400],
      ['DeadlineExceeded', 504],
      ['NotFound', 404],
      ['AlreadyExists', 409],
      ['PermissionDenied', 403],
      ['ResourceExhausted', 429],
      ['FailedPrecondition', 400],
      ['Aborted', 409],
      ['OutOfRange', 400],
      ['Unimplemented', 501],
      ['Internal', 500],
      ['Unavailable', 503],
      ['DataLoss', 500],
      ['Unauthenticated', 401],
    ] as const)('%s is %i', async (name, status) => {
      const message = `it is ${name}`;
      expect(await send('GET', `/api/v1/account/${name}`)).toMatchObject({ status, json: { error: message, code: Code[name], message } });
    });

    it('hides unexpected ones', async () => {
      const answer = await send('GET', '/api/v1/account/broken');
      expect(answer.status).toBe(500);
      expect(answer.body.toString()).not.toContain('disk');
    });

    it('says 404 for what it does not know, without normalising it into something else (WEB-11)', async () => {
      for (const target of [
        '/api/v1/nope',
        '//api/v1/account',
        '/API/v1/account',
        '/api/v1/%2e%2e/v1/account',
        '/api/v1/../v1/account',
        '/api/v1/account/',
        '/api/v1//account',
        '/nope',
      ]) {
        expect(await send('GET', target), target).toMatchObject({ status: 404, json: { code: 5 } });
      }
    });

    it('says 405 with the verbs that are allowed, and no CORS headers to OPTIONS (WEB-07)', async () => {
      const answer = await send('OPTIONS', '/api/v1/session', { headers: { origin: 'https://evil.example' } });
      expect(answer).toMatchObject({ status: 405, json: { code: 12 }, headers: { allow: 'POST, DELETE' } });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(await send('PUT', '/api/v1/applications')).toMatchObject({ status: 405, headers: { allow: 'GET, POST, HEAD' } });
    });

    it('ignores method overrides (WEB-06)', async () => {
      await send('GET', '/api/v1/applications/a', { headers: { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' } });
      expect(server.requests.map(({ method }) => method)).toEqual(['ApplicationService/Get']);
    });

    it('answers HEAD like GET, without the body', async () => {
      const answer = await send('HEAD', '/api/v1/account/admin');
      expect([answer.status, answer.body.length, answer.headers['content-length']]).toEqual([200, 0, '16']);
    });
  });

  describe('content type', () => {
    it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])('takes %s', async (type) => {
      expect((await send('POST', '/api/v1/session', { headers: { 'content-type': type }, body: '{}' })).status).toBe(200);
    });

    it.each([
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=latin1',
      'application/jsonp',
      'text/plain; application/json',
    ])('refuses %s', async (type) => {
      const answer = await send('POST', '/api/v1/session', {
        headers: type === undefined ? {} : { 'content-type': type },
        body: '{"username":"a"}',
      });
      expect(answer).toMatchObject({ status: 415, json: { error: 'Invalid content type' } });
      expect(server.requests).toEqual([]);
    });

    it('is needed on a DELETE only when it has a body or a type', async () => {
      expect((await send('DELETE', '/api/v1/session')).status).toBe(200);
      expect((await send('DELETE', '/api/v1/session', { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
      expect((await send('DELETE', '/api/v1/session', { headers: { 'content-length': '1' }, body: 'x' })).status).toBe(415);
    });
  });

  describe('paths', () => {
    it.each([
      ['encoded', '/api/v1/repositories/https%3A%2F%2Fhost%2Forg%2Fx.git'],
      ['encoded twice', '/api/v1/repositories/https%253A%252F%252Fhost%252Forg%252Fx.git'],
      ['decoded by a proxy', '/api/v1/repositories/https://host/org/x.git'],
      ['decoded and cleaned by a proxy', '/api/v1/repositories/https:/host/org/x.git'],
      ['partly decoded', '/api/v1/repositories/https%3A//host/org/x.git'],
    ])('takes a repository URL %s', async (_name, target) => {
      for (const [suffix, method] of [
        ['', 'Get'],
        ['/refs', 'ListRefs'],
        ['/apps', 'ListApps'],
      ] as const) {
        await send('GET', `${target}${suffix}?revision=r`);
        expect(server.requests.at(-1)).toMatchObject({
          method: `RepositoryService/${method}`,
          request: { repo: 'https://host/org/x.git' },
        });
      }
    });

    it('takes an SSH address as one segment or decoded', async () => {
      for (const target of ['git%40host%3Aorg%2Fx.git', 'git@host:org/x.git']) {
        await send('GET', `/api/v1/repositories/${target}/refs`);
        expect(lastRequest()).toEqual({ repo: 'git@host:org/x.git' });
      }
    });

    it('binds dotted fields', async () => {
      await sendJson('PUT', '/api/v1/clusters/https%3A%2F%2Fkubernetes.default.svc?id.type=url&updatedFields=name', { name: 'n' });
      expect(lastRequest()).toEqual({
        cluster: { name: 'n' },
        updatedFields: ['name'],
        id: { type: 'url', value: 'https://kubernetes.default.svc' },
      });
    });

    it('binds the rest of a path', async () => {
      await send('GET', '/api/v1/account/can-i/applications/get/proj/app%20x');
      expect(lastRequest()).toEqual({ resource: 'applications', action: 'get', subresource: 'proj/app x' });
      await send('GET', '/api/v1/account/can-i/applications/get/*');
      expect(lastRequest()).toMatchObject({ subresource: '*' });
    });

    it.each(['/api/v1/account/%', '/api/v1/account/%zz', '/api/v1/account/%ff', '/api/v1/repositories/%E0%A4%A/refs'])(
      'refuses malformed encoding: %s',
      async (target) => {
        expect(await send('GET', target)).toMatchObject({ status: 400, json: { code: 3 } });
      },
    );

    it('matches several segments only for a URL', async () => {
      expect((await send('GET', '/api/v1/repositories/a/b/c')).status).toBe(404);
      expect((await send('GET', '/api/v1/account/https://host')).status).toBe(404);
    });
  });

  describe('queries', () => {
    it.each([
      ['a string, decoded', 'name=a%26b+c', { name: 'a&b c' }],
      ['a repeated field, not split at commas', 'projects=a&projects=b,c', { projects: ['a', 'b,c'] }],
      ['the first of a single field', 'name=a&name=b', { name: 'a' }],
      ['any letter case', 'APPNAMESPACE=n', { appNamespace: 'n' }],
      ['nothing of what is unknown', 'nope=1&fields=x&__proto__.x=1&constructor.prototype.x=1', {}],
    ])('takes %s', async (_name, query, request) => {
      await send('GET', `/api/v1/applications?${query}`);
      expect(lastRequest()).toEqual(request);
      expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    });

    it.each(['true', '1', 'T', 'TRUE', 't', 'True'])('reads %s as true', async (value) => {
      await send('DELETE', `/api/v1/applications/a?cascade=${value}`);
      expect(lastRequest()).toEqual({ name: 'a', cascade: true });
    });

    it.each(['cascade=maybe', 'cascade=', 'cascade=tRuE'])('refuses %s', async (query) => {
      expect(await send('DELETE', `/api/v1/applications/a?${query}`)).toMatchObject({ status: 400, json: { code: 3 } });
    });

    it('reads whole numbers, and refuses what is none', async () => {
      await send('GET', '/api/v1/applications/a/logs?sinceSeconds=60&tailLines=-1');
      expect(lastRequest()).toMatchObject({ sinceSeconds: 60, tailLines: -1 });
      for (const value of ['x', '1.5', '1e3', '', '9223372036854775808', '0x10']) {
        expect((await send('GET', `/api/v1/applications/a/logs?sinceSeconds=${value}`)).status, value).toBe(400);
      }
    });

    it('leaves path and body fields alone', async () => {
      await sendJson('POST', '/api/v1/applications?application.metadata.name=evil&upsert=true', { metadata: { name: 'a' } });
      expect(lastRequest()).toEqual({ application: { metadata: { name: 'a' } }, upsert: true });
      await send('GET', '/api/v1/applications/a?name=evil');
      expect(lastRequest()).toEqual({ name: 'a' });
    });

    it('refuses malformed encoding and too many parameters', async () => {
      expect((await send('GET', '/api/v1/applications?name=%zz')).status).toBe(400);
      expect((await send('GET', `/api/v1/applications?${'a&'.repeat(1_001)}`)).status).toBe(400);
    });
  });

  describe('bodies', () => {
    const application = { metadata: { name: 'a' }, spec: { project: 'p', destination: {} } };

    it('takes the resource itself, and the resource under its name', async () => {
      await sendJson('POST', '/api/v1/applications?upsert=true', application);
      const bare = lastRequest();
      await sendJson('POST', '/api/v1/applications', { application, upsert: true });
      expect(lastRequest()).toEqual(bare);
      expect(bare).toMatchObject({ application: { metadata: { name: 'a' }, spec: { project: 'p' } }, upsert: true });
    });

    it('tells a repository from its wrapper, though both have a field `repo`', async () => {
      await sendJson('POST', '/api/v1/repositories', { repo: 'https://h/x', scmAppID: 5 });
      expect(lastRequest()).toMatchObject({ repo: { repo: 'https://h/x', githubAppID: 5 } });
      await sendJson('POST', '/api/v1/repositories', { repo: { repo: 'https://h/x' }, upsert: true, credsOnly: true });
      expect(lastRequest()).toMatchObject({ repo: { repo: 'https://h/x' }, upsert: true, credsOnly: true });
    });

    it('takes a bare project where the contract has it under its name', async () => {
      await sendJson('POST', '/api/v1/projects', { project: { metadata: { name: 'p' } }, upsert: true });
      expect(lastRequest()).toMatchObject({ project: { metadata: { name: 'p' } }, upsert: true });
      await sendJson('POST', '/api/v1/projects', { metadata: { name: 'p' }, spec: { description: 'd' } });
      expect(lastRequest()).toMatchObject({ project: { metadata: { name: 'p' }, spec: { description: 'd' } } });
    });

    it('takes a bare string, or an object with the fields of the request', async () => {
      await sendJson('POST', '/api/v1/applications/a/resource?kind=Pod&patchType=merge', '{"x":1}');
      expect(lastRequest()).toMatchObject({ name: 'a', kind: 'Pod', patchType: 'merge', patch: '{"x":1}' });
      await sendJson('POST', '/api/v1/repositories/https%3A%2F%2Fh%2Fx/validate', {
        repo: 'https://other',
        username: 'u',
        enableOci: true,
      });
      expect(lastRequest()).toMatchObject({ repo: 'https://h/x', username: 'u', enableOci: true });
    });

    it('lets the path win over the body', async () => {
      await sendJson('POST', '/api/v1/applications/a/sync', { name: 'evil', revision: 'r' });
      expect(lastRequest()).toEqual({ name: 'a', revision: 'r' });
      await sendJson('PUT', '/api/v1/applications/a', { METADATA: { Name: 'evil' } });
      expect(lastRequest()).toEqual({ application: { metadata: { name: 'a' } } });
    });

    it('takes an empty body as nothing set', async () => {
      for (const body of ['', '  \n']) {
        expect((await send('POST', '/api/v1/applications/a/sync', { headers: { 'content-type': 'application/json' }, body })).status).toBe(
          200,
        );
        expect(lastRequest()).toEqual({ name: 'a' });
      }
    });

    it('says where malformed JSON is wrong', async () => {
      const answer = await send('POST', '/api/v1/session', {
        headers: { 'content-type': 'application/json' },
        body: '{"username":\n "a",}',
      });
      expect(answer).toMatchObject({ status: 400, json: { code: 3, message: expect.stringContaining('line 2') as string } });
    });

    it('reads JSON objects that follow one another as a stream', async () => {
      const body = ' {"query":{"name":"a}"}}\n{"query":{"name":"b\\"{"}}';
      const answer = await send('POST', '/api/v1/applications/manifestsWithFiles', {
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(answer).toMatchObject({ status: 200, json: { manifests: ['a}', 'b"{'] } });
    });

    it('takes gzip, and caps what it may become (DOS-01)', async () => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      expect((await send('POST', '/api/v1/session', { headers, body: gzipSync('{"username":"z"}') })).status).toBe(200);
      expect(lastRequest()).toEqual({ username: 'z' });
      const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
      expect(await send('POST', '/api/v1/session', { headers, body: bomb })).toMatchObject({ status: 413, json: { code: 8 } });
      expect((await send('POST', '/api/v1/session', { headers, body: 'not gzip' })).status).toBe(400);
    });
  });

  describe('answers', () => {
    it('are compressed when they are large and the client takes it', async () => {
      const name = 'x'.repeat(2_000);
      const compressed = await send('GET', `/api/v1/account/${name}`, { headers: { 'accept-encoding': 'br, gzip' } });
      expect(compressed.headers['content-encoding']).toBe('gzip');
      expect(JSON.parse(gunzipSync(compressed.body).toString())).toEqual({ name });
      for (const accepted of ['identity', 'gzip;q=0', 'gzip;q=0.0, br']) {
        expect(
          (await send('GET', `/api/v1/account/${name}`, { headers: { 'accept-encoding': accepted } })).headers['content-encoding'],
          accepted,
        ).toBeUndefined();
      }
      expect(
        (await send('GET', '/api/v1/account/short', { headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding'],
      ).toBeUndefined();
    });

    it('hold only the fields that were asked for', async () => {
      expect((await send('GET', '/api/v1/applications?fields=items.metadata.name,items.spec.project')).json).toEqual({
        metadata: { resourceVersion: '7' },
        items: [{ metadata: { name: 'a' }, spec: { project: 'p' } }],
      });
      const { items } = (await send('GET', '/api/v1/applications?fields=-items.status,items.spec')).json as { items: object[] };
      expect(Object.keys(items[0]!)).toEqual(['metadata']);
    });

    it('carry a label named __proto__ like any other (NODE-04)', async () => {
      const { body } = await send('GET', '/api/v1/applications?fields=items.metadata');
      expect(body.toString()).toContain('"labels":{"__proto__":"kept"}');
    });
  });
});
