import { existsSync } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, mkdtemp, rename, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ApiError, Code, LruMap } from '../../base/index.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Git } from '../git/git.ts';
import type { MirroredCommit } from '../git/mirrors.ts';
import { readBlobs } from '../git/read-blobs.ts';
import type { SourceLimits } from '../limits.ts';
import { createSingleFlight } from '../single-flight.ts';
import { unpackChart } from '../charts/unpack-chart.ts';
import { isDiskFull } from '../shortage.ts';
import { evictTrees, removeWhole } from './evict-trees.ts';
import { isWhole } from './is-whole.ts';
import { encodeName } from './name-bytes.ts';
import { findEscapingLinks, leaveOut, parseLinkTarget, parseTreeEntries } from './tree-listing.ts';
import type { TreeListing, TreePart } from './tree-listing.ts';

/** A revision on disk. Nobody changes it. */
export interface TreeLease {
  readonly folder: string;
  /** To be called when it is no longer read. */
  release(): void;
}

export interface Trees {
  /** What a commit holds. */
  list(commit: MirroredCommit, signal?: AbortSignal): Promise<TreeListing>;
  /** What was put together, without links that lead out of it; throws where settings want all of it refused for them. */
  keepWithin(listing: TreeListing): TreeListing;
  /** The revision as files; checked out once, and shared by all who hold a lease. */
  acquire(listing: TreeListing, signal?: AbortSignal): Promise<TreeLease>;
  /** Throws a revision away that turned out to be damaged. */
  discard(tree: string): Promise<void>;
}

export interface TreesOptions {
  readonly git: Git;
  readonly folder: string;
  readonly limits: SourceLimits;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether links that lead out of a repository are left out of it, instead of refusing all of it. */
  readonly leavesOutLinks: () => boolean;
}

const LISTINGS_MAX = 64;
/** A sign of life for other processes, no oftener than needed. */
const TOUCH_EVERY_MS = 60_000;

