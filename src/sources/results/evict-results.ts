import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What is kept as long as it is used, and what ends at a certain age however often it is used. */
export const resultShelves = ['kept', 'brief'] as const;
export type ResultShelf = (typeof resultShelves)[number];

export const UNFINISHED = 'unfinished-';
/** What a killed process left unfinished is surely nobody's by then. */
const UNFINISHED_MS = 10 * 60_000;

export interface EvictResultsOptions {
  readonly folder: string;
  readonly nowMs: number;
  /** How long after its last use, or for `brief` after it was made, a result goes. */
  readonly lifetimesMs: Readonly<Record<ResultShelf, number>>;
  readonly filesMax: number;
  readonly bytesMax: number;
}

interface StoredFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly changedAtMs: number;
}

/** Removes what is too old, then what was used longest ago until the rest is within its bounds. Others may do the same at once. */
export async function evictResults({ folder, nowMs, lifetimesMs, filesMax, bytesMax }: EvictResultsOptions): Promise<void> {
  for (const file of await listFiles(folder, (name) => name.startsWith(UNFINISHED)))
    if (file.changedAtMs < nowMs - UNFINISHED_MS) await rm(file.path, { force: true });
  const rest: StoredFile[] = [];
  for (const shelf of resultShelves) {
    for (const shard of await namesIn(join(folder, shelf))) {
      for (const file of await listFiles(join(folder, shelf, shard))) {
        if (file.changedAtMs < nowMs - lifetimesMs[shelf]) await rm(file.path, { force: true });
        else rest.push(file);
      }
    }
  }
  let count = rest.length;
  let total = rest.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  for (const { path, sizeBytes } of rest.sort((one, other) => one.changedAtMs - other.changedAtMs)) {
    if (count <= filesMax && total <= bytesMax) return;
    await rm(path, { force: true });
    count -= 1;
    total -= sizeBytes;
  }
}

async function listFiles(folder: string, isWanted: (name: string) => boolean = () => true): Promise<StoredFile[]> {
  const names = (await namesIn(folder)).filter(isWanted);
  const files = names.map(async (name) => {
    const path = join(folder, name);
    // Another process may have removed it meanwhile.
    const state = await stat(path).catch(() => undefined);
    return state === undefined ? [] : [{ path, sizeBytes: state.size, changedAtMs: state.mtimeMs }];
  });
  return (await Promise.all(files)).flat();
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
