import { hash, randomUUID } from 'node:crypto';
import { ApiError, Code } from '../base/index.ts';
import type { ApplicationSource } from '../contract/index.ts';
import { findAppFolder } from './app-path.ts';
import type { Archives } from './charts/archives.ts';
import { detectSourceType, explicitSourceType } from './detect-source-type.ts';
import { createDirectoryRenderer } from './directory/directory-renderer.ts';
import { GitError } from './git/git.ts';
import type { CompleteWithLfs } from './git/lfs/lfs.ts';
import type { Git } from './git/git.ts';
import { isDamage } from './git/mirrors.ts';
import type { Mirrors } from './git/mirrors.ts';
import type { Revisions } from './git/revisions.ts';
import { listWithSubmodules } from './git/submodules.ts';
import { createGenerations } from './generations.ts';
import { createHelmRenderer } from './helm/helm-renderer.ts';
import type { HelmContext } from './helm/helm-renderer.ts';
import { findReferencedPlaces } from './helm/referenced-places.ts';
import { createKustomizeRenderer } from './kustomize/kustomize-renderer.ts';
import type { Artifacts } from './oci/artifacts.ts';
import type { Plugins, PluginSubject } from './plugin/plugins.ts';
import { withFiles } from './render-context.ts';
import type { Place } from './render-context.ts';
import type { RepositoryAccess } from './repository-access.ts';
import type { RenderResult } from './results/result-cache.ts';
import { kindOf } from './source-kind.ts';
import { DamagedTree } from './trees/damaged-tree.ts';
import { applyOverrides, findOverrides } from './source-overrides.ts';
import type { Rendered, RenderRequest, SourceType } from './sources.ts';
import type { TreeListing } from './trees/tree-listing.ts';

export interface RendererOptions extends HelmContext {
  readonly git: Git;
  readonly mirrors: Mirrors;
  readonly revisions: Revisions;
  readonly completeWithLfs: CompleteWithLfs;
  readonly artifacts: Artifacts;
  readonly archives: Archives;
  readonly plugins: Plugins;
  readonly submodulesEnabled: () => boolean;
}

interface OpenedRevision {
  /** In full. */
  readonly revision: string;
  readonly listing: TreeListing;
}

