/** Runs a program to its end, within a limit, and tells what it said. */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunningProgram {
  child: ChildProcess;
  /** Resolves when the program has ended, whatever its exit code. */
  ended: Promise<Outcome>;
  /** The match of a pattern in what the program has written, once it is there; fails if the program ends before. */
  seen: (pattern: RegExp) => Promise<RegExpExecArray>;
}

const RUN_MS_MAX = 120_000;

export async function runProgram(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<Outcome> {
  return startProgram(command, args, options).ended;
}

export function startProgram(command: string, args: readonly string[], options: SpawnOptions = {}): RunningProgram {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: RUN_MS_MAX, ...options });
  const outcome: Outcome = { code: null, signal: null, stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  const collect = (stream: 'stdout' | 'stderr') => (chunk: Buffer) => {
    outcome[stream] += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout?.on('data', collect('stdout'));
  child.stderr?.on('data', collect('stderr'));
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ ...outcome, code, signal }));
  });

  return { child, ended, seen };

  function seen(pattern: RegExp): Promise<RegExpExecArray> {
    const found = new Promise<RegExpExecArray>((resolve) => {
      const look = (): void => {
        const match = pattern.exec(outcome.stdout) ?? pattern.exec(outcome.stderr);
        if (!match) return;
        listeners.delete(look);
        resolve(match);
      };
      listeners.add(look);
      look();
    });
    const missed = ended.then(({ code, stdout, stderr }): never => {
      throw new Error(`ended with ${code} and without ${String(pattern)}\n${stdout}\n${stderr}`);
    });
    return Promise.race([found, missed]);
  }
}
