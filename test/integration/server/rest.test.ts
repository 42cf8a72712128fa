import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiError, Code } from '../../../src/base/index.ts';
import { sendHttp, type HttpAnswer, type SendOptions } from '../../support/send-http.ts';
import { startTestServer, TOKEN, type TestServer } from '../../support/test-server.ts';

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
      },
    });
  });

  afterAll(() => server.stop());
  beforeEach(() => server.requests.splice(0));

  const send = (verb: string, target: string, { headers, body }: SendOptions = {}): Promise<HttpAnswer> =>
    sendHttp(server, verb, target, { headers: { 'grpc-metadata-token': TOKEN, ...headers }, ...(body !== undefined && { body }) });

  const sendJson = (verb: string, target: string, body: unknown): Promise<HttpAnswer> =>
    send(verb, target, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

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
