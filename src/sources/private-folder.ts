import { lstat, mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** A folder that only we can read. */
export interface PrivateFolder {
  readonly path: string;
  /** With all that is in it. */
  remove(): Promise<void>;
}

export interface SweepOptions {
  readonly nowMs: number;
  /** What showed a sign of life within this time may be another process's. */
  readonly inUseMs: number;
  /** Told of each that cannot be removed; the others are. */
  readonly onStuck?: (path: string, error: unknown) => void;
}

/** Those that this process works in. */
const inUse = new Set<string>();

export async function makePrivateFolder(parent: string, purpose: 'run' | 'packed'): Promise<PrivateFolder> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const path = resolve(await mkdtemp(join(parent, `${purpose}-`)));
  inUse.add(path);
  return {
    path,
    async remove() {
      try {
        await rm(path, { recursive: true, force: true });
      } finally {
        // What could not be removed now is swept later.
        inUse.delete(path);
      }
    },
  };
}

/** Lends a private folder, and removes it afterwards with all that is in it. */
export async function withPrivateFolder<Result>(parent: string, use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await makePrivateFolder(parent, 'run');
  try {
    return await use(folder.path);
  } finally {
    await folder.remove();
  }
}

/**
 * Removes what a process that was killed left behind: there may be keys in it. Several processes may have their folders in one place, so
 * that those of this one get a sign of life, and others go only when theirs is old.
 */
export async function sweepPrivateFolders(parent: string, { nowMs, inUseMs, onStuck }: SweepOptions): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (!/^(?:run|packed)-/.test(name)) continue;
    const path = resolve(parent, name);
    if (inUse.has(path)) {
      await utimes(path, new Date(nowMs), new Date(nowMs)).catch(() => undefined);
      continue;
    }
    // Whoever made it may have removed it meanwhile.
    const state = await lstat(path).catch(() => undefined);
    if (state === undefined || nowMs - state.mtimeMs <= inUseMs) continue;
    await rm(path, { recursive: true, force: true }).catch((error: unknown) => onStuck?.(path, error));
  }
}
