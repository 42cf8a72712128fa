import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { defaultSourceLimits } from '../limits.ts';
import { readArchive } from './read-archive.ts';

/** Writes the files of a chart or artifact, which was read once before it was kept, into an empty folder. Links come last. */
export async function unpackChart(archive: string, folder: string): Promise<void> {
  const { files, links } = await readArchive(archive, await readFile(archive), defaultSourceLimits);
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
