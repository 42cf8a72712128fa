import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const STOP_LIMIT_MS = 10_000;
const POLL_MS = 50;

/** A server program that was started for tests, with its output in a file. */
export interface ServerProcess {
  readonly name: string;
  readonly pid: number;
  /** True until the program has ended. */
  isRunning(): boolean;
  /** Ends it, politely first. */
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

export interface ServerOptions {
  readonly name: string;
  readonly program: string;
  readonly flags: readonly string[];
  readonly logFile: string;
  /** Beside the search path. */
  readonly env?: Readonly<Record<string, string>>;
  /** Resolves to true once the server does its job. */
  readonly isReady: () => Promise<boolean>;
  readonly readyLimitMs: number;
}

/** Starts a server and waits until it is ready; where it ends or does not become ready in time, the error carries its last lines. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const log = openSync(options.logFile, 'a');
  const child = spawn(options.program, options.flags, {
    stdio: ['ignore', log, log],
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...options.env },
  });
  closeSync(log);
  const ended = whenEnded(child);
  const server: ServerProcess = {
    name: options.name,
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: () => end(child, ended, 'SIGTERM'),
    kill: () => end(child, ended, 'SIGKILL'),
  };
  const deadline = Date.now() + options.readyLimitMs;
  while (!(await options.isReady().catch(() => false))) {
    if (!server.isRunning() || Date.now() > deadline) {
      await server.kill();
      throw new Error(`${options.name} did not become ready:\n${lastLines(options.logFile)}`);
    }
    await wait(POLL_MS);
  }
  return server;
}

function whenEnded(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

async function end(child: ChildProcess, ended: Promise<void>, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill(signal);
  const limit = new AbortController();
  await Promise.race([ended, wait(STOP_LIMIT_MS, undefined, { signal: limit.signal }).then(() => child.kill('SIGKILL'))]);
  limit.abort();
  await ended;
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').split('\n').slice(-30).join('\n');
}
