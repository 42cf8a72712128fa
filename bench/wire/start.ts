import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../support/interleave.ts';
import { readResidentMb } from '../support/processors.ts';

const ROUNDS = 7;
const GOAL_MS = 1_000;
const POLL_MS = 5;
const START_TIMEOUT_MS = 20_000;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BARE = `require('node:http').createServer((_, response) => response.end('{}')).listen(process.argv[1], '127.0.0.1')`;

interface Program {
  readonly name: string;
  readonly args: (port: number) => readonly string[];
  readonly startsMs: number[];
  readonly memoryMb: number[];
}

/** From the start of the process to its first answer, beside the least that Node can start. */
export async function measureStart(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairway-bench-'));
  try {
    const programs = listPrograms(dataDir);
    // The first round fills the compile cache and the data folder.
    for (let round = -1; round < ROUNDS; round++) for (const program of programs) await startOnce(program, round >= 0);
    printStarts(programs);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function listPrograms(dataDir: string): Program[] {
  const flags = (port: number): string[] => ['up', '--listen', `127.0.0.1:${port}`, '--data', dataDir, '--log-level', 'warn'];
  const built = join(ROOT, 'bin/fairway.mjs');
  const sources = [{ name: 'fairway, from source', args: (port: number) => [join(ROOT, 'src/main/fairway.ts'), ...flags(port)] }];
  if (existsSync(join(ROOT, 'dist/main/fairway.js'))) sources.push({ name: 'fairway, as built', args: (port) => [built, ...flags(port)] });
  sources.push({ name: 'bare node:http', args: (port) => ['-e', BARE, String(port)] });
  return sources.map((program) => ({ ...program, startsMs: [], memoryMb: [] }));
}

async function startOnce({ name, args, startsMs, memoryMb }: Program, isCounted: boolean): Promise<void> {
  const port = await findFreePort();
  const startMs = performance.now();
  const child = spawn(process.execPath, args(port), { cwd: ROOT, stdio: 'ignore' });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    while (!(await isAnswered(port))) {
      if (child.exitCode !== null || performance.now() - startMs > START_TIMEOUT_MS) throw new Error(`${name} does not start`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    if (!isCounted) return;
    startsMs.push(performance.now() - startMs);
    memoryMb.push(readResidentMb(child.pid ?? 0));
  } finally {
    child.kill();
    await exited;
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request({ host: '127.0.0.1', port, path: '/api/version', agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
    });
    call.on('error', () => resolve(false));
    call.end();
  });
}

function printStarts(programs: readonly Program[]): void {
  const bareMs = median(programs.at(-1)!.startsMs);
  const load = loadavg().map((value) => value.toFixed(1));
  console.log(`Start to first answered request (median of ${ROUNDS} interleaved starts; load average ${load.join(' ')})`);
  console.table(
    programs.map(({ name, startsMs, memoryMb }) => {
      const ms = median(startsMs);
      return {
        program: name,
        ms: Math.round(ms),
        'fastest ms': Math.round(Math.min(...startsMs)),
        'times bare': Number((ms / bareMs).toFixed(1)),
        'memory MB': Math.round(median(memoryMb)),
        goal: name.startsWith('bare') ? '' : ms < GOAL_MS ? `PASS (< ${GOAL_MS})` : `MISSED (< ${GOAL_MS})`,
      };
    }),
  );
}
