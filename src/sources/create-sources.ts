import { join } from 'node:path';
import { ApiError, Code, LruMap } from '../base/index.ts';
import type { ApplicationSource, RevisionMetadata } from '../contract/index.ts';
import { createArchives } from './charts/archives.ts';
import { createArchiveLimit } from './charts/archive-sizes.ts';
import { readChartDetails } from './charts/chart-details.ts';
import { createCharts } from './charts/charts.ts';
import { createKeptAddresses } from './charts/kept-addresses.ts';
import { credentialVariables } from './git/git-access.ts';
import { createGit, GitError } from './git/git.ts';
import { meterGitRequests } from './git/git-request.ts';
import { createLfs } from './git/lfs/lfs.ts';
import { createMirrors } from './git/mirrors.ts';
import { readRevisionMetadata, requireResolved } from './git/revision-metadata.ts';
import { createRevisions } from './git/revisions.ts';
import { listWithSubmodules } from './git/submodules.ts';
import { findDependencyAccess } from './helm/dependencies/find-dependency-access.ts';
import { createRemoteValues } from './helm/remote-values.ts';
import { createHttpGet } from './http/http-get.ts';
import { localManifestsRefused } from './integrity/find-integrity.ts';
import { createVerifier } from './integrity/verifier.ts';
import { defaultSourceLimits } from './limits.ts';
import { describeChart, listImages } from './describe-source.ts';
import { createFailureCache } from './failure-cache.ts';
import { findApps } from './find-apps.ts';
import { createManifestReader } from './manifests/manifest-reader.ts';
import { createPlugins } from './plugin/plugins.ts';
import { createOci } from './oci/create-oci.ts';
import { findProgram } from './process/find-program.ts';
import { createRenderTools } from './process/render-tools.ts';
import { createToolRunner } from './process/tool-runner.ts';
import { startPrivateSweep } from './private-sweep.ts';
import { createRenderFailures } from './render-failures.ts';
import { createRenderer } from './render.ts';
import { createRevisionFiles, refuseMirror } from './revision-files.ts';
import type { RepositoryAccess } from './repository-access.ts';
import { createRegistrySignIn, createSignIn } from './sign-in/sign-in.ts';
import { createTokenCache } from './sign-in/token-cache.ts';
import { createResultCache } from './results/result-cache.ts';
import { createResultStore } from './results/result-store.ts';
import { kindOf } from './source-kind.ts';
import type {
  DependencySettings,
  PluginSettings,
  RenderRequest,
  ResolvedRevision,
  ResolveOptions,
  Sources,
  SourcesOptions,
} from './sources.ts';
import { createRepositoryTest } from './test-repository.ts';
import { createTrees } from './trees/trees.ts';

const METADATA_MAX = 1000;
/** A server that is down is not asked by every application that needs it. */
const RESOLVE_PAUSES = { freeFailures: 2, pauseMs: 2_000, pauseMsMax: 60_000 };
const ANY_DEPENDENCY: DependencySettings = { urlOf: () => undefined, isPermitted: () => true };
const NO_PLUGINS: PluginSettings = { socketFolder: '', excluded: () => [], usesGeneratePaths: () => false };

