import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Outcome, type RunningProgram, startProgram } from '../support/packages/run-program.ts';
import { writeLock, writeSmallCheckout } from '../support/packages/small-checkout.ts';

const STUB_NPM = fileURLToPath(new URL('../support/packages/npm-cli.js', import.meta.url));

/** Says how it was started; with --stay it waits for a signal and ends with 7. */
const PROGRAM = `
const args: string[] = process.argv.slice(2);
if (args.includes('--fail')) process.exitCode = 3;
if (args.includes('--throw')) throw new Error('the program broke');
if (args.includes('--stay')) {
  const staying = setTimeout(() => process.exit(9), 60_000);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      console.log('got ' + signal);
      clearTimeout(staying);
      process.exitCode = 7;
    });
  }
}
console.log(JSON.stringify({ args, node: process.execPath, path: process.env.PATH, pid: process.pid, arenas: process.env.MALLOC_ARENA_MAX, flags: process.execArgv }));
`;

/** Makes the running Node say that it is an old one. */
const PRETEND_OLD = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.0.0'}})`;

let folder: string;
let checkout: string;
let running: RunningProgram[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairway-launcher-'));
  checkout = join(folder, 'checkout');
  running = [];
  writeSmallCheckout({ folder: checkout, program: PROGRAM, integrity: 'sha512-one' });
});

afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  rmSync(folder, { recursive: true, force: true });
});

