// Generated from proto/ by `npm run generate`. Do not edit.

/** An account. */
export interface Account {
  name?: string;
  enabled?: boolean;
  /** `login` and `apiKey`. */
  capabilities?: string[];
  /** Tokens issued and not revoked; not the tokens themselves. */
  tokens?: Token[];
}

/** A list of accounts. */
export interface AccountsList {
  items?: Account[];
}

/** Names an action on something. */
export interface CanIRequest {
  /** For example `applications`. */
  resource?: string;
  /** For example `sync`. */
  action?: string;
  /** The object, for example `project/application`; `*` is any. */
  subresource?: string;
}

/** Whether it is allowed. */
export interface CanIResponse {
  /** `yes` or `no`. */
  value?: string;
}

/** A token to issue. */
export interface CreateTokenRequest {
  name?: string;
  /** In seconds; 0 is never. */
  expiresIn?: number;
  /** Empty: one is made up. */
  id?: string;
}

/** The token. It is shown this once. */
export interface CreateTokenResponse {
  token?: string;
}

/** Names a token of an account. */
export interface DeleteTokenRequest {
  name?: string;
  id?: string;
}

/** Nothing. */
export type AccountEmptyResponse = Record<string, never>;

/** Names an account. */
export interface GetAccountRequest {
  name?: string;
}

/** Asks for all accounts. */
export type ListAccountRequest = Record<string, never>;

/** A token that was issued. */
export interface Token {
  id?: string;
  /** In seconds since the epoch. */
  issuedAt?: number;
  /** In seconds since the epoch; 0 is never. */
  expiresAt?: number;
}

/** A new password. */
export interface UpdatePasswordRequest {
  newPassword?: string;
  /** The caller's own password, also when it changes that of another account. */
  currentPassword?: string;
  /** Empty means the caller's own account. */
  name?: string;
}

/** Nothing: the password has changed. */
export type UpdatePasswordResponse = Record<string, never>;

/** An application to create. */
export interface ApplicationCreateRequest {
  application: Application;
  /** Update the application if it exists and differs. Unset means false. */
  upsert?: boolean;
  /** Check the repository and its manifests too. Unset means true. */
  validate?: boolean;
}

/** Which application to delete, and how. */
export interface ApplicationDeleteRequest {
  name: string;
  /** Delete its resources too. Unset means true. */
  cascade?: boolean;
  /** `foreground`, `background` or `orphan`, in any letter case. Not with `cascade` false. */
  propagationPolicy?: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
}

/** What to render. */
export interface ApplicationManifestQuery {
  name: string;
  /** Empty means the target revision. */
  revision?: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
  /** Which of several sources, from 1, the entries of `revisions` are for. Without it there is one for each source, in their order. */
  sourcePositions?: number[];
  revisions?: string[];
  /** Render even if the result is known. */
  noCache?: boolean;
}

/** What to render from the files that follow. */
export interface ApplicationManifestQueryWithFiles {
  name: string;
  /** SHA-256 of all pieces together, in hexadecimal digits. */
  checksum: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
}

/** One message of the stream: the query, or a piece of the files. */
export interface ApplicationManifestQueryWithFilesWrapper {
  query?: ApplicationManifestQueryWithFiles;
  chunk?: FileChunk;
}

/** A patch for an application. */
export interface ApplicationPatchRequest {
  name: string;
  /** The text of the patch. */
  patch: string;
  /** `json` or `merge`. Empty means `json`. */
  patchType: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
}

/** Whose logs, and which part of them. */
export interface ApplicationPodLogsQuery {
  name: string;
  namespace?: string;
  /** One pod; otherwise all pods of the resource that `kind`, `group` and `resourceName` name. */
  podName?: string;
  /** Empty leaves the choice to the cluster. */
  container?: string;
  /** Only what is at most this old. */
  sinceSeconds?: number;
  /** Only what is newer. */
  sinceTime?: Time;
  /** Only this many lines from the end of each log. Unset or 0 means all. */
  tailLines?: number;
  /** Go on with what is written from now on. */
  follow?: boolean;
  /** Only what is older, RFC 3339. */
  untilTime?: string;
  /** Only lines that contain this text; with `!` in front, those that do not. */
  filter?: string;
  kind?: string;
  group?: string;
  resourceName?: string;
  /** Logs of the container's run before the present one. */
  previous?: boolean;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
  /** The filter distinguishes upper and lower case. */
  matchCase?: boolean;
}

/** Which applications, by conditions that must all hold. */
export interface ApplicationQuery {
  /** Empty means any. */
  name?: string;
  /** `normal` or `hard`: compare anew first. `hard` also renders anew. A list does not wait for that, and marks no more than its first 1,000 applications. */
  refresh?: string;
  /** Empty means all. */
  projects?: string[];
  /** In a watch: send only what is newer. */
  resourceVersion?: string;
  /** Label selector. */
  selector?: string;
  /** URL of the first source. */
  repo?: string;
  /** Empty: in a list all namespaces, otherwise the control plane's. */
  appNamespace?: string;
  /** The older name of `projects`. */
  project?: string[];
  /** Names from this one on, in the order of names. */
  minName?: string;
  /** Names up to this one, in the order of names. */
  maxName?: string;
  /** URLs of sources. Empty means any; so do all lists below. */
  repos?: string[];
  /** Servers or names of destinations. */
  clusters?: string[];
  /** Namespaces of destinations. */
  namespaces?: string[];
  /** Whether syncs start by themselves. */
  autoSyncEnabled?: boolean;
  syncStatuses?: string[];
  healthStatuses?: string[];
  /** A part of the name, in any case. */
  search?: string;
  /** How many of those that match are left out at the beginning of a list. */
  offset?: number;
  /** How many are listed at most. */
  limit?: number;
  /** `name` (also when empty), `createdAt`, `syncedAt`, `health` or `sync`; with `-` in front, the other way round. */
  orderBy?: string;
  /** Only those that need somebody: not healthy and not on the way there, not in sync, with an error condition, or whose last operation failed. */
  needsAttention?: boolean;
}

/** Which resource of an application to delete, and how. */
export interface ApplicationResourceDeleteRequest {
  /** The application. */
  name: string;
  namespace?: string;
  resourceName: string;
  version: string;
  /** Empty is the core group. */
  group?: string;
  kind: string;
  /** Without waiting for it to end in order. */
  force?: boolean;
  /** Keep what the resource owns. */
  orphan?: boolean;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
}

/** An application, or one of its resources when all three resource fields are given. */
export interface ApplicationResourceEventsQuery {
  name: string;
  resourceNamespace?: string;
  resourceName?: string;
  resourceUID?: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
}

/** A patch for a resource of an application. */
export interface ApplicationResourcePatchRequest {
  /** The application. */
  name: string;
  namespace?: string;
  resourceName: string;
  version: string;
  /** Empty is the core group. */
  group?: string;
  kind: string;
  patch: string;
  /** A media type such as `application/merge-patch+json`. */
  patchType: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
}

/** Names a resource of an application. */
export interface ApplicationResourceRequest {
  /** The application. */
  name: string;
  /** Empty for a resource without a namespace. */
  namespace?: string;
  resourceName: string;
  version: string;
  /** Empty is the core group. */
  group?: string;
  kind: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
}

/** A live resource. */
export interface ApplicationResourceResponse {
  /** As JSON text; the values of Secrets are masked. */
  manifest: string;
}

/** Nothing: it is done. */
export type ApplicationResponse = Record<string, never>;

/** The deployment to go back to. */
export interface ApplicationRollbackRequest {
  name: string;
  /** Id in the application's history. */
  id: number;
  /** Only find out what would happen. */
  dryRun?: boolean;
  /** Delete resources that are no longer declared. */
  prune?: boolean;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
  /** Also hold the application at that deployment, whatever its source says then. Works where syncs start by themselves, too. */
  pin?: boolean;
  /** Why it is held, for those who wonder. */
  pinReason?: string;
  /** Until when, as an RFC 3339 time. Empty means until somebody lets go. */
  pinUntil?: string;
}

/** What to compare. */
export interface ApplicationServerSideDiffQuery {
  appName: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
  /** The live resources. They cannot be given over REST. */
  liveResources?: ResourceDiff[];
  /** What would be applied, as JSON texts. */
  targetManifests?: string[];
}

/** The resources before and after. */
export interface ApplicationServerSideDiffResponse {
  items?: ResourceDiff[];
  /** Whether anything would change. */
  modified: boolean;
}

/** What to sync, and how. */
export interface ApplicationSyncRequest {
  name: string;
  /** Empty means the target revision. */
  revision?: string;
  /** Only find out what would happen. */
  dryRun?: boolean;
  /** Delete resources that are no longer declared. */
  prune?: boolean;
  strategy?: SyncStrategy;
  /** Only these. Empty means all. */
  resources?: SyncOperationResource[];
  /** Manifests to apply instead of those of the source. */
  manifests?: string[];
  /** Facts for people, kept with the operation. */
  infos?: Info[];
  /** Instead of that of the sync policy. */
  retryStrategy?: RetryStrategy;
  /** Instead of those of the sync policy. */
  syncOptions?: SyncOptions;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
  /** Which of several sources, from 1, the entries of `revisions` are for. Without it there is one for each source, in their order. */
  sourcePositions?: number[];
  revisions?: string[];
}

/** A sync window as it concerns an application. */
export interface ApplicationSyncWindow {
  /** `allow` or `deny`. */
  kind: string;
  /** A cron expression of five fields. */
  schedule: string;
  duration: string;
  /** Syncs that somebody asks for are allowed all the same. */
  manualSync: boolean;
}

/** Names an application. */
export interface ApplicationSyncWindowsQuery {
  name: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
}

/** The sync windows of an application. */
export interface ApplicationSyncWindowsResponse {
  /** Those that are open now. */
  activeWindows?: ApplicationSyncWindow[];
  /** All that apply to the application. */
  assignedWindows?: ApplicationSyncWindow[];
  /** Whether a sync that is asked for now would be allowed. */
  canSync: boolean;
}

/** An application as it shall be. */
export interface ApplicationUpdateRequest {
  application: Application;
  /** Check the repository and its manifests too. Unset means true. */
  validate?: boolean;
  /** The project it is expected to be in now. Empty means any. */
  project?: string;
}

/** A spec as it shall be. */
export interface ApplicationUpdateSpecRequest {
  name: string;
  spec: ApplicationSpec;
  /** Check the repository and its manifests too. Unset means true. */
  validate?: boolean;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
}

/** A piece of a compressed tar archive. */
export interface FileChunk {
  chunk: string;
}

/** A link that somebody configured. */
export interface LinkInfo {
  title: string;
  url: string;
  description?: string;
  /** Icon for a user interface. */
  iconClass?: string;
}

/** A list of links. */
export interface LinksResponse {
  items?: LinkInfo[];
}

/** Names an application. */
export interface ListAppLinksRequest {
  name: string;
  /** The application's namespace. Empty means the control plane's. */
  namespace?: string;
  project?: string;
}

/** A line of a log. */
export interface LogEntry {
  content: string;
  /** Null in the last entry. */
  timeStamp: Time;
  /** Nothing follows; the entry itself is empty. */
  last: boolean;
  /** RFC 3339 with nanoseconds. */
  timeStampStr: string;
  podName: string;
}

/** Resources as declared and as they are. */
export interface ManagedResourcesResponse {
  items?: ResourceDiff[];
}

/** Names an application. */
export interface OperationTerminateRequest {
  name: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
}

/** Nothing: the operation is being stopped. */
export type OperationTerminateResponse = Record<string, never>;

/** A parameter of an action. */
export interface ResourceActionParameters {
  name: string;
  value: string;
}

/** An action on a resource of an application. */
export interface ResourceActionRunRequest {
  /** The application. */
  name: string;
  namespace?: string;
  resourceName: string;
  version: string;
  /** Empty is the core group. */
  group?: string;
  kind: string;
  action: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
}

/** An action with parameters on a resource of an application. */
export interface ResourceActionRunRequestV2 {
  /** The application. */
  name: string;
  namespace?: string;
  resourceName: string;
  version: string;
  /** Empty is the core group. */
  group?: string;
  kind: string;
  action: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
  resourceActionParameters?: ResourceActionParameters[];
}

/** What can be done to a resource. */
export interface ResourceActionsListResponse {
  actions?: ResourceAction[];
}

/** Resources of an application, by conditions that must all hold. Empty fields match everything. */
export interface ResourcesQuery {
  applicationName: string;
  namespace?: string;
  name?: string;
  version?: string;
  group?: string;
  kind?: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
}

/** A revision of an application's source. */
export interface RevisionMetadataQuery {
  name: string;
  revision: string;
  /** Empty means the control plane's namespace. */
  appNamespace?: string;
  project?: string;
  /** Which of several sources, from 0. */
  sourceIndex?: number;
  /** Id of a deployment: look at its source instead of the present one. */
  versionId?: number;
}

/** Entries of the form `Name=value`. */
export interface SyncOptions {
  items?: string[];
}

/** An application set to create. */
export interface ApplicationSetCreateRequest {
  applicationset?: ApplicationSet;
  /** Update the application set if it exists and differs. */
  upsert?: boolean;
  /** Tell what it would make and store nothing. */
  dryRun?: boolean;
}

/** Names an application set. */
export interface ApplicationSetDeleteRequest {
  name?: string;
  /** Empty means the control plane's namespace. */
  appsetNamespace?: string;
}

/** The application set to try. */
export interface ApplicationSetGenerateRequest {
  applicationSet?: ApplicationSet;
}

/** The applications that it would make. */
export interface ApplicationSetGenerateResponse {
  applications?: Application[];
}

/** Names an application set. */
export interface ApplicationSetGetQuery {
  name?: string;
  /** Empty means the control plane's namespace. */
  appsetNamespace?: string;
}

