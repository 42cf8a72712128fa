import type { Clock, Logger, Timers } from '../base/index.ts';
import type {
  ApplicationSource,
  ChartDetails,
  HelmChart,
  OCIMetadata,
  RepoAppDetailsResponse,
  RevisionMetadata,
} from '../contract/index.ts';
import type { KubeObject } from '../objects/index.ts';
import type { GitRequest } from './git/git-request.ts';
import type { IntegrityPolicy } from './integrity/find-integrity.ts';
import type { SourceLimits } from './limits.ts';
import type { RepositoryAccess } from './repository-access.ts';
import type { ResultOrigin } from './results/result-cache.ts';

export interface SourcesOptions {
  /** The cache: mirrors, checked-out revisions, temporary files. Several processes may share it; losing it costs only time. */
  readonly folder: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  readonly limits?: Partial<SourceLimits>;
  /** How a repository is reached for a project; undefined where nothing is configured, and it is then tried as a public one. */
  credentialsFor(url: string, project: string): RepositoryAccess | undefined;
  /** Whether repositories may be folders of this machine (`file://`). */
  readonly allowFileRepositories: boolean;
  /** Whether repositories that nobody registered may be servers of this machine; as `allowFileRepositories` unless given. */
  readonly allowOwnMachine?: boolean;
  readonly tools: ToolPlaces;
  /** Of this process, for repositories that use it. */
  readonly workloadIdentity?: WorkloadIdentity;
  /** None unless given. */
  readonly plugins?: PluginSettings;
  /** The media types that layers of artifacts may have; the usual ones unless given. */
  readonly ociLayerTypes?: () => readonly string[];
  /** How large archives may be, as settings say; `chartBytesMax` of the limits unless given. */
  readonly archiveSizes?: () => ArchiveSizes;
  /** How long a server of git may take to say what its refs are; as the limits say unless given. */
  readonly gitLimitMs?: () => number;
  /** Whether submodules are fetched; they are unless said otherwise. */
  readonly submodulesEnabled?: () => boolean;
  /** Whether links that lead out of a repository are left out of it; all of it is refused unless given. */
  readonly leavesOutLinks?: () => boolean;
  /** No names, and everything permitted, unless given. */
  readonly dependencies?: DependencySettings;
  /** What results on disk are sealed with; without one they are kept in memory only. All who have the same share them. */
  readonly resultsSecret?: () => Uint8Array | undefined;
  /** Of this program: what another one rendered is not used. */
  readonly version?: string;
  /** Told where each result came from: how often something is really rendered. */
  readonly onResult?: (origin: ResultOrigin) => void;
  /** Told of each request to a git server, when it has ended. */
  readonly onGitRequest?: (request: GitRequest) => void;
}

/** Quantities such as `1G`: unpacked charts, artifacts of registries, and files that somebody sends. Empty is the default, 0 no limit. */
export interface ArchiveSizes {
  readonly chart: string;
  readonly artifact: string;
  readonly upload: string;
}

/** Who this process is to a cloud: a token that its cluster renews in a file. */
export interface WorkloadIdentity {
  readonly clientId: string;
  readonly tenantId: string;
  /** The address of the provider; that of the public cloud where it is empty. */
  readonly authority: string;
  readonly tokenFile: string;
}

/** Which configuration management plugins there are, and what they are sent. */
export interface PluginSettings {
  /** Each plugin listens on a socket in it, `<name>.sock` or `<name>-<version>.sock`. */
  readonly socketFolder: string;
  /** Globs of paths that are not sent. */
  excluded(): readonly string[];
  /** Whether only what `manifestGeneratePaths` names is sent, where an application has them. */
  usesGeneratePaths(): boolean;
}

/** Which registered repositories charts may take their dependencies from. */
export interface DependencySettings {
  /** The address of the one that a chart calls `@name`. */
  urlOf(name: string, project: string): string | undefined;
  /** Whether a project may use what is registered for an address. */
  isPermitted(url: string, project: string): boolean;
}

