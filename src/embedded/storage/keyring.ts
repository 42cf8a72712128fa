import { ApiError, Code } from '../../base/index.ts';
import { createKey, readKeyFile, writeKeyFile } from './key-file.ts';
import { resealAll } from './rotate-key.ts';
import { Sealer } from './sealer.ts';
import type { Store } from './store.ts';

/** The keys for what is encrypted at rest, and where they are kept. */
export interface Keyring {
  readonly sealer: Sealer;
  /** Ends a change of keys that a crash has interrupted: the file then holds the old ones too. */
  resume(store: Store): Promise<void>;
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
  let keys: readonly Uint8Array[] =
    given === undefined ? await readOrCreate(`${databaseFile}.key`, isSealed) : given instanceof Uint8Array ? [given] : [...given];
  const sealWithNewest = async (store: Store): Promise<void> => {
    await resealAll(store, new Sealer(keys));
    keys = keys.slice(0, 1);
    if (path !== undefined) await writeKeyFile(path, keys);
    store.sealer = new Sealer(keys);
  };
  return {
    sealer: new Sealer(keys),
    resume: async (store) => {
      if (path !== undefined && keys.length > 1) await sealWithNewest(store);
    },
    rotate: async (store, key) => {
      if (key === undefined && path === undefined)
        throw new ApiError(Code.InvalidArgument, 'the key is not kept in a file: give the new one');
      keys = [key ?? createKey(), ...keys];
      // Both keys are on disk before anything is sealed with the new one: a crash in between loses nothing.
      if (path !== undefined) await writeKeyFile(path, keys);
      await sealWithNewest(store);
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
