import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithUs } from './end-with-us.ts';

const program = fileURLToPath(new URL('../../src/main/fairway.ts', import.meta.url));
/** Longer than a start ever takes, also on a busy machine. */
const startTimeoutMs = 60_000;
/** Longer than the program gives its own requests to finish. */
const stopTimeoutMs = 30_000;

export interface FairwayOptions {
  readonly args?: readonly string[];
  /** Added to a clean environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** `off` unless told otherwise. */
  readonly tls?: 'auto' | 'on' | 'off';
  /** Another form of the program than its source. */
  readonly program?: string;
  /** A folder to use and to keep; a temporary one, removed by `stop`, when not given. */
  readonly dataDir?: string;
}

/** The real program, running as its own process. */
export interface Fairway {
  /** `host:port`, as the stock client takes it. */
  readonly address: string;
  /** With `http://` or `https://`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  readonly adminPassword: string;
  /** All that it has written so far, to both streams. */
  output(): string;
  /** Resolves when it has ended, to what it ended with. */
  readonly ended: Promise<number | null>;
  /** Sends SIGTERM and waits for the end. Can be called twice. */
  stop(): Promise<void>;
}

export interface FairwayResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the program on a free port of this machine and returns when it is ready. Always `stop` it. */
export async function startFairway(options: FairwayOptions = {}): Promise<Fairway> {
  const adminPassword = options.env?.['FAIRWAY_ADMIN_PASSWORD'] ?? 'test-admin-password';
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'fairway-test-')));
  const args = ['--listen', '127.0.0.1:0', '--data', dataDir, '--tls', options.tls ?? 'off', ...(options.args ?? [])];
  const child = spawnFairway(args, { FAIRWAY_ADMIN_PASSWORD: adminPassword, ...options.env }, options.program);
  const output = collect(child);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));

  async function stop(): Promise<void> {
    await end(child);
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  }

  try {
    const url = await waitForReady(child, output);
    const { hostname, port } = new URL(url);
    const host = hostname.replaceAll(/[[\]]/g, '');
    return {
      address: `${hostname}:${port}`,
      url,
      host,
      port: Number(port),
      pid: child.pid ?? 0,
      dataDir,
      adminPassword,
      output: () => output.all,
      ended,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export interface RunOptions {
  readonly limitMs?: number;
  /** A file that takes what it prints, instead of the result. */
  readonly stdout?: number | 'pipe';
  /** Is handed the process that has just been started. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** Runs the program to its end: for what it says and how it exits. */
export async function runFairway(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { limitMs = startTimeoutMs, stdout = 'pipe', onStart }: RunOptions = {},
): Promise<FairwayResult> {
  const child = spawnFairway(args, env, program, stdout);
  const output = collect(child);
  onStart?.(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, stdout: output.stdout, stderr: output.stderr };
}

function spawnFairway(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  file = program,
  stdout: number | 'pipe' = 'pipe',
): ChildProcess {
  // Not the environment of the test run: its FAIRWAY_ variables would change what is tested.
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(FAIRWAY_|NODE_|VITEST)/.test(name)));
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  endWithUs(child);
  return child;
}

function collect(child: ChildProcess): { stdout: string; stderr: string; all: string } {
  const output = { stdout: '', stderr: '', all: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      output.all += text;
    });
  }
  return output;
}

/** The address in the `ready` line. */
function waitForReady(child: ChildProcess, output: { readonly stdout: string; readonly all: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(`was not ready within ${startTimeoutMs} ms`), startTimeoutMs);
    function look(): void {
      const address = /^ready (\S+)\n/m.exec(output.stdout)?.[1];
      if (address === undefined) return;
      settle();
      resolve(address);
    }
    function fail(what: string): void {
      settle();
      reject(new Error(`fairway ${what}:\n${output.all}`));
    }
    const onClose = (code: number | null) => fail(`ended with ${code} before it was ready`);
    function settle(): void {
      clearTimeout(timer);
      child.stdout?.off('data', look);
      child.off('close', onClose);
    }
    child.stdout?.on('data', look);
    child.once('close', onClose);
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  child.kill('SIGTERM');
  await closed;
  clearTimeout(timer);
}
