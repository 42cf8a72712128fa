import { expect } from 'vitest';
import { askAlone } from '../../support/ask-alone.ts';
import { startFairway, type Fairway, type FairwayOptions } from '../../support/fairway.ts';
import { collectGarbage, collectingEnvironment, levelOf, readLevel, type Level } from '../../support/level/process-level.ts';

/** What is in use after a garbage collection may rise by this much: caches, compiled code. */
const IN_USE_TOLERANCE_MB = 16;
/** The allocator of the C library keeps some of what it had: it rises once by about 20 MB and stays there. */
const RESIDENT_TOLERANCE_MB = 64;
const FILES_TOLERANCE = 2;
/** How long it may take until everything is given back. */
const SETTLE_TIMEOUT_MS = 10_000;
const ADMIN_PASSWORD = 'planted-admin-password-5f1c';

/** The real program as the target of an attack. */
export interface Target extends Fairway {
  /** A token of the admin. */
  readonly token: string;
  /** What it holds now, after a garbage collection. */
  level(): Promise<Level>;
  /**
   * Runs one attack, and then checks what must hold after each: the same process answers, nothing was thrown where nothing
   * catches it, memory, files and child processes are back at the level of the start, and no secret was written anywhere.
   */
  attack<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface TargetOptions extends FairwayOptions {
  /** Runs before the level is taken: a heap that had to grow once stays so, which is no leak as long as it does not go on. */
  readonly warmUp?: (fairway: Fairway, token: string) => Promise<unknown>;
}

export async function startTarget(options: TargetOptions = {}): Promise<Target> {
  const env = { ...collectingEnvironment, FAIRWAY_ADMIN_PASSWORD: ADMIN_PASSWORD, ...options.env };
  const fairway = await startFairway({ ...options, env });
  try {
    const token = await signIn(fairway);
    const level = (): Promise<Level> => levelOf(fairway);
    await options.warmUp?.(fairway, token);
    const first = await level();
    return {
      ...fairway,
      token,
      level,
      async attack(work) {
        const result = await work();
        await checkAfter(fairway, token, first);
        return result;
      },
    };
  } catch (error) {
    await fairway.stop();
    throw error;
  }
}

async function signIn(fairway: Fairway): Promise<string> {
  const { text } = await askAlone(fairway, '/api/v1/session', { username: 'admin', password: ADMIN_PASSWORD });
  return (JSON.parse(text) as { token: string }).token;
}

async function checkAfter(fairway: Fairway, token: string, first: Level): Promise<void> {
  // That this process still exists is what makes it the same one: nothing restarts it.
  process.kill(fairway.pid, 0);
  expect(await askAlone(fairway, '/healthz')).toEqual({ status: 200, text: 'ok\n' });
  const output = fairway.output();
  for (const unwanted of ['uncaught error', 'failed unexpectedly', 'a transport failed', ADMIN_PASSWORD, token])
    expect(output, unwanted).not.toContain(unwanted);
  const now = await readLevel(fairway);
  // Nothing to be seen without a collection, which takes longer than most cases.
  if (now.memoryMb < first.memoryMb + IN_USE_TOLERANCE_MB && describeRise(first, now) === '') return;
  const rise = async (): Promise<string> => {
    await collectGarbage(fairway);
    return describeRise(first, await readLevel(fairway));
  };
  await expect.poll(rise, { timeout: SETTLE_TIMEOUT_MS, interval: 100 }).toBe('');
}

/** In what the program holds more than before; empty when in nothing. */
function describeRise(before: Level, now: Level): string {
  return [
    ...(now.inUseMb > before.inUseMb + IN_USE_TOLERANCE_MB ? [`${now.inUseMb} MB in use after ${before.inUseMb}`] : []),
    ...(now.memoryMb > before.memoryMb + RESIDENT_TOLERANCE_MB ? [`${now.memoryMb} MB resident after ${before.memoryMb}`] : []),
    ...(now.files > before.files + FILES_TOLERANCE ? [`${now.files} files after ${before.files}`] : []),
    ...(now.children > before.children ? [`${now.children} child processes after ${before.children}`] : []),
  ].join(', ');
}
