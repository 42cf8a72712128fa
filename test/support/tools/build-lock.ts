import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const HEARTBEAT_MS = 2_000;
const POLL_MS = 200;
/** A holder that has shown no sign of life for this long is gone. */
const STALE_MS = 20_000;

/**
 * Runs `work` while holding the lock file at `path`, which other processes respect. A lock whose holder died is taken over:
 * holders touch the file while they live.
 *
 * It saves work and does not guard data: in the instant of a takeover two may hold it, so `work` must be safe to run twice at once.
 */
export async function withBuildLock<Result>(path: string, work: () => Promise<Result>, limitMs: number): Promise<Result> {
  const token = `${process.pid} ${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  const deadline = Date.now() + limitMs;
  while (!(await tryTake(path, token))) {
    if (await isStale(path)) await rm(path, { force: true });
    else if (Date.now() > deadline) throw new Error(`another process has held ${path} for ${limitMs / 1000} s`);
    else await wait(POLL_MS);
  }
  // A heartbeat that fails means that someone took the lock over; the work is then done twice, which is harmless.
  const heartbeat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await readHolder(path)) === token) await rm(path, { force: true });
  }
}

async function tryTake(path: string, token: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(token);
    await file.close();
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > STALE_MS;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
