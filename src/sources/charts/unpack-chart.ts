import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { defaultSourceLimits } from '../limits.ts';
import { throwShortage } from '../shortage.ts';
import { DamagedTree } from '../trees/damaged-tree.ts';
import { readArchive } from './read-archive.ts';
import type { Archive } from './read-tar.ts';

/** Writes the files of a chart or artifact, which was read once before it was kept, into an empty folder. Links come last. */
export async function unpackChart(archive: string, folder: string): Promise<void> {
  const { files, links } = await read(archive);
  for (const { path, content } of files) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content, { flag: 'wx' });
  }
  for (const [path, target] of links) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    await symlink(target, place);
  }
}

/** What could be read once and cannot be any more is damaged: it goes, and is fetched again by the next who asks for it. */
async function read(archive: string): Promise<Archive> {
  try {
    // It was within its limits when it came; settings may have changed since.
    return await readArchive(archive, await readFile(archive), { treeFilesMax: defaultSourceLimits.treeFilesMax, bytesMax: 2 ** 31 - 1 });
  } catch (error) {
    throwShortage(error);
    await rm(archive, { force: true });
    throw new DamagedTree(error instanceof Error ? error.message : 'the archive');
  }
}
