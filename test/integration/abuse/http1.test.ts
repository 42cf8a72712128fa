import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTarget, type Target } from './target.ts';
import { hear, open, pour, say } from './wire.ts';

const LOGIN = 'POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
/** What a smuggled request would be answered with. */
const SMUGGLED = 'GET /api/version?smuggled HTTP/1.1\r\nhost: x\r\n\r\n';

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.stop());

describe('DOS-03: floods of headers over HTTP/1.1', () => {
  it.each([
    ['twenty thousand headers', Array.from({ length: 20_000 }, (_, index) => `x-${index}: y\r\n`).join('')],
    ['a header of a megabyte', `x: ${'y'.repeat(1_000_000)}\r\n`],
    ['a name of a megabyte', `${'x'.repeat(1_000_000)}: y\r\n`],
    ['a cookie of a megabyte', `cookie: ${'a=b; '.repeat(200_000)}\r\n`],
  ])('are refused: %s', async (_name, headers) => {
    const { text, closed } = await target.attack(() => say(target, `GET /healthz HTTP/1.1\r\nhost: x\r\n${headers}\r\n`));
    expect(closed).toBe(true);
    // The answer can get lost when the connection is cut while the flood is still on its way.
    expect(text).toMatch(/^(?:$|HTTP\/1\.1 431 )/);
  });

  it('with thousands of short headers that fit are answered in no time', async () => {
    const headers = Array.from({ length: 1_900 }, (_, index) => `x-${index}: y\r\n`).join('');
    const { text, durationMs } = await target.attack(() =>
      say(target, `GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`),
    );
    expect(text).toMatch(/^HTTP\/1\.1 (?:200|431) /);
    expect(durationMs).toBeLessThan(1_000);
  });

  it.each([
    ['header lines', 'GET /healthz HTTP/1.1\r\nhost: x\r\n', 'x: y\r\n'],
    ['a path', 'GET /', 'a'],
    ['a method', 'G', 'E'],
    ['a chunk extension', `${LOGIN}transfer-encoding: chunked\r\n\r\n5;`, 'a=b;'],
    ['trailers', `${LOGIN}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`, 'x: y\r\n'],
  ])('without end are cut off: %s', async (_name, start, more) => {
    const sent = await target.attack(async () => {
      const socket = await open(target);
      socket.resume();
      socket.write(start);
      return pour(socket, Buffer.from(more.repeat(8_192)), 20_000_000);
    });
    expect(sent).toBeLessThan(20_000_000);
  });
});

