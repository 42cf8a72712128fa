import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Puts a file in its place at once. Where that fails nothing is left of it, least of all on a disk that is full. Unlike
 * `writeFileAtomically` it does not wait for the disk: what a machine without power leaves of it is fetched again.
 */
export async function writeWhole(place: string, content: string | Uint8Array): Promise<void> {
  const unfinished = `${place}.${randomUUID()}`;
  try {
    await writeFile(unfinished, content, { mode: 0o600 });
    await rename(unfinished, place);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
