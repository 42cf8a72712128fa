import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageCodec } from '../../../src/contract/index.ts';
import { startFairway } from '../../support/fairway.ts';
import { TOKEN } from '../../support/test-server.ts';
import { message, openCaller } from './call.ts';
import { open } from './wire.ts';

const program = fileURLToPath(new URL('./throwing-server.ts', import.meta.url));
const GET_ACCOUNT = '/account.AccountService/GetAccount';
const WATCH = '/application.ApplicationService/Watch';
const forms = ['application/grpc', 'application/grpc-web+proto'];

let child: ChildProcess;
let url = '';
beforeAll(async () => {
  child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string];
  url = line.replace('ready ', '').trim();
});
afterAll(async () => {
  child.kill('SIGTERM');
  await once(child, 'close');
});

async function checkAlive(): Promise<void> {
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
}

async function memoryMb(): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024);
}

describe('NODE-01: a handler that throws', () => {
  it.each(['synchronously', 'as a rejection', 'what is no error', 'nothing', 'by answering with nonsense'])(
    'fails its own call only, and tells no one why: %s',
    async (name) => {
      const response = await fetch(`${url}/api/v1/account/${encodeURIComponent(name)}`, { headers: { authorization: `Bearer ${TOKEN}` } });
      const text = await response.text();
      // Of an answer that does not fit the contract the place is told, never the value.
      const expected = name === 'by answering with nonsense' ? /name: expected a string/ : /internal error \(request id /;
      expect([response.status, text]).toEqual([500, expect.stringMatching(expected) as string]);
      expect(text).not.toContain('planted');
      const caller = openCaller(url);
      const body = message(Buffer.from(messageCodec('account.GetAccountRequest').encode({ name })));
      for (const contentType of forms) {
        const answer = await caller.call({ path: GET_ACCOUNT, contentType, body, headers: { token: TOKEN } });
        expect([answer.status, answer.message]).toEqual(['13', expect.stringMatching(expected) as string]);
      }
      caller.close();
      await checkAlive();
    },
  );

  it('where nothing catches it does not end the process', async () => {
    const preload = new URL('./throw-on-signal.js', import.meta.url).href;
    const fairway = await startFairway({ env: { NODE_OPTIONS: `--import ${preload}` } });
    try {
      process.kill(fairway.pid, 'SIGUSR2');
      for (const place of ['in a timer', 'in a promise', 'in an event'])
        await expect.poll(() => fairway.output(), { timeout: 5_000 }).toMatch(new RegExp(`uncaught error.*thrown ${place}`));
      expect((await fetch(`${fairway.url}/healthz`)).status).toBe(200);
      expect(await (await fetch(`${fairway.url}/metrics`)).text()).toMatch(/uncaught_errors_total\{[^}]*exception[^}]*\} 2/);
    } finally {
      await fairway.stop();
    }
  });

  it.each(['synchronously', 'in the middle'])('of a stream ends that stream with an error: %s', async (name) => {
    const response = await fetch(`${url}/api/v1/stream/applications?name=${encodeURIComponent(name)}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const text = await response.text();
    expect(text).toMatch(/\{"error":\{"grpc_code":13,.*internal error/);
    expect(text).not.toContain('planted');
    await checkAlive();
  });
});

describe('DOS-04: a stream that nobody reads', () => {
  it.each(['HTTP/1.1', 'HTTP/2'])('is held back, and dropped after its time: %s', async (version) => {
    const before = await memoryMb();
    const closed = version === 'HTTP/2' ? await stallOverHttp2() : await stallOverHttp1();
    // Sixty streams of which each would send gigabytes.
    expect((await memoryMb()) - before).toBeLessThan(150);
    await closed();
    await checkAlive();
  });
});

const STREAMS = 60;

async function stallOverHttp1(): Promise<() => Promise<void>> {
  const { hostname: host, port } = new URL(url);
  const sockets = await Promise.all(Array.from({ length: STREAMS }, () => open({ host, port: Number(port) })));
  let ended = 0;
  for (const socket of sockets) {
    socket.pause();
    socket.on('close', () => ended++);
    socket.write(`GET /api/v1/stream/applications?name=endless HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`);
  }
  await checkAlive();
  return async () => {
    const own = new Set(sockets.map(({ localPort }) => localPort));
    await expect.poll(async () => connectionsOf(Number(port), own), { timeout: 15_000, interval: 200 }).toBe(0);
    // A paused socket does not see its end: it has to read what the system has kept for it.
    for (const socket of sockets) socket.resume();
    await expect.poll(() => ended, { timeout: 15_000 }).toBe(STREAMS);
  };
}

async function stallOverHttp2(): Promise<() => Promise<void>> {
  const session = connectHttp2(url);
  session.on('error', () => {});
  const body = message(Buffer.from(messageCodec('application.ApplicationQuery').encode({ name: 'endless' })));
  let ended = 0;
  for (let index = 0; index < STREAMS; index++) {
    const stream = session.request({ ':method': 'POST', ':path': WATCH, 'content-type': 'application/grpc', te: 'trailers', token: TOKEN });
    stream.on('error', () => {}).on('close', () => ended++);
    stream.pause();
    stream.end(body);
  }
  await checkAlive();
  return async () => {
    await expect.poll(() => ended, { timeout: 15_000, interval: 200 }).toBe(STREAMS);
    session.destroy();
  };
}

/** How many connections of the server to these ports are still open, as the system sees them. */
async function connectionsOf(port: number, others: ReadonlySet<number | undefined>): Promise<number> {
  const portIn = (address = ''): number => Number.parseInt(address.split(':')[1] ?? '', 16);
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n');
  return lines.filter((line) => {
    const [, local, remote, state] = line.trim().split(/\s+/);
    return portIn(local) === port && others.has(portIn(remote)) && state === '01';
  }).length;
}
