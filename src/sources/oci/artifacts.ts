import { ApiError, Code, LruMap, isRecent } from '../../base/index.ts';
import type { Clock } from '../../base/index.ts';
import type { OCIMetadata } from '../../contract/index.ts';
import { isConstraint, pickVersion } from '../../template/index.ts';
import type { Archives } from '../charts/archives.ts';
import type { SourceLimits } from '../limits.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { TreeListing } from '../trees/tree-listing.ts';
import { openImage } from './open-image.ts';
import { findContentLayer, readImageMetadata } from './read-image.ts';
import { RegistryError } from './registry.ts';
import type { BlobDescriptor, Registry, RegistryCall } from './registry.ts';
import { findRegistryPlace, isDigest, isTag, tagOfVersion } from './registry-place.ts';
import type { TagLists } from './tag-lists.ts';

export interface ArtifactsOptions {
  readonly registry: Registry;
  readonly tags: TagLists;
  readonly archives: Archives;
  readonly limits: SourceLimits;
  readonly clock: Clock;
  /** The media types that layers may have, as they are now. */
  readonly layerTypes: () => readonly string[];
}

/** Sources that are kept in a registry, whatever they hold. Their revisions are digests. */
export interface Artifacts {
  /** The digest that a tag, a digest or a range of versions stands for. */
  resolve(access: RepositoryAccess, target: { revision: string; fresh: boolean; signal?: AbortSignal | undefined }): Promise<string>;
  /** The files of an artifact; fetched once. */
  open(access: RepositoryAccess, digest: string, signal?: AbortSignal): Promise<TreeListing>;
  /** What an artifact says about itself. */
  metadata(access: RepositoryAccess, digest: string, signal?: AbortSignal): Promise<OCIMetadata>;
  /** The tags as versions. */
  tags(access: RepositoryAccess, signal?: AbortSignal): Promise<readonly string[]>;
  /** Throws where the registry does not answer. */
  test(access: RepositoryAccess, signal?: AbortSignal): Promise<void>;
}

interface Image {
  readonly metadata: OCIMetadata;
  /** Or why there is none. */
  readonly layer: BlobDescriptor | ApiError;
}

const DIGESTS_MAX = 10_000;
const IMAGES_MAX = 1_000;
const NOT_FOUND = [400, 404];
/** What nobody named more closely. */
const DEFAULT_TAG = 'latest';

export function createArtifacts({ registry, tags, archives, limits, clock, layerTypes }: ArtifactsOptions): Artifacts {
  const digests = new LruMap<string, { readonly digest: string; readonly atMs: number }>(DIGESTS_MAX);
  const images = new LruMap<string, Image>(IMAGES_MAX);
  const resolving = createSingleFlight<string>();

  async function describe(call: RegistryCall, digest: string): Promise<Image> {
    const allowed = layerTypes();
    const key = JSON.stringify([call.place.origin, call.place.repository, call.access.owner, digest, allowed]);
    let image = images.get(key);
    if (image === undefined) {
      const manifest = await openImage(registry, call, digest);
      image = { metadata: readImageMetadata(manifest), layer: attempt(() => findContentLayer(manifest, allowed)) };
      images.set(key, image);
    }
    return image;
  }

  /** A tag of that name comes first, whatever it looks like. */
  async function find(call: RegistryCall, revision: string, fresh: boolean): Promise<string> {
    try {
      const tag = tagOfVersion(revision);
      if (!isTag(tag)) throw new RegistryError(400, `${revision} is no valid tag`);
      return await registry.digest(call, tag);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== Code.Unknown) throw error;
      const isMissing = error instanceof RegistryError && NOT_FOUND.includes(error.status);
      if (!isMissing || !isConstraint(revision)) throw unresolved(revision, `cannot get digest for revision ${revision}: ${error.message}`);
    }
    const versions = await tags.list(call, fresh);
    const picked = pickVersion(revision, versions);
    if (picked === undefined)
      throw unresolved(revision, `no version for constraints: version matching constraint not found in ${versions.length} tags`);
    return await registry.digest(call, tagOfVersion(picked));
  }

  return {
    async resolve(access, { revision: written, fresh, signal }) {
      const revision = written || DEFAULT_TAG;
      if (isDigest(revision)) return revision;
      const place = requireRepository(access);
      const key = JSON.stringify([access.url, access.owner, revision]);
      const before = digests.get(key);
      const isKnown = before !== undefined && isRecent(before.atMs, { nowMs: clock.nowMs(), withinMs: limits.revisionMs });
      if (isKnown && !fresh) return before.digest;
      const start = async (): Promise<string> => {
        const atMs = clock.nowMs();
        const digest = await find({ access, place }, revision, fresh);
        digests.set(key, { digest, atMs });
        return digest;
      };
      return await (fresh ? resolving.joinNext(key, start, signal) : resolving.join(key, start, signal));
    },
    async open(access, digest, signal) {
      const place = requireRepository(access);
      const key = [access.url, access.owner, digest];
      const call = { access, place };
      // Which form it has is known only with its manifest: what is kept of it tells that too.
      const { layer } = await describe({ ...call, signal }, digest);
      if (layer instanceof ApiError) throw layer;
      return await archives.open(key, layer.isChart ? 'chart' : 'artifact', { fetch: () => registry.blob(call, layer), signal });
    },
    async metadata(access, digest, signal) {
      return (await describe({ access, place: requireRepository(access), signal }, digest)).metadata;
    },
    tags: async (access, signal) => await tags.list({ access, place: requireRepository(access), signal }, true),
    async test(access, signal) {
      await registry.ping({ access, place: { ...findRegistryPlace(access), repository: '' }, signal });
    },
  };
}

function attempt(find: () => BlobDescriptor): BlobDescriptor | ApiError {
  try {
    return find();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function requireRepository(access: RepositoryAccess): RegistryCall['place'] {
  const place = findRegistryPlace(access);
  if (place.repository === '') throw new ApiError(Code.InvalidArgument, 'the address of the registry names no repository in it');
  return place;
}

function unresolved(revision: string, reason: string): ApiError {
  return new ApiError(Code.Unknown, `failed to resolve revision ${JSON.stringify(revision.slice(0, 500))}: ${reason}`);
}
