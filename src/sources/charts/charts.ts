import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ApiError, Code, LruMap } from '../../base/index.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { isConstraint, isVersion, pickVersion } from '../semver/index.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { TreeEntry, TreeListing } from '../trees/tree-listing.ts';
import { createChartIndexes } from './chart-index.ts';
import type { ChartIndex, ChartIndexesOptions, ChartVersion } from './chart-index.ts';
import { httpGet } from './http-get.ts';
import { ArchiveError, readTar } from './read-tar.ts';
import type { ArchiveFile, ArchiveLimits } from './read-tar.ts';

export interface ChartRequest {
  readonly access: RepositoryAccess;
  readonly chart: string;
  readonly version: string;
  /** Sends the credentials also to other hosts that the index names. */
  readonly passCredentials: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Charts of Helm repositories. */
export interface Charts {
  /** The version that a target revision stands for. */
  resolve(
    access: RepositoryAccess,
    target: { chart: string; revision: string; fresh: boolean; signal?: AbortSignal | undefined },
  ): Promise<string>;
  /** Every chart with its versions, asked anew. */
  list(access: RepositoryAccess, signal?: AbortSignal): Promise<ChartIndex>;
  /** Throws where the repository does not answer with an index. */
  test(access: RepositoryAccess, signal?: AbortSignal): Promise<void>;
  /** The files of a chart; fetched once. */
  open(request: ChartRequest): Promise<TreeListing>;
}

const LISTINGS_MAX = 64;

export function createCharts(options: ChartIndexesOptions & { readonly folder: string }): Charts {
  const { folder, limits, timers } = options;
  const indexes = createChartIndexes(options);
  const listings = new LruMap<string, TreeListing>(LISTINGS_MAX);
  const opening = createSingleFlight<TreeListing>();

  async function versionsOf(
    { access, chart }: Pick<ChartRequest, 'access' | 'chart'>,
    fresh: boolean,
    signal?: AbortSignal,
  ): Promise<readonly ChartVersion[]> {
    const versions = (await indexes.load(access, { fresh, signal })).get(chart);
    if (versions === undefined) throw new ApiError(Code.Unknown, `chart '${chart}' not found in index`);
    return versions;
  }

  async function download({ access, chart, version, passCredentials, signal }: ChartRequest): Promise<Buffer> {
    const versions = await versionsOf({ access, chart }, false, signal);
    const picked =
      versions.find((each) => each.version === version) ??
      versions.find(
        (each) =>
          each.version ===
          pickVersion(
            version,
            versions.map((one) => one.version),
          ),
      );
    const written = picked?.urls[0];
    if (written === undefined)
      throw new ApiError(
        Code.Unknown,
        `error fetching chart: failed to fetch chart: chart "${chart}" version "${version}" not found in ${new URL(access.url).origin} repository`,
      );
    const url = new URL(written, `${access.url.replace(/\/+$/, '')}/`);
    const withCredentials = passCredentials || url.origin === new URL(access.url).origin;
    const { status, body } = await httpGet({
      url: url.href,
      access,
      withCredentials,
      bytesMax: limits.chartBytesMax,
      limitMs: limits.toolMs,
      timers,
      signal,
    });
    if (status !== 200)
      throw new ApiError(
        Code.Unknown,
        `error fetching chart: failed to fetch chart: failed to fetch ${url.origin}${url.pathname} : ${status}`,
      );
    return body;
  }

  async function open(request: ChartRequest, file: string): Promise<TreeListing> {
    if (!existsSync(file)) {
      const archive = await download(request);
      // Read before it is kept, so that what cannot be read is not kept.
      await readChart(archive, archiveLimits(limits));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = `${file}.${randomUUID()}`;
      await writeFile(unfinished, archive, { mode: 0o600 });
      await rename(unfinished, file);
      await evictArchives(folder, limits.chartsBytesMax, file);
    }
    return listArchive(file, await readChart(await readFile(file), archiveLimits(limits)));
  }

  return {
    list: (access, signal) => indexes.load(access, { fresh: true, signal }),
    async test(access, signal) {
      await indexes.load(access, { fresh: true, signal });
    },
    async resolve(access, { chart, revision, fresh, signal }) {
      if (isVersion(revision)) return revision;
      const versions = (await versionsOf({ access, chart }, fresh, signal)).map(({ version }) => version);
      if (versions.includes(revision)) return revision;
      if (!isConstraint(revision))
        throw new ApiError(Code.Unknown, `invalid revision: failed to determine semver constraint: improper constraint: ${revision}`);
      const picked = pickVersion(revision, versions);
      if (picked === undefined)
        throw new ApiError(Code.Unknown, `invalid revision: version matching constraint not found in ${versions.length} tags`);
      return picked;
    },
    async open(request) {
      const { access, chart, version } = request;
      const key = createHash('sha256')
        .update(JSON.stringify([access.url, access.owner, chart, version]))
        .digest('hex');
      const known = listings.get(key);
      if (known !== undefined) return known;
      const listing = await opening.join(key, () => open(request, join(folder, `${key}.tgz`)), request.signal);
      listings.set(key, listing);
      return listing;
    },
  };
}

export function archiveLimits({
  treeFilesMax,
  chartBytesMax,
}: {
  readonly treeFilesMax: number;
  readonly chartBytesMax: number;
}): ArchiveLimits {
  return { filesMax: Math.min(treeFilesMax, 100_000), bytesMax: chartBytesMax };
}

/** The files of a packed chart, without the one folder that all of them are in. */
export async function readChart(archive: Buffer, limits: ArchiveLimits): Promise<ArchiveFile[]> {
  let files: ArchiveFile[];
  try {
    // Headers and padding come on top of what files hold.
    files = readTar(await promisify(gunzip)(archive, { maxOutputLength: limits.bytesMax * 2 }), limits);
  } catch (error) {
    const reason = error instanceof ArchiveError ? error.message : 'it is no gzip archive, or larger than allowed';
    throw new ApiError(Code.Unknown, `error fetching chart: the archive cannot be used: ${reason}`);
  }
  return files.flatMap(({ path, content }) => {
    const slash = path.indexOf('/');
    return slash < 0 ? [] : [{ path: path.slice(slash + 1), content }];
  });
}

function listArchive(archive: string, files: readonly ArchiveFile[]): TreeListing {
  const entries = new Map<string, TreeEntry>();
  const whole = createHash('sha256');
  let sizeBytes = 0;
  for (const { path, content } of [...files].sort((one, other) => (one.path < other.path ? -1 : 1))) {
    const id = createHash('sha256').update(content).digest('hex');
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1))
      entries.set(path.slice(0, at), { kind: 'folder', id: '', sizeBytes: 0 });
    entries.set(path, { kind: 'file', id, sizeBytes: content.length });
    whole.update(`${path}\0${id}\0`);
    sizeBytes += content.length;
  }
  return { tree: whole.digest('hex'), parts: [{ path: '', archive }], entries, links: new Map(), fileCount: files.length, sizeBytes };
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