/** Which application sets, by conditions that must all hold. */
export interface ApplicationSetListQuery {
  /** Empty means all. */
  projects?: string[];
  /** Label selector. */
  selector?: string;
  /** Only application sets in this namespace. */
  appsetNamespace?: string;
}

/** What was deleted. */
export interface ApplicationSetResponse {
  project?: string;
  applicationset?: ApplicationSet;
}

/** Names an application set. */
export interface ApplicationSetTreeQuery {
  name?: string;
  /** Empty means the control plane's namespace. */
  appsetNamespace?: string;
}

/** Which application sets, by conditions that must all hold. */
export interface ApplicationSetWatchQuery {
  /** Set: begin with the application set as it is. */
  name?: string;
  /** Empty means all. */
  projects?: string[];
  /** Label selector. */
  selector?: string;
  /** Empty means the control plane's namespace. */
  appSetNamespace?: string;
  /** Send only what is newer. */
  resourceVersion?: string;
}

/** Sign-in to a cluster at AWS. */
export interface AWSAuthConfig {
  clusterName?: string;
  roleARN?: string;
  profile?: string;
}

/** The health of an application: the worst among its resources. */
export interface AppHealthStatus {
  /** `Healthy`, `Progressing`, `Degraded`, `Suspended`, `Missing` or `Unknown`. */
  status?: string;
  message?: string;
  /** When the status last changed. */
  lastTransitionTime?: Time;
}

/** A group of applications and the limits set on them. */
export interface AppProject {
  metadata: ObjectMeta;
  spec: AppProjectSpec;
  status?: AppProjectStatus;
}

/** A list of projects. */
export interface AppProjectList {
  metadata: ListMeta;
  items: AppProject[];
}

/** What the applications of a project may use, and who may do what with them. */
export interface AppProjectSpec {
  /** Patterns of allowed repositories; `!` in front denies. */
  sourceRepos?: string[];
  /** Patterns of allowed destinations; `!` in front of a value denies. */
  destinations?: ApplicationDestination[];
  description?: string;
  roles?: ProjectRole[];
  /** Allowed kinds without a namespace. Empty means none. */
  clusterResourceWhitelist?: ClusterResourceRestrictionItem[];
  /** Denied kinds with a namespace. */
  namespaceResourceBlacklist?: GroupKind[];
  /** Set: resources that belong to no application are looked for. */
  orphanedResources?: OrphanedResourcesMonitorSettings;
  syncWindows?: SyncWindow[];
  /** Allowed kinds with a namespace. Empty means all that are not denied. */
  namespaceResourceWhitelist?: GroupKind[];
  /** Keys of which one must have signed a Git revision. Empty: no signature is needed. */
  signatureKeys?: SignatureKey[];
  /** Denied kinds without a namespace. */
  clusterResourceBlacklist?: ClusterResourceRestrictionItem[];
  /** Patterns of further namespaces in which applications of the project may live. */
  sourceNamespaces?: string[];
  /** Only clusters that belong to the project may be destinations. */
  permitOnlyProjectScopedClusters?: boolean;
  /** As whom resources are applied, by destination; the first match counts. */
  destinationServiceAccounts?: ApplicationDestinationServiceAccount[];
  sourceIntegrity?: SourceIntegrity;
}

/** What the server remembers about a project. */
export interface AppProjectStatus {
  /** Tokens issued for each role. */
  jwtTokensByRole?: Record<string, JWTTokens>;
}

/** Software that is kept on a cluster as a repository declares it. */
export interface Application {
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: ApplicationSpec;
  /** What was found at the last comparison. Written by the server only. */
  status?: ApplicationStatus;
  /** The operation that was asked for and has not started yet. */
  operation?: Operation;
}

/** A problem or a warning. */
export interface ApplicationCondition {
  /** For example `ComparisonError` or `SharedResourceWarning`. */
  type: string;
  message: string;
  lastTransitionTime?: Time;
}

/** A cluster and namespace, named by the cluster's URL or by its name but not by both. In a project these are patterns. */
export interface ApplicationDestination {
  /** The URL of the cluster's API. */
  server?: string;
  /** Where namespaced resources without a namespace of their own go. */
  namespace?: string;
  /** The cluster's name, instead of `server`. */
  name?: string;
}

/** The service account used for destinations that match. */
export interface ApplicationDestinationServiceAccount {
  server: string;
  namespace?: string;
  /** `name`, or `namespace:name`. */
  defaultServiceAccount: string;
}

/** A list of applications. */
export interface ApplicationList {
  metadata: ListMeta;
  items: Application[];
  /** Of all that match, also of those that are not on this page. Only for queries that ask for a page, an order or one of the newer filters. */
  stats?: ApplicationListStats;
}

/** How many applications match a query, and what they are like. */
export interface ApplicationListStats {
  total?: number;
  totalBySyncStatus?: Record<string, number>;
  totalByHealthStatus?: Record<string, number>;
  autoSyncEnabledCount?: number;
  /** Servers or names of destinations, sorted. */
  clusters?: string[];
  /** Namespaces of destinations, sorted. */
  namespaces?: string[];
  /** URLs of sources, sorted. */
  repos?: string[];
}

/** A condition on the labels of an application. */
export interface ApplicationMatchExpression {
  key?: string;
  /** `In` or `NotIn`. */
  operator?: string;
  values?: string[];
}

/** Labels and annotations that the application set leaves as they are. */
export interface ApplicationPreservedFields {
  annotations?: string[];
  labels?: string[];
}

/** Makes applications from a template, one for each set of parameters that its generators yield. */
export interface ApplicationSet {
  metadata: ObjectMeta;
  spec: ApplicationSetSpec;
  status?: ApplicationSetStatus;
}

/** How far an application has come in a rolling sync. */
export interface ApplicationSetApplicationStatus {
  application: string;
  lastTransitionTime?: Time;
  message: string;
  /** `Waiting`, `Pending`, `Progressing` or `Healthy`. */
  status: string;
  /** Number of its step, from 1; `-1` when it is in none. */
  step: string;
  targetRevisions: string[];
}

/** A state of the application set that is true, false or unknown. */
export interface ApplicationSetCondition {
  /** For example `ErrorOccurred` or `ResourcesUpToDate`. */
  type: string;
  message: string;
  lastTransitionTime?: Time;
  /** `True`, `False` or `Unknown`. */
  status: string;
  reason: string;
}

/** Yields sets of parameters. Exactly one kind is set. */
export interface ApplicationSetGenerator {
  list?: ListGenerator;
  clusters?: ClusterGenerator;
  git?: GitGenerator;
  scmProvider?: SCMProviderGenerator;
  clusterDecisionResource?: DuckTypeGenerator;
  pullRequest?: PullRequestGenerator;
  matrix?: MatrixGenerator;
  merge?: MergeGenerator;
  /** Only parameter sets that match it are used. */
  selector?: LabelSelector;
  plugin?: PluginGenerator;
}

/** A list of application sets. */
export interface ApplicationSetList {
  metadata?: ListMeta;
  items: ApplicationSet[];
}

/** A generator inside a matrix or merge generator. Exactly one kind is set. */
export interface ApplicationSetNestedGenerator {
  list?: ListGenerator;
  clusters?: ClusterGenerator;
  git?: GitGenerator;
  scmProvider?: SCMProviderGenerator;
  clusterDecisionResource?: DuckTypeGenerator;
  pullRequest?: PullRequestGenerator;
  /** A matrix generator without further nesting. */
  matrix?: JSON;
  /** A merge generator without further nesting. */
  merge?: JSON;
  /** Only parameter sets that match it are used. */
  selector?: LabelSelector;
  plugin?: PluginGenerator;
}

/** Parts of applications that the application set leaves as they are. */
export interface ApplicationSetResourceIgnoreDifferences {
  /** Only the application of this name. Empty means all. */
  name?: string;
  jsonPointers?: string[];
  jqPathExpressions?: string[];
}

/** A group of applications that are updated together. */
export interface ApplicationSetRolloutStep {
  matchExpressions?: ApplicationMatchExpression[];
  /** How many at a time: a number or a percentage. Unset means all, 0 means only by hand. */
  maxUpdate?: IntOrString;
}

/** Steps that are taken one after the other. */
export interface ApplicationSetRolloutStrategy {
  steps?: ApplicationSetRolloutStep[];
}

/** What to generate, and how changes reach the applications. */
export interface ApplicationSetSpec {
  /** Placeholders are Go templates instead of plain names. */
  goTemplate?: boolean;
  generators: ApplicationSetGenerator[];
  template: ApplicationSetTemplate;
  syncPolicy?: ApplicationSetSyncPolicy;
  /** Unset: all applications are updated at once. */
  strategy?: ApplicationSetStrategy;
  preservedFields?: ApplicationPreservedFields;
  /** Options of the template engine, for example `missingkey=error`. */
  goTemplateOptions?: string[];
  /** Kept for old manifests; selectors of nested generators always apply. */
  applyNestedSelectors?: boolean;
  /** Parts of the applications that others may change. */
  ignoreApplicationDifferences?: ApplicationSetResourceIgnoreDifferences[];
  /** A patch on each application, as YAML text with placeholders. */
  templatePatch?: string;
}

/** How far the application set has come. */
export interface ApplicationSetStatus {
  conditions?: ApplicationSetCondition[];
  applicationStatus?: ApplicationSetApplicationStatus[];
  /** The applications it has made; at most as many as the server is set to list. */
  resources?: ResourceStatus[];
  /** How many there are, also those that are not listed. */
  resourcesCount?: number;
  health?: HealthStatus;
}

/** In what order applications are updated and deleted. */
export interface ApplicationSetStrategy {
  /** `AllAtOnce` or `RollingSync`. Empty means all at once. */
  type?: string;
  rollingSync?: ApplicationSetRolloutStrategy;
  /** `AllAtOnce` or `Reverse`, which deletes the last step first. */
  deletionOrder?: string;
}

/** What the application set may do with its applications. */
export interface ApplicationSetSyncPolicy {
  /** Deleting an application leaves its resources in the cluster. */
  preserveResourcesOnDeletion?: boolean;
  /** `create-only`, `create-update`, `create-delete` or `sync`, which is the default. */
  applicationsSync?: string;
}

/** The application to make from each set of parameters. Text in it may contain placeholders. */
export interface ApplicationSetTemplate {
  metadata: ApplicationSetTemplateMeta;
  spec: ApplicationSpec;
}

/** The metadata of an application to make. */
export interface ApplicationSetTemplateMeta {
  name?: string;
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
}

/** What an application set brought into being. */
export interface ApplicationSetTree {
  nodes?: ResourceNode[];
}

/** One change of one application set. */
export interface ApplicationSetWatchEvent {
  /** `ADDED`, `MODIFIED` or `DELETED`. */
  type: string;
  applicationSet: ApplicationSet;
}

/** A place in a repository, and how its content becomes manifests. */
export interface ApplicationSource {
  /** Git, Helm or OCI repository. */
  repoURL: string;
  /** Directory within the repository; not used for a Helm chart. */
  path?: string;
  /** Branch, tag or commit; for Helm and OCI a version or a version range. Empty means `HEAD`. */
  targetRevision?: string;
  helm?: ApplicationSourceHelm;
  kustomize?: ApplicationSourceKustomize;
  directory?: ApplicationSourceDirectory;
  plugin?: ApplicationSourcePlugin;
  /** Name of a chart in a Helm repository. */
  chart?: string;
  /** Name under which other sources refer to files of this one, as `$name/path`. */
  ref?: string;
  /** Label of this source among several. */
  name?: string;
  /** Only tags with this prefix are candidates when `targetRevision` is a version range. */
  tagPrefix?: string;
}

/** Options for a directory of plain manifests or Jsonnet. */
export interface ApplicationSourceDirectory {
  /** Read directories below too. */
  recurse?: boolean;
  jsonnet?: ApplicationSourceJsonnet;
  /** Glob of files to leave out. */
  exclude?: string;
  /** Glob of files to read. Empty means all. */
  include?: string;
}

/** Options for a Helm chart. */
export interface ApplicationSourceHelm {
  /** Paths within the repository, `$ref/path`, or URLs. */
  valueFiles?: string[];
  /** Single values, stronger than `values` and `valueFiles`. */
  parameters?: HelmParameter[];
  /** Empty means the name of the application. */
  releaseName?: string;
  /** YAML text; ignored when `valuesObject` is set. */
  values?: string;
  /** Values that are read from files. */
  fileParameters?: HelmFileParameter[];
  /** Helm's major version. Kept for old clients. */
  version?: string;
  /** Send the credentials to every host that the chart refers to. */
  passCredentials?: boolean;
  /** Go on when a file of `valueFiles` does not exist. */
  ignoreMissingValueFiles?: boolean;
  /** Leave out the chart's custom resource definitions. */
  skipCrds?: boolean;
  /** Values as an object instead of text. */
  valuesObject?: RawExtension;
  /** Empty means the destination's namespace. */
  namespace?: string;
  /** What the chart sees as the cluster's version. Empty means the real one. */
  kubeVersion?: string;
  /** What the chart sees as the cluster's API versions. Empty means the real ones. */
  apiVersions?: string[];
  /** Leave out test manifests. */
  skipTests?: boolean;
  /** Do not check values against the chart's schema. */
  skipSchemaValidation?: boolean;
}

/** Variables and libraries for Jsonnet. */
export interface ApplicationSourceJsonnet {
  extVars?: JsonnetVar[];
  /** Top-level arguments. */
  tlas?: JsonnetVar[];
  /** Directories that are searched for imports. */
  libs?: string[];
}

