import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../write-whole.ts';

/** Where an index has charts that are no files of its repository, also for a process that is started anew. */
export interface KeptAddresses {
  read(key: readonly string[]): Promise<string | undefined>;
  write(key: readonly string[], address: string): Promise<void>;
}

/** They lie beside the archives that are fetched from there, and go with them. */
export function createKeptAddresses(folder: string): KeptAddresses {
  const placeOf = (key: readonly string[]): string =>
    join(folder, `${createHash('sha256').update(JSON.stringify(key)).digest('hex')}.address`);
  return {
    read: (key) => readFile(placeOf(key), 'utf8').catch(() => undefined),
    async write(key, address) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeWhole(placeOf(key), address);
    },
  };
}
