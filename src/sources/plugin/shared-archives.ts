import { join } from 'node:path';
import { makePrivateFolder } from '../private-folder.ts';
import type { PackedFiles } from './pack-files.ts';

/**
 * Packed files, packed once for all who want the same at the same time: where plugins recognise folders themselves, every application of a
 * repository has the whole of it sent to each of them.
 */
export interface SharedArchives {
  /** The archive of what the key names. `pack` makes it, in the file it is given, where nobody has; it is there until the last one lets it go. */
  take(key: string, pack: (archive: string) => Promise<PackedFiles>): ArchiveLease;
}

export interface ArchiveLease {
  readonly packed: Promise<PackedFiles>;
  /** Returns when nothing reads the packed folder on behalf of this lease any more. */
  release(): Promise<void>;
}

interface Archive {
  readonly packed: Promise<PackedFiles>;
  readonly remove: () => Promise<void>;
  users: number;
}

/** Keeps them in folders below `parent` that only we can read. */
export function createSharedArchives(parent: string): SharedArchives {
  const archives = new Map<string, Archive>();

  function begin(key: string, pack: (archive: string) => Promise<PackedFiles>): Archive {
    const folder = makePrivateFolder(parent, 'packed');
    const archive: Archive = {
      packed: folder.then(({ path }) => pack(join(path, 'files.tar.gz'))),
      remove: () =>
        folder.then(
          (made) => made.remove(),
          () => undefined,
        ),
      users: 0,
    };
    archives.set(key, archive);
    // Whoever asks after a failure begins anew.
    archive.packed.catch(() => forget(key, archive));
    return archive;
  }

  function forget(key: string, archive: Archive): void {
    if (archives.get(key) === archive) archives.delete(key);
  }

  return {
    take(key, pack) {
      const archive = archives.get(key) ?? begin(key, pack);
      archive.users += 1;
      return {
        packed: archive.packed,
        async release() {
          await archive.packed.catch(() => undefined);
          archive.users -= 1;
          if (archive.users > 0) return;
          forget(key, archive);
          await archive.remove();
        },
      };
    },
  };
}