describe('the launcher', () => {
  it('installs what is missing, says so in one line, and runs the task with its arguments', async () => {
    const outcome = await launch(['start', '--listen', ':0']).ended;
    expect(outcome).toMatchObject({ code: 0, stderr: 'fairway: installing dependencies from package-lock.json\n' });
    expect(npmCalls()).toEqual([expect.stringMatching(/^ci --omit=dev --ignore-scripts /)]);
    const said = readProgram(outcome);
    expect(said.args).toEqual(['up', '--listen', ':0']);
    expect(said.path.split(delimiter).slice(0, 2)).toEqual([join(checkout, 'node_modules/.bin'), dirname(process.execPath)]);
  });

  it('tells the C library and Node to keep little of what is free, as the process that was started', async () => {
    const program = launch(['start']);
    const flags = ['--max-semi-space-size=8'];
    expect(readProgram(await program.ended)).toMatchObject({ pid: program.child.pid, arenas: '1', flags });
    const chosen = launch(['start'], { NODE_OPTIONS: '--max_semi_space_size=32' });
    expect(readProgram(await chosen.ended)).toMatchObject({ arenas: '1', flags: [] });
    expect(readProgram(await launchOld(['start']).ended)).toMatchObject({ arenas: '1', flags });
    const told = launch(['start'], { MALLOC_ARENA_MAX: '5' });
    expect(readProgram(await told.ended)).toMatchObject({ pid: told.child.pid, arenas: '5' });
  });

  it('does nothing and says nothing when all is there', async () => {
    await launch(['start']).ended;
    const outcome = await launch(['start']).ended;
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(npmCalls()).toHaveLength(1);
  });

  it('installs again when the lock has changed', async () => {
    await launch(['start']).ended;
    writeLock(checkout, 'sha512-two');
    await launch(['start']).ended;
    expect(npmCalls()).toHaveLength(2);
  });

  it('takes over a node_modules that npm filled from the same lock, and only such a one', async () => {
    const record = (integrity: string): string => JSON.stringify({ packages: { 'node_modules/sample': { version: '1.0.0', integrity } } });
    mkdirSync(join(checkout, 'node_modules'));
    writeFileSync(join(checkout, 'node_modules/.package-lock.json'), record('sha512-one'));
    await launch(['start']).ended;
    expect(npmCalls()).toEqual([]);

    rmSync(join(checkout, 'node_modules/.fairway-stamp'));
    writeFileSync(join(checkout, 'node_modules/.package-lock.json'), record('sha512-other'));
    await launch(['start']).ended;
    expect(npmCalls()).toHaveLength(1);
  });

  it('adds the development tools without taking away what a server may be running from', async () => {
    const task = join(checkout, 'scripts/check/main.ts');
    mkdirSync(dirname(task), { recursive: true });
    writeFileSync(task, `console.log('checked');`);
    await launch(['start']).ended;
    expect(await launch(['check']).ended).toMatchObject({ code: 0, stdout: 'checked\n' });
    await launch(['start']).ended;
    expect(npmCalls()).toEqual([
      expect.stringMatching(/^ci --omit=dev /),
      expect.stringMatching(/^install --no-save --include=dev --ignore-scripts /),
    ]);
  });

  it('installs once when two start together', async () => {
    const gate = join(folder, 'gate');
    const both = [launch(['start'], { STUB_NPM_GATE: gate }), launch(['start'], { STUB_NPM_GATE: gate })];
    await Promise.any(both.map(({ seen }) => seen(/waiting for another process/)));
    writeFileSync(gate, '');
    for (const { ended } of both) expect(await ended).toMatchObject({ code: 0 });
    expect(npmCalls()).toHaveLength(1);
    expect(readdirSync(checkout).filter((name) => name.startsWith('.install-lock'))).toEqual([]);
  });

  it.each([
    ['whose process is gone', JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }), 0],
    ['that has been silent for long', JSON.stringify({ pid: process.pid, host: 'another-machine' }), 60],
    ['that died before it could write its name', '', 60],
  ])('does not wait for a holder of the lock %s', async (_, content, ageSeconds) => {
    const lock = join(checkout, '.install-lock');
    const touchedAt = new Date(Date.now() - ageSeconds * 1000);
    writeFileSync(lock, content);
    utimesSync(lock, touchedAt, touchedAt);
    const both = [launch(['start']), launch(['start'])];
    for (const { ended } of both) expect(await ended).toMatchObject({ code: 0 });
    expect(npmCalls()).toHaveLength(1);
    expect(existsSync(lock)).toBe(false);
  });

  it('waits for a holder of the lock that is alive', async () => {
    const lock = join(checkout, '.install-lock');
    writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname() }));
    const waiting = launch(['start']);
    await waiting.seen(/waiting for another process/);
    expect(npmCalls()).toEqual([]);
    rmSync(lock);
    expect(await waiting.ended).toMatchObject({ code: 0 });
  });

  it('passes on the words of npm when it fails, and leaves no lock and no stamp', async () => {
    const outcome = await launch(['start'], { STUB_NPM_FAILURE: 'npm error network: no way out' }).ended;
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/fairway: npm ci .* failed \(exit code 1\)\nnpm error network: no way out\n$/);
    expect(await launch(['start']).ended).toMatchObject({ code: 0 });
    expect(npmCalls()).toHaveLength(2);
  });

  it('passes on the exit code of the program, and the stack of one that breaks', async () => {
    expect(await launch(['start', '--fail']).ended).toMatchObject({ code: 3 });
    const broken = await launch(['start', '--throw']).ended;
    expect(broken.code).toBe(1);
    expect(broken.stderr).toMatch(/Error: the program broke\n\s+at .*fairway\.ts:/);
  });

  it('names its tasks when it is asked for another', async () => {
    const outcome = await launch(['constructor']).ended;
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(/no task "constructor"; there are start, .*test, /) as string });
  });
});

