import { ApiError, Code } from '../base/index.ts';
import type { Git } from './git/git.ts';
import { GitError } from './git/git.ts';
import type { MirroredCommit } from './git/mirrors.ts';
import type { RevisionFiles } from './sources.ts';
import { partOf, resolveInTree, type TreeListing } from './trees/tree-listing.ts';

export interface RevisionFilesOptions {
  readonly git: Git;
  readonly commit: MirroredCommit;
  /** May have submodules in their places. */
  readonly listing: TreeListing;
}

/** The largest file that somebody may want to read whole. */
const fileBytesMax = 1 << 20;
/** Of all files that are asked for at once. */
const filesBytesMax = 64 << 20;

/** What a commit holds, to be looked at without checking it out. */
export function createRevisionFiles({ git, commit, listing }: RevisionFilesOptions): RevisionFiles {
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
      for (const [repository, wanted] of repositories)
        for (const [id, text] of await readBlobs(git, repository, wanted)) contents.set(id, text);
      return new Map([...ids].map(([path, id]) => [path, contents.get(id) ?? '']));
    },
  };
}

/** In one run of git however many there are. */
async function readBlobs(git: Git, repository: string, ids: ReadonlySet<string>): Promise<Map<string, string>> {
  if (ids.size === 0) return new Map();
  const contents = new Map<string, string>();
  const input = [...ids].map((id) => `${id}\n`).join('');
  let output: Buffer;
  try {
    output = await git.local({ args: ['cat-file', '--batch'], repository, input });
  } catch (error) {
    if (error instanceof GitError) throw new ApiError(Code.Internal, `the mirror of the repository cannot be read: ${error.message}`);
    throw error;
  }
  let at = 0;
  for (const id of ids) {
    const lineEnd = output.indexOf(10, at);
    const size = Number(output.toString('latin1', at, lineEnd).split(' ')[2]);
    if (lineEnd < 0 || !Number.isInteger(size)) throw new ApiError(Code.Internal, 'the mirror of the repository is damaged');
    contents.set(id, output.toString('utf8', lineEnd + 1, lineEnd + 1 + size));
    at = lineEnd + 1 + size + 1;
  }
  return contents;
}
