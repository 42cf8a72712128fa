import { ApiError, Code } from '../../base/index.ts';
import { createKey, readKeyFile, writeKeyFile } from './key-file.ts';
import { resealAll } from './rotate-key.ts';
import { Sealer } from './sealer.ts';
import type { Store } from './store.ts';

/** The keys for what is encrypted at rest, and where they are kept. */
export interface Keyring {
  readonly sealer: Sealer;
  /** Seals everything with another key: the given one, or a new one where the keys are in a file. */
  rotate(store: Store, key: Uint8Array | undefined): Promise<void>;
}

/** The given keys, or those of the file beside the database; it is made with a new key where nothing is sealed yet. */
export async function openKeyring(
  databaseFile: string,
  given: Uint8Array | readonly Uint8Array[] | undefined,
  isSealed: boolean,
): Promise<Keyring> {
  const path = given === undefined ? `${databaseFile}.key` : undefined;
  let keys = given === undefined ? await readOrCreate(`${databaseFile}.key`, isSealed) : given instanceof Uint8Array ? [given] : [...given];
  return {
    sealer: new Sealer(keys),
    rotate: async (store, key) => {
      if (key === undefined && path === undefined)
        throw new ApiError(Code.InvalidArgument, 'the key is not kept in a file: give the new one');
      const newest = key ?? createKey();
      keys = [newest, ...keys];
      // Both keys are on disk before anything is sealed with the new one: a crash in between loses nothing.
      if (path !== undefined) await writeKeyFile(path, keys);
      await resealAll(store, new Sealer(keys));
      keys = [newest];
      if (path !== undefined) await writeKeyFile(path, keys);
      store.sealer = new Sealer(keys);
    },
  };
}

async function readOrCreate(path: string, isSealed: boolean): Promise<readonly Uint8Array[]> {
  const known = await readKeyFile(path);
  if (known !== undefined) return known;
  if (isSealed) throw new ApiError(Code.FailedPrecondition, `the database holds secrets, and the file with their key, ${path}, is missing`);
  const keys = [createKey()];
  await writeKeyFile(path, keys);
  return keys;
}
