import { ApiError, Code, LruMap, trimEndOf } from '../../base/index.ts';
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
import type { KeptAddresses } from './kept-addresses.ts';
import { parseRegistryEntry } from './registry-entry.ts';
import type { RegistryEntry } from './registry-entry.ts';

export interface ChartRequest {
  readonly access: RepositoryAccess;
  readonly chart: string;
  readonly version: string;
  /** Who asks: what is registered for a registry is not for everybody. */
  readonly project: string;
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
  readonly addresses: KeptAddresses;
  /** How large an archive may be. */
  readonly bytesMaxOf: (form: ArchiveForm) => number;
  readonly registry: OciCharts;
  /** How a registry that an index names is reached: with what is registered for it, as far as the project may use that. */
  readonly registryAccess: (entry: RegistryEntry, project: string) => RepositoryAccess;
}

const ENTRIES_MAX = 1_000;

export function createCharts(options: ChartsOptions): Charts {
  const { get, limits, archives, addresses, registry, registryAccess, signIn, bytesMaxOf } = options;
  const indexes = createChartIndexes(options);
  /** A version stays where it is: the index need not answer for what was fetched once. */
  const entries = new LruMap<string, RegistryEntry>(ENTRIES_MAX);

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
    const base = `${trimEndOf(access.url, '/')}/`;
    if (!URL.canParse(written, base)) throw fetchError(`the index has no usable address for ${chart} ${name}`);
    return new URL(written, base);
  }

  /** Where the index has a chart that is no file; undefined for files. */
  async function findEntry(request: ChartRequest): Promise<RegistryEntry | undefined> {
    const { access, chart, version, fresh = false, signal } = request;
    const key = JSON.stringify(nameOf(request));
    const known = fresh ? undefined : (entries.get(key) ?? (await findKeptEntry(request)));
    if (known !== undefined) {
      entries.set(key, known);
      return known;
    }
    const address = await findAddress({ access, chart, fresh: false, signal }, version);
    if (address.protocol !== 'oci:') return undefined;
    const entry = parseRegistryEntry(address.href);
    if (entry === undefined) throw fetchError(`the index has no usable address for ${chart} ${version}`);
    entries.set(key, entry);
    // Without it only the index is asked once more.
    await addresses.write(nameOf(request), address.href).catch(() => undefined);
    return entry;
  }

  /** As an earlier process found it, where what it fetched from there is here still. */
  async function findKeptEntry(request: ChartRequest): Promise<RegistryEntry | undefined> {
    const address = await addresses.read(nameOf(request));
    const entry = address === undefined ? undefined : parseRegistryEntry(address);
    if (entry === undefined) return undefined;
    return archives.has(nameOfEntry(request, registryAccess(entry, request.project)), 'chart') ? entry : undefined;
  }

  async function openEntry(request: ChartRequest, entry: RegistryEntry): Promise<TreeListing> {
    const { access: given, version, project, passCredentials, fresh = false, signal } = request;
    const own = registryAccess(entry, project);
    const fetch = async (): Promise<Buffer> => {
      const access = passCredentials && own.owner === '' ? await passOn(given, own) : own;
      return await registry.fetch({ access, chart: entry.name, version: entry.reference || version });
    };
    return await archives.open(nameOfEntry(request, own), 'chart', { fetch, fresh, signal });
  }

  async function passOn(given: RepositoryAccess, to: RepositoryAccess): Promise<RepositoryAccess> {
    const signedIn = await signIn(given, new URL(given.url).origin);
    const { username, password, bearerToken, tlsClientCertData, tlsClientCertKey } = signedIn;
    return {
      ...to,
      ...(username && { username }),
      ...(password && { password }),
      ...(bearerToken && { bearerToken }),
      ...(tlsClientCertData && tlsClientCertKey && { tlsClientCertData, tlsClientCertKey }),
    };
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
      const { access, fresh = false, signal } = request;
      const key = nameOf(request);
      const isKept = !fresh && archives.has(key, 'chart');
      const entry = isKept || isRegistry(access) ? undefined : await findEntry(request);
      if (entry !== undefined) return await openEntry(request, entry);
      return await archives.open(key, 'chart', { fetch: () => fetch(request), fresh, signal });
    },
  };
}

function nameOf({ access: { url, owner }, chart, version }: ChartRequest): readonly string[] {
  return [url, owner, chart, version];
}

/** What was fetched with the credentials of a registry is for those who may use them. */
function nameOfEntry(request: ChartRequest, { url, owner }: RepositoryAccess): readonly string[] {
  return [...nameOf(request), url, owner];
}

function fetchError(reason: string): ApiError {
  return new ApiError(Code.Unknown, `error fetching chart: failed to fetch chart: ${reason}`);
}