export function createTrees({ git, folder, limits, clock, log, leavesOutLinks }: TreesOptions): Trees {
  const listings = new LruMap<string, TreeListing>(LISTINGS_MAX);
  /** The links that lead out, or that there is no telling, by tree: one with submodules is put together anew at each look of each application. */
  const leadingOut = new LruMap<string, readonly string[] | ApiError>(LISTINGS_MAX);
  const listing = createSingleFlight<TreeListing>();
  const checkingOut = createSingleFlight<void>();
  const looking = createSingleFlight<void>();
  /** What this process checked out or has looked through: what an earlier one left may have been on a machine that lost its power. */
  const lookedThrough = new LruMap<string, true>(1024);
  const inUse = new Map<string, number>();
  const touchedAtMs = new LruMap<string, number>(1024);
  let evicting: Promise<void> | undefined;

  async function list({ repository, tree }: MirroredCommit): Promise<TreeListing> {
    const output = await git.local({ args: ['ls-tree', '-r', '-t', '-l', '-z', '--full-tree', tree], repository });
    const entries = parseTreeEntries(output);
    let fileCount = 0;
    let sizeBytes = 0;
    for (const entry of entries.values()) {
      if (entry.kind === 'file') fileCount += 1;
      sizeBytes += entry.sizeBytes;
    }
    if (fileCount > limits.treeFilesMax || sizeBytes > limits.treeBytesMax)
      throw new ApiError(Code.ResourceExhausted, `the revision has more than ${limits.treeFilesMax} files or ${limits.treeBytesMax} bytes`);
    const links = await readLinks(git, repository, entries);
    const made = keepWithin({ tree, parts: [{ path: '', repository, tree }], entries, links, fileCount, sizeBytes });
    listings.set(tree, made);
    return made;
  }

  function keepWithin(whole: TreeListing): TreeListing {
    const leading = leadingOut.get(whole.tree) ?? tryToFindEscapingLinks(whole);
    leadingOut.set(whole.tree, leading);
    if (leading instanceof ApiError) throw new ApiError(leading.code, leading.message);
    if (leading.length === 0) return whole;
    if (!leavesOutLinks()) throw new ApiError(Code.Unknown, `repository contains out-of-bounds symlinks. file: ${leading[0] ?? ''}`);
    return leaveOut(whole, leading);
  }

  async function checkOut({ parts }: TreeListing, place: string): Promise<void> {
    if (existsSync(place)) return;
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    const unfinished = await mkdtemp(join(folder, 'unfinished-'));
    try {
      const files = join(unfinished, 'files');
      await mkdir(files, { mode: 0o700 });
      for (const [index, part] of parts.entries()) await checkOutPart(git, part, files, join(unfinished, `index-${index}`));
      const now = new Date(clock.nowMs());
      await utimes(files, now, now);
      await rename(files, place);
    } catch (error) {
      // Another process may have been quicker.
      if (!existsSync(place)) throw error;
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }

  /** Whether it is there. */
  async function touch(tree: string, place: string): Promise<boolean> {
    const nowMs = clock.nowMs();
    if (nowMs - (touchedAtMs.get(tree) ?? 0) < TOUCH_EVERY_MS) return true;
    try {
      await utimes(place, new Date(nowMs), new Date(nowMs));
    } catch {
      return false;
    }
    touchedAtMs.set(tree, nowMs);
    return true;
  }

  /** Nobody ever sees a part of it. What somebody still reads goes when it is old. */
  async function remove(tree: string, { isRead }: { readonly isRead: boolean }): Promise<void> {
    touchedAtMs.delete(tree);
    lookedThrough.delete(tree);
    const place = placeOf(folder, tree);
    if (existsSync(place)) await removeWhole(folder, place, { nowMs: clock.nowMs(), isRead });
    await rm(`${place}.size`, { force: true });
  }

  /** Before it is lent for the first time. */
  async function lookThrough(listing: TreeListing, place: string): Promise<void> {
    if (await isWhole(place, listing)) {
      lookedThrough.set(listing.tree, true);
      return;
    }
    log.warn('a cached revision is not whole, and is checked out anew', { tree: listing.tree });
    await remove(listing.tree, { isRead: false });
  }

  /** On a full disk only what is in use stays: it is made again from mirrors, and would keep others from being made. */
  function evictLater({ treesBytesMax }: Pick<SourceLimits, 'treesBytesMax'> = limits): void {
    const bounds = { inUseMs: limits.inUseMs, treesBytesMax };
    evicting ??= evictTrees({ folder, limits: bounds, nowMs: clock.nowMs(), isInUse: (tree) => inUse.has(tree) })
      .catch((error: unknown) => log.warn('the cache of revisions could not be swept', { error }))
      .finally(() => {
        evicting = undefined;
      });
  }

  return {
    keepWithin,
    async list(commit, signal) {
      const known = listings.get(commit.tree);
      const isStill = known?.parts.every((part) => !('leftOut' in part)) === true || leavesOutLinks();
      if (known === undefined || !isStill) return await listing.join(`${commit.repository}\0${commit.tree}`, () => list(commit), signal);
      const bound = bindTo(commit.repository, known);
      if (bound !== known) listings.set(commit.tree, bound);
      return bound;
    },
    async acquire(listing, signal) {
      const { tree, sizeBytes, fileCount } = listing;
      const place = placeOf(folder, tree);
      inUse.set(tree, (inUse.get(tree) ?? 0) + 1);
      let isReleased = false;
      const release = (): void => {
        if (isReleased) return;
        isReleased = true;
        const holders = (inUse.get(tree) ?? 1) - 1;
        if (holders === 0) inUse.delete(tree);
        else inUse.set(tree, holders);
      };
      try {
        // Another process may remove it between the look and the sign of life: then it is checked out again.
        for (let attempt = 1; ; attempt += 1) {
          if (existsSync(place) && lookedThrough.get(tree) === undefined)
            await looking.join(tree, () => lookThrough(listing, place), signal);
          if (!existsSync(place)) {
            await checkingOut.join(tree, () => checkOut(listing, place), signal);
            await writeFile(`${place}.size`, String(sizeBytes + fileCount * 512), { mode: 0o600 });
            lookedThrough.set(tree, true);
            evictLater();
          }
          if (lookedThrough.get(tree) === true && (await touch(tree, place))) return { folder: place, release };
          if (attempt >= 3) throw new ApiError(Code.Internal, 'the cache of revisions is being removed, or cannot be written');
        }
      } catch (error) {
        release();
        if (isDiskFull(error)) evictLater({ treesBytesMax: 0 });
        throw error;
      }
    },
    async discard(tree) {
      listings.delete(tree);
      // Whoever found it damaged holds it still. A program that reads it for somebody else must not see it vanish file by file.
      await remove(tree, { isRead: (inUse.get(tree) ?? 0) > 1 });
    },
  };
}

/** To find out that there is no end takes longest of all, and is the same for all applications of the revision. */
function tryToFindEscapingLinks(whole: TreeListing): readonly string[] | ApiError {
  try {
    return findEscapingLinks(whole);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** A mirror that another access made may be gone by now: a tree that several have is read from the one that was asked for. */
function bindTo(repository: string, listing: TreeListing): TreeListing {
  const isBound = listing.parts.every((part) => !('repository' in part) || part.repository === repository);
  if (isBound) return listing;
  return { ...listing, parts: listing.parts.map((part) => ('repository' in part ? { ...part, repository } : part)) };
}

function placeOf(folder: string, tree: string): string {
  return join(folder, tree.slice(0, 2), tree);
}

async function checkOutPart(git: Git, part: TreePart, files: string, index: string): Promise<void> {
  const place = join(files, part.path);
  if ('object' in part) return await replaceFile(part.object, place);
  await mkdir(place, { recursive: true, mode: 0o700 });
  if ('archive' in part) return await unpackChart(part.archive, place);
  const { repository, tree } = part;
  const args = [`--work-tree=${place}`, 'read-tree', '--reset', '-u', tree];
  await git.local({ args, repository, variables: { GIT_INDEX_FILE: index } });
  // Programs would follow them.
  for (const path of part.leftOut ?? []) await unlink(Buffer.concat([Buffer.from(`${place}/`), encodeName(path)]));
}

/** What git put there is taken away first: it may be linked to elsewhere. */
async function replaceFile(object: string, place: string): Promise<void> {
  const { mode } = await lstat(place);
  await rm(place);
  await copyFile(object, place);
  await chmod(place, mode);
}

/** Where the symbolic links point, in one run of git however many there are. */
async function readLinks(git: Git, repository: string, entries: TreeListing['entries']): Promise<Map<string, string>> {
  const links = [...entries].filter(([, entry]) => entry.kind === 'symlink');
  const ids = links.map(([, entry]) => entry.id);
  const targets = await readBlobs(git, repository, ids);
  return new Map(links.map(([path], index) => [path, parseLinkTarget(targets[index] ?? Buffer.alloc(0))]));
}
