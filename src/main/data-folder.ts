import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeSystemError, FolderInUse, StartError } from './start-error.ts';

/**
 * A checkout keeps its data to itself; an installed program keeps it where the platform keeps such things.
 * Only a checkout runs the sources as they are.
 */
export function findDefaultDataDir(environment: Readonly<Record<string, string | undefined>>): string {
  if (import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('../../.fairway', import.meta.url));
  const { XDG_DATA_HOME, LOCALAPPDATA } = environment;
  if (XDG_DATA_HOME) return join(XDG_DATA_HOME, 'fairway');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'fairway');
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'fairway');
  return join(homedir(), '.local', 'share', 'fairway');
}

export interface DataFolder {
  /** Lets another process have the folder. */
  release(): void;
}

/** Makes the folder when there is none, for its owner alone, and takes it for this process. Throws StartError when that cannot be. */
export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(`cannot use the data folder ${dataDir}: ${describeSystemError(error)}`);
  }
  return takeLock(dataDir);
}

/** Whether a process has the folder. */
export async function isFolderInUse(dataDir: string): Promise<boolean> {
  if (!existsSync(join(dataDir, 'lock'))) return false;
  try {
    (await takeLock(dataDir)).release();
    return false;
  } catch (error) {
    if (error instanceof FolderInUse) return true;
    throw error;
  }
}

/**
 * Two processes with one folder would overwrite each other's data. The lock is one of the operating system's, held
 * through SQLite: it ends with the process however that ends, so it is never stale.
 */
async function takeLock(dataDir: string): Promise<DataFolder> {
  const { DatabaseSync } = await import('node:sqlite');
  const holderPath = join(dataDir, 'lock-holder');
  try {
    const database = new DatabaseSync(join(dataDir, 'lock'), { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
    await writeFile(holderPath, `${process.pid}\n`, { mode: 0o600 });
    return { release: () => database.close() };
  } catch (error) {
    const isHeld = error instanceof Error && 'errcode' in error && error.errcode === 5;
    if (!isHeld) throw new StartError(`cannot use the data folder ${dataDir}: ${describeSystemError(error)}`);
    const holder = (await readFile(holderPath, 'utf8').catch(() => '')).trim();
    const who = /^\d+$/.test(holder) ? ` (process ${holder})` : '';
    throw new FolderInUse(
      `the data folder ${dataDir} is in use by another fairway${who}; stop it, or give this one another folder with --data`,
    );
  }
}
