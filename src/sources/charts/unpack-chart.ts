import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { defaultSourceLimits } from '../limits.ts';
import { archiveLimits, readChart } from './charts.ts';

/** Writes the files of a chart, which was read once before it was kept, into an empty folder. */
export async function unpackChart(archive: string, folder: string): Promise<void> {
  for (const { path, content } of await readChart(await readFile(archive), archiveLimits(defaultSourceLimits))) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content, { flag: 'wx' });
  }
}