describe('the launcher on an old Node', () => {
  it('fetches a Node once, with its integrity pinned, and runs the program with it', async () => {
    const first = await launchOld(['start', 'x']).ended;
    expect(first).toMatchObject({ code: 0 });
    expect(first.stderr).toMatch(/^fairway: fetching Node 2\d\.\d+\.\d+ into .* \(once; this machine's own is 20\.0\.0\)$/m);
    const said = readProgram(first);
    expect(said.args).toEqual(['up', 'x']);
    const [version] = readdirSync(join(folder, 'cache'));
    expect(said.path.split(delimiter)[1]).toContain(join(folder, 'cache', version ?? ''));
    const lock = readFileSync(join(folder, 'cache', version ?? '', 'package-lock.json'), 'utf8');
    expect(lock).toMatch(/"integrity":"sha512-[\w+/]{86}=="/);

    expect(await launchOld(['start']).ended).toMatchObject({ code: 0, stderr: '' });
    expect(npmCalls()).toHaveLength(2);
  });

  it('lets two fetch at once: one whole Node remains and nothing else', async () => {
    await launch(['start']).ended;
    const gate = join(folder, 'gate');
    const both = [launchOld(['start'], { STUB_NPM_GATE: gate }), launchOld(['start'], { STUB_NPM_GATE: gate })];
    await vi.waitFor(() => expect(npmCalls()).toHaveLength(3), { timeout: 15_000 });
    writeFileSync(gate, '');
    for (const { ended } of both) expect(await ended).toMatchObject({ code: 0 });
    expect(readdirSync(join(folder, 'cache'))).toEqual([expect.stringMatching(/^node-[\d.]+$/)]);
  });

  it('leaves nothing behind when the fetch fails or the Node does not run', async () => {
    await launch(['start']).ended;
    const failed = await launchOld(['start'], { STUB_NPM_FAILURE: 'no network' }).ended;
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('no network') as string });
    const unfit = await launchOld(['start'], { STUB_NODE: '/dev/null' }).ended;
    expect(unfit).toMatchObject({ code: 1, stderr: expect.stringContaining('needs Node 24 or newer') as string });
    expect(readdirSync(join(folder, 'cache'))).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('passes on %s and the exit code', async (signal) => {
    const program = launchOld(['start', '--stay']);
    const [, pid] = await program.seen(/"pid":(\d+)/);
    expect(Number(pid)).not.toBe(program.child.pid);
    program.child.kill(signal);
    expect(await program.ended).toMatchObject({ code: 7, stdout: expect.stringContaining(`got ${signal}`) as string });
  });
});

describe.each([
  ['new', []],
  ['old', ['--import', PRETEND_OLD]],
])('a program started by npm on a %s Node', (_, nodeArgs) => {
  it('ends when npm and its shell are gone, although neither passes the signal on', async () => {
    const launcher = [process.execPath, ...nodeArgs, join(checkout, 'bin/run.mjs'), 'start', '--stay'];
    const quoted = launcher.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    const shell = startProgram('sh', ['-c', `${quoted} & wait`], {
      cwd: checkout,
      env: { ...launcherEnvironment(), npm_lifecycle_event: 'start' },
    });
    running.push(shell);
    await shell.seen(/"pid":\d+/);
    shell.child.kill('SIGTERM');
    // Its output closes only when everything that writes to it has ended.
    expect((await shell.ended).stdout).toContain('got SIGTERM');
  });
});

function launch(args: readonly string[], environment: NodeJS.ProcessEnv = {}, nodeArgs: readonly string[] = []): RunningProgram {
  const program = startProgram(process.execPath, [...nodeArgs, join(checkout, 'bin/run.mjs'), ...args], {
    cwd: checkout,
    env: { ...launcherEnvironment(), ...environment },
  });
  running.push(program);
  return program;
}

function launcherEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    npm_execpath: STUB_NPM,
    FAIRWAY_CACHE: join(folder, 'cache'),
    STUB_NPM_LOG: join(folder, 'npm.log'),
    STUB_NODE: process.execPath,
  };
}

function launchOld(args: readonly string[], environment: NodeJS.ProcessEnv = {}): RunningProgram {
  return launch(args, environment, ['--import', PRETEND_OLD]);
}

function npmCalls(): string[] {
  const log = join(folder, 'npm.log');
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
}

interface Said {
  readonly args: string[];
  readonly node: string;
  readonly path: string;
  readonly pid: number;
  readonly arenas?: string;
}

function readProgram({ stdout }: Outcome): Said {
  return JSON.parse(stdout.split('\n')[0] ?? '') as Said;
}
