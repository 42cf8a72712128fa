/** A lock between processes: a file that exists while somebody works, and that outlives nobody for long. */
import { closeSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

const BEAT_MS = 2_000;
const SILENCE_MS_MAX = 30_000;
const POLL_MS = 100;
const WAIT_MS_MAX = 20 * 60 * 1000;

/**
 * Does the work while holding the lock. A holder is taken for dead when its process is gone from this machine, or
 * when it has not touched the file for half a minute.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function holdLock(path, work) {
  const giveUpAt = Date.now() + WAIT_MS_MAX;
  let isWaiting = false;
  while (!tryCreate(path)) {
    if (isAbandoned(path)) {
      removeAbandoned(path);
      continue;
    }
    if (Date.now() > giveUpAt) throw new Error(`waited too long for another process that holds ${path}`);
    if (!isWaiting) process.stderr.write(`fairway: waiting for another process that holds ${path}\n`);
    isWaiting = true;
    await wait(POLL_MS);
  }
  const beat = setInterval(() => touch(path), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    rmSync(path, { force: true });
  }
}

/** @param {string} path */
function tryCreate(path) {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, JSON.stringify({ pid: process.pid, host: hostname() }));
    closeSync(file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} path */
function isAbandoned(path) {
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (modified === undefined) return false;
  if (Date.now() - modified > SILENCE_MS_MAX) return true;
  try {
    const { pid, host } = /** @type {{ pid: number, host: string }} */ (JSON.parse(readFileSync(path, 'utf8')));
    return host === hostname() && !isAlive(pid);
  } catch {
    // Gone in between, or not written yet: not a reason to take it away.
    return false;
  }
}

/**
 * Two waiters must not both remove: the slower one would remove the quicker one's new lock. So removing has a lock
 * of its own, held for an instant, and looks again.
 * @param {string} path
 */
function removeAbandoned(path) {
  const guard = `${path}.removing`;
  if (!tryCreate(guard)) {
    if (isAbandoned(guard)) rmSync(guard, { force: true });
    return;
  }
  try {
    if (isAbandoned(path)) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH';
  }
}

/** @param {string} path */
function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Somebody took us for dead; npm itself survives a second writer, so carry on.
  }
}