/** Where the programs are that rendering uses. */
export interface ToolPlaces {
  /** Folders separated by colons, as in the environment variable PATH: where programs are looked for that are not named below. */
  readonly searchPath: string;
  readonly git?: string;
  readonly ssh?: string;
  readonly helm?: string;
  readonly kustomize?: string;
  readonly gpg?: string;
  /** `http_proxy` and its kin, for repositories without a proxy of their own. */
  readonly proxyEnvironment?: Readonly<Record<string, string>>;
}

export type SourceType = 'Directory' | 'Helm' | 'Kustomize' | 'Plugin';

export interface ResolveOptions {
  readonly project: string;
  readonly signal?: AbortSignal;
  /** Asks the server, even if it was asked a moment ago: a refresh. */
  readonly fresh?: boolean;
  /** With `fresh`, of git: an answer that was asked for after this, on the clock of the wall, will do; only one from now on unless given. */
  readonly sinceMs?: number;
}

export interface ResolvedRevision {
  /** A commit for git (short where only a short one was given), a version or digest otherwise. */
  readonly revision: string;
}

export interface RenderRequest {
  readonly source: ApplicationSource;
  /** What `resolve` gave. */
  readonly revision: string;
  readonly application: {
    /** The instance name: `namespace_name` outside the namespace of the control plane. */
    readonly name: string;
    readonly namespace: string;
    readonly project: string;
  };
  readonly destinationNamespace: string;
  /** Of the destination's cluster, for example `1.36.3`; with `apiVersions`, what charts see. */
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
  /** The other sources of the application that have a `ref`, by `$ref`; value files may be in them. */
  readonly references?: ReadonlyMap<string, ReferencedSource>;
  /** What the project demands of signatures; unset is nothing. A source that does not meet it is not rendered. */
  readonly integrity?: IntegrityPolicy | undefined;
  /** What the application says its manifests are made from: the annotation `argocd.argoproj.io/manifest-generate-paths`. */
  readonly manifestGeneratePaths?: string;
  /** Which tools the installation uses, and how; all of them unless given. */
  readonly settings?: RenderSettings;
  /** Instead of what the repository holds at a revision: the packed files of somebody who wants to know what they would make. */
  readonly upload?: Buffer;
  /** Tries again what failed a moment ago: somebody asks for it. */
  readonly fresh?: boolean;
  /** Fetches again what has been fetched under a name that may stand for something else by now: a hard refresh. */
  readonly hard?: boolean;
  readonly signal?: AbortSignal;
}

/** A source that others take files from, resolved. */
export interface ReferencedSource {
  readonly source: ApplicationSource;
  readonly revision: string;
}

/** The part of the installation's settings that rendering depends on. */
export interface RenderSettings {
  readonly helmEnabled?: boolean;
  readonly kustomizeEnabled?: boolean;
  readonly jsonnetEnabled?: boolean;
  /** How large the plain manifests of a directory may be together, as a quantity such as `10M`; 0 is no limit. */
  readonly directorySizeMax?: string;
  /** Appended to `kustomize build`, split at spaces. */
  readonly kustomizeBuildOptions?: string;
  /** Programs of other versions of Kustomize, by version. */
  readonly kustomizePaths?: ReadonlyMap<string, string>;
  /** From where Helm value files may be fetched. */
  readonly helmValuesFileSchemes?: readonly string[];
}

export interface Rendered {
  /** The full commit, version or digest. */
  readonly revision: string;
  /** An older commit since which nothing changed of what the application says that it is made from. */
  readonly generation?: string;
  /**
   * To be called where the application is compared with all of this from now on: a later commit that touches nothing of what it is made
   * from then has the variables of this one. Only there where something of that changed.
   */
  readonly beginGeneration?: () => void;
  /** Empty where a source is only there for others to refer to. */
  readonly sourceType: SourceType | '';
  /** In the order of the source, without tracking data and without a default namespace. Shared and frozen. */
  readonly objects: readonly KubeObject[];
  /** The commands of Helm and Kustomize, with temporary paths left out. */
  readonly commands: readonly string[];
}

