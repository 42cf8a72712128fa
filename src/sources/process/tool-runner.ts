import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createSemaphore } from '../../base/index.ts';
import type { Timers } from '../../base/index.ts';
import type { SourceLimits } from '../limits.ts';
import { describeShortage } from '../shortage.ts';
import { formatGoDuration } from './format-go-duration.ts';
import { ToolError } from './tool-error.ts';
import { watchMemory } from './watch-memory.ts';

/** One run of a program: no shell, no environment but this one. */
export interface ToolRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where it runs. */
  readonly folder: string;
  readonly input?: string | Uint8Array;
  /**
   * Answers what the program has written so far with more input, for one that wants to be talked to; `end` is the last. Without it the
   * input ends at once.
   */
  readonly respond?: (output: Buffer) => { readonly text: string; readonly end: boolean } | undefined;
  /** The limit of every tool unless given. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ToolResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface ToolRunner {
  /** Runs a program to its end, whatever its exit code; throws a ToolError where it has none. */
  run(run: ToolRun): Promise<ToolResult>;
  /** How many were started so far. */
  readonly started: () => number;
  stop(): void;
}

/** Runs a bounded number of tools at once, each in a process group of its own that is killed as a whole. */
export function createToolRunner(limits: SourceLimits, timers: Timers): ToolRunner {
  const semaphore = createSemaphore({ runningMax: limits.toolsMax, waitingMax: limits.toolsWaitingMax });
  const stopping = new AbortController();
  let started = 0;

  async function run(request: ToolRun): Promise<ToolResult> {
    const signal = request.signal === undefined ? stopping.signal : AbortSignal.any([request.signal, stopping.signal]);
    const work = semaphore.tryRun(async () => {
      if (signal.aborted) throw new ToolError('stopped', 'stopped');
      started += 1;
      return await runOnce({ limitMs: limits.toolMs, ...request, signal }, limits, timers);
    });
    if (work === undefined) throw new ToolError('busy', 'too many tools wait for their turn');
    return await work;
  }

  return { run, started: () => started, stop: () => stopping.abort() };
}

function runOnce(run: ToolRun & { limitMs: number; signal: AbortSignal }, limits: SourceLimits, timers: Timers): Promise<ToolResult> {
  const { program, args, env, folder, input, respond, limitMs, signal } = run;
  const { toolOutputBytesMax: outputBytesMax, toolMemoryBytesMax: bytesMax } = limits;
  return new Promise((resolve, reject) => {
    let child: ChildProcess;
    try {
      child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    } catch (error) {
      reject(describeStart(error, folder));
      return;
    }
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let failure: ToolError | undefined;
    // Before anything else: where there are no more files to open, this comes from a child without any pipes.
    child.on('error', (error) => {
      failure ??= describeStart(error, folder);
    });
    const errors = (): string => Buffer.concat(output.stderr).toString('utf8');
    const fail = (error: ToolError): void => {
      failure ??= error;
      killGroup(child);
    };
    const cancelLimit = timers.schedule(limitMs, () =>
      fail(new ToolError('timeout', `failed timeout after ${formatGoDuration(limitMs)}`, errors())),
    );
    const onExceeded = (): void =>
      fail(new ToolError('memory', `needed more than ${Math.round(bytesMax / 2 ** 20)} MB of memory`, errors()));
    const stopWatching = child.pid === undefined ? undefined : watchMemory(child.pid, { bytesMax, timers, onExceeded });
    const giveUp = (): void => fail(new ToolError('stopped', 'stopped'));
    signal.addEventListener('abort', giveUp, { once: true });
    for (const name of ['stdout', 'stderr'] as const) {
      let bytes = 0;
      child[name]?.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= outputBytesMax) output[name].push(chunk);
        else fail(new ToolError('output', `wrote more than ${outputBytesMax} bytes`));
      });
    }
    // A tool that ends without reading its input breaks the pipe: its exit code says what there is to say.
    child.stdin?.on('error', () => undefined);
    if (respond === undefined) child.stdin?.end(input);
    else {
      if (input !== undefined) child.stdin?.write(input);
      child.stdout?.on('data', () => {
        const answer = respond(Buffer.concat(output.stdout));
        if (answer?.end === true) child.stdin?.end(answer.text);
        else if (answer !== undefined) child.stdin?.write(answer.text);
      });
    }
    // Whatever it left behind ends with it, and would hold its output open.
    child.on('exit', () => killGroup(child));
    child.on('close', (code, killedBy) => {
      cancelLimit();
      stopWatching?.();
      signal.removeEventListener('abort', giveUp);
      if (failure !== undefined) reject(failure);
      else if (code === null) reject(new ToolError('ended', `was ended by ${killedBy ?? 'a signal'}; was there no memory left?`, errors()));
      else resolve({ code, stdout: Buffer.concat(output.stdout), stderr: errors() });
    });
  });
}

/** A program that is not there is to be installed, which nobody should be told of one that is. */
function describeStart(error: unknown, folder: string): ToolError {
  const shortage = describeShortage(error);
  if (shortage !== undefined) return new ToolError('unstartable', `could not be started: ${shortage}`);
  if (!existsSync(folder)) return new ToolError('unstartable', 'could not be started: the folder that it was to run in is gone');
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT') return new ToolError('missing', 'is not there');
  if (code === 'EACCES') return new ToolError('missing', 'may not be run');
  return new ToolError('unstartable', `could not be started (${code})`);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}
