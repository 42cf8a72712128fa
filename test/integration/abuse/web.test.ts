import { request as requestInPlain } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { message, openCaller } from './call.ts';
import { startTarget, type Target } from './target.ts';
import { say } from './wire.ts';

let target: Target;
let secure: Target;
beforeAll(async () => {
  [target, secure] = await Promise.all([startTarget(), startTarget({ tls: 'on', args: ['--docs', 'off'] })]);
});
afterAll(() => Promise.all([target.stop(), secure.stop()]));

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ask(from: Target, path: string, { method = 'GET', headers = {}, body }: Question = {}): Promise<Answer> {
  const send = from.url.startsWith('https:') ? requestOverTls : requestInPlain;
  return new Promise((resolve, reject) => {
    const options = { method, agent: false, rejectUnauthorized: false, headers };
    send(`${from.url}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    })
      .on('error', reject)
      .end(body);
  });
}

const login = (password: string): Question => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'admin', password }),
});

describe('WEB-06: requests that only look', () => {
  it('change nothing, whatever header asks for another method', async () => {
    const cookie = `argocd.token=${target.token}`;
    for (const method of ['GET', 'HEAD']) {
      for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
        const { status } = await target.attack(() =>
          ask(target, '/api/v1/session?_method=DELETE', { method, headers: { cookie, [header]: 'DELETE' } }),
        );
        expect(status).toBe(405);
      }
      const override = { authorization: `Bearer ${target.token}`, 'x-http-method-override': 'POST' };
      expect((await target.attack(() => ask(target, '/api/v1/applications', { method, headers: override }))).status).toBe(200);
    }
    const { text } = await ask(target, '/api/v1/session/userinfo', { headers: { cookie } });
    expect(JSON.parse(text)).toMatchObject({ loggedIn: true });
  });

  it('cannot carry the body of a change: a form from another site is refused', async () => {
    for (const contentType of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
      const headers = { cookie: `argocd.token=${target.token}`, 'content-type': contentType, origin: 'https://evil.example' };
      const answer = await target.attack(() => ask(target, '/api/v1/applications', { method: 'POST', headers, body: '{}' }));
      expect(answer.status).toBe(415);
    }
  });
});

const everyKind: readonly (readonly [string, string, Question])[] = [
  ['the front page', '/', {}],
  ['health', '/healthz', {}],
  ['metrics', '/metrics', {}],
  ['docs', '/docs', {}],
  ['a script', '/docs/app.js', {}],
  ['the document', '/openapi.json', {}],
  ['a redirect', '/swagger-ui', {}],
  ['an answer', '/api/version', {}],
  ['a refusal', '/api/v1/account', {}],
  ['an unknown method', '/api/v1/nothing', {}],
  ['an unknown page', '/nothing', {}],
  ['a wrong verb', '/api/version', { method: 'DELETE' }],
  ['a wrong verb on a page', '/healthz', { method: 'DELETE' }],
  ['a wrong content type', '/api/v1/session', { method: 'POST', body: 'x' }],
  ['malformed JSON', '/api/v1/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }],
  ['sign-out without a session', '/auth/logout', {}],
  ['a question before a request from another site', '/api/v1/session', { method: 'OPTIONS' }],
  ['gRPC over HTTP/1.1', '/version.VersionService/Version', { method: 'POST', headers: { 'content-type': 'application/grpc' } }],
  ['gRPC-Web', '/version.VersionService/Version', { method: 'POST', headers: { 'content-type': 'application/grpc-web' } }],
];

describe.each(everyKind)('%s', (_name, path, question) => {
  const foreign = {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };

  it('WEB-07: says nothing to other sites', async () => {
    for (const from of [target, secure]) {
      const { headers, status } = await ask(from, path, { ...question, headers: { ...foreign, ...question.headers } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      if (question.method === 'OPTIONS') expect(status).toBe(405);
    }
  });

  it('WEB-09: has the headers that protect a browser, and no banner', async () => {
    for (const from of [target, secure]) {
      const { headers } = await ask(from, path, question);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(String(headers['x-frame-options']).toLowerCase()).toMatch(/^(?:sameorigin|deny)$/);
      expect(headers['content-security-policy']).toMatch(/frame-ancestors '(?:self|none)'/);
      expect([headers['server'], headers['x-powered-by']]).toEqual([undefined, undefined]);
      if (path.startsWith('/api/')) expect(headers['cache-control']).toBe('no-store');
    }
  });
});

describe('WEB-09: answers from below the requests', () => {
  it('have the same headers', async () => {
    const plain = { host: secure.host, port: secure.port };
    const answers = [
      await say(target, 'garbage\r\n\r\n'),
      await say(target, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`),
      await say(plain, 'GET /api/version HTTP/1.1\r\nhost: x\r\n\r\n'),
      await say(plain, 'garbage\r\n\r\n'),
    ];
    expect(answers.map(({ text }) => text.slice(9, 12))).toEqual(['400', '431', '307', '400']);
    for (const { text } of answers) {
      expect(text).toContain('x-content-type-options: nosniff');
      expect(text).toContain('x-frame-options: sameorigin');
      expect(text).toContain("content-security-policy: frame-ancestors 'self'");
      expect(text.toLowerCase()).not.toContain('\nserver:');
    }
  });

  it('send nobody elsewhere: a redirect names only a plain host', async () => {
    for (const host of ['evil.example/', 'x\tevil', 'user@evil.example', 'x?', 'x#', 'x\\evil', '']) {
      const { text } = await say(secure, `GET /a HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
      expect(text, host).toMatch(/^HTTP\/1\.1 400 /);
    }
    for (const path of ['//evil.example', '/\\evil.example', '/%0d%0aset-cookie:a=b']) {
      const { text } = await say(secure, `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
      expect(text, path).toMatch(/^HTTP\/1\.1 (?:400|307) /);
      expect(text).not.toMatch(/^location: (?!https:\/\/x\/)/im);
      expect(text).not.toMatch(/^set-cookie/im);
    }
  });
});