export interface RepositoryRefs {
  /** Short names in byte order. */
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

/** A folder of a repository that can be rendered. */
export interface FoundApp {
  /** From the root of the repository, which is `.` itself. */
  readonly path: string;
  readonly type: SourceType;
}

/** What a commit holds, by path from its root. */
export interface RevisionFiles {
  /** In full. */
  readonly revision: string;
  /** `id` is the same for the same content, wherever it is. */
  readonly entries: ReadonlyMap<
    string,
    { readonly kind: 'file' | 'folder' | 'symlink' | 'submodule'; readonly id: string; readonly sizeBytes: number }
  >;
  /** The texts of files by path; links are followed. Files that are too large are refused. */
  read(paths: Iterable<string>): Promise<ReadonlyMap<string, string>>;
}

export interface FilesOptions extends ResolveOptions {
  readonly integrity?: IntegrityPolicy | undefined;
  /** With what is in submodules, unless the installation has none. */
  readonly withSubmodules?: boolean;
}

export interface RepositoryTestCall {
  readonly signal?: AbortSignal;
  /** Called where the server has failed, before that is told: it may be held back. */
  readonly onFailed?: () => void;
}

/** From a URL to manifests. Failures are ApiErrors whose texts name no secret and no path of this machine. */
export interface Sources {
  /** The commit or version that a source's target revision stands for now. */
  resolve(source: ApplicationSource, options: ResolveOptions): Promise<ResolvedRevision>;
  render(request: RenderRequest): Promise<Rendered>;
  refs(url: string, options: { readonly project: string; readonly signal?: AbortSignal }): Promise<RepositoryRefs>;
  /** What a commit says about itself: author, date, message, tags; where the project demands signatures, also what was found of them. */
  revisionMetadata(
    source: ApplicationSource,
    revision: string,
    options: ResolveOptions & { readonly integrity?: IntegrityPolicy | undefined },
  ): Promise<RevisionMetadata>;
  /** What a version of a chart says about itself. */
  chartDetails(source: ApplicationSource, revision: string, options: ResolveOptions): Promise<ChartDetails>;
  /** What an artifact of a registry says about itself; the revision is a digest. */
  ociMetadata(source: ApplicationSource, revision: string, options: ResolveOptions): Promise<OCIMetadata>;
  /** The tags of a repository of a registry, as versions. */
  ociTags(url: string, options: { readonly project: string; readonly signal?: AbortSignal }): Promise<string[]>;
  /** The charts of a Helm repository with their versions, in the order of its index. */
  helmCharts(url: string, options: { readonly project: string; readonly signal?: AbortSignal }): Promise<HelmChart[]>;
  /** The charts and kustomizations in a repository of git. */
  apps(source: ApplicationSource, options: ResolveOptions): Promise<FoundApp[]>;
  /** The files of what a source's target revision stands for now, if its signatures are as the project demands. */
  files(source: ApplicationSource, options: FilesOptions): Promise<RevisionFiles>;
  /** What a source is, and what can be set in it; also where the installation has switched off what renders it. */
  details(
    source: ApplicationSource,
    options: ResolveOptions & { readonly applicationName: string; readonly settings?: RenderSettings },
  ): Promise<RepoAppDetailsResponse>;
  /** The configuration management plugins that there are, by name. */
  plugins(): Promise<readonly string[]>;
  /** Resolves where the repository answers, and throws what went wrong otherwise. */
  testRepository(access: RepositoryAccess, options?: RepositoryTestCall): Promise<void>;
  /** Ends what runs; later calls fail. */
  stop(): Promise<void>;
}
