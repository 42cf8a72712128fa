import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceLimits } from '../limits.ts';

export interface EvictTreesOptions {
  readonly folder: string;
  readonly limits: Pick<SourceLimits, 'treesBytesMax' | 'inUseMs'>;
  readonly nowMs: number;
  /** Whether somebody in this process reads it. */
  readonly isInUse: (tree: string) => boolean;
}

interface StoredTree {
  readonly name: string;
  readonly place: string;
  readonly sizeBytes: number;
  readonly usedAtMs: number;
}

/**
 * Removes what was used longest ago until the rest is within its size. What was used a moment ago stays even then: another process may
 * still read it. What a killed process left unfinished goes too.
 */
export async function evictTrees({ folder, limits, nowMs, isInUse }: EvictTreesOptions): Promise<void> {
  const trees: StoredTree[] = [];
  for (const name of await readdir(folder)) {
    if (name.startsWith('unfinished-')) await removeIfOld(join(folder, name), nowMs - limits.inUseMs);
    else if (name.length === 2) trees.push(...(await listTrees(join(folder, name))));
  }
  let total = trees.reduce((sum, tree) => sum + tree.sizeBytes, 0);
  for (const tree of trees.sort((one, other) => one.usedAtMs - other.usedAtMs)) {
    if (total <= limits.treesBytesMax) return;
    if (isInUse(tree.name) || nowMs - tree.usedAtMs < limits.inUseMs) continue;
    await removeWhole(folder, tree.place, { nowMs, isRead: false });
    total -= tree.sizeBytes;
  }
}

async function listTrees(folder: string): Promise<StoredTree[]> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.size'));
  const trees = names.map(async (name) => {
    const place = join(folder, name);
    try {
      const [{ mtimeMs }, size] = await Promise.all([stat(place), readFile(`${place}.size`, 'utf8').catch(() => '0')]);
      return [{ name, place, sizeBytes: Number(size) || 0, usedAtMs: mtimeMs }];
    } catch {
      // Another process removed it meanwhile.
      return [];
    }
  });
  return (await Promise.all(trees)).flat();
}

/**
 * It vanishes at once, so that nobody ever sees a part of it; that takes no room, which there may be none of. What is still read stays in
 * its grave until it is old.
 */
export async function removeWhole(
  folder: string,
  place: string,
  { nowMs, isRead }: { readonly nowMs: number; readonly isRead: boolean },
): Promise<void> {
  const grave = join(folder, `unfinished-${randomUUID()}`);
  // Another process may have been quicker.
  await rename(place, grave).catch(() => undefined);
  await rm(`${place}.size`, { force: true });
  if (isRead) await utimes(grave, new Date(nowMs), new Date(nowMs)).catch(() => undefined);
  else await rm(grave, { recursive: true, force: true });
}

async function removeIfOld(place: string, beforeMs: number): Promise<void> {
  const state = await stat(place).catch(() => undefined);
  if (state !== undefined && state.mtimeMs < beforeMs) await rm(place, { recursive: true, force: true });
}
