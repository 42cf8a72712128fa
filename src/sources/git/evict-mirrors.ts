import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceLimits } from '../limits.ts';

export interface EvictMirrorsOptions {
  readonly folder: string;
  readonly limits: Pick<SourceLimits, 'mirrorsBytesMax' | 'inUseMs'>;
  readonly nowMs: number;
  /** Whether this process is at work in a mirror. */
  readonly isBusy: (repository: string) => boolean;
  /** Makes a mirror vanish at once. */
  readonly discard: (repository: string) => Promise<void>;
}

/** Removes the mirrors that were used longest ago until the rest is within its size; what was used a moment ago stays even then. */
export async function evictMirrors({ folder, limits, nowMs, isBusy, discard }: EvictMirrorsOptions): Promise<void> {
  const mirrors: { readonly path: string; readonly sizeBytes: number; readonly usedAtMs: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const state = await stat(path).catch(() => undefined);
    if (state === undefined) continue;
    if (!name.startsWith('unfinished-')) mirrors.push({ path, sizeBytes: await sizeOf(path), usedAtMs: state.mtimeMs });
    else if (nowMs - state.mtimeMs > limits.inUseMs) await rm(path, { recursive: true, force: true });
  }
  let total = mirrors.reduce((sum, mirror) => sum + mirror.sizeBytes, 0);
  for (const mirror of mirrors.sort((one, other) => one.usedAtMs - other.usedAtMs)) {
    if (total <= limits.mirrorsBytesMax) return;
    // It may have been used since it was looked at.
    const usedAtMs = (await stat(mirror.path).catch(() => undefined))?.mtimeMs ?? 0;
    if (nowMs - usedAtMs < limits.inUseMs || isBusy(mirror.path)) continue;
    await discard(mirror.path);
    total -= mirror.sizeBytes;
  }
}

/** Nearly all of a mirror is in its packs, which are few, and in its large files. */
async function sizeOf(mirror: string): Promise<number> {
  const folders = [join(mirror, 'objects', 'pack')];
  const large = join(mirror, 'lfs-objects');
  for (const name of await readdir(large).catch(() => [])) folders.push(join(large, name));
  let total = 0;
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0));
    total += sizes.reduce((sum, size) => sum + size, 0);
  }
  return total;
}
