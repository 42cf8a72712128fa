import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Code, LruMap } from '../../base/index.ts';
import type { SourceLimits } from '../limits.ts';
import { createSingleFlight } from '../single-flight.ts';
import { findEscapingLinks } from '../trees/tree-listing.ts';
import type { TreeEntry, TreeListing } from '../trees/tree-listing.ts';
import { writeWhole } from '../write-whole.ts';
import { formOf, readArchive } from './read-archive.ts';
import type { ArchiveForm } from './read-archive.ts';
import type { Archive } from './read-tar.ts';

/** Packed charts and artifacts on disk: fetched once, shared by all who read them, the oldest removed first. */
export interface Archives {
  /** The contents of what `key` names. */
  open(key: readonly string[], form: ArchiveForm, options: OpenOptions): Promise<TreeListing>;
  /** Whether it was fetched before. */
  has(key: readonly string[], form: ArchiveForm): boolean;
  /** Removes what `key` names. */
  discard(key: readonly string[], form: ArchiveForm): Promise<void>;
}

export interface ArchivesOptions {
  readonly folder: string;
  readonly limits: SourceLimits;
  /** How large an archive may be. */
  readonly bytesMaxOf: (form: ArchiveForm) => number;
}

export interface OpenOptions {
  readonly fetch: () => Promise<Buffer>;
  /** Fetches it even if it was fetched before. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal | undefined;
}

const LISTINGS_MAX = 64;

const IN_MESSAGES: Readonly<Record<ArchiveForm, string>> = { chart: 'chart', artifact: 'oci image', upload: 'streamed files' };

export function createArchives({ folder, limits, bytesMaxOf }: ArchivesOptions): Archives {
  const listings = new LruMap<string, TreeListing>(LISTINGS_MAX);
  const opening = createSingleFlight<TreeListing>();
  const placeOf = (key: readonly string[], form: ArchiveForm): string =>
    join(folder, `${createHash('sha256').update(JSON.stringify(key)).digest('hex')}.${form}`);

  async function open(place: string, { fetch, fresh = false }: OpenOptions): Promise<TreeListing> {
    // What is kept was read before; where it cannot be read any more, the disk has changed it.
    const { treeFilesMax } = limits;
    const read = (packed: Buffer): Promise<Archive> => readArchive(place, packed, { treeFilesMax, bytesMax: bytesMaxOf(formOf(place)) });
    const kept = !fresh && existsSync(place) ? await read(await readFile(place)).catch(() => undefined) : undefined;
    if (kept !== undefined) return listArchive(place, kept);
    const packed = await fetch();
    const listing = listArchive(place, await read(packed));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeWhole(place, packed);
    await evictArchives(folder, limits.chartsBytesMax, place);
    return listing;
  }

  return {
    async open(key, form, options) {
      const place = placeOf(key, form);
      // What has been removed meanwhile, for want of room or because it was damaged, is fetched again.
      const known = options.fresh === true || !existsSync(place) ? undefined : listings.get(place);
      if (known !== undefined) return known;
      const start = (): Promise<TreeListing> => open(place, options);
      const { signal } = options;
      const listing = await (options.fresh === true ? opening.joinNext(place, start, signal) : opening.join(place, start, signal));
      listings.set(place, listing);
      return listing;
    },
    has: (key, form) => existsSync(placeOf(key, form)),
    async discard(key, form) {
      const place = placeOf(key, form);
      listings.delete(place);
      await rm(place, { force: true });
    },
  };
}

function listArchive(archive: string, { files, links }: Archive): TreeListing {
  const entries = new Map<string, TreeEntry>();
  const folders = new Map<string, ReturnType<typeof createHash>>([['', createHash('sha256')]]);
  let sizeBytes = 0;
  const add = (path: string, entry: TreeEntry): void => {
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      if (!folders.has(folder)) folders.set(folder, createHash('sha256'));
    }
    for (const [folder, hash] of [['', folders.get('')] as const, ...ancestors(path).map((each) => [each, folders.get(each)] as const)])
      hash?.update(`${path.slice(folder.length)}\0${entry.kind}\0${entry.id}\0`);
    entries.set(path, entry);
    sizeBytes += entry.sizeBytes;
  };
  const idOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
  const all = [
    ...files.map(({ path, content }) => [path, { kind: 'file', id: idOf(content), sizeBytes: content.length }] as const),
    ...[...links].map(([path, target]) => [path, { kind: 'symlink', id: idOf(target), sizeBytes: target.length }] as const),
  ];
  for (const [path, entry] of all.sort(([one], [other]) => (one < other ? -1 : 1))) add(path, entry);
  // A folder is named by all that is in it, as git names its trees.
  for (const [folder, hash] of folders)
    if (folder !== '') entries.set(folder, { kind: 'folder', id: hash.copy().digest('hex'), sizeBytes: 0 });
  const tree = folders.get('')?.digest('hex') ?? '';
  const listing = { tree, parts: [{ path: '', archive }], entries, links, fileCount: files.length, sizeBytes };
  const [escaping] = findEscapingLinks(listing);
  if (escaping === undefined) return listing;
  throw new ApiError(Code.Unknown, `${IN_MESSAGES[formOf(archive)]} contains out-of-bounds symlinks. file: ${escaping}`);
}

function ancestors(path: string): string[] {
  const found: string[] = [];
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) found.push(path.slice(0, at));
  return found;
}

/** Removes the oldest until the rest is within its size; they can be fetched again. */
async function evictArchives(folder: string, bytesMax: number, kept: string): Promise<void> {
  const files: { readonly path: string; readonly size: number; readonly mtimeMs: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const state = await stat(path).catch(() => undefined);
    if (state !== undefined) files.push({ path, size: state.size, mtimeMs: state.mtimeMs });
  }
  let total = files.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of files.sort((one, other) => one.mtimeMs - other.mtimeMs)) {
    if (total <= bytesMax) return;
    if (path === kept) continue;
    await rm(path, { force: true });
    total -= size;
  }
}