/** Options for a kustomization. */
export interface ApplicationSourceKustomize {
  namePrefix?: string;
  nameSuffix?: string;
  /** Image overrides in the form `[old=]name[:tag][@digest]`. */
  images?: string[];
  commonLabels?: Record<string, string>;
  /** Which of the configured Kustomize versions to use. Empty is the default one. */
  version?: string;
  commonAnnotations?: Record<string, string>;
  /** Overwrite labels that exist. */
  forceCommonLabels?: boolean;
  /** Overwrite annotations that exist. */
  forceCommonAnnotations?: boolean;
  namespace?: string;
  /** Replace `$ARGOCD_APP_…` variables in the common annotations. */
  commonAnnotationsEnvsubst?: boolean;
  replicas?: KustomizeReplica[];
  patches?: KustomizePatch[];
  /** Paths of components to add. */
  components?: string[];
  /** Go on when a component does not exist. */
  ignoreMissingComponents?: boolean;
  /** Add the common labels to metadata only. */
  labelWithoutSelector?: boolean;
  /** What Helm charts inside see as the cluster's version. Empty means the real one. */
  kubeVersion?: string;
  /** What Helm charts inside see as the cluster's API versions. Empty means the real ones. */
  apiVersions?: string[];
  /** With `labelWithoutSelector`: also label the templates of workloads. */
  labelIncludeTemplates?: boolean;
}

/** A config management plugin and what it is given. */
export interface ApplicationSourcePlugin {
  /** Empty: the plugin that recognises the directory. */
  name?: string;
  env?: EnvEntry[];
  parameters?: ApplicationSourcePluginParameter[];
}

/** A parameter of a plugin: text, a list or a map. */
export interface ApplicationSourcePluginParameter extends OptionalMap, OptionalArray {
  name?: string;
  string?: string;
}

/** Where an application's manifests come from, where they go and how they are kept in step. */
export interface ApplicationSpec {
  /** The one source; unused when `sources` is set. */
  source?: ApplicationSource;
  destination: ApplicationDestination;
  /** The project whose rules apply. Empty means `default`. */
  project: string;
  /** Unset: the application is synced only when asked. */
  syncPolicy?: SyncPolicy;
  /** Differences that do not count as out of sync. */
  ignoreDifferences?: ResourceIgnoreDifferences[];
  /** Facts and links shown to people; they have no effect. */
  info?: Info[];
  /** How many deployments are kept for rollback. Unset means 10, 0 means none. */
  revisionHistoryLimit?: number;
  /** Several sources whose manifests are put together. */
  sources?: ApplicationSource[];
  /** Unset: manifests are rendered at sync time and not committed. */
  sourceHydrator?: SourceHydrator;
}

/** What the last comparison found and the last operation did. */
export interface ApplicationStatus {
  /** Every resource that is declared or was deployed before. */
  resources?: ResourceStatus[];
  sync?: SyncStatus;
  health?: AppHealthStatus;
  /** Past deployments, oldest first. */
  history?: RevisionHistory[];
  /** Problems and warnings, at most one of each type. */
  conditions?: ApplicationCondition[];
  /** When the last comparison was made. */
  reconciledAt?: Time;
  /** The running operation, or the last one. */
  operationState?: OperationState;
  /** Kept for old clients; no longer written. */
  observedAt?: Time;
  /** `Helm`, `Kustomize`, `Directory` or `Plugin`. */
  sourceType?: string;
  summary?: ApplicationSummary;
  /** `appTree`: the health of resources is kept with the tree and not in `resources`. */
  resourceHealthSource?: string;
  /** As `sourceType`, for each of several sources. */
  sourceTypes?: string[];
  /** The namespace of the controller that looks after the application. */
  controllerNamespace?: string;
  sourceHydrator?: SourceHydratorStatus;
}

/** What the running resources tell about themselves. */
export interface ApplicationSummary {
  /** Addresses found in ingresses, services and annotations. */
  externalURLs?: string[];
  /** Container images in use, sorted. */
  images?: string[];
  /** Whether some of the resources are applications themselves. */
  isAppOfApps?: boolean;
}

/** The resources of an application and everything they brought into being. */
export interface ApplicationTree {
  nodes?: ResourceNode[];
  /** Resources in the destination namespace that belong to no application. */
  orphanedNodes?: ResourceNode[];
  /** The nodes on which the application's pods run. */
  hosts?: HostInfo[];
  /** Into how many parts the tree is divided in the cache. */
  shardsCount?: number;
}

/** One change of one application. */
export interface ApplicationWatchEvent {
  /** `ADDED`, `MODIFIED` or `DELETED`. */
  type: string;
  /** The application after the change; for `DELETED`, as it last was. */
  application: Application;
}

/** How long to wait between retries. */
export interface Backoff {
  /** The first wait, for example `5s` or `2m`; a plain number is seconds. Empty means `5s`. */
  duration?: string;
  /** Each wait is the one before times this. Unset means 2. */
  factor?: number;
  /** The longest wait, in the form of `duration`. Empty means `3m`. */
  maxDuration?: string;
}

/** Sign-in with a name and a password. */
export interface BasicAuthBitbucketServer {
  username: string;
  passwordRef: SecretRef | null;
}

/** Sign-in to a Bitbucket server with a token. */
export interface BearerTokenBitbucket {
  tokenRef: SecretRef | null;
}

/** Sign-in to Bitbucket Cloud with a token. */
export interface BearerTokenBitbucketCloud {
  tokenRef: SecretRef | null;
}

/** What a Helm chart says about itself. */
export interface ChartDetails {
  description?: string;
  home?: string;
  maintainers?: string[];
}

/** A Kubernetes cluster to which applications are deployed. Answers never hold its secrets. */
export interface Cluster {
  /** The URL of its API. */
  server: string;
  name: string;
  config: ClusterConfig;
  /** Kept for old clients; see `info`. */
  connectionState?: ConnectionState;
  /** Kept for old clients; see `info`. */
  serverVersion?: string;
  /** Only these namespaces are managed. Empty means the whole cluster. */
  namespaces?: string[];
  /** When somebody last asked to read the cluster anew. */
  refreshRequestedAt?: Time;
  info?: ClusterInfo;
  /** Which controller replica looks after it. Unset: chosen by the controller. */
  shard?: number;
  /** With `namespaces`: also manage what has no namespace. */
  clusterResources?: boolean;
  /** The project that alone may use it. Empty means all. */
  project?: string;
  /** Labels of the cluster's Secret. */
  labels?: Record<string, string>;
  /** Annotations of the cluster's Secret. */
  annotations?: Record<string, string>;
}

/** How much of a cluster is kept in memory. */
export interface ClusterCacheInfo {
  resourcesCount?: number;
  apisCount?: number;
  /** When it was last read as a whole. */
  lastCacheSyncTime?: Time;
}

/** How to connect and sign in to a cluster. */
export interface ClusterConfig {
  username?: string;
  password?: string;
  bearerToken?: string;
  tlsClientConfig: TLSClientConfig;
  awsAuthConfig?: AWSAuthConfig;
  execProviderConfig?: ExecProviderConfig;
  /** Ask for answers that are not compressed. */
  disableCompression?: boolean;
  proxyUrl?: string;
}

/** Yields the registered clusters. */
export interface ClusterGenerator {
  /** On the labels of the cluster Secrets. Empty means all clusters, the local one included. */
  selector?: LabelSelector;
  template?: ApplicationSetTemplate;
  values?: Record<string, string>;
  /** Yield one set with a list of all clusters instead of one set for each. */
  flatList?: boolean;
}

/** What is known about a cluster. */
export interface ClusterInfo {
  connectionState?: ConnectionState;
  /** Major and minor version. */
  serverVersion?: string;
  cacheInfo?: ClusterCacheInfo;
  applicationsCount: number;
  /** The API versions that it serves. */
  apiVersions?: string[];
}

/** A list of clusters. */
export interface ClusterList {
  metadata?: ListMeta;
  items: Cluster[];
}

/** A kind without a namespace, perhaps narrowed to some names. All fields are patterns. */
export interface ClusterResourceRestrictionItem {
  group: string;
  kind: string;
  /** Empty means any name. */
  name?: string;
}

/** A command and its arguments. */
export interface Command {
  command?: string[];
  args?: string[];
}

/** What a commit of another repository says about itself. */
export interface CommitMetadata {
  /** In the form `Name <address>`. */
  author?: string;
  /** RFC 3339. */
  date?: string;
  /** First line of the message. */
  subject?: string;
  /** The message without its first line. */
  body?: string;
  sha?: string;
  /** An address where people can see the repository. */
  repoUrl?: string;
}

/** What the cluster was compared with. */
export interface ComparedTo {
  source?: ApplicationSource;
  destination: ApplicationDestination;
  sources?: ApplicationSource[];
  ignoreDifferences?: ResourceIgnoreDifferences[];
}

/** A config management plugin that is configured centrally. Kept for old clients. */
export interface ConfigManagementPlugin {
  name: string;
  init?: Command;
  generate: Command;
  lockRepo?: boolean;
}

/** A key of a ConfigMap in the namespace of the application set. */
export interface ConfigMapKeyRef {
  configMapName: string;
  key: string;
}

/** Whether something could be reached when it was last tried. */
export interface ConnectionState {
  /** `Successful`, `Failed` or `Unknown`. */
  status: string;
  message: string;
  attemptedAt: Time;
}

/** An entry of `ignoreDifferences` that is ready to be written into an application. */
export interface DifferenceIgnoreRule {
  group?: string;
  kind?: string;
  name?: string;
  namespace?: string;
  jsonPointers?: string[];
}

/** Where the unrendered configuration is. */
export interface DrySource {
  repoURL: string;
  targetRevision: string;
  path: string;
  helm?: ApplicationSourceHelm;
  kustomize?: ApplicationSourceKustomize;
  directory?: ApplicationSourceDirectory;
  plugin?: ApplicationSourcePlugin;
}

/** Yields clusters that the status of some other resource names. */
export interface DuckTypeGenerator {
  /** ConfigMap that says which resource, and where in its status to look. */
  configMapRef: string;
  /** The resource's name, instead of `labelSelector`. */
  name?: string;
  /** How often to look again. 0 means never; unset means 180. */
  requeueAfterSeconds?: number;
  labelSelector?: LabelSelector;
  template?: ApplicationSetTemplate;
  values?: Record<string, string>;
}

/** An environment variable. */
export interface EnvEntry {
  name: string;
  value: string;
}

/** A command that prints credentials, as in a kubeconfig file. */
export interface ExecProviderConfig {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  /** Version of the credential format. */
  apiVersion?: string;
  /** Shown when the command does not exist. */
  installHint?: string;
  /** Tell the command about the cluster in its environment. */
  provideClusterInfo?: boolean;
  /** Passed to the command with the cluster's data. */
  config?: RawExtension;
}

/** Directories to yield, or to leave out. */
export interface GitDirectoryGeneratorItem {
  /** A glob. */
  path: string;
  exclude?: boolean;
}

/** JSON or YAML files to yield, or to leave out. */
export interface GitFileGeneratorItem {
  /** A glob. */
  path: string;
  exclude?: boolean;
}

/** Yields directories of a Git repository, or the content of files in it. */
export interface GitGenerator {
  repoURL: string;
  directories?: GitDirectoryGeneratorItem[];
  files?: GitFileGeneratorItem[];
  revision: string;
  /** How often to look again. 0 means never; unset means 180. */
  requeueAfterSeconds?: number;
  template?: ApplicationSetTemplate;
  /** Put in front of the names of the path parameters. */
  pathParamPrefix?: string;
  values?: Record<string, string>;
}

/** A public key with which commits may be signed. */
export interface GnuPGPublicKey {
  /** Long key id: 16 hexadecimal digits. */
  keyID: string;
  fingerprint?: string;
  owner?: string;
  trust?: string;
  /** Algorithm and size, for example `rsa4096`. */
  subType?: string;
  /** ASCII-armored; empty in lists. */
  keyData?: string;
}

/** A list of public keys. */
export interface GnuPGPublicKeyList {
  metadata?: ListMeta;
  items: GnuPGPublicKey[];
}

/** The health of one resource. */
export interface HealthStatus {
  /** `Healthy`, `Progressing`, `Degraded`, `Suspended`, `Missing` or `Unknown`. */
  status?: string;
  message?: string;
  /** When the status last changed. */
  lastTransitionTime?: Time;
}

/** A chart's value that is read from a file. */
export interface HelmFileParameter {
  name?: string;
  /** Path of the file, as in `valueFiles`. */
  path?: string;
}

/** A value for a chart. */
export interface HelmParameter {
  name?: string;
  value?: string;
  /** Take the value as text even if it looks like a number or a boolean. */
  forceString?: boolean;
}

/** A node and what its pods ask for. */
export interface HostInfo {
  name?: string;
  resourcesInfo?: HostResourceInfo[];
  systemInfo?: NodeSystemInfo;
  labels?: Record<string, string>;
}

/** How much of a resource, such as `cpu` or `memory`, a node has and its pods ask for. All figures are thousandths of the resource's unit. */
export interface HostResourceInfo {
  resourceName?: string;
  /** Asked for by the application's pods. */
  requestedByApp?: number;
  /** Asked for by all other pods. */
  requestedByNeighbors?: number;
  capacity?: number;
}

/** The rendering that runs, or the last one. */
export interface HydrateOperation {
  startedAt?: Time;
  finishedAt?: Time;
  /** `Hydrating`, `Hydrated` or `Failed`. */
  phase: string;
  message: string;
  /** The commit that was rendered. */
  drySHA?: string;
  /** The commit that holds the result. */
  hydratedSHA?: string;
  sourceHydrator?: SourceHydrator;
}

/** A staging branch. */
export interface HydrateTo {
  targetBranch: string;
}

/** A named piece of text. */
export interface Info {
  name: string;
  value: string;
}

/** A named text about a resource. */
export interface InfoItem {
  name?: string;
  value?: string;
}

/** A token that was issued; not the token itself. */
export interface JWTToken {
  /** When it was issued, in seconds since the epoch. */
  iat: number;
  /** When it expires, in seconds since the epoch; 0 is never. */
  exp?: number;
  id?: string;
}