export function createSources(options: SourcesOptions): Sources {
  const { folder, clock, timers, log, tools, allowFileRepositories, allowOwnMachine = allowFileRepositories } = options;
  const limits = { ...defaultSourceLimits, ...options.limits };
  const runner = createToolRunner(limits, timers);
  // Servers that do not answer keep git waiting, and must not keep what is here already from being rendered.
  const renderRunner = createToolRunner({ ...limits, toolsMax: limits.renderersMax }, timers);
  const get = createHttpGet({ timers, proxyEnvironment: tools.proxyEnvironment ?? {}, allowOwnMachine });
  const identities = { get, tokens: createTokenCache(clock), workloadIdentity: options.workloadIdentity };
  const signIn = createSignIn(identities);
  const signInToRegistry = createRegistrySignIn(identities);
  const privateFolder = join(folder, 'private');
  const privateSweep = startPrivateSweep({ folder: privateFolder, limits, clock, timers, log });
  const git = createGit({ runner, tools, folder: privateFolder, allowFile: allowFileRepositories, allowOwnMachine, signIn, log });
  const meter = meterGitRequests(clock, options.onGitRequest ?? (() => undefined));
  const revisions = createRevisions({ git, get, limitMs: options.gitLimitMs ?? (() => limits.listRefsMs), limits, clock, meter });
  const mirrors = createMirrors({ git, folder: join(folder, 'mirrors'), limits, clock, log, meter });
  const trees = createTrees({
    git,
    folder: join(folder, 'trees'),
    limits,
    clock,
    log,
    leavesOutLinks: options.leavesOutLinks ?? (() => false),
  });
  const reader = createManifestReader(limits, timers, log);
  const accessTo = (url: string, project: string): RepositoryAccess =>
    options.credentialsFor(url, project) ?? { url, type: url.startsWith('oci://') ? 'oci' : 'git', owner: '' };

  const bytesMaxOf = createArchiveLimit(limits, options.archiveSizes);
  const chartsFolder = join(folder, 'charts');
  const archives = createArchives({ folder: chartsFolder, limits, bytesMaxOf });
  const { artifacts, ociCharts } = createOci({
    get,
    archives,
    limits,
    clock,
    layerTypes: options.ociLayerTypes,
    signIn: signInToRegistry,
    bytesMaxOf,
  });
  const dependencies = options.dependencies ?? ANY_DEPENDENCY;
  const charts = createCharts({
    get,
    archives,
    addresses: createKeptAddresses(chartsFolder),
    registry: ociCharts,
    registryAccess: ({ url, name }, project) =>
      findDependencyAccess({ accessTo, dependencies }, { name, version: '', repository: url }, project).access,
    limits,
    clock,
    reader,
    signIn: signInToRegistry,
    bytesMaxOf,
  });
  const completeWithLfs = createLfs({ git, get, limits });
  const { resultsSecret = () => undefined, version = '', onResult = () => undefined } = options;
  const store = createResultStore({ folder: join(folder, 'results'), secret: resultsSecret, version, limits, clock, timers, log });
  const results = createResultCache({ limits, clock, store, report: onResult });
  const renderTools = createRenderTools(renderRunner, privateFolder, store);
  const context = { trees, reader, results, limits, privateFolder, places: tools, tools: renderTools };
  const plugins = createPlugins({
    ...context,
    timers,
    settings: options.plugins ?? NO_PLUGINS,
    credentialVariables: handOut,
  });
  const remoteValues = createRemoteValues({ get, accessTo, limits, clock });
  const { render, locate, typeOf } = createRenderer({
    ...context,
    git,
    mirrors,
    revisions,
    completeWithLfs,
    charts,
    artifacts,
    archives,
    plugins,
    submodulesEnabled: options.submodulesEnabled ?? (() => true),
    accessTo,
    remoteValues,
    dependencies,
  });

  /** For plugins. A provider that does not let us in says nothing about the mirror. */
  async function handOut(access: RepositoryAccess): Promise<ReturnType<typeof credentialVariables>> {
    try {
      return credentialVariables(await git.signIn(access), git.parseUrl(access.url));
    } catch (error) {
      throw error instanceof GitError ? new ApiError(Code.Unknown, error.message) : error;
    }
  }

  const gpg = findProgram('gpg', tools.gpg, tools.searchPath);
  const signatures = createVerifier({ git, runner, gpg, searchPath: tools.searchPath, privateFolder, mirrors, revisions, clock, limits });
  const metadata = new LruMap<string, RevisionMetadata>(METADATA_MAX);

  const unresolved = createFailureCache({ clock, ...RESOLVE_PAUSES, prefix: '' });
  const unrendered = createRenderFailures(limits, clock);

  async function resolve(source: ApplicationSource, access: RepositoryAccess, options: ResolveOptions): Promise<ResolvedRevision> {
    const { targetRevision, tagPrefix, chart = '' } = source;
    const { fresh = false, sinceMs, signal } = options;
    const kind = kindOf(source, access);
    if (kind === 'artifact') return { revision: await artifacts.resolve(access, { revision: targetRevision ?? '', fresh, signal }) };
    if (kind === 'chart') return { revision: await charts.resolve(access, { chart, revision: targetRevision || '*', fresh, signal }) };
    return { revision: await revisions.resolve(access, { revision: targetRevision, tagPrefix, fresh, sinceMs, signal }) };
  }

  const testRepository = createRepositoryTest({
    async ask(access, signal) {
      if (access.type === 'helm') return await charts.test(access, signal);
      if (access.type === 'oci') return await artifacts.test(access, signal);
      return await revisions.resolve(access, { revision: 'HEAD', tagPrefix: undefined, fresh: true, signal });
    },
    limitMs: () => Math.max(limits.testMs, options.gitLimitMs?.() ?? 0),
    hidesPorts: !allowOwnMachine,
    timers,
    log,
  });

  const sources: Sources = {
    async resolve(source, options) {
      const access = accessTo(source.repoURL, options.project);
      const key = JSON.stringify([access.url, access.owner, source.chart, source.targetRevision, source.tagPrefix]);
      return await unresolved.run(key, () => resolve(source, access, options), { force: options.fresh === true });
    },
    async render(request) {
      const { source, application, signal } = request;
      const access = accessTo(source.repoURL, application.project);
      if (request.upload !== undefined) {
        if (request.integrity !== undefined) throw localManifestsRefused();
        return await render(request, access);
      }
      if (kindOf(source, access) !== 'git') {
        const pinned = await resolve({ ...source, targetRevision: request.revision }, access, {
          project: application.project,
          ...(signal && { signal }),
        });
        const exact = { ...request, ...pinned };
        return await unrendered(exact, access, () => render(exact, access));
      }
      const isCommit = /^[0-9a-f]{7,64}$/.test(request.revision);
      const target = { revision: request.revision, tagPrefix: undefined, fresh: false, signal };
      const full = { ...request, revision: isCommit ? request.revision : await revisions.resolve(access, target) };
      await signatures.verify(full, access);
      return await unrendered(full, access, () => render(full, access));
    },
    refs: async (url, { project }) => await revisions.refs(accessTo(url, project)),
    async revisionMetadata(source, revision, { project, integrity, signal }) {
      const access = accessTo(source.repoURL, project);
      if (kindOf(source, access) !== 'git')
        throw new ApiError(Code.InvalidArgument, 'charts and artifacts have no commits: ask for the details of the chart or image');
      requireResolved(revision);
      const key = JSON.stringify([access.url, access.owner, revision]);
      let read = metadata.get(key);
      if (read !== undefined && integrity === undefined) return read;
      const commit = await mirrors.ensureCommit(access, revision.toLowerCase(), signal);
      read ??= await readRevisionMetadata(git, commit, await revisions.tagsOf(access, commit.commit));
      metadata.set(key, read);
      if (integrity === undefined) return read;
      const subject = { source, revision: commit.commit, integrity, ...(signal && { signal }) };
      return { ...read, ...(await signatures.describe(subject, access)) };
    },
    async chartDetails(source, revision, { project, signal }) {
      const { chart = '', repoURL } = source;
      const access = accessTo(repoURL, project);
      const listing = await charts.open({
        access,
        chart,
        version: revision,
        project,
        passCredentials: source.helm?.passCredentials === true,
        signal,
      });
      return await readChartDetails({ trees, reader }, listing, signal);
    },
    ociMetadata: async ({ repoURL }, revision, { project, signal }) =>
      await artifacts.metadata(accessTo(repoURL, project), revision, signal),
    ociTags: async (url, { project, signal }) => [...(await artifacts.tags(accessTo(url, project), signal))],
    async helmCharts(url, { project, signal }) {
      const access = accessTo(url, project);
      const index = await charts.list(access, signal);
      return [...index].map(([name, versions]) => ({ name, versions: versions.map(({ version }) => version) }));
    },
    async apps(source, options) {
      const access = accessTo(source.repoURL, options.project);
      const { revision } = await sources.resolve(source, options);
      const request = rootRequest(source, revision, options);
      // A plugin that is for all of the repository leaves nothing for the others.
      const located = await locate(request, access);
      if (await plugins.recognises(located)) return [{ path: '.', type: 'Plugin' }];
      return findApps(located.place.listing);
    },
    async files(source, { project, integrity, signal, fresh = false, withSubmodules = false }) {
      const access = accessTo(source.repoURL, project);
      const { revision } = await sources.resolve(source, { project, fresh, ...(signal && { signal }) });
      const application = { name: '', namespace: '', project };
      await signatures.verify({ source, revision, application, destinationNamespace: '', integrity, ...(signal && { signal }) }, access);
      const commit = await mirrors.ensureCommit(access, revision, signal);
      const isWhole = withSubmodules && (options.submodulesEnabled?.() ?? true);
      const isPermitted = (url: string): boolean => dependencies.isPermitted(url, project);
      const submodules = { git, mirrors, trees, accessTo: (url: string) => accessTo(url, project), isPermitted, signal };
      const listed = isWhole ? listWithSubmodules(submodules, access, commit) : trees.list(commit, signal);
      const listing = await listed.catch((error: unknown) => refuseMirror(mirrors, commit.repository, error));
      return createRevisionFiles({ git, mirrors, commit, listing });
    },
    async details(source, options) {
      const { project, applicationName, signal } = options;
      const access = accessTo(source.repoURL, project);
      const { revision } = await sources.resolve(source, options);
      const application = { name: applicationName, namespace: '', project };
      const settings = { ...options.settings, helmEnabled: true, kustomizeEnabled: true };
      const request = { source, revision, application, destinationNamespace: '', settings, ...(signal && { signal }) };
      const located = await locate(request, access);
      const type = await typeOf(located);
      if (type === 'Plugin') return { type, plugin: { parametersAnnouncement: await plugins.announce(located) } };
      if (type === 'Helm') return { type, helm: await describeChart({ trees, reader }, located) };
      if (type === 'Kustomize') return { type, kustomize: { images: listImages((await render(request, access)).objects) } };
      return { type };
    },
    plugins: () => plugins.names(),
    testRepository,
    async stop() {
      runner.stop();
      renderRunner.stop();
      await mirrors.stop();
      await reader.stop();
      await store.stop();
      await privateSweep.stop();
    },
  };
  return sources;
}

/** All of a repository, for no application in particular. */
function rootRequest({ repoURL }: ApplicationSource, revision: string, { project, signal }: ResolveOptions): RenderRequest {
  const application = { name: '', namespace: '', project };
  return { source: { repoURL, path: '.' }, revision, application, destinationNamespace: '', ...(signal && { signal }) };
}
