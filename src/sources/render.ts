import { ApiError, Code } from '../base/index.ts';
import type { ApplicationSource } from '../contract/index.ts';
import { findAppFolder, refuseSubmodules } from './app-path.ts';
import { detectSourceType } from './detect-source-type.ts';
import { planDirectory, readDirectory } from './directory/render-directory.ts';
import { createHelmRenderer } from './helm/helm-renderer.ts';
import { findReferencedPlaces } from './helm/referenced-places.ts';
import type { ReferenceOptions } from './helm/referenced-places.ts';
import { createKustomizeRenderer } from './kustomize/kustomize-renderer.ts';
import { rulesVersion, withFiles } from './render-context.ts';
import type { Place, RenderContext } from './render-context.ts';
import type { RepositoryAccess } from './repository-access.ts';
import { resultKey } from './result-cache.ts';
import type { RenderResult } from './result-cache.ts';
import { applyOverrides, findOverrides } from './source-overrides.ts';
import type { Rendered, RenderRequest, SourceType } from './sources.ts';

export function createRenderer(context: RenderContext & ReferenceOptions) {
  const { mirrors, trees, reader, results, limits } = context;
  const renderKustomize = createKustomizeRenderer(context);
  const renderHelm = createHelmRenderer(context);

  async function effectiveSource(request: RenderRequest, place: Place): Promise<ApplicationSource> {
    const overrides = findOverrides(place.listing, place.folder, request.application.name);
    if (overrides.length === 0) return request.source;
    return await withFiles(context, place, request.signal, (root) => applyOverrides(request.source, overrides, { root, reader }));
  }

  async function renderDirectory(request: RenderRequest, source: ApplicationSource, place: Place): Promise<RenderResult> {
    const { listing, folder } = place;
    const jsonnetEnabled = request.settings?.jsonnetEnabled ?? true;
    const directory = source.directory ?? {};
    if (directory.recurse === true) refuseSubmodules(listing, folder);
    const files = planDirectory({ listing, folder, directory, jsonnetEnabled, limits });
    const inputs = files.map((file) => [file.path, listing.entries.get(file.place)?.id ?? '']);
    const key = resultKey([rulesVersion, 'Directory', inputs]);
    const known = results.get(key);
    if (known !== undefined) return known;
    const texts = await withFiles(context, place, request.signal, (root) => readDirectory(root, files));
    const { objects, json } = await reader.read(texts);
    return results.set(key, { objects, commands: [] }, json.length);
  }

  async function renderAs(type: SourceType, request: RenderRequest, source: ApplicationSource, place: Place): Promise<RenderResult> {
    if (type === 'Directory') return await renderDirectory(request, source, place);
    if (type === 'Kustomize') return await renderKustomize(request, source, place);
    if (type === 'Helm') return await renderHelm(request, source, place, await findReferencedPlaces(context, request, source.helm ?? {}));
    throw new ApiError(Code.Unimplemented, `sources of type ${type} are not supported yet`);
  }

  return async function render(request: RenderRequest, access: RepositoryAccess): Promise<Rendered> {
    const { settings = {}, signal, source: given } = request;
    const commit = await mirrors.ensureCommit(access, request.revision, signal);
    // A source that is only there for others to refer to has no manifests of its own.
    if ((given.ref ?? '') !== '' && (given.path ?? '') === '')
      return { revision: commit.commit, sourceType: '', objects: [], commands: [] };
    const listing = await trees.list(commit, signal);
    const folder = findAppFolder(listing, given.path ?? '');
    const place = { commit, listing, folder };
    const full = { ...request, revision: commit.commit };
    const source = await effectiveSource(full, place);
    const sourceType = detectSourceType(source, { listing, folder, settings });
    const { objects, commands } = await renderAs(sourceType, full, source, place);
    return { revision: commit.commit, sourceType, objects, commands };
  };
}