/** A list of issued tokens. */
export interface JWTTokens {
  items?: JWTToken[];
}

/** A Jsonnet variable. */
export interface JsonnetVar {
  name: string;
  value: string;
  /** The value is Jsonnet code and not text. */
  code?: boolean;
}

/** A field that holds a Kubernetes type with several spellings of one value. */
export interface KnownTypeField {
  /** Dotted path. */
  field?: string;
  /** For example `core/v1/PodSpec`. */
  type?: string;
}

/** Group, version and kind. */
export interface KustomizeGvk {
  group?: string;
  version?: string;
  kind?: string;
}

/** How Kustomize is called. */
export interface KustomizeOptions {
  BuildOptions: string;
  /** Empty means the default one. */
  BinaryPath: string;
  /** Further versions that sources may choose by name. */
  Versions: KustomizeVersion[];
}

/** A patch and what it applies to. */
export interface KustomizePatch {
  /** File with the patch, instead of `patch`. */
  path?: string;
  /** The patch's text: a strategic merge patch or a JSON patch. */
  patch?: string;
  target?: KustomizeSelector;
  /** Kustomize patch options such as `allowNameChange`. */
  options?: Record<string, boolean>;
}

/** A replica count for a workload. */
export interface KustomizeReplica {
  name: string;
  count: IntOrString;
}

/** A resource by kind, name and namespace, as regular expressions. */
export interface KustomizeResId extends KustomizeGvk {
  name?: string;
  namespace?: string;
}

/** Which resources a patch applies to. Empty fields match everything. */
export interface KustomizeSelector extends KustomizeResId {
  annotationSelector?: string;
  labelSelector?: string;
}

/** A version of Kustomize that sources may choose. */
export interface KustomizeVersion {
  Name: string;
  Path: string;
  BuildOptions: string;
}

/** Yields the given elements. */
export interface ListGenerator {
  elements: JSON[];
  template?: ApplicationSetTemplate;
  /** A YAML list of further elements, as text that may contain placeholders. */
  elementsYaml?: string;
}

