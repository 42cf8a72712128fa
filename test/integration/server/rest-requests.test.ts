import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendHttp, type HttpAnswer, type SendOptions } from '../../support/send-http.ts';
import { startTestServer, TOKEN, type TestServer } from '../../support/test-server.ts';

describe('REST requests', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({
      handlers: {
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

  const send = (verb: string, target: string, { headers, body }: SendOptions = {}): Promise<HttpAnswer> =>
    sendHttp(server, verb, target, { headers: { 'grpc-metadata-token': TOKEN, ...headers }, ...(body !== undefined && { body }) });

  const sendJson = (verb: string, target: string, body: unknown): Promise<HttpAnswer> =>
    send(verb, target, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  const lastRequest = (): unknown => server.requests.at(-1)?.request;

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
});