describe('WEB-11: requests that two servers would read differently', () => {
  it.each([
    ['a length and chunks', `${LOGIN}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['chunks and a length', `${LOGIN}transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['two lengths', `${LOGIN}content-length: 2\r\ncontent-length: 60\r\n\r\n{}${SMUGGLED}`],
    ['two lengths in one', `${LOGIN}content-length: 2, 60\r\n\r\n{}${SMUGGLED}`],
    ['an unknown encoding', `${LOGIN}transfer-encoding: xchunked\r\n\r\n${SMUGGLED}`],
    ['chunked before another encoding', `${LOGIN}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['a tab in the encoding', `${LOGIN}transfer-encoding:\u000bchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['a space before the colon', `${LOGIN}transfer-encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['a chunk size that is no number', `${LOGIN}transfer-encoding: chunked\r\n\r\nzz\r\n${SMUGGLED}`],
    ['a negative chunk size', `${LOGIN}transfer-encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['a chunk size beyond 64 bits', `${LOGIN}transfer-encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['a chunk that is too long', `${LOGIN}transfer-encoding: chunked\r\n\r\n2\r\n{}xx\r\n0\r\n\r\n${SMUGGLED}`],
    ['chunks ended by a bare line feed', `${LOGIN}transfer-encoding: chunked\r\n\r\n2\n{}\n0\n\n${SMUGGLED}`],
    ['a folded header', `GET /api/version HTTP/1.1\r\nhost: x\r\na: b\r\n c: d\r\n\r\n`],
    ['a bare line feed in the head', `GET /api/version HTTP/1.1\nhost: x\n\n`],
    ['a bare carriage return in the head', `GET /api/version HTTP/1.1\r\nhost: x\r\na: b\rc: d\r\n\r\n`],
    ['a NUL in a header', `GET /api/version HTTP/1.1\r\nhost: x\r\na: b\0c\r\n\r\n`],
    ['no name', `GET /api/version HTTP/1.1\r\nhost: x\r\n: b\r\n\r\n`],
    ['two hosts', `GET /api/version HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n`],
    ['a version that nobody speaks', `GET /api/version\r\nhost: x\r\n\r\n`],
    ['a version of binary frames', `GET /api/version HTTP/2.0\r\nhost: x\r\n\r\n`],
    ['a space in the path', `GET /api/ version HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['a line end in the path', `GET /api\r\nx: /version HTTP/1.1\r\nhost: x\r\n\r\n`],
  ])('are refused and the connection closed: %s', async (_name, bytes) => {
    const { text, closed } = await target.attack(() => say(target, bytes));
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(closed).toBe(true);
  });

  it('stay HTTP/1.1 when they ask for an upgrade', async () => {
    for (const protocol of ['h2c', 'websocket', 'TLS/1.3']) {
      const head = `GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: ${protocol}\r\nhttp2-settings: AAMAAABk\r\n\r\n`;
      const { text } = await target.attack(() => say(target, head));
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  it('are no way through: CONNECT, and targets that name another server', async () => {
    for (const [line, expected] of [
      ['CONNECT 127.0.0.1:22 HTTP/1.1', /^(?:$|HTTP\/1\.1 4)/],
      ['GET http://127.0.0.1:22/ HTTP/1.1', /^HTTP\/1\.1 404 /],
      ['GET http://x/api/v1/account HTTP/1.1', /^HTTP\/1\.1 404 /],
      ['OPTIONS * HTTP/1.1', /^HTTP\/1\.1 404 /],
      ['GET api/version HTTP/1.1', /^HTTP\/1\.1 400 /],
      ['TRACE /healthz HTTP/1.1', /^HTTP\/1\.1 405 /],
    ] as const) {
      const { text } = await target.attack(() => say(target, `${line}\r\nhost: x\r\nconnection: close\r\nx-secret: echo-me\r\n\r\n`));
      expect(text, line).toMatch(expected);
      expect(text).not.toContain('echo-me');
    }
  });
});

describe('WEB-11: paths that mean another path to somebody else', () => {
  it.each([
    '//api/v1/account',
    '/api//v1/account',
    '/API/v1/account',
    '/api/V1/account',
    '/api/v1/%2e%2e/v1/account',
    '/api/v1/../v1/account',
    '/api/v1/./account',
    '/api/v1/..;/account',
    '/api/v1;x=y/account',
    '/api/v1/account;x',
    '/api/v1/account/',
    '/api/v1/account%00',
    '/api/v1/account%0d%0aset-cookie:x',
    '/api/v1/account%2f',
    '/api%2fv1%2faccount',
    '/api\\v1\\account',
    '/api/v1/account%23',
    '/%61pi/v1/account',
    '/api/v1/accoun%74',
    '/api/v1/account%',
    '/api/v1/account/%ff',
    '/healthz/../api/v1/account',
    '/docs/../api/v1/account',
    '/docs/..%2f..%2f..%2fpackage.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/....//package.json',
  ])('never open what is closed: %s', async (path) => {
    const { text } = await target.attack(() => say(target, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`));
    expect(text).toMatch(/^HTTP\/1\.1 (?:400|401|404) /);
    expect(text).not.toMatch(/^set-cookie/im);
    expect(text).not.toContain('"items"');
  });

  it('find nothing in what every object inherits', async () => {
    for (const path of ['/__proto__', '/constructor', '/toString', '/api/v1/__proto__', '/api/v1/constructor', '/docs/__proto__']) {
      const { text } = await target.attack(() => say(target, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`));
      expect(text, path).toMatch(/^HTTP\/1\.1 404 /);
    }
  });

  it('of sixty thousand characters or segments are answered at once', async () => {
    for (const path of [
      '/api/v1/'.repeat(7_000),
      `/api/v1/repositories/${'a/'.repeat(30_000)}refs`,
      `/api/v1/clusters/${'%2f'.repeat(20_000)}`,
    ]) {
      const { text, durationMs } = await target.attack(() => say(target, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`));
      expect(text).toMatch(/^HTTP\/1\.1 (?:400|401|404) /);
      expect(durationMs).toBeLessThan(1_000);
    }
  });
});

describe('requests one after another without waiting', () => {
  it('are bounded also when none is read', async () => {
    const heard = await target.attack(async () => {
      const socket = await open(target);
      socket.pause();
      await Promise.race([
        pour(socket, Buffer.from('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(100)), 4_000_000),
        hearClose(socket),
      ]);
      return hear(socket);
    });
    expect(heard.closed).toBe(true);
  });
});

async function hearClose(socket: Awaited<ReturnType<typeof open>>): Promise<void> {
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}