/** Labels and annotations given to a namespace that a sync creates. */
export interface ManagedNamespaceMetadata {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

/** Yields every combination of what two generators yield. */
export interface MatrixGenerator {
  generators: ApplicationSetNestedGenerator[];
  template?: ApplicationSetTemplate;
}

/** Completes what the first generator yields with what the others yield for the same keys. */
export interface MergeGenerator {
  generators: ApplicationSetNestedGenerator[];
  /** Parameters that must be equal for two sets to be merged. */
  mergeKeys: string[];
  template?: ApplicationSetTemplate;
}

/** What the annotations of an OCI artifact say about it. */
export interface OCIMetadata {
  createdAt?: string;
  authors?: string;
  imageUrl?: string;
  docsUrl?: string;
  sourceUrl?: string;
  version?: string;
  description?: string;
}

/** A request to change the cluster. */
export interface Operation {
  sync?: SyncOperation;
  initiatedBy?: OperationInitiator;
  /** Facts for people, for example why the sync was asked for. */
  info?: Info[];
  retry?: RetryStrategy;
}

/** Who asked for an operation. */
export interface OperationInitiator {
  username?: string;
  /** Nobody asked: the sync policy did. */
  automated?: boolean;
}

/** An operation that runs or has ended. */
export interface OperationState {
  operation: Operation;
  /** `Running`, `Terminating`, `Succeeded`, `Failed` or `Error`. */
  phase: string;
  message?: string;
  syncResult?: SyncOperationResult;
  startedAt: Time;
  /** Unset while it runs. */
  finishedAt?: Time;
  /** How many retries were made. */
  retryCount?: number;
}

/** A list that is told apart from no list. */
export interface OptionalArray {
  array?: string[];
}

/** A map that is told apart from no map. */
export interface OptionalMap {
  map?: Record<string, string>;
}

/** A resource that may be there without belonging to an application. */
export interface OrphanedResourceKey {
  group?: string;
  kind?: string;
  name?: string;
}

/** How resources that belong to no application are treated. */
export interface OrphanedResourcesMonitorSettings {
  /** Add a condition to the applications that share the namespace. Unset means false. */
  warn?: boolean;
  /** Resources that may be there. All fields are patterns. */
  ignore?: OrphanedResourceKey[];
}

/** Parts of a resource that are left out. */
export interface OverrideIgnoreDiff {
  jsonPointers: string[];
  jqPathExpressions: string[];
  managedFieldsManagers: string[];
}

/** ConfigMap that holds the service's address and token. */
export interface PluginConfigMapRef {
  name: string;
}

/** Yields what an HTTP service answers. */
export interface PluginGenerator {
  configMapRef: PluginConfigMapRef;
  input?: PluginInput;
  /** How often to ask again. 0 means never; unset means 1800. */
  requeueAfterSeconds?: number;
  template?: ApplicationSetTemplate;
  values?: Record<string, string>;
}

/** What the service is asked with. */
export interface PluginInput {
  parameters?: Record<string, JSON>;
}

/** A named set of permissions within a project. */
export interface ProjectRole {
  name: string;
  description?: string;
  /** Policy lines whose subject is this role. */
  policies?: string[];
  /** Tokens issued for this role. */
  jwtTokens?: JWTToken[];
  /** Groups of the identity provider that have this role. */
  groups?: string[];
}

/** Yields the open pull requests of a repository. Exactly one provider is set. */
export interface PullRequestGenerator {
  github?: PullRequestGeneratorGithub;
  gitlab?: PullRequestGeneratorGitLab;
  gitea?: PullRequestGeneratorGitea;
  bitbucketServer?: PullRequestGeneratorBitbucketServer;
  /** A pull request is used when one of the filters matches. */
  filters?: PullRequestGeneratorFilter[];
  /** How often to look again. 0 means never; unset means 1800. */
  requeueAfterSeconds?: number;
  template?: ApplicationSetTemplate;
  bitbucket?: PullRequestGeneratorBitbucket;
  azuredevops?: PullRequestGeneratorAzureDevOps;
  values?: Record<string, string>;
  /** Take a missing repository as one without pull requests. */
  continueOnRepoNotFoundError?: boolean;
}

/** A repository at Azure DevOps. */
export interface PullRequestGeneratorAzureDevOps {
  organization: string;
  project: string;
  repo: string;
  /** Empty means the public service. */
  api?: string;
  tokenRef?: SecretRef;
  /** Only pull requests that have all of these labels. */
  labels?: string[];
}

/** A repository at Bitbucket Cloud. */
export interface PullRequestGeneratorBitbucket {
  owner: string;
  repo: string;
  /** Empty means the public service. */
  api?: string;
  basicAuth?: BasicAuthBitbucketServer;
  bearerToken?: BearerTokenBitbucketCloud;
}

/** A repository at a Bitbucket server. */
export interface PullRequestGeneratorBitbucketServer {
  project: string;
  repo: string;
  api: string;
  basicAuth?: BasicAuthBitbucketServer;
  bearerToken?: BearerTokenBitbucket;
  insecure?: boolean;
  caRef?: ConfigMapKeyRef;
}

/** Conditions on a pull request, all of which must hold. Each is a regular expression. */
export interface PullRequestGeneratorFilter {
  branchMatch?: string;
  targetBranchMatch?: string;
  titleMatch?: string;
}

/** A project at GitLab. */
export interface PullRequestGeneratorGitLab {
  project: string;
  /** Empty means the public service. */
  api?: string;
  tokenRef?: SecretRef;
  /** Only merge requests that have all of these labels. */
  labels?: string[];
  /** `opened`, `closed`, `merged` or `locked`. Empty means all. */
  pullRequestState?: string;
  insecure?: boolean;
  caRef?: ConfigMapKeyRef;
}

/** A repository at a Gitea server. */
export interface PullRequestGeneratorGitea {
  owner: string;
  repo: string;
  api: string;
  tokenRef?: SecretRef;
  insecure?: boolean;
  /** Only pull requests that have all of these labels. */
  labels?: string[];
}

/** A repository at GitHub. */
export interface PullRequestGeneratorGithub {
  owner: string;
  repo: string;
  /** Empty means the public service. */
  api?: string;
  tokenRef?: SecretRef;
  /** Repository Secret with the credentials of a GitHub App, instead of a token. */
  appSecretName?: string;
  /** Only pull requests that have all of these labels. */
  labels?: string[];
}

/** Credentials for every repository whose URL starts with `url`. Answers never hold the secrets. */
export interface RepoCreds {
  url: string;
  username?: string;
  password?: string;
  sshPrivateKey?: string;
  tlsClientCertData?: string;
  tlsClientCertKey?: string;
  githubAppPrivateKey?: string;
  githubAppID?: number;
  githubAppInstallationID?: number;
  /** The provider's API. Empty means the public service. */
  githubAppEnterpriseBaseUrl?: string;
  /** For Helm repositories in an OCI registry. */
  enableOCI?: boolean;
  /** `git`, `helm` or `oci`. Empty means `git`. */
  type?: string;
  /** JSON text. */
  gcpServiceAccountKey?: string;
  proxy?: string;
  /** Send the credentials without being asked for them. */
  forceHttpBasicAuth?: boolean;
  /** Hosts reached without the proxy, separated by commas. */
  noProxy?: string;
  useAzureWorkloadIdentity?: boolean;
  bearerToken?: string;
  /** Use HTTP instead of HTTPS for OCI. */
  insecureOCIForceHttp?: boolean;
  azureServicePrincipalClientId?: string;
  azureServicePrincipalClientSecret?: string;
  azureServicePrincipalTenantId?: string;
  azureActiveDirectoryEndpoint?: string;
}

/** A list of credential templates. */
export interface RepoCredsList {
  metadata?: ListMeta;
  items: RepoCreds[];
}

/** A Git, Helm or OCI repository and how to sign in to it. Answers never hold its secrets. */
export interface Repository {
  /** The URL. */
  repo: string;
  username?: string;
  password?: string;
  sshPrivateKey?: string;
  connectionState?: ConnectionState;
  /** Kept for old clients; use `insecure`. */
  insecureIgnoreHostKey?: boolean;
  /** Do not check the TLS certificate or the SSH host key. */
  insecure?: boolean;
  /** Fetch large files (Git LFS). */
  enableLfs?: boolean;
  tlsClientCertData?: string;
  tlsClientCertKey?: string;
  /** `git`, `helm` or `oci`. Empty means `git`. */
  type?: string;
  /** Needed for a Helm repository. */
  name?: string;
  /** The credentials come from a template. */
  inheritedCreds?: boolean;
  /** A Helm repository in an OCI registry. */
  enableOCI?: boolean;
  githubAppPrivateKey?: string;
  githubAppID?: number;
  githubAppInstallationID?: number;
  /** The provider's API. Empty means the public service. */
  githubAppEnterpriseBaseUrl?: string;
  /** Proxy for HTTP and HTTPS. */
  proxy?: string;
  /** The project that alone may use it. Empty means all. */
  project?: string;
  /** JSON text. */
  gcpServiceAccountKey?: string;
  /** Send the credentials without being asked for them. */
  forceHttpBasicAuth?: boolean;
  /** Hosts reached without the proxy, separated by commas. */
  noProxy?: string;
  useAzureWorkloadIdentity?: boolean;
  bearerToken?: string;
  /** Use HTTP instead of HTTPS for OCI. */
  insecureOCIForceHttp?: boolean;
  /** How many commits to fetch; 0 is all. */
  depth?: number;
  /** Do not render ahead when a webhook announces a commit. */
  webhookManifestCacheWarmDisabled?: boolean;
  azureServicePrincipalClientId?: string;
  azureServicePrincipalClientSecret?: string;
  azureServicePrincipalTenantId?: string;
  azureActiveDirectoryEndpoint?: string;
}

/** A TLS certificate or an SSH host key that is trusted for a server. */
export interface RepositoryCertificate {
  serverName: string;
  /** `https` or `ssh`. */
  certType: string;
  /** The algorithm of an SSH key, for example `ssh-ed25519`; the key type of a certificate. */
  certSubType: string;
  /** PEM text or the SSH key; empty in lists. */
  certData: string;
  /** The subject of a certificate, or the fingerprint of a key. */
  certInfo: string;
}

/** A list of trusted certificates and host keys. */
export interface RepositoryCertificateList {
  metadata?: ListMeta;
  items: RepositoryCertificate[];
}

/** A list of repositories. */
export interface RepositoryList {
  metadata?: ListMeta;
  items: Repository[];
}

/** Something that can be done to a resource, such as a restart. */
export interface ResourceAction {
  name?: string;
  params?: ResourceActionParam[];
  /** It cannot be done in the resource's present state. */
  disabled?: boolean;
  /** Icon for a user interface. */
  iconClass?: string;
  displayName?: string;
}

/** A parameter of an action. */
export interface ResourceActionParam {
  name?: string;
}

/** A resource as declared and as it is. Values of Secrets are masked. */
export interface ResourceDiff {
  group?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  /** What is declared, as JSON; empty when it is not declared. */
  targetState?: string;
  /** What exists, as JSON; empty when it does not exist. */
  liveState?: string;
  /** Kept for old clients; no longer written. */
  diff?: string;
  hook?: boolean;
  /** The live state without what the comparison leaves out. */
  normalizedLiveState?: string;
  /** The live state as a sync would leave it. */
  predictedLiveState?: string;
  resourceVersion?: string;
  /** Whether the two states differ. */
  modified?: boolean;
  /** Each field that differs, and why. Holds no values. */
  differences?: ResourceDifference[];
}

/** A field of a live resource that a sync would change. */
export interface ResourceDifference {
  /** A JSON pointer; empty for the whole resource. */
  path?: string;
  /** `SourceChanged`, `LiveChanged`, `Defaulted`, `Admission`, `Missing`, `Pruned` or `Unknown`. */
  cause?: string;
  /** Who last wrote the field. */
  manager?: string;
  /** The entry of `ignoreDifferences` that would silence the difference. */
  ignoreRule?: DifferenceIgnoreRule;
}

/** Parts of some resources that the comparison leaves out. */
export interface ResourceIgnoreDifferences {
  /** API group; empty is the core group, `*` is any. */
  group?: string;
  /** Kind; `*` is any. */
  kind: string;
  /** Empty is any name. */
  name?: string;
  /** Empty is any namespace. */
  namespace?: string;
  /** Paths after RFC 6901. */
  jsonPointers?: string[];
  /** jq path expressions, for what a pointer cannot reach. */
  jqPathExpressions?: string[];
  /** Fields that these managers own according to `metadata.managedFields`. */
  managedFieldsManagers?: string[];
}

/** How traffic reaches a resource. */
export interface ResourceNetworkingInfo {
  /** Labels of the pods that a service selects. */
  targetLabels?: Record<string, string>;
  /** Resources to which traffic is sent. */
  targetRefs?: ResourceRef[];
  labels?: Record<string, string>;
  ingress?: LoadBalancerIngress[];
  /** Addresses at which people can reach it. */
  externalURLs?: string[];
}

/** A live resource in a tree. */
export interface ResourceNode extends ResourceRef {
  /** The owners; empty for a root. */
  parentRefs?: ResourceRef[];
  /** Texts to show with the resource, such as a pod's status. */
  info?: InfoItem[];
  networkingInfo?: ResourceNetworkingInfo;
  resourceVersion?: string;
  images?: string[];
  /** Unset for a kind that has no notion of health. */
  health?: HealthStatus;
  createdAt?: Time;
}

/** How resources of one kind are treated, instead of as built in. */
export interface ResourceOverride {
  /** Lua script that tells a resource's health. */
  'health.lua'?: string;
  /** The script may use Lua's standard libraries. */
  'health.lua.useOpenLibs'?: boolean;
  /** Definitions of actions, as YAML text. */
  actions?: string;
  ignoreDifferences?: OverrideIgnoreDiff;
  /** Changes that do not lead to a new comparison. */
  ignoreResourceUpdates?: OverrideIgnoreDiff;
  knownTypeFields?: KnownTypeField[];
}

/** Names a resource. */
export interface ResourceRef {
  group?: string;
  version?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
}

/** What a sync did with one resource. */
export interface ResourceResult {
  group: string;
  version: string;
  kind: string;
  namespace: string;
  name: string;
  /** `Synced`, `SyncFailed`, `Pruned` or `PruneSkipped`. */
  status?: string;
  message?: string;
  /** The kind of hook; empty when the resource is none. */
  hookType?: string;
  /** How far the hook, or the resource's health, has come: one of the phases of an operation. */
  hookPhase?: string;
  /** `PreSync`, `Sync`, `PostSync`, `SyncFail`, `PreDelete` or `PostDelete`. */
  syncPhase?: string;
  /** Container images in the resource. */
  images?: string[];
}

/** A resource of an application and whether it equals what is declared. */
export interface ResourceStatus {
  group?: string;
  version?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  /** `Synced`, `OutOfSync` or `Unknown`. */
  status?: string;
  health?: HealthStatus;
  /** It is a hook and no lasting part of the application. */
  hook?: boolean;
  /** It exists and is no longer declared. */
  requiresPruning?: boolean;
  /** When it is applied: lower waves go first. */
  syncWave?: number;
  /** Its deletion waits until somebody confirms it. */
  requiresDeletionConfirmation?: boolean;
}

/** How often and how soon a failed sync is tried again. */
export interface RetryStrategy {
  /** Number of retries; 0 is none, a negative number is no limit. */
  limit?: number;
  backoff?: Backoff;
  /** Retry with the newest revision instead of the one that failed. */
  refresh?: boolean;
}

/** A past deployment, to which one can roll back. */
export interface RevisionHistory {
  /** The revision that was deployed. */
  revision?: string;
  deployedAt: Time;
  /** Grows by one with each deployment. */
  id: number;
  source?: ApplicationSource;
  /** When the operation began; `deployedAt` is when it ended. */
  deployStartedAt?: Time;
  sources?: ApplicationSource[];
  /** As `revision`, for each of several sources. */
  revisions?: string[];
  initiatedBy?: OperationInitiator;
}

/** What a commit says about itself. */
export interface RevisionMetadata {
  author?: string;
  date: Time;
  /** Tags that point to the commit. */
  tags?: string[];
  message?: string;
  /** What checking its signature found; empty when signatures are not required. */
  signatureInfo?: string;
  /** Commits of other repositories that it was made from. */
  references?: RevisionReference[];
  /** What the project's integrity rules found. */
  sourceIntegrityResult?: SourceIntegrityCheckResult;
}

/** A commit that another one was made from. */
export interface RevisionReference {
  commit?: CommitMetadata;
}

/** Yields the repositories of an organisation at a hosting provider. Exactly one provider is set. */
export interface SCMProviderGenerator {
  github?: SCMProviderGeneratorGithub;
  gitlab?: SCMProviderGeneratorGitlab;
  bitbucket?: SCMProviderGeneratorBitbucket;
  bitbucketServer?: SCMProviderGeneratorBitbucketServer;
  gitea?: SCMProviderGeneratorGitea;
  azureDevOps?: SCMProviderGeneratorAzureDevOps;
  /** A repository is used when one of the filters matches. */
  filters?: SCMProviderGeneratorFilter[];
  /** `ssh` or `https`; the default depends on the provider. */
  cloneProtocol?: string;
  /** How often to look again. 0 means never; unset means 1800. */
  requeueAfterSeconds?: number;
  template?: ApplicationSetTemplate;
  values?: Record<string, string>;
  awsCodeCommit?: SCMProviderGeneratorAWSCodeCommit;
}

/** Repositories of an AWS account. */
export interface SCMProviderGeneratorAWSCodeCommit {
  tagFilters?: TagFilter[];
  /** ARN of a role to take. Empty means the role of the server. */
  role?: string;
  /** Empty means the region of the server. */
  region?: string;
  /** Look at every branch instead of the default branch. */
  allBranches?: boolean;
}

/** A team project at Azure DevOps. */
export interface SCMProviderGeneratorAzureDevOps {
  organization: string;
  /** Empty means the public service. */
  api?: string;
  teamProject: string;
  accessTokenRef: SecretRef | null;
  /** Look at every branch instead of the default branch. */
  allBranches?: boolean;
}

/** A workspace at Bitbucket Cloud. */
export interface SCMProviderGeneratorBitbucket {
  owner: string;
  user: string;
  appPasswordRef: SecretRef | null;
  /** Look at every branch instead of the main branch. */
  allBranches?: boolean;
}

/** A project at a Bitbucket server. */
export interface SCMProviderGeneratorBitbucketServer {
  project: string;
  api: string;
  basicAuth?: BasicAuthBitbucketServer;
  /** Look at every branch instead of the default branch. */
  allBranches?: boolean;
  bearerToken?: BearerTokenBitbucket;
  insecure?: boolean;
  caRef?: ConfigMapKeyRef;
}

/** Conditions on a repository or branch, all of which must hold. */
export interface SCMProviderGeneratorFilter {
  /** Regular expression. */
  repositoryMatch?: string;
  pathsExist?: string[];
  pathsDoNotExist?: string[];
  /** Regular expression on a repository's topics or labels. */
  labelMatch?: string;
  /** Regular expression. */
  branchMatch?: string;
}

/** An organisation at a Gitea server. */
export interface SCMProviderGeneratorGitea {
  owner: string;
  api: string;
  tokenRef?: SecretRef;
  /** Look at every branch instead of the default branch. */
  allBranches?: boolean;
  insecure?: boolean;
  excludeArchivedRepos?: boolean;
}

/** An organisation at GitHub. */
export interface SCMProviderGeneratorGithub {
  organization: string;
  /** Empty means the public service. */
  api?: string;
  tokenRef?: SecretRef;
  /** Repository Secret with the credentials of a GitHub App, instead of a token. */
  appSecretName?: string;
  /** Look at every branch instead of the default branch. */
  allBranches?: boolean;
  excludeArchivedRepos?: boolean;
}

/** A group at GitLab. */
export interface SCMProviderGeneratorGitlab {
  group: string;
  includeSubgroups?: boolean;
  /** Empty means the public service. */
  api?: string;
  tokenRef?: SecretRef;
  /** Look at every branch instead of the default branch. */
  allBranches?: boolean;
  insecure?: boolean;
  /** Unset means true. */
  includeSharedProjects?: boolean;
  topic?: string;
  caRef?: ConfigMapKeyRef;
  includeArchivedRepos?: boolean;
}

/** A key of a Secret in the namespace of the application set. */
export interface SecretRef {
  secretName: string;
  key: string;
}

/** A key that is accepted for signatures. */
export interface SignatureKey {
  /** Long key id: 16 hexadecimal digits. */
  keyID: string;
}

/** Render manifests, commit them to a branch and sync from there. */
export interface SourceHydrator {
  drySource: DrySource;
  syncSource: SyncSource;
  /** Set: commit to this branch, from where somebody promotes to the sync source. */
  hydrateTo?: HydrateTo;
}

/** How far rendering into the branch has come. */
export interface SourceHydratorStatus {
  lastSuccessfulOperation?: SuccessfulHydrateOperation;
  currentOperation?: HydrateOperation;
  /** The dry revision that was last looked at. */
  lastComparedDryRevision?: string;
}

/** What is demanded of sources before they are used. */
export interface SourceIntegrity {
  git: SourceIntegrityGit | null;
}

/** What the project's rules for signed sources found. */
export interface SourceIntegrityCheckResult {
  Checks: SourceIntegrityCheckResultItem[];
}

/** One rule and its findings. */
export interface SourceIntegrityCheckResultItem {
  Name: string;
  /** Empty when the rule is met. */
  Problems: string[];
}

/** What is demanded of Git repositories. */
export interface SourceIntegrityGit {
  policies: SourceIntegrityGitPolicy[];
}

/** Which repositories must be signed, and how. */
export interface SourceIntegrityGitPolicy {
  repos: SourceIntegrityGitPolicyRepo[];
  gpg: SourceIntegrityGitPolicyGPG | null;
}

/** What is demanded of GnuPG signatures. */
export interface SourceIntegrityGitPolicyGPG {
  /** `none`, `head` (the commit itself) or `strict` (its history too). */
  mode: string;
  /** Ids of the keys that are accepted. */
  keys: string[];
}

/** A pattern of repository URLs; `!` in front excludes. */
export interface SourceIntegrityGitPolicyRepo {
  url: string;
}

/** The last rendering that succeeded. */
export interface SuccessfulHydrateOperation {
  /** The commit that was rendered. */
  drySHA?: string;
  /** The commit that holds the result. */
  hydratedSHA?: string;
  sourceHydrator?: SourceHydrator;
}

/** Bring the cluster to a revision. */
export interface SyncOperation {
  /** Empty means the target revision of the source. */
  revision?: string;
  /** Delete resources that are no longer declared. */
  prune?: boolean;
  /** Only find out what would happen. */
  dryRun?: boolean;
  /** Unset means hooks and apply. */
  syncStrategy?: SyncStrategy;
  /** Only these resources. Empty means all. */
  resources?: SyncOperationResource[];
  /** Instead of the application's source; used by rollback. */
  source?: ApplicationSource;
  /** Manifests to apply instead of those of the source. */
  manifests?: string[];
  /** Instead of the options of the sync policy. */
  syncOptions?: string[];
  /** As `source`, for several sources. */
  sources?: ApplicationSource[];
  /** As `revision`, for each of several sources. */
  revisions?: string[];
  /** How often in a row automation has tried to undo changes. */
  autoHealAttemptsCount?: number;
}

/** A resource that takes part in a sync. */
export interface SyncOperationResource {
  group?: string;
  kind: string;
  name: string;
  namespace?: string;
}

/** What a sync did. */
export interface SyncOperationResult {
  resources?: ResourceResult[];
  /** The revision that was synced to. */
  revision: string;
  source?: ApplicationSource;
  sources?: ApplicationSource[];
  /** As `revision`, for each of several sources. */
  revisions?: string[];
  /** What was given to the destination namespace. */
  managedNamespaceMetadata?: ManagedNamespaceMetadata;
}

/** When and how an application is synced. */
export interface SyncPolicy {
  /** Set: differences are synced without being asked. */
  automated?: SyncPolicyAutomated;
  /** Entries of the form `Name=value`, for example `CreateNamespace=true`. */
  syncOptions?: string[];
  /** Unset: a failed sync is not tried again. */
  retry?: RetryStrategy;
  /** For the destination namespace, with the option `CreateNamespace=true`. */
  managedNamespaceMetadata?: ManagedNamespaceMetadata;
}

/** What syncs without being asked may do. */
export interface SyncPolicyAutomated {
  /** Delete resources that are no longer declared. Unset means false. */
  prune?: boolean;
  /** Undo changes made in the cluster. Unset means false. */
  selfHeal?: boolean;
  /** Sync even when that deletes every resource. Unset means false. */
  allowEmpty?: boolean;
  /** Unset means true; false keeps the settings but turns automation off. */
  enabled?: boolean;
}

/** Where the rendered manifests are. */
export interface SyncSource {
  /** The branch to sync from; also the branch to commit to when there is no `hydrateTo`. */
  targetBranch: string;
  path: string;
  /** Empty means the repository of the dry source. */
  repoURL?: string;
}

/** Whether the cluster equals what is declared. */
export interface SyncStatus {
  /** `Synced`, `OutOfSync` or `Unknown`. */
  status: string;
  comparedTo?: ComparedTo;
  /** The revision that was compared. */
  revision?: string;
  /** As `revision`, for each of several sources. */
  revisions?: string[];
}

/** How a sync is carried out. */
export interface SyncStrategy {
  apply?: SyncStrategyApply;
  hook?: SyncStrategyHook;
}

/** Only apply; hooks are not run. */
export interface SyncStrategyApply {
  /** Delete and create again what cannot be patched. */
  force?: boolean;
}

/** Apply, and run hooks in their phases. */
export interface SyncStrategyHook extends SyncStrategyApply {}

/** A recurring time in which syncs are allowed or denied. */
export interface SyncWindow {
  /** `allow` or `deny`. */
  kind?: string;
  /** When it opens: a cron expression of five fields. */
  schedule?: string;
  /** How long it stays open, for example `1h`. */
  duration?: string;
  /** Patterns of application names it applies to. */
  applications?: string[];
  /** Patterns of destination namespaces it applies to. */
  namespaces?: string[];
  /** Patterns of destination clusters it applies to. */
  clusters?: string[];
  /** Syncs that somebody asks for are allowed all the same. */
  manualSync?: boolean;
  /** IANA name. Empty means UTC. */
  timeZone?: string;
  /** Applications, namespaces and clusters must all match; otherwise one is enough. */
  andOperator?: boolean;
  description?: string;
  /** A sync that has begun may go on when the window would stop it. */
  syncOverrun?: boolean;
}

/** TLS settings for connecting to a cluster. */
export interface TLSClientConfig {
  /** Do not check the cluster's certificate. */
  insecure: boolean;
  /** The name to expect in the certificate. Empty means the host of the URL. */
  serverName?: string;
  /** Client certificate, PEM. */
  certData?: string;
  /** Client key, PEM. */
  keyData?: string;
  /** Trusted certificates, PEM. Empty means those of the system. */
  caData?: string;
}

/** A tag that a repository must have. */
export interface TagFilter {
  key: string;
  /** Empty means any value. */
  value?: string;
}

/** Certificates and host keys to add. */
export interface RepositoryCertificateCreateRequest {
  certificates?: RepositoryCertificateList;
  /** Replace those that exist and differ. */
  upsert?: boolean;
}

/** Which certificates and host keys. Empty fields match everything. */
export interface RepositoryCertificateQuery {
  /** A glob. */
  hostNamePattern?: string;
  /** `https` or `ssh`. */
  certType?: string;
  certSubType?: string;
}

/** How a claim is asked for. */
export interface Claim {
  essential?: boolean;
  value?: string;
  values?: string[];
}

/** A cluster to register. */
export interface ClusterCreateRequest {
  cluster?: Cluster;
  /** Update the cluster if it exists and differs. */
  upsert?: boolean;
}

/** Names a cluster. */
export interface ClusterID {
  /** `name`, `name_escaped` (the value is URL-encoded) or `server`. Empty means `server`. */
  type?: string;
  value?: string;
}

/** Which clusters. */
export interface ClusterQuery {
  server?: string;
  name?: string;
  id?: ClusterID;
}

/** Nothing: it is done. */
export type ClusterResponse = Record<string, never>;

/** A cluster as it shall be. */
export interface ClusterUpdateRequest {
  cluster?: Cluster;
  /** Only these fields are taken, for example `name`, `config`, `labels`. Empty means all. */
  updatedFields?: string[];
  id?: ClusterID;
}

/** A sign-in choice. */
export interface Connector {
  name?: string;
  type?: string;
}

/** The sign-in choices of a Dex identity broker. */
export interface DexConfig {
  connectors?: Connector[];
}

/** Usage statistics at Google Analytics. */
export interface GoogleAnalyticsConfig {
  /** Empty: none are made. */
  trackingID?: string;
  anonymizeUsers?: boolean;
}

/** Where people get help. */
export interface Help {
  chatUrl?: string;
  chatText?: string;
  /** Where the command line client can be had, by system and architecture. */
  binaryUrls?: Record<string, string>;
}

/** The identity provider. */
export interface OIDCConfig {
  name?: string;
  issuer?: string;
  clientID?: string;
  /** Client id for the command line. Empty means `clientID`. */
  cliClientID?: string;
  scopes?: string[];
  /** Claims to ask for, by name. */
  idTokenClaims?: Record<string, Claim>;
  enablePKCEAuthentication?: boolean;
}

/** A config management plugin. */
export interface Plugin {
  name?: string;
}

/** Settings of the server. */
export interface Settings {
  /** The address at which people reach the server. */
  url?: string;
  dexConfig?: DexConfig;
  oidcConfig?: OIDCConfig;
  /** The label that marks an application's resources. */
  appLabelKey?: string;
  /** How kinds are treated, by `group/Kind`. */
  resourceOverrides?: Record<string, ResourceOverride>;
  statusBadgeEnabled?: boolean;
  googleAnalytics?: GoogleAnalyticsConfig;
  kustomizeOptions?: KustomizeOptions;
  help?: Help;
  /** No longer written; ask for the plugins. */
  plugins?: Plugin[];
  /** No account can sign in with a password. */
  userLoginsDisabled?: boolean;
  /** No longer written. */
  configManagementPlugins?: ConfigManagementPlugin[];
  kustomizeVersions?: string[];
  /** Style sheet that the user interface adds. */
  uiCssURL?: string;
  uiBannerContent?: string;
  uiBannerURL?: string;
  /** Regular expression that a new password must match. */
  passwordPattern?: string;
  /** `annotation`, `label` or `annotation+label`. */
  trackingMethod?: string;
  uiBannerPermanent?: boolean;
  /** `top`, `bottom` or `both`. */
  uiBannerPosition?: string;
  statusBadgeRootUrl?: string;
  /** Terminals in containers are allowed. */
  execEnabled?: boolean;
  /** The control plane's namespace. */
  controllerNamespace?: string;
  /** Applications may live outside the control plane's namespace. */
  appsInAnyNamespaceEnabled?: boolean;
  /** Resources are applied as the service accounts that projects name. */
  impersonationEnabled?: boolean;
  /** Tells several installations apart that share a cluster. */
  installationID?: string;
  /** Further addresses at which people reach the server. */
  additionalUrls?: string[];
  /** Rendered manifests can be committed to a branch. */
  hydratorEnabled?: boolean;
  /** The sync option `Replace=true` is allowed. */
  syncWithReplaceAllowed?: boolean;
}

/** The config management plugins. */
export interface SettingsPluginsResponse {
  plugins?: Plugin[];
}

/** Asks for the settings. */
export type SettingsQuery = Record<string, never>;

/** Something that happened to an object in a cluster. */
export interface Event {
  metadata: ObjectMeta;
  involvedObject: ObjectReference;
  /** One word. */
  reason?: string;
  message?: string;
  source: EventSource;
  firstTimestamp: Time;
  lastTimestamp: Time;
  /** How often it happened. */
  count?: number;
  /** `Normal` or `Warning`. */
  type?: string;
  /** When it was first seen, with microseconds. */
  eventTime: MicroTime;
  series?: EventSeries;
  action?: string;
  related?: ObjectReference;
  reportingComponent?: string;
  reportingInstance?: string;
}

/** A list of Kubernetes events. */
export interface EventList {
  metadata: ListMeta;
  items: Event[];
}

/** How often and until when an event repeated. */
export interface EventSeries {
  count?: number;
  lastObservedTime: MicroTime;
}

/** Who reports an event. */
export interface EventSource {
  component?: string;
  host?: string;
}

/** Names an object. */
export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  /** A part of the object. */
  fieldPath?: string;
}

