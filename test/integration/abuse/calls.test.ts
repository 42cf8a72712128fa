import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageCodec, methods } from '../../../src/contract/index.ts';
import { publicMethods } from '../../../src/server/index.ts';
import { message, openCaller, type CallAnswer, type Caller } from './call.ts';
import { startTarget, type Target } from './target.ts';

const VERSION = '/version.VersionService/Version';
const CREATE = '/session.SessionService/Create';
const GET_ACCOUNT = '/account.AccountService/GetAccount';
const forms = ['application/grpc', 'application/grpc-web+proto', 'application/grpc-web-text'];

let target: Target;
let caller: Caller;
beforeAll(async () => {
  target = await startTarget();
  caller = openCaller(target.url);
});
afterAll(async () => {
  caller.close();
  await target.stop();
});

function call(path: string, body: Buffer, contentType: string, headers: Record<string, string> = {}): Promise<CallAnswer> {
  return caller.call({ path, contentType, headers, body: contentType.includes('text') ? body.toString('base64') : body });
}

describe.each(forms)('malformed messages over %s', (contentType) => {
  it.each<[string, Buffer, string, Record<string, string>]>([
    ['no message', Buffer.alloc(0), '12', {}],
    ['two messages where one is taken', Buffer.concat([message(), message()]), '12', {}],
    ['half a prefix', Buffer.from([0, 0]), '3', {}],
    ['a length beyond the body', message(Buffer.from([1, 2, 3]), 0, 100), '3', {}],
    ['a length beyond the limit', message(Buffer.alloc(0), 0, 0xffffffff), '8', {}],
    ['something behind the message', Buffer.concat([message(), Buffer.from([1])]), '12', {}],
    ['the compressed flag without an encoding', message(gzipSync(''), 1), '12', {}],
    ['an encoding that is not known', message(gzipSync(''), 1), '12', { 'grpc-encoding': 'snappy' }],
    ['compressed garbage', message(Buffer.from('garbage'), 1), '3', { 'grpc-encoding': 'gzip' }],
    ['unknown flags', message(Buffer.alloc(0), 0x42), '3', {}],
    ['a truncated field', message(Buffer.from([0x0a, 0x7f])), '3', {}],
    ['a field number of 0', message(Buffer.from([0x02, 0x00])), '3', {}],
    ['a number without end', message(Buffer.alloc(20, 0xff)), '3', {}],
    ['invalid UTF-8', message(Buffer.from([0x0a, 2, 0xc3, 0x28])), '3', {}],
    ['a group that never ends', message(Buffer.alloc(500, 0x0b)), '3', {}],
  ])('are refused: %s', async (_name, body, status, headers) => {
    const answer = await target.attack(() => call(CREATE, body, contentType, headers));
    // Bytes behind the only message may also be seen as the start of a second one that is cut short.
    expect([status, status === '12' ? '3' : status]).toContain(answer.status);
  });

  it('DOS-02: that grow a thousandfold are refused', async () => {
    const bomb = message(gzipSync(Buffer.alloc(20_000_000)), 1);
    const answer = await target.attack(() => call(CREATE, bomb, contentType, { 'grpc-encoding': 'gzip' }));
    expect(answer.status).toBe('8');
  });

  it.each([
    'version.VersionService/Version',
    '//version.VersionService/Version',
    '/version.VersionService//Version',
    '/version.VersionService/Version/',
    '/version.VersionService/Version.',
    '/VERSION.VersionService/Version',
    '/version.versionservice/Version',
    '/version.VersionService/version',
    '/version.VersionService/Version%00',
    '/version%2eVersionService/Version',
    '/version.VersionService/../account.AccountService/ListAccounts',
    '/account.AccountService/ListAccounts;/version.VersionService/Version',
    '/__proto__/constructor',
    '/version.VersionService/__proto__',
    '/',
    '/a',
    '*',
  ])('INT-05: to paths that are not quite a method are refused: %s', async (path) => {
    const answer = await target.attack(() => call(path, message(), contentType));
    // gRPC-Web may stand below a root path, so that what comes before the last two names is not looked at.
    const isBelowRoot = contentType !== 'application/grpc' && /^\/.*\/version\.VersionService\/Version$/.test(path);
    if (isBelowRoot) expect(answer.status).toBe('0');
    else expect(['12', '16', undefined]).toContain(answer.status);
    if (answer.status === undefined) expect(answer.httpStatus).not.toBe(200);
  });
});

