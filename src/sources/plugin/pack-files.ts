import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { throwShortage } from '../shortage.ts';
import { DamagedTree } from '../trees/damaged-tree.ts';
import { childrenOf } from '../trees/tree-children.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import { formatTarEnd, formatTarHeader, paddingAfter } from './tar-entry.ts';

export interface PackOptions {
  readonly listing: TreeListing;
  /** Where the revision is checked out. */
  readonly root: string;
  /** What is packed: a folder from the root of the revision, empty for all of it. */
  readonly folder: string;
  /** Globs of paths, from that folder, that are left out. */
  readonly excluded: readonly string[];
  /** Where the archive goes. */
  readonly archive: string;
}

export interface PackedFiles {
  readonly archive: string;
  /** SHA-256 in hexadecimal digits. */
  readonly checksum: string;
  readonly sizeBytes: number;
}

/** Read at once up to this size, and piece by piece above it. */
const WHOLE_BYTES_MAX = 1 << 20;

/** Packs the files of a revision as a compressed tar archive. */
export async function packFiles(options: PackOptions): Promise<PackedFiles> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const measure = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      yield chunk;
    }
  };
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  await pipeline(Readable.from(writeEntries(options)), gzip, measure, createWriteStream(options.archive, { mode: 0o600 }));
  return { archive: options.archive, checksum: hash.digest('hex'), sizeBytes };
}

async function* writeEntries({ listing, root, folder, excluded }: PackOptions): AsyncGenerator<Buffer> {
  const start = folder === '' ? '' : `${folder}/`;
  const waiting = [''];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const name of childrenOf(listing, `${start}${at}`.replace(/\/$/, ''))) {
      const path = `${at}${name}`;
      if (excluded.some((glob) => matchesGlob(path, glob))) continue;
      const entry = listing.entries.get(`${start}${path}`);
      if (entry?.kind === 'folder' || entry?.kind === 'submodule') {
        yield formatTarHeader({ path, kind: 'folder', sizeBytes: 0, isExecutable: false });
        waiting.push(`${path}/`);
      } else if (entry?.kind === 'symlink') {
        const target = listing.links.get(`${start}${path}`) ?? '';
        yield formatTarHeader({ path, kind: 'symlink', sizeBytes: 0, isExecutable: false, target });
      } else if (entry?.kind === 'file') yield* writeFile(join(root, start, path), path);
    }
  }
  yield formatTarEnd();
}

async function* writeFile(place: string, path: string): AsyncGenerator<Buffer> {
  const damaged = (error: unknown): never => {
    throwShortage(error);
    throw new DamagedTree(path, { cause: error });
  };
  const { size, mode } = await lstat(place).catch(damaged);
  yield formatTarHeader({ path, kind: 'file', sizeBytes: size, isExecutable: (mode & 0o100) !== 0 });
  let written = 0;
  const chunks = size <= WHOLE_BYTES_MAX ? [await readFile(place).catch(damaged)] : (createReadStream(place) as AsyncIterable<Buffer>);
  for await (const chunk of chunks) {
    written += chunk.length;
    yield chunk;
  }
  if (written !== size) damaged(undefined);
  yield paddingAfter(size);
}