export type Empty = Record<string, never>;

/** Keys to add. */
export interface GnuPGPublicKeyCreateRequest {
  /** Only `keyData` is read. It may hold several keys. */
  publickey?: GnuPGPublicKey;
  /** Has no effect: keys that exist are skipped. */
  upsert?: boolean;
}

/** What became of the keys. */
export interface GnuPGPublicKeyCreateResponse {
  created?: GnuPGPublicKeyList;
  /** Ids of the keys that exist already. */
  skipped?: string[];
}

/** Names a key. */
export interface GnuPGPublicKeyQuery {
  /** Long key id: 16 hexadecimal digits. Empty in a list means all. */
  keyID?: string;
}

/** Nothing: the key is removed. */
export type GnuPGPublicKeyResponse = Record<string, never>;

/** Any JSON value. */
export type JSON = unknown;

/** An address at which a load balancer takes in traffic. */
export interface LoadBalancerIngress {
  ip?: string;
  hostname?: string;
  /** `VIP` or `Proxy`. */
  ipMode?: string;
  ports?: PortStatus[];
}

/** A node's swap memory. */
export interface NodeSwapStatus {
  /** In bytes. */
  capacity?: number;
}

/** What a node says about its system. */
export interface NodeSystemInfo {
  machineID: string;
  systemUUID: string;
  bootID: string;
  kernelVersion: string;
  osImage: string;
  containerRuntimeVersion: string;
  kubeletVersion: string;
  kubeProxyVersion: string;
  operatingSystem: string;
  architecture: string;
  swap?: NodeSwapStatus;
}

/** The state of a port of a load balancer. */
export interface PortStatus {
  port: number;
  protocol: string;
  error?: string;
}

/** A number or text. In JSON: one or the other. */
export type IntOrString = number | string;

/** A set of fields as a JSON tree. */
export type FieldsV1 = unknown;

/** An API group and a kind. */
export interface GroupKind {
  /** Empty is the core group. */
  group: string;
  kind: string;
}

/** Selects objects by their labels. Empty selects all. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

/** A condition on one label. */
export interface LabelSelectorRequirement {
  key: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  operator: string;
  /** Empty for `Exists` and `DoesNotExist`. */
  values?: string[];
}

/** The metadata of a list. */
export interface ListMeta {
  /** No longer written. */
  selfLink?: string;
  /** The state of the store that the list shows; a watch can start here. */
  resourceVersion?: string;
  /** Not empty: there is more, and this asks for it. */
  continue?: string;
  /** How many items follow, where known. */
  remainingItemCount?: number;
  shardInfo?: ShardInfo;
}

/** Which fields one manager has set, and when. */
export interface ManagedFieldsEntry {
  manager?: string;
  /** `Apply` or `Update`. */
  operation?: string;
  apiVersion?: string;
  time?: Time;
  /** Always `FieldsV1`. */
  fieldsType?: string;
  fieldsV1?: FieldsV1;
  subresource?: string;
}

/** A moment. In JSON: RFC 3339 in UTC with microseconds, or null. */
export type MicroTime = string | null;

/** The metadata of a Kubernetes object. */
export interface ObjectMeta {
  name?: string;
  /** A prefix: the server completes the name when `name` is empty. */
  generateName?: string;
  namespace?: string;
  /** No longer written. */
  selfLink?: string;
  uid?: string;
  /** Changes with every write; compare for equality only. */
  resourceVersion?: string;
  /** Grows when the wanted state changes. */
  generation?: number;
  creationTimestamp?: Time;
  /** Set: the object goes when its finalizers are done. */
  deletionTimestamp?: Time;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** The object that another one belongs to. It is deleted with its owner. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  /** The owner manages the object. */
  controller?: boolean;
  /** The owner must stay until this object is gone, when deleted in the foreground. */
  blockOwnerDeletion?: boolean;
}

/** Which part of a sharded list this is. */
export interface ShardInfo {
  selector: string;
}

/** A moment. In JSON: RFC 3339 in UTC with whole seconds, or null. */
export type Time = string | null;

/** Any JSON object. */
export type RawExtension = unknown;

/** A way by which notifications are sent. */
export interface Service {
  name: string;
}

/** A list of services. */
export interface ServiceList {
  items?: Service[];
}

/** Asks for all services. */
export type ServicesListRequest = Record<string, never>;

/** The text of a notification. */
export interface Template {
  name: string;
}

/** A list of templates. */
export interface TemplateList {
  items?: Template[];
}

/** Asks for all templates. */
export type TemplatesListRequest = Record<string, never>;

/** A condition on which a notification is sent. */
export interface Trigger {
  name: string;
}

/** A list of triggers. */
export interface TriggerList {
  items?: Trigger[];
}

/** Asks for all triggers. */
export type TriggersListRequest = Record<string, never>;

/** One message of a stream: first the metadata, then the packed files in pieces. */
export interface PluginAppStreamRequest {
  metadata?: PluginManifestRequestMetadata;
  file?: PluginFile;
}

/** How the plugin was set up. */
export interface PluginCheckPluginConfigurationResponse {
  /** It says itself which folders it is for. */
  isDiscoveryConfigured?: boolean;
  /** It wants the credentials of the repository. */
  provideGitCreds?: boolean;
}

/** An environment variable for the plugin's commands. */
export interface PluginEnvEntry {
  name?: string;
  value?: string;
}

/** A piece of the packed files. */
export interface PluginFile {
  chunk?: string;
}

/** What is about to be sent. */
export interface PluginManifestRequestMetadata {
  /** The name of the application's folder. */
  appName?: string;
  /** The application's folder, from the root of what is sent. */
  appRelPath?: string;
  /** SHA-256 of the packed files, in hexadecimal digits. */
  checksum?: string;
  /** Of the packed files, in bytes. */
  size?: number;
  env?: PluginEnvEntry[];
}

/** What the plugin made. */
export interface PluginManifestResponse {
  /** Each is a JSON or YAML text. */
  manifests?: string[];
  sourceType?: string;
}

/** The parameters that the plugin takes. */
export interface PluginParametersAnnouncementResponse {
  parameterAnnouncements?: ParameterAnnouncement[];
}

/** Whether the plugin is for the folder that was sent. */
export interface PluginRepositoryResponse {
  isSupported?: boolean;
  isDiscoveryEnabled?: boolean;
}

/** A project with what it inherits and what belongs to it. */
export interface DetailedProjectsResponse {
  /** The projects from which it inherits. */
  globalProjects?: AppProject[];
  /** The project together with what it inherits. */
  project?: AppProject;
  /** Repositories that belong to it, without secrets. */
  repositories?: Repository[];
  /** Clusters that belong to it, without secrets. */
  clusters?: Cluster[];
}

