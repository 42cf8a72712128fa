import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FrameType, NO_SETTINGS, PREFACE } from './http2-frames.ts';
import { startTarget, type Target } from './target.ts';
import { hear, open, pour, say } from './wire.ts';

const clientHello = Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]);

const garbage: readonly (readonly [string, Buffer])[] = [
  ['zeros', Buffer.alloc(10_000)],
  ['ones', Buffer.alloc(10_000, 0xff)],
  ['a TLS record with nonsense', Buffer.concat([Buffer.from([0x16, 3, 1, 1, 0]), Buffer.alloc(256, 0xab)])],
  ['a TLS record of no length', Buffer.from([0x16, 3, 1, 0, 0, 0, 0, 0])],
  ['a TLS alert', Buffer.from([0x15, 3, 3, 0, 2, 2, 40])],
  ['an SSLv2 greeting', Buffer.from([0x80, 0x2e, 1, 0, 2, 0, 0x15, 0, 0, 0, 0x10])],
  ['an SSH banner', Buffer.from('SSH-2.0-OpenSSH_9.7\r\n')],
  ['a mail greeting', Buffer.from('EHLO example.com\r\nMAIL FROM:<a@b>\r\n')],
  ['a proxy header', Buffer.from('PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')],
  ['a redis command', Buffer.from('*1\r\n$4\r\nPING\r\n')],
  ['a version that does not exist', Buffer.from('GET /healthz HTTP/3.7\r\nhost: x\r\n\r\n')],
  ['a preface with the wrong end', Buffer.from('PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n')],
  ['a preface and then text', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')],
  ['UTF-16', Buffer.from('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n', 'utf16le')],
];

describe('garbage on the port', () => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget();
  });
  afterAll(() => target.stop());

  it.each(garbage)('gets the connection closed: %s', async (_name, bytes) => {
    const { text, closed } = await target.attack(() => say(target, bytes, { timeoutMs: 3_000 }));
    expect(closed).toBe(true);
    // A refusal in HTTP/1.1, SETTINGS and GOAWAY of HTTP/2, or nothing.
    expect(text === '' || text.startsWith('HTTP/1.1 400 ') || text.charCodeAt(3) === FrameType.settings).toBe(true);
  });

  it('of any kind, two hundred times, costs nothing that lasts', async () => {
    const results = await target.attack(() =>
      Promise.all(
        Array.from({ length: 200 }, async () => {
          const socket = await open(target);
          socket.end(randomBytes(2_000));
          return hear(socket, { timeoutMs: 5_000 });
        }),
      ),
    );
    expect(results.filter(({ closed }) => !closed)).toEqual([]);
  });

  it('without end is not read without end', async () => {
    const sent = await target.attack(async () => {
      const socket = await open(target);
      socket.resume();
      return pour(socket, randomBytes(65_536), 20_000_000);
    });
    expect(sent).toBeLessThan(20_000_000);
  });
});

describe('connections that stop half-way', () => {
  let [plain, secure]: Target[] = [];
  beforeAll(async () => {
    [plain, secure] = await Promise.all([startTarget(), startTarget({ tls: 'on' })]);
  });
  afterAll(() => Promise.all([plain!.stop(), secure!.stop()]));

  it('are closed after ten seconds, and no sooner', { timeout: 30_000 }, async () => {
    const halves: readonly (readonly [string, Target, Buffer])[] = [
      ['nothing', plain!, Buffer.alloc(0)],
      ['a line end', plain!, Buffer.from('\r\n')],
      ['half a head', plain!, Buffer.from('GET /healthz HTTP/1.1\r\nhost: x\r\nx: ')],
      ['half a preface', plain!, PREFACE.subarray(0, 10)],
      ['a preface', plain!, PREFACE],
      ['HTTP/2 without a request', plain!, Buffer.concat([PREFACE, NO_SETTINGS])],
      ['half a frame', plain!, Buffer.concat([PREFACE, NO_SETTINGS, Buffer.from([0, 0, 9, 1, 5])])],
      ['nothing, with TLS', secure!, Buffer.alloc(0)],
      ['one byte of a handshake', secure!, clientHello.subarray(0, 1)],
      ['half a handshake', secure!, clientHello],
      ['half a head in plain text', secure!, Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n')],
    ];
    const heard = await secure!.attack(() =>
      plain!.attack(() =>
        Promise.all(halves.map(async ([name, target, bytes]) => ({ name, ...(await say(target, bytes, { timeoutMs: 15_000 })) }))),
      ),
    );
    expect(heard.filter(({ closed }) => !closed).map(({ name }) => name)).toEqual([]);
    expect(heard.filter(({ durationMs }) => durationMs < 9_000).map(({ name }) => name)).toEqual([]);
  });
});
