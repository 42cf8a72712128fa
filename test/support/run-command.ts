import { execFile } from 'node:child_process';

/** Longer than any client is told to wait by `--timeout`: it should say itself what did not happen in time. */
const COMMAND_LIMIT_MS = 75_000;

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
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