/** Nothing. */
export type ProjectEmptyResponse = Record<string, never>;

/** The projects from which a project inherits. */
export interface GlobalProjectsResponse {
  items?: AppProject[];
}

/** Names a project. */
export interface ListProjectLinksRequest {
  name?: string;
}

/** A project to create. */
export interface ProjectCreateRequest {
  project?: AppProject;
  /** Update the project if it exists and differs. */
  upsert?: boolean;
}

/** Names a project. */
export interface ProjectQuery {
  /** Empty in a list means all. */
  name?: string;
}

/** A token to issue. */
export interface ProjectTokenCreateRequest {
  project?: string;
  description?: string;
  role?: string;
  /** In seconds; 0 is never. */
  expiresIn?: number;
  /** Empty: one is made up. */
  id?: string;
}

/** Names a token of a role, by its time or its id. */
export interface ProjectTokenDeleteRequest {
  project?: string;
  role?: string;
  /** When it was issued, in seconds since the epoch. */
  iat?: number;
  id?: string;
}

/** The token. It is shown this once. */
export interface ProjectTokenResponse {
  token?: string;
}

/** A project as it shall be. */
export interface ProjectUpdateRequest {
  project?: AppProject;
}

/** Names a project. */
export interface SyncWindowsQuery {
  name?: string;
}

/** The sync windows that are open now. */
export interface SyncWindowsResponse {
  windows?: SyncWindow[];
}

/** A template to create. */
export interface RepoCredsCreateRequest {
  creds?: RepoCreds;
  /** Update the template if it exists and differs. */
  upsert?: boolean;
}

/** Names a template. */
export interface RepoCredsDeleteRequest {
  /** The URL prefix of the template. */
  url?: string;
}

/** Which templates. */
export interface RepoCredsQuery {
  /** The URL prefix of the template. Empty means all. */
  url?: string;
}

/** Nothing: the template is deleted. */
export type RepoCredsResponse = Record<string, never>;

/** A template as it shall be. */
export interface RepoCredsUpdateRequest {
  creds?: RepoCreds;
  /** Only these fields are taken, for example `password`; the others stay as they are stored. Empty means all. */
  updatedFields?: string[];
}

/** A directory that looks like an application. */
export interface AppInfo {
  /** `Helm`, `Kustomize`, `Directory` or `Plugin`. */
  type?: string;
  path?: string;
}

/** A directory of plain manifests has no parameters. */
export type DirectoryAppSpec = Record<string, never>;

/** What a chart can be given. */
export interface HelmAppSpec {
  name?: string;
  valueFiles?: string[];
  parameters?: HelmParameter[];
  /** Text of the chart's own values file. */
  values?: string;
  fileParameters?: HelmFileParameter[];
}

/** A chart and its versions. */
export interface HelmChart {
  name?: string;
  versions?: string[];
}

/** The charts of a repository. */
export interface HelmChartsResponse {
  items?: HelmChart[];
}

/** What a kustomization can be given. */
export interface KustomizeAppSpec {
  images?: string[];
}

/** Rendered manifests and how they came about. */
export interface ManifestResponse {
  /** One JSON text for each resource. */
  manifests?: string[];
  namespace?: string;
  server?: string;
  /** The revision that was rendered. */
  revision?: string;
  /** `Helm`, `Kustomize`, `Directory` or `Plugin`. */
  sourceType?: string;
  /** What checking the signature found. */
  verifyResult?: string;
  /** Commands that were run to render. */
  commands?: string[];
  sourceIntegrityResult?: SourceIntegrityCheckResult;
}

/** A parameter that a plugin takes. */
export interface ParameterAnnouncement {
  name?: string;
  title?: string;
  tooltip?: string;
  required?: boolean;
  /** For example `string`, `number` or `boolean`; a hint for user interfaces. */
  itemType?: string;
  /** `string`, `array` or `map`. Empty means `string`. */
  collectionType?: string;
  /** Default value of a `string`. */
  string?: string;
  /** Default value of an `array`. */
  array?: string[];
  /** Default value of a `map`. */
  map?: Record<string, string>;
}

/** What a plugin can be given. */
export interface PluginAppSpec {
  parametersAnnouncement?: ParameterAnnouncement[];
}

/** Branches and tags. */
export interface Refs {
  branches?: string[];
  tags?: string[];
}

/** A repository and the credentials to try. */
export interface RepoAccessQuery {
  repo?: string;
  username?: string;
  password?: string;
  sshPrivateKey?: string;
  /** Do not check the TLS certificate or the SSH host key. */
  insecure?: boolean;
  tlsClientCertData?: string;
  tlsClientCertKey?: string;
  /** `git`, `helm` or `oci`. Empty means `git`. */
  type?: string;
  /** Needed for a Helm repository. */
  name?: string;
  /** A Helm repository in an OCI registry. */
  enableOci?: boolean;
  githubAppPrivateKey?: string;
  githubAppID?: number;
  githubAppInstallationID?: number;
  githubAppEnterpriseBaseUrl?: string;
  proxy?: string;
  project?: string;
  gcpServiceAccountKey?: string;
  forceHttpBasicAuth?: boolean;
  useAzureWorkloadIdentity?: boolean;
  bearerToken?: string;
  insecureOciForceHttp?: boolean;
  azureServicePrincipalClientId?: string;
  azureServicePrincipalClientSecret?: string;
  azureServicePrincipalTenantId?: string;
  azureActiveDirectoryEndpoint?: string;
}

/** Which source to look into. */
export interface RepoAppDetailsQuery {
  source?: ApplicationSource;
  /** The application for which this is asked; it decides what the caller may see. */
  appName?: string;
  appProject?: string;
  /** Which of several sources, from 0. */
  sourceIndex?: number;
  /** Id of a deployment: look at its source instead of the present one. */
  versionId?: number;
}

/** What a source holds. The field that belongs to the type is set. */
export interface RepoAppDetailsResponse {
  /** `Helm`, `Kustomize`, `Directory` or `Plugin`. */
  type?: string;
  helm?: HelmAppSpec;
  kustomize?: KustomizeAppSpec;
  directory?: DirectoryAppSpec;
  plugin?: PluginAppSpec;
}

/** Which repository and revision to look into. */
export interface RepoAppsQuery {
  repo?: string;
  revision?: string;
  /** The application for which this is asked; it decides what the caller may see. */
  appName?: string;
  appProject?: string;
}

/** Directories that look like applications. */
export interface RepoAppsResponse {
  items?: AppInfo[];
}

/** A repository to register. */
export interface RepoCreateRequest {
  repo?: Repository;
  /** Update the repository if it exists and differs. */
  upsert?: boolean;
  /** Store a credential template for all repositories whose URL starts with this one. */
  credsOnly?: boolean;
}

/** Which repository. */
export interface RepoQuery {
  /** The URL. */
  repo?: string;
  /** Try the connection now instead of telling the last known state. */
  forceRefresh?: boolean;
  /** The project that the repository belongs to. Empty means any. */
  appProject?: string;
}

/** Nothing: it is done. */
export type RepoResponse = Record<string, never>;

/** A repository as it shall be. */
export interface RepoUpdateRequest {
  repo?: Repository;
  /** Only these fields are taken, for example `name`, `proxy`, `password`; the others stay as they are stored. Empty means all. */
  updatedFields?: string[];
}

/** Asks who the caller is. */
export type GetUserInfoRequest = Record<string, never>;

/** Who the caller is. Empty when nobody is signed in. */
export interface GetUserInfoResponse {
  loggedIn?: boolean;
  username?: string;
  /** Who issued the token: `argocd` for accounts of this server. */
  iss?: string;
  groups?: string[];
}

/** Credentials. */
export interface SessionCreateRequest {
  username?: string;
  password?: string;
  /** A token from an identity provider, instead of a user name and password. */
  token?: string;
}

/** Asks to sign out. */
export type SessionDeleteRequest = Record<string, never>;

/** A token; empty after signing out. */
export interface SessionResponse {
  token?: string;
}

/** Versions of the server and its tools. */
export interface VersionMessage {
  Version?: string;
  BuildDate?: string;
  GitCommit?: string;
  GitTag?: string;
  /** `clean`, or `dirty` when it was built from changed sources. */
  GitTreeState?: string;
  GoVersion?: string;
  Compiler?: string;
  Platform?: string;
  KustomizeVersion?: string;
  HelmVersion?: string;
  KubectlVersion?: string;
  JsonnetVersion?: string;
  ExtraBuildInfo?: string;
}

/** The accounts of people and programs that sign in here and not at an identity provider. */
export interface AccountService<Call> {
  /** Tells whether the caller may do something. */
  CanI(request: CanIRequest, call: Call): Promise<CanIResponse> | CanIResponse;
  /** Changes the password of an account. */
  UpdatePassword(request: UpdatePasswordRequest, call: Call): Promise<UpdatePasswordResponse> | UpdatePasswordResponse;
  /** Lists the accounts that the caller may see. */
  ListAccounts(request: ListAccountRequest, call: Call): Promise<AccountsList> | AccountsList;
  /** Returns an account. */
  GetAccount(request: GetAccountRequest, call: Call): Promise<Account> | Account;
  /** Issues a token for an account that has the capability `apiKey`. */
  CreateToken(request: CreateTokenRequest, call: Call): Promise<CreateTokenResponse> | CreateTokenResponse;
  /** Revokes a token of an account. */
  DeleteToken(request: DeleteTokenRequest, call: Call): Promise<AccountEmptyResponse> | AccountEmptyResponse;
}

/** Applications: what they are, how they stand, and what can be done with them and their resources. */
export interface ApplicationService<Call> {
  /** Lists the applications that the caller may see. */
  List(request: ApplicationQuery, call: Call): Promise<ApplicationList> | ApplicationList;
  /** Lists the Kubernetes events of an application or of one of its resources. */
  ListResourceEvents(request: ApplicationResourceEventsQuery, call: Call): Promise<EventList> | EventList;
  /** Streams changes of applications, beginning with those that exist unless `resourceVersion` is given. */
  Watch(request: ApplicationQuery, call: Call): AsyncIterable<ApplicationWatchEvent>;
  /** Creates an application. */
  Create(request: ApplicationCreateRequest, call: Call): Promise<Application> | Application;
  /** Returns an application; with `refresh`, after comparing it anew. */
  Get(request: ApplicationQuery, call: Call): Promise<Application> | Application;
  /** Tells which sync windows apply to an application, and whether it may be synced now. */
  GetApplicationSyncWindows(request: ApplicationSyncWindowsQuery, call: Call): Promise<ApplicationSyncWindowsResponse> | ApplicationSyncWindowsResponse;
  /** Tells author, date, message and tags of a revision. */
  RevisionMetadata(request: RevisionMetadataQuery, call: Call): Promise<RevisionMetadata> | RevisionMetadata;
  /** Tells what the Helm chart of a revision says about itself. */
  RevisionChartDetails(request: RevisionMetadataQuery, call: Call): Promise<ChartDetails> | ChartDetails;
  /** Tells what the OCI artifact of a revision says about itself. */
  GetOCIMetadata(request: RevisionMetadataQuery, call: Call): Promise<OCIMetadata> | OCIMetadata;
  /** Renders the manifests of an application. */
  GetManifests(request: ApplicationManifestQuery, call: Call): Promise<ManifestResponse> | ManifestResponse;
  /** Renders manifests from files that the caller sends: first the query, then the files in pieces. */
  GetManifestsWithFiles(requests: AsyncIterable<ApplicationManifestQueryWithFilesWrapper>, call: Call): Promise<ManifestResponse>;
  /** Replaces the spec, labels, annotations and finalizers of an application. */
  Update(request: ApplicationUpdateRequest, call: Call): Promise<Application> | Application;
  /** Replaces the spec of an application. */
  UpdateSpec(request: ApplicationUpdateSpecRequest, call: Call): Promise<ApplicationSpec> | ApplicationSpec;
  /** Patches the spec, labels, annotations and finalizers of an application. */
  Patch(request: ApplicationPatchRequest, call: Call): Promise<Application> | Application;
  /** Deletes an application and, unless told otherwise, its resources. */
  Delete(request: ApplicationDeleteRequest, call: Call): Promise<ApplicationResponse> | ApplicationResponse;
  /** Starts a sync. */
  Sync(request: ApplicationSyncRequest, call: Call): Promise<Application> | Application;
  /** Lists the resources of an application as declared and as they are. */
  ManagedResources(request: ResourcesQuery, call: Call): Promise<ManagedResourcesResponse> | ManagedResourcesResponse;
  /** Compares with the help of the cluster: what would applying the given manifests change? */
  ServerSideDiff(request: ApplicationServerSideDiffQuery, call: Call): Promise<ApplicationServerSideDiffResponse> | ApplicationServerSideDiffResponse;
  /** Returns the tree of an application's resources. */
  ResourceTree(request: ResourcesQuery, call: Call): Promise<ApplicationTree> | ApplicationTree;
  /** Streams the tree of an application's resources, whole, whenever it changes. */
  WatchResourceTree(request: ResourcesQuery, call: Call): AsyncIterable<ApplicationTree>;
  /** Starts a sync to an earlier deployment. */
  Rollback(request: ApplicationRollbackRequest, call: Call): Promise<Application> | Application;
  /** Stops the running operation. */
  TerminateOperation(request: OperationTerminateRequest, call: Call): Promise<OperationTerminateResponse> | OperationTerminateResponse;
  /** Returns a live resource. */
  GetResource(request: ApplicationResourceRequest, call: Call): Promise<ApplicationResourceResponse> | ApplicationResourceResponse;
  /** Patches a live resource. */
  PatchResource(request: ApplicationResourcePatchRequest, call: Call): Promise<ApplicationResourceResponse> | ApplicationResourceResponse;
  /** Lists what can be done to a resource. */
  ListResourceActions(request: ApplicationResourceRequest, call: Call): Promise<ResourceActionsListResponse> | ResourceActionsListResponse;
  /** Runs an action on a resource. Prefer the second version, which takes parameters. */
  RunResourceAction(request: ResourceActionRunRequest, call: Call): Promise<ApplicationResponse> | ApplicationResponse;
  /** Runs an action with parameters on a resource. */
  RunResourceActionV2(request: ResourceActionRunRequestV2, call: Call): Promise<ApplicationResponse> | ApplicationResponse;
  /** Deletes a live resource. */
  DeleteResource(request: ApplicationResourceDeleteRequest, call: Call): Promise<ApplicationResponse> | ApplicationResponse;
  /** Streams the logs of pods. The last entry is empty and has `last` set. Over REST, `download=true` gives the lines as a file. */
  PodLogs(request: ApplicationPodLogsQuery, call: Call): AsyncIterable<LogEntry>;
  /** Lists the configured links for an application. */
  ListLinks(request: ListAppLinksRequest, call: Call): Promise<LinksResponse> | LinksResponse;
  /** Lists the configured links for a resource. */
  ListResourceLinks(request: ApplicationResourceRequest, call: Call): Promise<LinksResponse> | LinksResponse;
}

