import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { ApiError, Code, LruMap, isRecent, trimEndOf } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';
import { isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonValue } from '../../objects/index.ts';
import { basicAuthorization } from '../http/http-get.ts';
import type { HttpGet } from '../http/http-request.ts';
import type { SourceLimits } from '../limits.ts';
import type { ManifestReader } from '../manifests/manifest-reader.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { SignInToRegistry } from '../sign-in/sign-in.ts';
import { createSingleFlight } from '../single-flight.ts';

export interface ChartVersion {
  readonly version: string;
  readonly urls: readonly string[];
}

/** The charts of a repository: versions by name, in the order of the index. */
export type ChartIndex = ReadonlyMap<string, readonly ChartVersion[]>;

export interface ChartIndexes {
  load(access: RepositoryAccess, options: { readonly fresh: boolean; readonly signal?: AbortSignal | undefined }): Promise<ChartIndex>;
}

export interface ChartIndexesOptions {
  readonly limits: SourceLimits;
  readonly clock: Clock;
  readonly get: HttpGet;
  readonly reader: ManifestReader;
  readonly signIn: SignInToRegistry;
}

const INDEXES_MAX = 100;

interface Known {
  readonly index: ChartIndex;
  readonly etag: string | undefined;
  readonly hash: string;
  readonly atMs: number;
}

/** Indexes may be large and are read slowly: one that did not change is not read again. */
export function createChartIndexes({ limits, clock, get, reader, signIn }: ChartIndexesOptions): ChartIndexes {
  const known = new LruMap<string, Known>(INDEXES_MAX);
  const loading = createSingleFlight<ChartIndex>();

  async function load(given: RepositoryAccess, key: string): Promise<ChartIndex> {
    const access = URL.canParse(given.url) ? await signIn(given, new URL(given.url).origin) : given;
    const before = known.get(key);
    const atMs = clock.nowMs();
    const { status, headers, body } = await get({
      url: `${trimEndOf(access.url, '/')}/index.yaml`,
      access,
      authorization: basicAuthorization(access, URL.canParse(access.url) ? new URL(access.url) : undefined),
      withCertificate: true,
      compressed: true,
      ...(before?.etag && { headers: { 'if-none-match': before.etag } }),
      bytesMax: limits.indexBytesMax,
      limitMs: limits.toolMs,
    });
    if (status === 304 && before !== undefined) {
      known.set(key, { ...before, atMs });
      return before.index;
    }
    if (status !== 200)
      throw new ApiError(Code.Unknown, `error loading repo index: failed to get index: ${status} ${STATUS_CODES[status] ?? ''}`);
    const hash = createHash('sha256').update(body).digest('hex');
    const index =
      before?.hash === hash ? before.index : parseIndex(await reader.readValue({ name: 'index.yaml', form: 'stream', bytes: body }));
    known.set(key, { index, etag: headers.etag, hash, atMs });
    return index;
  }

  return {
    async load(access, { fresh, signal }) {
      const key = JSON.stringify([access.url, access.owner]);
      const before = known.get(key);
      const isKnown = before !== undefined && isRecent(before.atMs, { nowMs: clock.nowMs(), withinMs: limits.revisionMs });
      if (isKnown && !fresh) return before.index;
      const start = (): Promise<ChartIndex> => load(access, key);
      return await (fresh ? loading.joinNext(key, start, signal) : loading.join(key, start, signal));
    },
  };
}

/** What is not as it should be is passed over: one bad entry does not take the others with it. */
function parseIndex(value: JsonValue): ChartIndex {
  const entries = isJsonObject(value) ? value['entries'] : undefined;
  if (!isJsonObject(entries)) throw new ApiError(Code.Unknown, 'error loading repo index: it has no entries');
  const charts = new Map<string, ChartVersion[]>();
  for (const [name, versions] of Object.entries(entries)) {
    const list = isJsonArray(versions) ? versions : [];
    charts.set(name, list.flatMap(parseVersionEntry));
  }
  return charts;
}

function parseVersionEntry(entry: JsonValue): ChartVersion[] {
  if (!isJsonObject(entry) || typeof entry['version'] !== 'string') return [];
  const urls = isJsonArray(entry['urls']) ? entry['urls'].filter((url) => typeof url === 'string') : [];
  return [{ version: entry['version'], urls }];
}