describe('WEB-08: the cookie of a session', () => {
  it('is closed to scripts and other sites, and secure with TLS', async () => {
    const [plain, encrypted] = await Promise.all([target, secure].map((from) => ask(from, '/api/v1/session', login(from.adminPassword))));
    const pattern = /^argocd\.token=[\w.-]+; path=\/; SameSite=lax; httpOnly$/i;
    expect(plain!.headers['set-cookie']).toEqual([expect.stringMatching(pattern) as string]);
    expect(encrypted!.headers['set-cookie']).toEqual([expect.stringMatching(/; SameSite=lax; httpOnly; Secure$/i) as string]);
  });
});

describe('WEB-12: the pages that describe the API', () => {
  it('can be switched off', async () => {
    for (const path of ['/docs', '/docs/', '/docs/app.js', '/openapi.json', '/swagger.json', '/swagger-ui']) {
      expect((await ask(secure, path)).status, path).toBe(404);
    }
    expect((await ask(secure, '/')).status).toBe(200);
  });
});

describe('what a stranger learns', () => {
  const secrets = /passwordPattern|resourceOverrides|uiBanner|controllerNamespace|oidc|Secret|Platform|GoVersion|BuildDate|ExtraBuildInfo/i;

  it('INFO-01, INFO-02: over REST is the public part', async () => {
    const version = await ask(target, '/api/version');
    expect(Object.keys(JSON.parse(version.text) as object)).toEqual(['Version']);
    const settings = await ask(target, '/api/v1/settings');
    expect(settings.status).toBe(200);
    expect(settings.text).not.toMatch(secrets);
    expect((await ask(target, '/api/v1/settings/plugins')).status).toBe(401);
  });

  it.each(['application/grpc', 'application/grpc-web+proto', 'application/grpc-web-text'])(
    'INFO-01, INFO-02: is the same over %s',
    async (contentType) => {
      const caller = openCaller(target.url);
      const isText = contentType.includes('text');
      const body = isText ? message().toString('base64') : message();
      const read = (bytes: Buffer): string => (isText ? Buffer.from(bytes.toString('latin1'), 'base64') : bytes).toString('latin1');
      const version = await caller.call({ path: '/version.VersionService/Version', contentType, body });
      expect(version.status).toBe('0');
      expect(read(version.body)).toMatch(/v3\.5\.6/);
      expect(read(version.body)).not.toMatch(/node|linux|darwin/i);
      const settings = await caller.call({ path: '/cluster.SettingsService/Get', contentType, body });
      expect(settings.status).toBe('0');
      expect(read(settings.body)).not.toMatch(/\{8,32\}|jsonPointers|argocd$/);
      expect((await caller.call({ path: '/cluster.SettingsService/GetPlugins', contentType, body })).status).toBe('16');
      caller.close();
    },
  );

  it('INFO-05: is nothing about the inside', async () => {
    for (const path of ['/debug/pprof/', '/debug', '/metrics/', '/json', '/status', '/.env', '/.git/config', '/server-status']) {
      expect((await ask(target, path)).status, path).toBe(404);
    }
    const { text } = await ask(target, '/healthz?full=true');
    expect(text).toBe('ok\n');
    // A proxy of this machine makes everybody look local.
    expect((await ask(target, '/metrics', { headers: { 'x-forwarded-for': '192.0.2.1' } })).status).toBe(401);
  });
});
