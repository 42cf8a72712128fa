import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const OWN_LOCKS = ['shallow.lock', 'packed-refs.lock', 'config.lock', 'HEAD.lock'];

/**
 * Removes what runs of git left behind that were killed: locks, which git would take for those of another run for ever, and packs that
 * were not fetched to their end, which fill the disk one after the other. What changed since `beforeMs` may still be used. Answers with
 * whether a lock is gone.
 */
export async function sweepMirror(repository: string, beforeMs: number): Promise<boolean> {
  const packs = join(repository, 'objects', 'pack');
  for (const name of await readdir(packs).catch(() => []))
    if (name.startsWith('tmp_') || name.startsWith('.tmp-')) await removeIfOld(join(packs, name), beforeMs);
  const refs = await readdir(join(repository, 'refs'), { recursive: true }).catch(() => []);
  const locks = [...OWN_LOCKS, ...refs.filter((name) => name.endsWith('.lock')).map((name) => join('refs', name))];
  let isUnlocked = false;
  for (const lock of locks) isUnlocked = (await removeIfOld(join(repository, lock), beforeMs)) || isUnlocked;
  return isUnlocked;
}

async function removeIfOld(path: string, beforeMs: number): Promise<boolean> {
  const state = await stat(path).catch(() => undefined);
  if (state === undefined || state.mtimeMs >= beforeMs) return false;
  await rm(path, { recursive: true, force: true });
  return true;
}
