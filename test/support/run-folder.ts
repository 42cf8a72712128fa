/**
 * One folder for each run of the tests, where test files meet that share something slow to start. Vitest runs `setup` before
 * the first test file and `teardown` after the last.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const VARIABLE = 'FAIRWAY_TEST_RUN';
const STOP_LIMIT_MS = 15_000;
const POLL_MS = 50;

export function setup(): void {
  // Vitest runs this once for each of its projects.
  if (process.env[VARIABLE] !== undefined && existsSync(process.env[VARIABLE])) return;
  const folder = mkdtempSync(join(tmpdir(), 'fairway-test-run-'));
  writeFileSync(join(folder, 'main.pid'), String(process.pid));
  process.env[VARIABLE] = folder;
}

/** Ends the shared servers that were started; each has its process id in a file of its own. */
export async function teardown(): Promise<void> {
  const folder = runFolder();
  const file = join(folder, 'cluster.pid');
  if (existsSync(file)) await end(Number(readFileSync(file, 'utf8')));
  rmSync(folder, { recursive: true, force: true });
}

/** Only inside a run of vitest. */
export function runFolder(): string {
  const folder = process.env[VARIABLE];
  if (!folder) throw new Error(`${VARIABLE} is not set: vitest.config.ts names run-folder.ts as its global set-up`);
  return folder;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // No such process: that is the answer.
    return false;
  }
}

async function end(pid: number): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGTERM');
  const deadline = Date.now() + STOP_LIMIT_MS;
  while (isAlive(pid) && Date.now() < deadline) await wait(POLL_MS);
}
