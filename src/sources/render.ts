import { ApiError, Code } from '../base/index.ts';
import type { ApplicationSource } from '../contract/index.ts';
import { findAppFolder, refuseSubmodules } from './app-path.ts';
import { detectSourceType } from './detect-source-type.ts';
import { DamagedTree, planDirectory, readDirectory } from './directory/render-directory.ts';
import type { Mirrors, MirroredCommit } from './git/mirrors.ts';
import type { SourceLimits } from './limits.ts';
import type { ManifestReader } from './manifests/manifest-reader.ts';
import type { RepositoryAccess } from './repository-access.ts';
import { resultKey } from './result-cache.ts';
import type { RenderResult, ResultCache } from './result-cache.ts';
import { applyOverrides, findOverrides } from './source-overrides.ts';
import type { Rendered, RenderRequest, SourceType } from './sources.ts';
import type { TreeListing } from './trees/tree-listing.ts';
import type { Trees } from './trees/trees.ts';

export interface RendererOptions {
  readonly mirrors: Mirrors;
  readonly trees: Trees;
  readonly reader: ManifestReader;
  readonly results: ResultCache;
  readonly limits: SourceLimits;
}

/** A source at a commit, with all that is known before anything of it is read. */
interface Place {
  readonly commit: MirroredCommit;
  readonly listing: TreeListing;
  /** Of the application, from the root of the revision. */
  readonly folder: string;
}

/** Changes when the same inputs give other objects than before. */
const RULES_VERSION = 1;

export function createRenderer({ mirrors, trees, reader, results, limits }: RendererOptions) {
  /** Lends the files of a revision; where they turn out to be damaged, they are checked out anew, once. */
  async function withFiles<Result>(
    { commit, listing }: Place,
    signal: AbortSignal | undefined,
    use: (root: string) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const lease = await trees.acquire(commit, listing, signal);
      try {
        return await use(lease.folder);
      } catch (error) {
        if (!(error instanceof DamagedTree)) throw error;
        if (attempt > 1) throw new ApiError(Code.Internal, `the cached revision lacks ${error.message}`);
        await trees.discard(commit.tree);
      } finally {
        lease.release();
      }
    }
  }

  async function effectiveSource(request: RenderRequest, place: Place): Promise<ApplicationSource> {
    const overrides = findOverrides(place.listing, place.folder, request.application.name);
    if (overrides.length === 0) return request.source;
    return await withFiles(place, request.signal, (root) => applyOverrides(request.source, overrides, { root, reader }));
  }

  async function renderDirectory(request: RenderRequest, source: ApplicationSource, place: Place): Promise<RenderResult> {
    const { listing, folder } = place;
    const jsonnetEnabled = request.settings?.jsonnetEnabled ?? true;
    const directory = source.directory ?? {};
    if (directory.recurse === true) refuseSubmodules(listing, folder);
    const files = planDirectory({ listing, folder, directory, jsonnetEnabled, limits });
    const inputs = files.map((file) => [file.path, listing.entries.get(file.place)?.id ?? '']);
    const key = resultKey([RULES_VERSION, 'Directory', inputs]);
    const known = results.get(key);
    if (known !== undefined) return known;
    const texts = await withFiles(place, request.signal, (root) => readDirectory(root, files));
    const { objects, json } = await reader.read(texts);
    return results.set(key, { objects, commands: [] }, json.length);
  }

  async function renderAs(type: SourceType, request: RenderRequest, source: ApplicationSource, place: Place): Promise<RenderResult> {
    if (type === 'Directory') return await renderDirectory(request, source, place);
    throw new ApiError(Code.Unimplemented, `sources of type ${type} are not supported yet`);
  }

  return async function render(request: RenderRequest, access: RepositoryAccess): Promise<Rendered> {
    const { settings = {}, signal } = request;
    const commit = await mirrors.ensureCommit(access, request.revision, signal);
    const listing = await trees.list(commit, signal);
    // A source that is only there for others to refer to has no manifests of its own.
    if ((request.source.ref ?? '') !== '' && (request.source.path ?? '') === '')
      return { revision: commit.commit, sourceType: '', objects: [], commands: [] };
    const folder = findAppFolder(listing, request.source.path ?? '');
    const place = { commit, listing, folder };
    const source = await effectiveSource(request, place);
    const sourceType = detectSourceType(source, { listing, folder, settings });
    const { objects, commands } = await renderAs(sourceType, request, source, place);
    return { revision: commit.commit, sourceType, objects, commands };
  };
}
