import { ApiError, Code } from '../base/index.ts';
import type { Git } from './git/git.ts';
import { GitError } from './git/git.ts';
import { isDamage } from './git/mirrors.ts';
import type { MirroredCommit, Mirrors } from './git/mirrors.ts';
import { readBlobs } from './git/read-blobs.ts';
import type { RevisionFiles } from './sources.ts';
import { partOf, resolveInTree, type TreeListing } from './trees/tree-listing.ts';

export interface RevisionFilesOptions {
  readonly git: Git;
  readonly mirrors: Pick<Mirrors, 'discard'>;
  readonly commit: MirroredCommit;
  /** May have submodules in their places. */
  readonly listing: TreeListing;
}

/** The largest file that somebody may want to read whole. */
const fileBytesMax = 1 << 20;
/** Of all files that are asked for at once. */
const filesBytesMax = 64 << 20;

/** What a commit holds, to be looked at without checking it out. */
export function createRevisionFiles({ git, mirrors, commit, listing }: RevisionFilesOptions): RevisionFiles {
  return {
    revision: commit.commit,
    entries: listing.entries,
    async read(paths) {
      const ids = new Map<string, string>();
      const repositories = new Map<string, Set<string>>();
      let sizeBytes = 0;
      for (const path of paths) {
        const found = resolveInTree(listing, path);
        if (!found.found || found.entry.kind !== 'file') throw new ApiError(Code.NotFound, `there is no file ${path} in the revision`);
        if (found.entry.sizeBytes > fileBytesMax)
          throw new ApiError(Code.ResourceExhausted, `the file ${path} is larger than ${fileBytesMax} bytes`);
        if (!ids.has(path)) sizeBytes += found.entry.sizeBytes;
        ids.set(path, found.entry.id);
        const repository = partOf(listing, found.path)?.repository ?? commit.repository;
        const known = repositories.get(repository) ?? new Set();
        repositories.set(repository, known.add(found.entry.id));
      }
      if (sizeBytes > filesBytesMax) throw new ApiError(Code.ResourceExhausted, `the files are larger than ${filesBytesMax} bytes`);
      const contents = new Map<string, string>();
      for (const [repository, wanted] of repositories) {
        const blobs = await readBlobs(git, repository, [...wanted]).catch((error: unknown) => refuseMirror(mirrors, repository, error));
        for (const [index, id] of [...wanted].entries()) contents.set(id, blobs[index]?.toString('utf8') ?? '');
      }
      return new Map([...ids].map(([path, id]) => [path, contents.get(id) ?? '']));
    },
  };
}

/** Throws how git failed. A mirror that is damaged goes, so that whoever asks next has a new one. */
export async function refuseMirror(mirrors: Pick<Mirrors, 'discard'>, repository: string, error: unknown): Promise<never> {
  if (!(error instanceof GitError)) throw error;
  if (isDamage(error)) await mirrors.discard(repository);
  throw new ApiError(Code.Internal, `the mirror of the repository cannot be read: ${error.message}`);
}