export function createRenderer(context: RendererOptions) {
  const { git, mirrors, revisions, completeWithLfs, charts, artifacts, archives, plugins, trees, accessTo, reader, submodulesEnabled } =
    context;
  /** Where files that somebody sent are, while they are used. */
  const uploads = new WeakMap<Buffer, string>();
  const generationOf = createGenerations();
  const renderDirectory = createDirectoryRenderer(context);
  const renderKustomize = createKustomizeRenderer({ ...context, openRepository });
  const renderHelm = createHelmRenderer(context);

  /** What another repository holds that an application's source takes something from. */
  async function openRepository(request: RenderRequest, url: string, ref: string): Promise<TreeListing> {
    const access = accessTo(url, request.application.project);
    const target = { revision: ref, tagPrefix: undefined, fresh: request.hard === true, signal: request.signal };
    return (await open(request, access, await revisions.resolve(access, target))).listing;
  }

  async function effectiveSource(request: RenderRequest, place: Place): Promise<ApplicationSource> {
    const overrides = findOverrides(place.listing, place.folder, request.application.name);
    if (overrides.length === 0) return request.source;
    return await withFiles(context, place, request.signal, (root) => applyOverrides(request.source, overrides, { root, reader }));
  }

  async function renderAs(type: SourceType, subject: PluginSubject): Promise<RenderResult> {
    const { request, source, place } = subject;
    if (type === 'Directory') return await renderDirectory(request, source, place);
    if (type === 'Kustomize') return await renderKustomize(request, source, place);
    if (type === 'Helm') {
      const referenced = await findReferencedPlaces(request, source.helm ?? {}, (url, revision) =>
        open(request, accessTo(url, request.application.project), revision),
      );
      return await renderHelm(request, source, place, referenced);
    }
    return await plugins.render(subject);
  }

  async function open(
    { application, source, upload, hard = false, signal }: RenderRequest,
    access: RepositoryAccess,
    revision: string,
  ): Promise<OpenedRevision> {
    if (upload !== undefined && source.repoURL === access.url) return await openUpload(upload, signal);
    if ((source.chart ?? '') !== '' && source.repoURL === access.url) {
      const passCredentials = source.helm?.passCredentials === true;
      const chart = { chart: source.chart ?? '', version: revision, project: application.project, passCredentials, fresh: hard };
      return { revision, listing: await charts.open({ access, ...chart, signal }) };
    }
    if (kindOf({ repoURL: access.url }, access) === 'artifact')
      return { revision, listing: await artifacts.open(access, revision, signal) };
    const commit = await mirrors.ensureCommit(access, revision, signal);
    const forProject = (url: string): RepositoryAccess => accessTo(url, application.project);
    const isPermitted = (url: string): boolean => context.dependencies.isPermitted(url, application.project);
    const listing = submodulesEnabled()
      ? await listWithSubmodules({ git, mirrors, trees, accessTo: forProject, isPermitted, signal }, access, commit)
      : await trees.list(commit, signal);
    const isLarge = access.enableLfs === true;
    return { revision: commit.commit, listing: isLarge ? await completeWithLfs(access, commit, listing, signal) : listing };
  }

  /** What somebody sent is not kept: each has a place of its own, and `render` removes it. */
  async function openUpload(upload: Buffer, signal: AbortSignal | undefined): Promise<OpenedRevision> {
    const id = uploads.get(upload) ?? randomUUID();
    uploads.set(upload, id);
    const listing = await archives.open([id], 'upload', { fetch: () => Promise.resolve(upload), signal });
    return { revision: hash('sha256', upload, 'hex'), listing: { ...listing, tree: hash('sha1', id, 'hex') } };
  }

  async function discardUpload(upload: Buffer): Promise<void> {
    const id = uploads.get(upload);
    if (id === undefined) return;
    await archives.discard([id], 'upload');
    await trees.discard(hash('sha1', id, 'hex'));
  }

  /** Where a source is at a revision, and what it is with the changes that it brings along. */
  async function locate(request: RenderRequest, access: RepositoryAccess): Promise<PluginSubject> {
    const { revision, listing } = await open(request, access, request.revision);
    const place = { listing, folder: findAppFolder(listing, request.source.path ?? '') };
    const full = { ...request, revision };
    return { request: full, place, access, source: await effectiveSource(full, place) };
  }

  /** What renders a source; where it does not say so itself, plugins are asked first. */
  async function typeOf(subject: PluginSubject): Promise<SourceType> {
    const { request, source, place } = subject;
    if (explicitSourceType(source) === undefined && (await plugins.recognises(subject))) return 'Plugin';
    return detectSourceType(source, { ...place, settings: request.settings ?? {} });
  }

  async function render(request: RenderRequest, access: RepositoryAccess): Promise<Rendered> {
    const { source: given } = request;
    const { revision, listing } = await open(request, access, request.revision);
    // A source that is only there for others to refer to has no manifests of its own; charts and artifacts have theirs without a path.
    const isLent = (given.ref ?? '') !== '' && (given.path ?? '') === '' && kindOf(given, access) === 'git';
    if (isLent) return { revision, sourceType: '', objects: [], commands: [] };
    const folder = findAppFolder(listing, given.path ?? '');
    const place = { listing, folder };
    const generation = generationOf({ ...request, revision }, place);
    const full = { ...request, revision: generation.revision };
    const source = await effectiveSource(full, place);
    const subject = { request: full, source, place, access };
    const sourceType = await typeOf(subject);
    const { objects, commands } = await renderAs(sourceType, subject);
    return {
      revision,
      ...(full.revision !== revision && { generation: full.revision }),
      ...(generation.begin && { beginGeneration: generation.begin }),
      sourceType,
      objects,
      commands,
    };
  }

  async function renderOrRepair(request: RenderRequest, access: RepositoryAccess): Promise<Rendered> {
    try {
      return await render(request, access);
    } catch (error) {
      // A packed chart or artifact could not be read any more, and was thrown away: it is fetched anew, once.
      if (error instanceof DamagedTree) return await render(request, access);
      if (!(error instanceof GitError)) throw error;
      if (!isDamage(error)) throw unreadable(error);
      // Git cannot read what is here: the mirror is made anew, once.
      const { repository } = await mirrors.ensureCommit(access, request.revision, request.signal);
      await mirrors.discard(repository);
    }
    try {
      return await render(request, access);
    } catch (error) {
      throw error instanceof GitError ? unreadable(error) : error;
    }
  }

  async function renderAndTidy(request: RenderRequest, access: RepositoryAccess): Promise<Rendered> {
    try {
      return await renderOrRepair(request, access);
    } finally {
      if (request.upload !== undefined) await discardUpload(request.upload);
    }
  }

  return { render: renderAndTidy, locate, typeOf };
}

function unreadable({ message }: GitError): ApiError {
  return new ApiError(Code.Internal, `the mirror of the repository cannot be read: ${message}`);
}
