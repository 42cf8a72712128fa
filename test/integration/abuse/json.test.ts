import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, TOKEN, type TestServer } from '../../support/test-server.ts';
import { startTarget, type Target } from './target.ts';

const MANY_OBJECTS = `{"username":[${'{},'.repeat(1_000_000)}{}]}`;

let target: Target;
beforeAll(async () => {
  target = await startTarget({ warmUp: ({ url }, token) => post({ url, token }, '/api/v1/session', MANY_OBJECTS) });
});
afterAll(() => target.stop());

async function post(
  { url, token }: { url: string; token: string },
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<{ status: number; message: string; durationMs: number }> {
  const startMs = performance.now();
  const headers = { 'content-type': 'application/json', 'grpc-metadata-token': token, connection: 'close' };
  const response = await fetch(`${url}${path}`, { method: 'POST', body, headers });
  const { message = '' } = (await response.json()) as { message?: string };
  return { status: response.status, message, durationMs: performance.now() - startMs };
}

describe('JSON that is meant to hurt', () => {
  it.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['DOS-01: arrays a hundred thousand deep', '['.repeat(100_000)],
    ['DOS-01: closed arrays a hundred thousand deep', `{"username":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['DOS-01: objects a hundred thousand deep', '{"username":'.repeat(100_000)],
    ['DOS-01: two million numbers', `{"username":[${'0,'.repeat(2_000_000)}0]}`],
    ['DOS-01: a million empty objects', MANY_OBJECTS],
    ['a list instead of an object', `[${'0,'.repeat(1_000_000)}0]`],
    ['two values', '{"username":"a"}{"username":"b"}'],
    ['garbage behind the value', '{"username":"a"} x'],
    ['a NUL behind the value', '{"username":"a"}\0'],
    ['a byte order mark', '\ufeff{"username":"a","password":"b"}'],
    ['UTF-16', new Uint8Array(Buffer.from('{"username":"a"}', 'utf16le'))],
    ['invalid UTF-8', new Uint8Array(Buffer.from('{"username":"\xff\xfe"}', 'latin1'))],
    ['UTF-8 of a surrogate', new Uint8Array(Buffer.from('{"username":"\xed\xa0\x80"}', 'latin1'))],
    ['UTF-8 that is longer than it need be', new Uint8Array(Buffer.from('{"username":"\xc0\xaf"}', 'latin1'))],
    ['a key twice', '{"username":"admin","username":"bob","password":"x"}'],
    ['a key twice, once escaped', '{"username":"admin","\\u0075sername":"bob","password":"x"}'],
    ['a hundred thousand keys twice', `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(',')},"k0":1}`],
    ['a number for a text', '{"username":1e400}'],
    ['an object for a text', '{"username":{"toString":"x"}}'],
    ['NaN', '{"username":NaN}'],
    ['a comment', '{"username":"a"/*x*/}'],
    ['a control character', '{"username":"a\u0001"}'],
    ['nothing but spaces without end of value', `{${' '.repeat(3_000_000)}`],
    ['a string without end', `{"username":"${'\\\\'.repeat(1_000_000)}`],
    ['minus signs', `[${'-'.repeat(3_000_000)}`],
    ['line ends', `${'\n'.repeat(3_000_000)}x`],
  ])('is refused at once, with 400: %s', async (_name, body) => {
    const { status, message, durationMs } = await target.attack(() => post(target, '/api/v1/session', body));
    expect([status, message]).toEqual([400, expect.not.stringContaining('internal')]);
    expect(message.length).toBeLessThan(500);
    expect(durationMs).toBeLessThan(3_000);
  });

  it('NODE-04: with names of what every object inherits is plain data', async () => {
    const body = '{"__proto__":{"username":"admin"},"constructor":{"prototype":{"polluted":1}},"username":"x","password":"y"}';
    expect((await target.attack(() => post(target, '/api/v1/session', body))).status).toBe(401);
    const { status } = await target.attack(() => post(target, '/api/v1/session', '{"__proto__":{"username":"a","password":"b"}}'));
    // Nothing was taken from the prototype: there are no credentials.
    expect(status).toBe(401);
    expect((await fetch(`${target.url}/api/version`)).status).toBe(200);
  });

  it.each([
    '__proto__[x]=1',
    '__proto__.x=1',
    'constructor.prototype.x=1',
    'constructor[prototype][x]=1',
    'resource[__proto__]=1',
    'a[b][c][d]=1&'.repeat(900),
    '&'.repeat(60_000),
    '='.repeat(60_000),
    '%'.repeat(100),
    '%ff=%fe',
    'a.b.c.d.e.f.g.h.i.j.k.l.m.n=1',
    `${'a.'.repeat(30_000)}=1`,
    `${'['.repeat(30_000)}=1`,
    'x=1&'.repeat(15_000),
  ])('NODE-04: in the query harms nobody: %.40s', async (query) => {
    const { status, durationMs } = await target.attack(async () => {
      const startMs = performance.now();
      const response = await fetch(`${target.url}/api/v1/account/can-i/applications/get/x?${query}`, {
        headers: { 'grpc-metadata-token': target.token, connection: 'close' },
      });
      await response.arrayBuffer();
      return { status: response.status, durationMs: performance.now() - startMs };
    });
    expect([200, 400]).toContain(status);
    expect(durationMs).toBeLessThan(2_000);
  });
});

describe('values beyond what a field holds', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  async function send(path: string, body?: string): Promise<{ status: number; request: unknown }> {
    const before = server.requests.length;
    const headers = { 'content-type': 'application/json', 'grpc-metadata-token': TOKEN };
    const response = await fetch(`${server.url}${path}`, { headers, ...(body !== undefined && { method: 'POST', body }) });
    await response.arrayBuffer();
    return { status: response.status, request: server.requests.length > before ? server.requests.at(-1)!.request : undefined };
  }

  it.each(['1e400', '-1e400', '123456789012345678901234567890', '9223372036854775808', '1.5', '"x"', '"1e3"', 'true', '{}', '[]'])(
    'are refused for a whole number of 64 bits: %s',
    async (number) => {
      const body = `{"metadata":{"name":"a","generation":${number}},"spec":{}}`;
      expect(await send('/api/v1/applications', body)).toEqual({ status: 400, request: undefined });
    },
  );

  it.each(['1e400', '123456789012345678901234567890', '9223372036854775808', '0x10', '1_000', ' 1', '1.0', '１'])(
    'are refused in a query: %s',
    async (number) => {
      const { status } = await send(`/api/v1/applications/x/logs?tailLines=${encodeURIComponent(number)}`);
      expect(status).toBe(400);
    },
  );

  it('are passed on where the contract has free text, also when no one knows them', async () => {
    const { status, request } = await send(
      '/api/v1/applications',
      '{"metadata":{"name":"a"},"spec":{"syncPolicy":{"syncOptions":["No=Such"]}}}',
    );
    expect(status).toBe(200);
    expect(request).toMatchObject({ application: { spec: { syncPolicy: { syncOptions: ['No=Such'] } } } });
  });

  it('NODE-04: keep a label of any name, and pollute nothing', async () => {
    const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'prototype'];
    const labels = `{${names.map((name) => `"${name}":"x"`).join(',')}}`;
    const { status, request } = await send('/api/v1/applications', `{"metadata":{"name":"a","labels":${labels}},"spec":{}}`);
    expect(status).toBe(200);
    const found = (request as { application: { metadata: { labels: Record<string, string> } } }).application.metadata.labels;
    expect(Object.keys(found).toSorted()).toEqual(names.toSorted());
    expect(JSON.stringify(found)).toContain('"__proto__":"x"');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
