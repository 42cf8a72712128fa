import { ApiError, Code } from '../../base/index.ts';
import { isConstraint, isVersion, pickVersion } from '../../template/index.ts';
import { basicAuthorization } from '../http/http-get.ts';
import type { HttpGet } from '../http/http-request.ts';
import type { OciCharts } from '../oci/oci-charts.ts';
import { isRegistry } from '../oci/registry-place.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import type { Archives } from './archives.ts';
import type { ArchiveForm } from './read-archive.ts';
import { createChartIndexes } from './chart-index.ts';
import type { ChartIndex, ChartIndexesOptions, ChartVersion } from './chart-index.ts';

export interface ChartRequest {
  readonly access: RepositoryAccess;
  readonly chart: string;
  readonly version: string;
  /** Sends the credentials also to other hosts that the index names. */
  readonly passCredentials: boolean;
  /** Fetches it even if it was fetched before. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface Versions {
  readonly access: RepositoryAccess;
  readonly chart: string;
  readonly fresh: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Charts of Helm repositories, which have an index, and of registries. */
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

export interface ChartsOptions extends ChartIndexesOptions {
  readonly get: HttpGet;
  readonly archives: Archives;
  /** How large an archive may be. */
  readonly bytesMaxOf: (form: ArchiveForm) => number;
  readonly registry: OciCharts;
}

export function createCharts(options: ChartsOptions): Charts {
  const { get, limits, archives, registry, signIn, bytesMaxOf } = options;
  const indexes = createChartIndexes(options);

  async function versionsOf({ access, chart, fresh, signal }: Versions): Promise<readonly ChartVersion[]> {
    const versions = (await indexes.load(access, { fresh, signal })).get(chart);
    if (versions === undefined) throw new ApiError(Code.Unknown, `chart '${chart}' not found in index`);
    return versions;
  }

  async function download({ access: given, chart, version, passCredentials, signal }: ChartRequest): Promise<Buffer> {
    const address = await findAddress({ access: given, chart, fresh: false, signal }, version);
    const access = await signIn(given, new URL(given.url).origin);
    const withCredentials = passCredentials || address.origin === new URL(access.url).origin;
    const { status, body } = await get({
      url: address.href,
      access,
      authorization: withCredentials ? basicAuthorization(access, new URL(access.url)) : undefined,
      withCertificate: withCredentials,
      bytesMax: bytesMaxOf('chart'),
      limitMs: limits.toolMs,
      signal,
    });
    if (status === 200) return body;
    throw fetchError(`failed to fetch ${address.origin}${address.pathname} : ${status}`);
  }

  async function findAddress(wanted: Versions, version: string): Promise<URL> {
    const { access, chart } = wanted;
    const versions = await versionsOf(wanted);
    const names = versions.map((each) => each.version);
    const name = names.includes(version) ? version : pickVersion(version, names);
    const written = versions.find((each) => each.version === name)?.urls[0];
    if (name === undefined || written === undefined)
      throw fetchError(`chart "${chart}" version "${version}" not found in ${new URL(access.url).origin} repository`);
    const base = `${access.url.replace(/\/+$/, '')}/`;
    if (!URL.canParse(written, base)) throw fetchError(`the index has no usable address for ${chart} ${name}`);
    return new URL(written, base);
  }

  const fetch = (request: ChartRequest): Promise<Buffer> => (isRegistry(request.access) ? registry.fetch(request) : download(request));

  return {
    async list(access, signal) {
      if (isRegistry(access)) throw new ApiError(Code.InvalidArgument, 'charts of an OCI registry cannot be listed: it has no index');
      return await indexes.load(access, { fresh: true, signal });
    },
    async test(access, signal) {
      if (isRegistry(access)) await registry.test(access, signal);
      else await indexes.load(access, { fresh: true, signal });
    },
    async resolve(access, { chart, revision, fresh, signal }) {
      if (isVersion(revision)) return revision;
      const wanted = { access, chart, fresh, signal };
      const versions = isRegistry(access) ? await registry.versions(wanted) : (await versionsOf(wanted)).map(({ version }) => version);
      if (versions.includes(revision)) return revision;
      if (!isConstraint(revision))
        throw new ApiError(Code.Unknown, `invalid revision: failed to determine semver constraint: improper constraint: ${revision}`);
      const picked = pickVersion(revision, versions);
      if (picked === undefined)
        throw new ApiError(Code.Unknown, `invalid revision: version matching constraint not found in ${versions.length} tags`);
      return picked;
    },
    async open(request) {
      const { access, chart, version, fresh = false, signal } = request;
      const options = { fetch: () => fetch(request), fresh, signal };
      return await archives.open([access.url, access.owner, chart, version], 'chart', options);
    },
  };
}

function fetchError(reason: string): ApiError {
  return new ApiError(Code.Unknown, `error fetching chart: failed to fetch chart: ${reason}`);
}
