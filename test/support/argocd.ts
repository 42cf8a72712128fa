import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Longer than any command that answers; a client that waits for an answer on its terminal ends here. */
const COMMAND_LIMIT_MS = 15_000;

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
}

/** A person at a machine of their own: the stock client with a home folder in which it keeps where it is signed in. */
export interface ArgocdUser extends AsyncDisposable {
  /** Runs one command with its standard input closed. */
  run(...args: readonly string[]): Promise<CommandResult>;
  /** The client's own file of servers and tokens. */
  readConfig(): Promise<string>;
}

export async function createArgocdUser(program: string): Promise<ArgocdUser> {
  const home = await mkdtemp(join(tmpdir(), 'argocd-user-'));
  const env = { HOME: home, ARGOCD_CONFIG_DIR: join(home, 'config'), PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' };
  return {
    run: (...args) => runCommand(program, args, env),
    readConfig: () => readFile(join(home, 'config', 'config'), 'utf8'),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

/** Runs a program to its end. One that has to be stopped has no exit code. */
export function runCommand(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<CommandResult> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { env, timeout: COMMAND_LIMIT_MS, maxBuffer: 16 << 20 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      if (error !== null && code === null && !error.killed) reject(new Error(`${program} does not run`, { cause: error }));
      else resolve({ code, stdout, stderr, elapsedMs: performance.now() - started });
    });
    child.stdin?.end();
  });
}