/** Application sets, which make applications from templates. */
export interface ApplicationSetService<Call> {
  /** Returns an application set. */
  Get(request: ApplicationSetGetQuery, call: Call): Promise<ApplicationSet> | ApplicationSet;
  /** Tells which applications an application set would make, without making them. */
  Generate(request: ApplicationSetGenerateRequest, call: Call): Promise<ApplicationSetGenerateResponse> | ApplicationSetGenerateResponse;
  /** Lists the application sets that the caller may see. */
  List(request: ApplicationSetListQuery, call: Call): Promise<ApplicationSetList> | ApplicationSetList;
  /** Creates an application set. */
  Create(request: ApplicationSetCreateRequest, call: Call): Promise<ApplicationSet> | ApplicationSet;
  /** Deletes an application set. */
  Delete(request: ApplicationSetDeleteRequest, call: Call): Promise<ApplicationSetResponse> | ApplicationSetResponse;
  /** Returns the applications that an application set has made, as a tree. */
  ResourceTree(request: ApplicationSetTreeQuery, call: Call): Promise<ApplicationSetTree> | ApplicationSetTree;
  /** Lists the Kubernetes events of an application set. */
  ListResourceEvents(request: ApplicationSetGetQuery, call: Call): Promise<EventList> | EventList;
  /** Streams changes of application sets. */
  Watch(request: ApplicationSetWatchQuery, call: Call): AsyncIterable<ApplicationSetWatchEvent>;
}

/** TLS certificates and SSH host keys that are trusted when connecting to repositories. */
export interface CertificateService<Call> {
  /** Lists the trusted certificates and host keys, without their data. */
  ListCertificates(request: RepositoryCertificateQuery, call: Call): Promise<RepositoryCertificateList> | RepositoryCertificateList;
  /** Adds certificates and host keys. Returns those that are new or have changed. */
  CreateCertificate(request: RepositoryCertificateCreateRequest, call: Call): Promise<RepositoryCertificateList> | RepositoryCertificateList;
  /** Removes the certificates and host keys that match. Returns those that were removed. */
  DeleteCertificate(request: RepositoryCertificateQuery, call: Call): Promise<RepositoryCertificateList> | RepositoryCertificateList;
}

/** The clusters to which applications are deployed. */
export interface ClusterService<Call> {
  /** Lists the clusters that the caller may see. */
  List(request: ClusterQuery, call: Call): Promise<ClusterList> | ClusterList;
  /** Registers a cluster. */
  Create(request: ClusterCreateRequest, call: Call): Promise<Cluster> | Cluster;
  /** Returns a cluster. */
  Get(request: ClusterQuery, call: Call): Promise<Cluster> | Cluster;
  /** Changes a cluster. */
  Update(request: ClusterUpdateRequest, call: Call): Promise<Cluster> | Cluster;
  /** Removes a cluster. What is deployed there stays. */
  Delete(request: ClusterQuery, call: Call): Promise<ClusterResponse> | ClusterResponse;
  /** Replaces the bearer token used for a cluster. */
  RotateAuth(request: ClusterQuery, call: Call): Promise<ClusterResponse> | ClusterResponse;
  /** Reads a cluster anew. */
  InvalidateCache(request: ClusterQuery, call: Call): Promise<Cluster> | Cluster;
}

/** Settings of the server that clients need. */
export interface SettingsService<Call> {
  /** Returns the settings. Without signing in, only those that signing in needs. */
  Get(request: SettingsQuery, call: Call): Promise<Settings> | Settings;
  /** Lists the config management plugins. */
  GetPlugins(request: SettingsQuery, call: Call): Promise<SettingsPluginsResponse> | SettingsPluginsResponse;
}

/** Public keys with which commits may be signed. */
export interface GPGKeyService<Call> {
  /** Lists the keys, without their data. */
  List(request: GnuPGPublicKeyQuery, call: Call): Promise<GnuPGPublicKeyList> | GnuPGPublicKeyList;
  /** Returns a key. */
  Get(request: GnuPGPublicKeyQuery, call: Call): Promise<GnuPGPublicKey> | GnuPGPublicKey;
  /** Adds all keys that the given data contains. */
  Create(request: GnuPGPublicKeyCreateRequest, call: Call): Promise<GnuPGPublicKeyCreateResponse> | GnuPGPublicKeyCreateResponse;
  /** Removes a key. */
  Delete(request: GnuPGPublicKeyQuery, call: Call): Promise<GnuPGPublicKeyResponse> | GnuPGPublicKeyResponse;
}

/** What notifications are configured. */
export interface NotificationService<Call> {
  /** Lists the names of the triggers. */
  ListTriggers(request: TriggersListRequest, call: Call): Promise<TriggerList> | TriggerList;
  /** Lists the names of the services through which notifications are sent. */
  ListServices(request: ServicesListRequest, call: Call): Promise<ServiceList> | ServiceList;
  /** Lists the names of the templates. */
  ListTemplates(request: TemplatesListRequest, call: Call): Promise<TemplateList> | TemplateList;
}

/** Projects: groups of applications and the limits set on them. */
export interface ProjectService<Call> {
  /** Issues a token for a role of a project. */
  CreateToken(request: ProjectTokenCreateRequest, call: Call): Promise<ProjectTokenResponse> | ProjectTokenResponse;
  /** Revokes a token of a role. */
  DeleteToken(request: ProjectTokenDeleteRequest, call: Call): Promise<ProjectEmptyResponse> | ProjectEmptyResponse;
  /** Creates a project. */
  Create(request: ProjectCreateRequest, call: Call): Promise<AppProject> | AppProject;
  /** Lists the projects that the caller may see. */
  List(request: ProjectQuery, call: Call): Promise<AppProjectList> | AppProjectList;
  /** Returns a project with what it inherits and what belongs to it. */
  GetDetailedProject(request: ProjectQuery, call: Call): Promise<DetailedProjectsResponse> | DetailedProjectsResponse;
  /** Returns a project. */
  Get(request: ProjectQuery, call: Call): Promise<AppProject> | AppProject;
  /** Lists the projects from which a project inherits. */
  GetGlobalProjects(request: ProjectQuery, call: Call): Promise<GlobalProjectsResponse> | GlobalProjectsResponse;
  /** Replaces a project's spec. */
  Update(request: ProjectUpdateRequest, call: Call): Promise<AppProject> | AppProject;
  /** Deletes a project that no application uses. */
  Delete(request: ProjectQuery, call: Call): Promise<ProjectEmptyResponse> | ProjectEmptyResponse;
  /** Lists the Kubernetes events of a project. */
  ListEvents(request: ProjectQuery, call: Call): Promise<EventList> | EventList;
  /** Lists the sync windows of a project that are open now. */
  GetSyncWindowsState(request: SyncWindowsQuery, call: Call): Promise<SyncWindowsResponse> | SyncWindowsResponse;
  /** Lists the configured links for a project. */
  ListLinks(request: ListProjectLinksRequest, call: Call): Promise<LinksResponse> | LinksResponse;
}

/** Credential templates: credentials for all repositories whose URL has a prefix. */
export interface RepoCredsService<Call> {
  /** Lists the templates, with URL and user name only. */
  ListRepositoryCredentials(request: RepoCredsQuery, call: Call): Promise<RepoCredsList> | RepoCredsList;
  /** Lists the templates for repositories that are written to, with URL and user name only. */
  ListWriteRepositoryCredentials(request: RepoCredsQuery, call: Call): Promise<RepoCredsList> | RepoCredsList;
  /** Creates a template. */
  CreateRepositoryCredentials(request: RepoCredsCreateRequest, call: Call): Promise<RepoCreds> | RepoCreds;
  /** Creates a template for repositories that are written to. */
  CreateWriteRepositoryCredentials(request: RepoCredsCreateRequest, call: Call): Promise<RepoCreds> | RepoCreds;
  /** Replaces a template. */
  UpdateRepositoryCredentials(request: RepoCredsUpdateRequest, call: Call): Promise<RepoCreds> | RepoCreds;
  /** Replaces a template for repositories that are written to. */
  UpdateWriteRepositoryCredentials(request: RepoCredsUpdateRequest, call: Call): Promise<RepoCreds> | RepoCreds;
  /** Deletes a template. */
  DeleteRepositoryCredentials(request: RepoCredsDeleteRequest, call: Call): Promise<RepoCredsResponse> | RepoCredsResponse;
  /** Deletes a template for repositories that are written to. */
  DeleteWriteRepositoryCredentials(request: RepoCredsDeleteRequest, call: Call): Promise<RepoCredsResponse> | RepoCredsResponse;
}

/** Repositories: registering them, and looking into them. */
export interface RepositoryService<Call> {
  /** Lists the repositories that the caller may see. The older name of `ListRepositories`. */
  List(request: RepoQuery, call: Call): Promise<RepositoryList> | RepositoryList;
  /** Returns a repository. */
  Get(request: RepoQuery, call: Call): Promise<Repository> | Repository;
  /** Returns a repository that is written to. */
  GetWrite(request: RepoQuery, call: Call): Promise<Repository> | Repository;
  /** Lists the repositories that the caller may see. */
  ListRepositories(request: RepoQuery, call: Call): Promise<RepositoryList> | RepositoryList;
  /** Lists the repositories that are written to. */
  ListWriteRepositories(request: RepoQuery, call: Call): Promise<RepositoryList> | RepositoryList;
  /** Lists the branches and tags of a Git repository. */
  ListRefs(request: RepoQuery, call: Call): Promise<Refs> | Refs;
  /** Lists the tags of an OCI repository. */
  ListOCITags(request: RepoQuery, call: Call): Promise<Refs> | Refs;
  /** Lists the directories of a repository that look like applications. */
  ListApps(request: RepoAppsQuery, call: Call): Promise<RepoAppsResponse> | RepoAppsResponse;
  /** Tells what kind of application a source holds, and its parameters. */
  GetAppDetails(request: RepoAppDetailsQuery, call: Call): Promise<RepoAppDetailsResponse> | RepoAppDetailsResponse;
  /** Lists the charts of a Helm repository. */
  GetHelmCharts(request: RepoQuery, call: Call): Promise<HelmChartsResponse> | HelmChartsResponse;
  /** Registers a repository. The older name of `CreateRepository`. */
  Create(request: RepoCreateRequest, call: Call): Promise<Repository> | Repository;
  /** Registers a repository, or a credential template with `credsOnly`. */
  CreateRepository(request: RepoCreateRequest, call: Call): Promise<Repository> | Repository;
  /** Registers a repository that is written to. */
  CreateWriteRepository(request: RepoCreateRequest, call: Call): Promise<Repository> | Repository;
  /** Changes a repository. The older name of `UpdateRepository`. */
  Update(request: RepoUpdateRequest, call: Call): Promise<Repository> | Repository;
  /** Changes a repository. */
  UpdateRepository(request: RepoUpdateRequest, call: Call): Promise<Repository> | Repository;
  /** Changes a repository that is written to. */
  UpdateWriteRepository(request: RepoUpdateRequest, call: Call): Promise<Repository> | Repository;
  /** Removes a repository. The older name of `DeleteRepository`. */
  Delete(request: RepoQuery, call: Call): Promise<RepoResponse> | RepoResponse;
  /** Removes a repository. */
  DeleteRepository(request: RepoQuery, call: Call): Promise<RepoResponse> | RepoResponse;
  /** Removes a repository that is written to. */
  DeleteWriteRepository(request: RepoQuery, call: Call): Promise<RepoResponse> | RepoResponse;
  /** Tries to reach a repository with the given credentials. Nothing is stored. */
  ValidateAccess(request: RepoAccessQuery, call: Call): Promise<RepoResponse> | RepoResponse;
  /** Tries to reach a repository that is written to with the given credentials. Nothing is stored. */
  ValidateWriteAccess(request: RepoAccessQuery, call: Call): Promise<RepoResponse> | RepoResponse;
}

/** Signing in and out. */
export interface SessionService<Call> {
  /** Tells who the caller is. Works without signing in. */
  GetUserInfo(request: GetUserInfoRequest, call: Call): Promise<GetUserInfoResponse> | GetUserInfoResponse;
  /** Signs in: exchanges a user name and password for a token, and sets the session cookie. */
  Create(request: SessionCreateRequest, call: Call): Promise<SessionResponse> | SessionResponse;
  /** Signs out. */
  Delete(request: SessionDeleteRequest, call: Call): Promise<SessionResponse> | SessionResponse;
}

/** The server's version. */
export interface VersionService<Call> {
  /** Tells the server's version and those of its tools. Without signing in, the server's version only. */
  Version(request: Empty, call: Call): Promise<VersionMessage> | VersionMessage;
}
