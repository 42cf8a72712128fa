import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Lends a folder that only we can read, and removes it afterwards with all that is in it. */
export async function withPrivateFolder<Result>(parent: string, use: (folder: string) => Promise<Result>): Promise<Result> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(parent, 'run-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
