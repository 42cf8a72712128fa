import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { LruMap } from '../../../base/index.ts';
import type { HttpGet } from '../../http/http-request.ts';
import type { SourceLimits } from '../../limits.ts';
import type { RepositoryAccess } from '../../repository-access.ts';
import type { TreeEntry, TreeListing } from '../../trees/tree-listing.ts';
import type { Git } from '../git.ts';
import type { MirroredCommit } from '../mirrors.ts';
import { readBlobs } from '../read-blobs.ts';
import { downloadObjects, placeOfObject } from './download-objects.ts';
import { findLfsServer } from './lfs-server.ts';
import type { LfsServer } from './lfs-server.ts';
import { parsePointer, pointerBytesMax } from './parse-pointer.ts';
import type { LfsPointer } from './parse-pointer.ts';

export interface LfsOptions {
  readonly git: Git;
  readonly get: HttpGet;
  readonly limits: SourceLimits;
}

/** The listing of a revision with its large files in place of their pointers, once they are here. */
export type CompleteWithLfs = (
  access: RepositoryAccess,
  commit: MirroredCommit,
  listing: TreeListing,
  signal: AbortSignal | undefined,
) => Promise<TreeListing>;

const REMEMBERED_MAX = 64;

export function createLfs({ git, get, limits }: LfsOptions): CompleteWithLfs {
  const pointersOf = new LruMap<string, ReadonlyMap<string, LfsPointer>>(REMEMBERED_MAX);
  const completed = new LruMap<string, TreeListing>(REMEMBERED_MAX);

  async function findPointers(repository: string, listing: TreeListing): Promise<ReadonlyMap<string, LfsPointer>> {
    const known = pointersOf.get(listing.tree);
    if (known !== undefined) return known;
    const found = new Map<string, LfsPointer>();
    if (await usesLfs(git, repository, listing)) {
      const candidates = ownFiles(listing).filter(([, { sizeBytes }]) => sizeBytes >= 100 && sizeBytes <= pointerBytesMax);
      const contents = await readBlobs(
        git,
        repository,
        candidates.map(([, { id }]) => id),
      );
      for (const [index, [path]] of candidates.entries()) {
        const pointer = parsePointer(contents[index] ?? Buffer.alloc(0));
        if (pointer !== undefined) found.set(path, pointer);
      }
    }
    pointersOf.set(listing.tree, found);
    return found;
  }

  return async (access, commit, listing, signal) => {
    const pointers = await findPointers(commit.repository, listing);
    if (pointers.size === 0) return listing;
    const store = join(commit.repository, 'lfs-objects');
    const findServer = (): Promise<LfsServer> => findLfsServer(git, access, signal);
    await downloadObjects({ get, limits, access, findServer, store, signal }, [...pointers.values()]);
    // The same tree may have its submodules from other mirrors, which come and go with those who may read them.
    const places = listing.parts.map((part) => ('repository' in part ? part.repository : ''));
    const key = [commit.repository, listing.tree, ...places].join('\0');
    const made = completed.get(key) ?? replacePointers(listing, pointers, store);
    completed.set(key, made);
    return made;
  };
}

/** Whether the repository says of any of its files that LFS keeps them. */
async function usesLfs(git: Git, repository: string, listing: TreeListing): Promise<boolean> {
  const attributes = ownFiles(listing).filter(([path]) => path === '.gitattributes' || path.endsWith('/.gitattributes'));
  const contents = await readBlobs(
    git,
    repository,
    attributes.map(([, { id }]) => id),
  );
  return contents.some((content) => content.includes('filter=lfs'));
}

/** Without those of submodules, which are in other repositories. */
function ownFiles({ entries, parts }: TreeListing): [string, TreeEntry][] {
  const others = parts.filter(({ path }) => path !== '').map(({ path }) => `${path}/`);
  return [...entries].filter(([path, { kind }]) => kind === 'file' && !others.some((other) => path.startsWith(other)));
}

/** All that is named after its contents gets other names, since its contents are others. */
function replacePointers(listing: TreeListing, pointers: ReadonlyMap<string, LfsPointer>, store: string): TreeListing {
  const entries = new Map(listing.entries);
  const folders = new Set<string>();
  const parts = [...listing.parts];
  let { sizeBytes } = listing;
  for (const [path, pointer] of pointers) {
    sizeBytes += pointer.sizeBytes;
    entries.set(path, { kind: 'file', id: `lfs-${pointer.oid}`, sizeBytes: pointer.sizeBytes });
    parts.push({ path, object: placeOfObject(store, pointer.oid) });
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) folders.add(path.slice(0, slash));
  }
  for (const path of folders) {
    const entry = entries.get(path);
    if (entry !== undefined) entries.set(path, { ...entry, id: `lfs-${entry.id}` });
  }
  const tree = createHash('sha256').update(`lfs\0${listing.tree}`).digest('hex').slice(0, 40);
  return { ...listing, tree, parts, entries, sizeBytes };
}