describe('gRPC-Web as text', () => {
  it.each(['!!!!', 'AAAA AAAA', 'A', '====', 'AAAAAAA=\0', '\ufeffAAAAAAA='])('that is not base64 is refused: %j', async (body) => {
    const answer = await target.attack(() => caller.call({ path: VERSION, contentType: 'application/grpc-web-text', body }));
    expect(['3', '12']).toContain(answer.status);
  });

  it('in very many padded pieces takes no time and no memory', async () => {
    const body = 'AA=='.repeat(250_000);
    const startMs = performance.now();
    const answer = await target.attack(() => caller.call({ path: CREATE, contentType: 'application/grpc-web-text', body }));
    expect(['3', '12']).toContain(answer.status);
    expect(performance.now() - startMs).toBeLessThan(3_000);
  });
});

describe('metadata', () => {
  it.each<[string, Record<string, string>]>([
    ['a timeout that is none', { 'grpc-timeout': 'soon' }],
    ['a timeout beyond all numbers', { 'grpc-timeout': '99999999999999999999H' }],
    ['a negative timeout', { 'grpc-timeout': '-1S' }],
    ['a token of fifty thousand characters', { token: 'a.'.repeat(25_000) }],
    ['a token that is no token', { token: 'null' }],
    ['an agent of fifty thousand characters', { 'user-agent': `argocd-client/${'1'.repeat(50_000)}` }],
    ['binary metadata that is not base64', { 'x-bin': '%%%' }],
  ])('that makes no sense harms nobody: %s', async (_name, headers) => {
    const answer = await target.attack(() => call(VERSION, message(), 'application/grpc', headers));
    expect(['0', '3', '4', '13']).toContain(answer.status);
    expect(answer.status).not.toBe('13');
  });

  it('cannot put headers into the answer', async () => {
    const payload = Buffer.from(messageCodec('account.GetAccountRequest').encode({ name: 'x\r\ngrpc-status: 0\r\nset-cookie: a=b' }));
    for (const contentType of forms) {
      const answer = await target.attack(() => call(GET_ACCOUNT, message(payload), contentType, { token: target.token }));
      expect(answer.status).toBe('5');
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
  });
});

/** A watch would go on for as long as we do. */
const watchBriefly = { 'grpc-timeout': '100m' };

describe('INT-06: every method of the contract', () => {
  it('is closed to those who are not signed in, unless it is on the list', async () => {
    expect([...publicMethods].toSorted()).toEqual([
      '/cluster.SettingsService/Get',
      '/session.SessionService/Create',
      '/session.SessionService/Delete',
      '/session.SessionService/GetUserInfo',
      '/version.VersionService/Version',
    ]);
    await target.attack(async () => {
      for (const { path } of methods) {
        if (publicMethods.has(path)) continue;
        for (const contentType of forms) {
          for (const headers of [{}, { token: '' }, { token: 'a.b.c' }, { authorization: 'Bearer a.b.c' }]) {
            expect((await call(path, message(), contentType, headers)).status, `${path} over ${contentType}`).toBe('16');
          }
        }
      }
    });
  });

  it('answers those who are', async () => {
    await target.attack(async () => {
      for (const { path, serverStreaming } of methods) {
        for (const contentType of forms) {
          if (path === '/session.SessionService/Delete') continue;
          const headers = { token: target.token, ...(serverStreaming && watchBriefly) };
          const { status, message: text } = await call(path, message(), contentType, headers);
          const expected = ['0', '3', '5', '7', '12', '16', ...(serverStreaming ? ['4'] : [])];
          expect(expected, `${path} over ${contentType}: ${text}`).toContain(status);
          if (status === '16') expect(path).toBe(CREATE);
          // Repositories that are written to are there only where an installation says so.
          if (status === '12') expect([path, decodeURIComponent(text)]).toEqual([expect.stringContaining('Write'), 'hydrator is disabled']);
        }
      }
    });
  });

  it('is as closed and as open over REST', async () => {
    await target.attack(async () => {
      for (const { path, http, name, serverStreaming } of methods) {
        for (const { verb, path: template } of http) {
          const url = `${target.url}${template.replaceAll(/\{[^}]*\}/g, 'x')}`;
          const init = { method: verb, headers: { 'content-type': 'application/json' }, ...(verb !== 'GET' && { body: '{}' }) };
          const stranger = await fetch(url, init);
          if (!publicMethods.has(path)) expect(stranger.status, `${verb} ${template}`).toBe(401);
          await stranger.arrayBuffer();
          if (path === '/session.SessionService/Delete') continue;
          const headers = { ...init.headers, authorization: `Bearer ${target.token}`, ...(serverStreaming && watchBriefly) };
          const member = await fetch(url, { ...init, headers });
          expect([200, 400, 401, 403, 404, 501, ...(serverStreaming ? [504] : [])], `${verb} ${template} (${name})`).toContain(
            member.status,
          );
          if (member.status === 401) expect(path).toBe(CREATE);
          const text = await member.text();
          if (member.status === 501)
            expect([path, text]).toEqual([expect.stringContaining('Write'), expect.stringContaining('hydrator is disabled')]);
        }
      }
    });
  });
});
