import { Agent, request } from 'node:http';
import { readFile } from 'node:fs/promises';
import { connect as connectTcp, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTarget, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.stop());

/** How long one request takes; throws when it is not answered with `status`. */
function timeRequest(path: string, options: { status: number; agent?: Agent; body?: string; token?: string }): Promise<number> {
  const startMs = performance.now();
  const { status, agent, body, token } = options;
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  return new Promise((resolve, reject) => {
    request(`${target.url}${path}`, { method: body === undefined ? 'GET' : 'POST', agent: agent ?? false, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === status) resolve(performance.now() - startMs);
        else reject(new Error(`${path} was answered with ${response.statusCode}`));
      });
    })
      .on('error', reject)
      .end(body);
  });
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

describe('ten thousand slow connections', () => {
  it('keep nobody else out, and leave nothing behind', { timeout: 40_000 }, async () => {
    const limits = await readFile('/proc/self/limits', 'utf8');
    const filesMax = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 1_024);
    // Where this process may not open so many files, as many as it may: the server's bound is a tenth of it.
    const count = Math.min(10_000, filesMax - 500);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const signedIn = { status: 200, agent, token: target.token };
    await timeRequest('/api/v1/account', signedIn);
    const { closed, latencies, filesAtWorst, memoryAtWorstMb, inUseMb } = await target.attack(async () => {
      const sockets: Socket[] = [];
      const latencies: number[] = [];
      let closed = 0;
      while (sockets.length < count) {
        const batch = Array.from({ length: Math.min(500, count - sockets.length) }, () => {
          const socket = connectTcp(target.port, target.host);
          socket.on('error', () => {}).on('close', () => closed++);
          socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ');
          return new Promise<Socket>((resolve) => socket.once('connect', () => resolve(socket)).once('close', () => resolve(socket)));
        });
        sockets.push(...(await Promise.all(batch)));
        // On a new connection, and on one from before the flood.
        latencies.push(await timeRequest('/healthz', { status: 200 }), await timeRequest('/api/v1/account', signedIn));
      }
      const { files, memoryMb, inUseMb } = await target.level();
      for (const socket of sockets) socket.destroy();
      return { closed, latencies, filesAtWorst: files, memoryAtWorstMb: memoryMb, inUseMb };
    });
    agent.destroy();
    process.stdout.write(
      `slow connections: ${count} opened, ${closed} closed by the server, ${filesAtWorst} files, ${memoryAtWorstMb} MB resident and ${inUseMb} MB in use at worst, ` +
        `others waited ${Math.round(median(latencies))} ms (median), ${Math.round(Math.max(...latencies))} ms (worst)\n`,
    );
    expect(filesAtWorst).toBeLessThan(1_200);
    expect(closed).toBeGreaterThan(count - 1_200);
    expect(median(latencies)).toBeLessThan(1_000);
  });
});

describe('DOS-06: floods by those who are not signed in', () => {
  const ATTACKERS = 60;
  const password = 'x'.repeat(20);
  it.each<[string, string, number, (round: number) => string | undefined]>([
    ['of failing sign-ins', '/api/v1/session', 401, (round) => JSON.stringify({ username: `user-${round}`, password })],
    ['of health checks', '/healthz', 200, () => undefined],
    ['of refused calls', '/api/v1/account', 401, () => undefined],
  ])('%s leave authenticated calls their answer', async (name, path, status, makeBody) => {
    const { latencies, answered, quit } = await target.attack(async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: ATTACKERS });
      let [running, answered] = [true, 0];
      const quit: unknown[] = [];
      const attackers = Array.from({ length: ATTACKERS }, async (_, index) => {
        for (let round = 0; running; round++) {
          const body = makeBody(index * 1_000 + round);
          await timeRequest(path, { status, agent, ...(body !== undefined && { body }) });
          answered++;
        }
      });
      // What is under way at the end is cut off. Whoever fails before that attacks no more.
      const ended = Promise.all(attackers.map((attacker) => attacker.catch((error: unknown) => running && quit.push(error))));
      const own = new Agent({ keepAlive: true, maxSockets: 1 });
      const latencies: number[] = [];
      const endMs = performance.now() + 1_500;
      while (performance.now() < endMs || latencies.length < 5 || (answered < ATTACKERS && quit.length === 0))
        latencies.push(await timeRequest('/api/v1/account', { status: 200, agent: own, token: target.token }));
      running = false;
      agent.destroy();
      own.destroy();
      await ended;
      return { latencies, answered, quit };
    });
    process.stdout.write(
      `flood ${name}: ${answered} answered; authenticated calls waited ${median(latencies).toFixed(1)} ms (median), ` +
        `${Math.max(...latencies).toFixed(1)} ms (worst of ${latencies.length})\n`,
    );
    expect(quit).toEqual([]);
    expect(answered).toBeGreaterThanOrEqual(ATTACKERS);
    expect(median(latencies)).toBeLessThan(1_000);
  });
});
