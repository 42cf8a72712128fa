// Generated from proto/ by `npm run generate`. Do not edit.

export interface Account {
  name?: string;
  enabled?: boolean;
  capabilities?: string[];
  tokens?: Token[];
}

export interface AccountsList {
  items?: Account[];
}

export interface CanIRequest {
  resource?: string;
  action?: string;
  subresource?: string;
}

export interface CanIResponse {
  value?: string;
}

export interface CreateTokenRequest {
  name?: string;
  expiresIn?: number;
  id?: string;
}

export interface CreateTokenResponse {
  token?: string;
}

export interface DeleteTokenRequest {
  name?: string;
  id?: string;
}

export type AccountEmptyResponse = Record<string, never>;

export interface GetAccountRequest {
  name?: string;
}

export type ListAccountRequest = Record<string, never>;

export interface Token {
  id?: string;
  issuedAt?: number;
  expiresAt?: number;
}

export interface UpdatePasswordRequest {
  newPassword?: string;
  currentPassword?: string;
  name?: string;
}

export type UpdatePasswordResponse = Record<string, never>;

export interface ApplicationCreateRequest {
  application: Application;
  upsert?: boolean;
  validate?: boolean;
}

export interface ApplicationDeleteRequest {
  name: string;
  cascade?: boolean;
  propagationPolicy?: string;
  appNamespace?: string;
  project?: string;
}

export interface ApplicationManifestQuery {
  name: string;
  revision?: string;
  appNamespace?: string;
  project?: string;
  sourcePositions?: number[];
  revisions?: string[];
  noCache?: boolean;
}

export interface ApplicationManifestQueryWithFiles {
  name: string;
  checksum: string;
  appNamespace?: string;
  project?: string;
}

export interface ApplicationManifestQueryWithFilesWrapper {
  query?: ApplicationManifestQueryWithFiles;
  chunk?: FileChunk;
}

export interface ApplicationPatchRequest {
  name: string;
  patch: string;
  patchType: string;
  appNamespace?: string;
  project?: string;
}

export interface ApplicationPodLogsQuery {
  name: string;
  namespace?: string;
  podName?: string;
  container?: string;
  sinceSeconds?: number;
  sinceTime?: Time;
  tailLines?: number;
  follow?: boolean;
  untilTime?: string;
  filter?: string;
  kind?: string;
  group?: string;
  resourceName?: string;
  previous?: boolean;
  appNamespace?: string;
  project?: string;
  matchCase?: boolean;
}

export interface ApplicationQuery {
  name?: string;
  refresh?: string;
  projects?: string[];
  resourceVersion?: string;
  selector?: string;
  repo?: string;
  appNamespace?: string;
  project?: string[];
}

export interface ApplicationResourceDeleteRequest {
  name: string;
  namespace?: string;
  resourceName: string;
  version: string;
  group?: string;
  kind: string;
  force?: boolean;
  orphan?: boolean;
  appNamespace?: string;
  project?: string;
}

export interface ApplicationResourceEventsQuery {
  name: string;
  resourceNamespace?: string;
  resourceName?: string;
  resourceUID?: string;
  appNamespace?: string;
  project?: string;
}

export interface ApplicationResourcePatchRequest {
  name: string;
  namespace?: string;
  resourceName: string;
  version: string;
  group?: string;
  kind: string;
  patch: string;
  patchType: string;
  appNamespace?: string;
  project?: string;
}

export interface ApplicationResourceRequest {
  name: string;
  namespace?: string;
  resourceName: string;
  version: string;
  group?: string;
  kind: string;
  appNamespace?: string;
  project?: string;
}

export interface ApplicationResourceResponse {
  manifest: string;
}

export type ApplicationResponse = Record<string, never>;

export interface ApplicationRollbackRequest {
  name: string;
  id: number;
  dryRun?: boolean;
  prune?: boolean;
  appNamespace?: string;
  project?: string;
}

export interface ApplicationServerSideDiffQuery {
  appName: string;
  appNamespace?: string;
  project?: string;
  liveResources?: ResourceDiff[];
  targetManifests?: string[];
}

export interface ApplicationServerSideDiffResponse {
  items?: ResourceDiff[];
  modified: boolean;
}

export interface ApplicationSyncRequest {
  name: string;
  revision?: string;
  dryRun?: boolean;
  prune?: boolean;
  strategy?: SyncStrategy;
  resources?: SyncOperationResource[];
  manifests?: string[];
  infos?: Info[];
  retryStrategy?: RetryStrategy;
  syncOptions?: SyncOptions;
  appNamespace?: string;
  project?: string;
  sourcePositions?: number[];
  revisions?: string[];
}

export interface ApplicationSyncWindow {
  kind: string;
  schedule: string;
  duration: string;
  manualSync: boolean;
}

export interface ApplicationSyncWindowsQuery {
  name: string;
  appNamespace?: string;
  project?: string;
}

export interface ApplicationSyncWindowsResponse {
  activeWindows?: ApplicationSyncWindow[];
  assignedWindows?: ApplicationSyncWindow[];
  canSync: boolean;
}

export interface ApplicationUpdateRequest {
  application: Application;
  validate?: boolean;
  project?: string;
}

export interface ApplicationUpdateSpecRequest {
  name: string;
  spec: ApplicationSpec;
  validate?: boolean;
  appNamespace?: string;
  project?: string;
}

export interface FileChunk {
  chunk: string;
}

export interface LinkInfo {
  title: string;
  url: string;
  description?: string;
  iconClass?: string;
}

export interface LinksResponse {
  items?: LinkInfo[];
}

export interface ListAppLinksRequest {
  name: string;
  namespace?: string;
  project?: string;
}

export interface LogEntry {
  content: string;
  timeStamp: Time;
  last: boolean;
  timeStampStr: string;
  podName: string;
}

export interface ManagedResourcesResponse {
  items?: ResourceDiff[];
}

export interface OperationTerminateRequest {
  name: string;
  appNamespace?: string;
  project?: string;
}

export type OperationTerminateResponse = Record<string, never>;

export interface ResourceActionParameters {
  name: string;
  value: string;
}

export interface ResourceActionRunRequest {
  name: string;
  namespace?: string;
  resourceName: string;
  version: string;
  group?: string;
  kind: string;
  action: string;
  appNamespace?: string;
  project?: string;
}

export interface ResourceActionRunRequestV2 {
  name: string;
  namespace?: string;
  resourceName: string;
  version: string;
  group?: string;
  kind: string;
  action: string;
  appNamespace?: string;
  project?: string;
  resourceActionParameters?: ResourceActionParameters[];
}

export interface ResourceActionsListResponse {
  actions?: ResourceAction[];
}

export interface ResourcesQuery {
  applicationName: string;
  namespace?: string;
  name?: string;
  version?: string;
  group?: string;
  kind?: string;
  appNamespace?: string;
  project?: string;
}

export interface RevisionMetadataQuery {
  name: string;
  revision: string;
  appNamespace?: string;
  project?: string;
  sourceIndex?: number;
  versionId?: number;
}

export interface SyncOptions {
  items?: string[];
}

export interface ApplicationSetCreateRequest {
  applicationset?: ApplicationSet;
  upsert?: boolean;
  dryRun?: boolean;
}

export interface ApplicationSetDeleteRequest {
  name?: string;
  appsetNamespace?: string;
}

export interface ApplicationSetGenerateRequest {
  applicationSet?: ApplicationSet;
}

export interface ApplicationSetGenerateResponse {
  applications?: Application[];
}

export interface ApplicationSetGetQuery {
  name?: string;
  appsetNamespace?: string;
}

export interface ApplicationSetListQuery {
  projects?: string[];
  selector?: string;
  appsetNamespace?: string;
}

export interface ApplicationSetResponse {
  project?: string;
  applicationset?: ApplicationSet;
}

export interface ApplicationSetTreeQuery {
  name?: string;
  appsetNamespace?: string;
}

export interface ApplicationSetWatchQuery {
  name?: string;
  projects?: string[];
  selector?: string;
  appSetNamespace?: string;
  resourceVersion?: string;
}

export interface AWSAuthConfig {
  clusterName?: string;
  roleARN?: string;
  profile?: string;
}

export interface AppHealthStatus {
  status?: string;
  message?: string;
  lastTransitionTime?: Time;
}

export interface AppProject {
  metadata: ObjectMeta;
  spec: AppProjectSpec;
  status?: AppProjectStatus;
}

export interface AppProjectList {
  metadata: ListMeta;
  items: AppProject[];
}

export interface AppProjectSpec {
  sourceRepos?: string[];
  destinations?: ApplicationDestination[];
  description?: string;
  roles?: ProjectRole[];
  clusterResourceWhitelist?: ClusterResourceRestrictionItem[];
  namespaceResourceBlacklist?: GroupKind[];
  orphanedResources?: OrphanedResourcesMonitorSettings;
  syncWindows?: SyncWindow[];
  namespaceResourceWhitelist?: GroupKind[];
  signatureKeys?: SignatureKey[];
  clusterResourceBlacklist?: ClusterResourceRestrictionItem[];
  sourceNamespaces?: string[];
  permitOnlyProjectScopedClusters?: boolean;
  destinationServiceAccounts?: ApplicationDestinationServiceAccount[];
  sourceIntegrity?: SourceIntegrity;
}

export interface AppProjectStatus {
  jwtTokensByRole?: Record<string, JWTTokens>;
}

export interface Application {
  metadata: ObjectMeta;
  spec: ApplicationSpec;
  status?: ApplicationStatus;
  operation?: Operation;
}

export interface ApplicationCondition {
  type: string;
  message: string;
  lastTransitionTime?: Time;
}

export interface ApplicationDestination {
  server?: string;
  namespace?: string;
  name?: string;
}

export interface ApplicationDestinationServiceAccount {
  server: string;
  namespace?: string;
  defaultServiceAccount: string;
}

export interface ApplicationList {
  metadata: ListMeta;
  items: Application[];
}

export interface ApplicationMatchExpression {
  key?: string;
  operator?: string;
  values?: string[];
}

export interface ApplicationPreservedFields {
  annotations?: string[];
  labels?: string[];
}

export interface ApplicationSet {
  metadata: ObjectMeta;
  spec: ApplicationSetSpec;
  status?: ApplicationSetStatus;
}

export interface ApplicationSetApplicationStatus {
  application: string;
  lastTransitionTime?: Time;
  message: string;
  status: string;
  step: string;
  targetRevisions: string[];
}

export interface ApplicationSetCondition {
  type: string;
  message: string;
  lastTransitionTime?: Time;
  status: string;
  reason: string;
}

export interface ApplicationSetGenerator {
  list?: ListGenerator;
  clusters?: ClusterGenerator;
  git?: GitGenerator;
  scmProvider?: SCMProviderGenerator;
  clusterDecisionResource?: DuckTypeGenerator;
  pullRequest?: PullRequestGenerator;
  matrix?: MatrixGenerator;
  merge?: MergeGenerator;
  selector?: LabelSelector;
  plugin?: PluginGenerator;
}

export interface ApplicationSetList {
  metadata?: ListMeta;
  items: ApplicationSet[];
}

export interface ApplicationSetNestedGenerator {
  list?: ListGenerator;
  clusters?: ClusterGenerator;
  git?: GitGenerator;
  scmProvider?: SCMProviderGenerator;
  clusterDecisionResource?: DuckTypeGenerator;
  pullRequest?: PullRequestGenerator;
  matrix?: JSON;
  merge?: JSON;
  selector?: LabelSelector;
  plugin?: PluginGenerator;
}

export interface ApplicationSetResourceIgnoreDifferences {
  name?: string;
  jsonPointers?: string[];
  jqPathExpressions?: string[];
}

export interface ApplicationSetRolloutStep {
  matchExpressions?: ApplicationMatchExpression[];
  maxUpdate?: IntOrString;
}

export interface ApplicationSetRolloutStrategy {
  steps?: ApplicationSetRolloutStep[];
}

export interface ApplicationSetSpec {
  goTemplate?: boolean;
  generators: ApplicationSetGenerator[];
  template: ApplicationSetTemplate;
  syncPolicy?: ApplicationSetSyncPolicy;
  strategy?: ApplicationSetStrategy;
  preservedFields?: ApplicationPreservedFields;
  goTemplateOptions?: string[];
  applyNestedSelectors?: boolean;
  ignoreApplicationDifferences?: ApplicationSetResourceIgnoreDifferences[];
  templatePatch?: string;
}

export interface ApplicationSetStatus {
  conditions?: ApplicationSetCondition[];
  applicationStatus?: ApplicationSetApplicationStatus[];
  resources?: ResourceStatus[];
  resourcesCount?: number;
  health?: HealthStatus;
}

export interface ApplicationSetStrategy {
  type?: string;
  rollingSync?: ApplicationSetRolloutStrategy;
  deletionOrder?: string;
}

export interface ApplicationSetSyncPolicy {
  preserveResourcesOnDeletion?: boolean;
  applicationsSync?: string;
}

export interface ApplicationSetTemplate {
  metadata: ApplicationSetTemplateMeta;
  spec: ApplicationSpec;
}

export interface ApplicationSetTemplateMeta {
  name?: string;
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
}

export interface ApplicationSetTree {
  nodes?: ResourceNode[];
}

export interface ApplicationSetWatchEvent {
  type: string;
  applicationSet: ApplicationSet;
}

export interface ApplicationSource {
  repoURL: string;
  path?: string;
  targetRevision?: string;
  helm?: ApplicationSourceHelm;
  kustomize?: ApplicationSourceKustomize;
  directory?: ApplicationSourceDirectory;
  plugin?: ApplicationSourcePlugin;
  chart?: string;
  ref?: string;
  name?: string;
  tagPrefix?: string;
}

export interface ApplicationSourceDirectory {
  recurse?: boolean;
  jsonnet?: ApplicationSourceJsonnet;
  exclude?: string;
  include?: string;
}

export interface ApplicationSourceHelm {
  valueFiles?: string[];
  parameters?: HelmParameter[];
  releaseName?: string;
  values?: string;
  fileParameters?: HelmFileParameter[];
  version?: string;
  passCredentials?: boolean;
  ignoreMissingValueFiles?: boolean;
  skipCrds?: boolean;
  valuesObject?: RawExtension;
  namespace?: string;
  kubeVersion?: string;
  apiVersions?: string[];
  skipTests?: boolean;
  skipSchemaValidation?: boolean;
}

export interface ApplicationSourceJsonnet {
  extVars?: JsonnetVar[];
  tlas?: JsonnetVar[];
  libs?: string[];
}

export interface ApplicationSourceKustomize {
  namePrefix?: string;
  nameSuffix?: string;
  images?: string[];
  commonLabels?: Record<string, string>;
  version?: string;
  commonAnnotations?: Record<string, string>;
  forceCommonLabels?: boolean;
  forceCommonAnnotations?: boolean;
  namespace?: string;
  commonAnnotationsEnvsubst?: boolean;
  replicas?: KustomizeReplica[];
  patches?: KustomizePatch[];
  components?: string[];
  ignoreMissingComponents?: boolean;
  labelWithoutSelector?: boolean;
  kubeVersion?: string;
  apiVersions?: string[];
  labelIncludeTemplates?: boolean;
}

export interface ApplicationSourcePlugin {
  name?: string;
  env?: EnvEntry[];
  parameters?: ApplicationSourcePluginParameter[];
}

export interface ApplicationSourcePluginParameter {
  name?: string;
  string?: string;
  OptionalMap?: OptionalMap;
  OptionalArray?: OptionalArray;
}

export interface ApplicationSpec {
  source?: ApplicationSource;
  destination: ApplicationDestination;
  project: string;
  syncPolicy?: SyncPolicy;
  ignoreDifferences?: ResourceIgnoreDifferences[];
  info?: Info[];
  revisionHistoryLimit?: number;
  sources?: ApplicationSource[];
  sourceHydrator?: SourceHydrator;
}

export interface ApplicationStatus {
  resources?: ResourceStatus[];
  sync?: SyncStatus;
  health?: AppHealthStatus;
  history?: RevisionHistory[];
  conditions?: ApplicationCondition[];
  reconciledAt?: Time;
  operationState?: OperationState;
  observedAt?: Time;
  sourceType?: string;
  summary?: ApplicationSummary;
  resourceHealthSource?: string;
  sourceTypes?: string[];
  controllerNamespace?: string;
  sourceHydrator?: SourceHydratorStatus;
}

export interface ApplicationSummary {
  externalURLs?: string[];
  images?: string[];
  isAppOfApps?: boolean;
}

export interface ApplicationTree {
  nodes?: ResourceNode[];
  orphanedNodes?: ResourceNode[];
  hosts?: HostInfo[];
  shardsCount?: number;
}

export interface ApplicationWatchEvent {
  type: string;
  application: Application;
}

export interface Backoff {
  duration?: string;
  factor?: number;
  maxDuration?: string;
}

export interface BasicAuthBitbucketServer {
  username: string;
  passwordRef: SecretRef | null;
}

export interface BearerTokenBitbucket {
  tokenRef: SecretRef | null;
}

export interface BearerTokenBitbucketCloud {
  tokenRef: SecretRef | null;
}

export interface ChartDetails {
  description?: string;
  home?: string;
  maintainers?: string[];
}

export interface Cluster {
  server: string;
  name: string;
  config: ClusterConfig;
  connectionState?: ConnectionState;
  serverVersion?: string;
  namespaces?: string[];
  refreshRequestedAt?: Time;
  info?: ClusterInfo;
  shard?: number;
  clusterResources?: boolean;
  project?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

export interface ClusterCacheInfo {
  resourcesCount?: number;
  apisCount?: number;
  lastCacheSyncTime?: Time;
}

export interface ClusterConfig {
  username?: string;
  password?: string;
  bearerToken?: string;
  tlsClientConfig: TLSClientConfig;
  awsAuthConfig?: AWSAuthConfig;
  execProviderConfig?: ExecProviderConfig;
  disableCompression?: boolean;
  proxyUrl?: string;
}

export interface ClusterGenerator {
  selector?: LabelSelector;
  template?: ApplicationSetTemplate;
  values?: Record<string, string>;
  flatList?: boolean;
}

export interface ClusterInfo {
  connectionState?: ConnectionState;
  serverVersion?: string;
  cacheInfo?: ClusterCacheInfo;
  applicationsCount: number;
  apiVersions?: string[];
}

export interface ClusterList {
  metadata?: ListMeta;
  items: Cluster[];
}

export interface ClusterResourceRestrictionItem {
  group: string;
  kind: string;
  name?: string;
}

export interface Command {
  command?: string[];
  args?: string[];
}

export interface CommitMetadata {
  author?: string;
  date?: string;
  subject?: string;
  body?: string;
  sha?: string;
  repoUrl?: string;
}

export interface ComparedTo {
  source?: ApplicationSource;
  destination: ApplicationDestination;
  sources?: ApplicationSource[];
  ignoreDifferences?: ResourceIgnoreDifferences[];
}

export interface ConfigManagementPlugin {
  name: string;
  init?: Command;
  generate: Command;
  lockRepo?: boolean;
}

export interface ConfigMapKeyRef {
  configMapName: string;
  key: string;
}

export interface ConnectionState {
  status: string;
  message: string;
  attemptedAt: Time;
}

export interface DrySource {
  repoURL: string;
  targetRevision: string;
  path: string;
  helm?: ApplicationSourceHelm;
  kustomize?: ApplicationSourceKustomize;
  directory?: ApplicationSourceDirectory;
  plugin?: ApplicationSourcePlugin;
}

export interface DuckTypeGenerator {
  configMapRef: string;
  name?: string;
  requeueAfterSeconds?: number;
  labelSelector?: LabelSelector;
  template?: ApplicationSetTemplate;
  values?: Record<string, string>;
}

export interface EnvEntry {
  name: string;
  value: string;
}

export interface ExecProviderConfig {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  apiVersion?: string;
  installHint?: string;
  provideClusterInfo?: boolean;
  config?: RawExtension;
}

export interface GitDirectoryGeneratorItem {
  path: string;
  exclude?: boolean;
}

export interface GitFileGeneratorItem {
  path: string;
  exclude?: boolean;
}

export interface GitGenerator {
  repoURL: string;
  directories?: GitDirectoryGeneratorItem[];
  files?: GitFileGeneratorItem[];
  revision: string;
  requeueAfterSeconds?: number;
  template?: ApplicationSetTemplate;
  pathParamPrefix?: string;
  values?: Record<string, string>;
}

export interface GnuPGPublicKey {
  keyID: string;
  fingerprint?: string;
  owner?: string;
  trust?: string;
  subType?: string;
  keyData?: string;
}

export interface GnuPGPublicKeyList {
  metadata?: ListMeta;
  items: GnuPGPublicKey[];
}

export interface HealthStatus {
  status?: string;
  message?: string;
  lastTransitionTime?: Time;
}

export interface HelmFileParameter {
  name?: string;
  path?: string;
}

export interface HelmParameter {
  name?: string;
  value?: string;
  forceString?: boolean;
}

export interface HostInfo {
  name?: string;
  resourcesInfo?: HostResourceInfo[];
  systemInfo?: NodeSystemInfo;
  labels?: Record<string, string>;
}

export interface HostResourceInfo {
  resourceName?: string;
  requestedByApp?: number;
  requestedByNeighbors?: number;
  capacity?: number;
}

export interface HydrateOperation {
  startedAt?: Time;
  finishedAt?: Time;
  phase: string;
  message: string;
  drySHA?: string;
  hydratedSHA?: string;
  sourceHydrator?: SourceHydrator;
}

export interface HydrateTo {
  targetBranch: string;
}

export interface Info {
  name: string;
  value: string;
}

export interface InfoItem {
  name?: string;
  value?: string;
}

export interface JWTToken {
  iat: number;
  exp?: number;
  id?: string;
}

export interface JWTTokens {
  items?: JWTToken[];
}

export interface JsonnetVar {
  name: string;
  value: string;
  code?: boolean;
}

export interface KnownTypeField {
  field?: string;
  type?: string;
}

export interface KustomizeGvk {
  group?: string;
  version?: string;
  kind?: string;
}

export interface KustomizeOptions {
  BuildOptions: string;
  BinaryPath: string;
  Versions: KustomizeVersion[];
}

export interface KustomizePatch {
  path?: string;
  patch?: string;
  target?: KustomizeSelector;
  options?: Record<string, boolean>;
}

export interface KustomizeReplica {
  name: string;
  count: IntOrString;
}

export interface KustomizeResId extends KustomizeGvk {
  name?: string;
  namespace?: string;
}

export interface KustomizeSelector extends KustomizeResId {
  annotationSelector?: string;
  labelSelector?: string;
}

export interface KustomizeVersion {
  Name: string;
  Path: string;
  BuildOptions: string;
}

export interface ListGenerator {
  elements: JSON[];
  template?: ApplicationSetTemplate;
  elementsYaml?: string;
}

export interface ManagedNamespaceMetadata {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

export interface MatrixGenerator {
  generators: ApplicationSetNestedGenerator[];
  template?: ApplicationSetTemplate;
}

export interface MergeGenerator {
  generators: ApplicationSetNestedGenerator[];
  mergeKeys: string[];
  template?: ApplicationSetTemplate;
}

export interface OCIMetadata {
  createdAt?: string;
  authors?: string;
  imageUrl?: string;
  docsUrl?: string;
  sourceUrl?: string;
  version?: string;
  description?: string;
}

export interface Operation {
  sync?: SyncOperation;
  initiatedBy?: OperationInitiator;
  info?: Info[];
  retry?: RetryStrategy;
}

export interface OperationInitiator {
  username?: string;
  automated?: boolean;
}

export interface OperationState {
  operation: Operation;
  phase: string;
  message?: string;
  syncResult?: SyncOperationResult;
  startedAt: Time;
  finishedAt?: Time;
  retryCount?: number;
}

export interface OptionalArray {
  array: string[];
}

export interface OptionalMap {
  map: Record<string, string>;
}

export interface OrphanedResourceKey {
  group?: string;
  kind?: string;
  name?: string;
}

export interface OrphanedResourcesMonitorSettings {
  warn?: boolean;
  ignore?: OrphanedResourceKey[];
}

export interface OverrideIgnoreDiff {
  jsonPointers: string[];
  jqPathExpressions: string[];
  managedFieldsManagers: string[];
}

export interface PluginConfigMapRef {
  name: string;
}

export interface PluginGenerator {
  configMapRef: PluginConfigMapRef;
  input?: PluginInput;
  requeueAfterSeconds?: number;
  template?: ApplicationSetTemplate;
  values?: Record<string, string>;
}

export interface PluginInput {
  parameters?: Record<string, JSON>;
}

export interface ProjectRole {
  name: string;
  description?: string;
  policies?: string[];
  jwtTokens?: JWTToken[];
  groups?: string[];
}

export interface PullRequestGenerator {
  github?: PullRequestGeneratorGithub;
  gitlab?: PullRequestGeneratorGitLab;
  gitea?: PullRequestGeneratorGitea;
  bitbucketServer?: PullRequestGeneratorBitbucketServer;
  filters?: PullRequestGeneratorFilter[];
  requeueAfterSeconds?: number;
  template?: ApplicationSetTemplate;
  bitbucket?: PullRequestGeneratorBitbucket;
  azuredevops?: PullRequestGeneratorAzureDevOps;
  values?: Record<string, string>;
  continueOnRepoNotFoundError?: boolean;
}

export interface PullRequestGeneratorAzureDevOps {
  organization: string;
  project: string;
  repo: string;
  api?: string;
  tokenRef?: SecretRef;
  labels?: string[];
}

export interface PullRequestGeneratorBitbucket {
  owner: string;
  repo: string;
  api?: string;
  basicAuth?: BasicAuthBitbucketServer;
  bearerToken?: BearerTokenBitbucketCloud;
}

export interface PullRequestGeneratorBitbucketServer {
  project: string;
  repo: string;
  api: string;
  basicAuth?: BasicAuthBitbucketServer;
  bearerToken?: BearerTokenBitbucket;
  insecure?: boolean;
  caRef?: ConfigMapKeyRef;
}

export interface PullRequestGeneratorFilter {
  branchMatch?: string;
  targetBranchMatch?: string;
  titleMatch?: string;
}

export interface PullRequestGeneratorGitLab {
  project: string;
  api?: string;
  tokenRef?: SecretRef;
  labels?: string[];
  pullRequestState?: string;
  insecure?: boolean;
  caRef?: ConfigMapKeyRef;
}

export interface PullRequestGeneratorGitea {
  owner: string;
  repo: string;
  api: string;
  tokenRef?: SecretRef;
  insecure?: boolean;
  labels?: string[];
}

export interface PullRequestGeneratorGithub {
  owner: string;
  repo: string;
  api?: string;
  tokenRef?: SecretRef;
  appSecretName?: string;
  labels?: string[];
}

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
  githubAppEnterpriseBaseUrl?: string;
  enableOCI?: boolean;
  type?: string;
  gcpServiceAccountKey?: string;
  proxy?: string;
  forceHttpBasicAuth?: boolean;
  noProxy?: string;
  useAzureWorkloadIdentity?: boolean;
  bearerToken?: string;
  insecureOCIForceHttp?: boolean;
  azureServicePrincipalClientId?: string;
  azureServicePrincipalClientSecret?: string;
  azureServicePrincipalTenantId?: string;
  azureActiveDirectoryEndpoint?: string;
}

export interface RepoCredsList {
  metadata?: ListMeta;
  items: RepoCreds[];
}

export interface Repository {
  repo: string;
  username?: string;
  password?: string;
  sshPrivateKey?: string;
  connectionState?: ConnectionState;
  insecureIgnoreHostKey?: boolean;
  insecure?: boolean;
  enableLfs?: boolean;
  tlsClientCertData?: string;
  tlsClientCertKey?: string;
  type?: string;
  name?: string;
  inheritedCreds?: boolean;
  enableOCI?: boolean;
  githubAppPrivateKey?: string;
  githubAppID?: number;
  githubAppInstallationID?: number;
  githubAppEnterpriseBaseUrl?: string;
  proxy?: string;
  project?: string;
  gcpServiceAccountKey?: string;
  forceHttpBasicAuth?: boolean;
  noProxy?: string;
  useAzureWorkloadIdentity?: boolean;
  bearerToken?: string;
  insecureOCIForceHttp?: boolean;
  depth?: number;
  webhookManifestCacheWarmDisabled?: boolean;
  azureServicePrincipalClientId?: string;
  azureServicePrincipalClientSecret?: string;
  azureServicePrincipalTenantId?: string;
  azureActiveDirectoryEndpoint?: string;
}

export interface RepositoryCertificate {
  serverName: string;
  certType: string;
  certSubType: string;
  certData: string;
  certInfo: string;
}

export interface RepositoryCertificateList {
  metadata?: ListMeta;
  items: RepositoryCertificate[];
}

export interface RepositoryList {
  metadata?: ListMeta;
  items: Repository[];
}

export interface ResourceAction {
  name?: string;
  params?: ResourceActionParam[];
  disabled?: boolean;
  iconClass?: string;
  displayName?: string;
}

export interface ResourceActionParam {
  name?: string;
}

export interface ResourceDiff {
  group?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  targetState?: string;
  liveState?: string;
  diff?: string;
  hook?: boolean;
  normalizedLiveState?: string;
  predictedLiveState?: string;
  resourceVersion?: string;
  modified?: boolean;
}

export interface ResourceIgnoreDifferences {
  group?: string;
  kind: string;
  name?: string;
  namespace?: string;
  jsonPointers?: string[];
  jqPathExpressions?: string[];
  managedFieldsManagers?: string[];
}

export interface ResourceNetworkingInfo {
  targetLabels?: Record<string, string>;
  targetRefs?: ResourceRef[];
  labels?: Record<string, string>;
  ingress?: LoadBalancerIngress[];
  externalURLs?: string[];
}

export interface ResourceNode extends ResourceRef {
  parentRefs?: ResourceRef[];
  info?: InfoItem[];
  networkingInfo?: ResourceNetworkingInfo;
  resourceVersion?: string;
  images?: string[];
  health?: HealthStatus;
  createdAt?: Time;
}

export interface ResourceOverride {
  HealthLua: string;
  UseOpenLibs: boolean;
  Actions: string;
  IgnoreDifferences: OverrideIgnoreDiff;
  IgnoreResourceUpdates: OverrideIgnoreDiff;
  KnownTypeFields: KnownTypeField[];
}

export interface ResourceRef {
  group?: string;
  version?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
}

export interface ResourceResult {
  group: string;
  version: string;
  kind: string;
  namespace: string;
  name: string;
  status?: string;
  message?: string;
  hookType?: string;
  hookPhase?: string;
  syncPhase?: string;
  images?: string[];
}

export interface ResourceStatus {
  group?: string;
  version?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  status?: string;
  health?: HealthStatus;
  hook?: boolean;
  requiresPruning?: boolean;
  syncWave?: number;
  requiresDeletionConfirmation?: boolean;
}

export interface RetryStrategy {
  limit?: number;
  backoff?: Backoff;
  refresh?: boolean;
}

export interface RevisionHistory {
  revision?: string;
  deployedAt: Time;
  id: number;
  source?: ApplicationSource;
  deployStartedAt?: Time;
  sources?: ApplicationSource[];
  revisions?: string[];
  initiatedBy?: OperationInitiator;
}

export interface RevisionMetadata {
  author?: string;
  date: Time;
  tags?: string[];
  message?: string;
  signatureInfo?: string;
  references?: RevisionReference[];
  sourceIntegrityResult?: SourceIntegrityCheckResult;
}

export interface RevisionReference {
  commit?: CommitMetadata;
}

export interface SCMProviderGenerator {
  github?: SCMProviderGeneratorGithub;
  gitlab?: SCMProviderGeneratorGitlab;
  bitbucket?: SCMProviderGeneratorBitbucket;
  bitbucketServer?: SCMProviderGeneratorBitbucketServer;
  gitea?: SCMProviderGeneratorGitea;
  azureDevOps?: SCMProviderGeneratorAzureDevOps;
  filters?: SCMProviderGeneratorFilter[];
  cloneProtocol?: string;
  requeueAfterSeconds?: number;
  template?: ApplicationSetTemplate;
  values?: Record<string, string>;
  awsCodeCommit?: SCMProviderGeneratorAWSCodeCommit;
}

export interface SCMProviderGeneratorAWSCodeCommit {
  tagFilters?: TagFilter[];
  role?: string;
  region?: string;
  allBranches?: boolean;
}

export interface SCMProviderGeneratorAzureDevOps {
  organization: string;
  api?: string;
  teamProject: string;
  accessTokenRef: SecretRef | null;
  allBranches?: boolean;
}

export interface SCMProviderGeneratorBitbucket {
  owner: string;
  user: string;
  appPasswordRef: SecretRef | null;
  allBranches?: boolean;
}

export interface SCMProviderGeneratorBitbucketServer {
  project: string;
  api: string;
  basicAuth?: BasicAuthBitbucketServer;
  allBranches?: boolean;
  bearerToken?: BearerTokenBitbucket;
  insecure?: boolean;
  caRef?: ConfigMapKeyRef;
}

export interface SCMProviderGeneratorFilter {
  repositoryMatch?: string;
  pathsExist?: string[];
  pathsDoNotExist?: string[];
  labelMatch?: string;
  branchMatch?: string;
}

export interface SCMProviderGeneratorGitea {
  owner: string;
  api: string;
  tokenRef?: SecretRef;
  allBranches?: boolean;
  insecure?: boolean;
  excludeArchivedRepos?: boolean;
}

export interface SCMProviderGeneratorGithub {
  organization: string;
  api?: string;
  tokenRef?: SecretRef;
  appSecretName?: string;
  allBranches?: boolean;
  excludeArchivedRepos?: boolean;
}

export interface SCMProviderGeneratorGitlab {
  group: string;
  includeSubgroups?: boolean;
  api?: string;
  tokenRef?: SecretRef;
  allBranches?: boolean;
  insecure?: boolean;
  includeSharedProjects?: boolean;
  topic?: string;
  caRef?: ConfigMapKeyRef;
  includeArchivedRepos?: boolean;
}

export interface SecretRef {
  secretName: string;
  key: string;
}

export interface SignatureKey {
  keyID: string;
}

export interface SourceHydrator {
  drySource: DrySource;
  syncSource: SyncSource;
  hydrateTo?: HydrateTo;
}

export interface SourceHydratorStatus {
  lastSuccessfulOperation?: SuccessfulHydrateOperation;
  currentOperation?: HydrateOperation;
  lastComparedDryRevision?: string;
}

export interface SourceIntegrity {
  git: SourceIntegrityGit | null;
}

export interface SourceIntegrityCheckResult {
  Checks: SourceIntegrityCheckResultItem[];
}

export interface SourceIntegrityCheckResultItem {
  Name: string;
  Problems: string[];
}

export interface SourceIntegrityGit {
  policies: SourceIntegrityGitPolicy[];
}

export interface SourceIntegrityGitPolicy {
  repos: SourceIntegrityGitPolicyRepo[];
  gpg: SourceIntegrityGitPolicyGPG | null;
}

export interface SourceIntegrityGitPolicyGPG {
  mode: string;
  keys: string[];
}

export interface SourceIntegrityGitPolicyRepo {
  url: string;
}

export interface SuccessfulHydrateOperation {
  drySHA?: string;
  hydratedSHA?: string;
  sourceHydrator?: SourceHydrator;
}

export interface SyncOperation {
  revision?: string;
  prune?: boolean;
  dryRun?: boolean;
  syncStrategy?: SyncStrategy;
  resources?: SyncOperationResource[];
  source?: ApplicationSource;
  manifests?: string[];
  syncOptions?: string[];
  sources?: ApplicationSource[];
  revisions?: string[];
  autoHealAttemptsCount?: number;
}

export interface SyncOperationResource {
  group?: string;
  kind: string;
  name: string;
  namespace?: string;
}

export interface SyncOperationResult {
  resources?: ResourceResult[];
  revision: string;
  source?: ApplicationSource;
  sources?: ApplicationSource[];
  revisions?: string[];
  managedNamespaceMetadata?: ManagedNamespaceMetadata;
}

export interface SyncPolicy {
  automated?: SyncPolicyAutomated;
  syncOptions?: string[];
  retry?: RetryStrategy;
  managedNamespaceMetadata?: ManagedNamespaceMetadata;
}

export interface SyncPolicyAutomated {
  prune?: boolean;
  selfHeal?: boolean;
  allowEmpty?: boolean;
  enabled?: boolean;
}

export interface SyncSource {
  targetBranch: string;
  path: string;
  repoURL?: string;
}

export interface SyncStatus {
  status: string;
  comparedTo?: ComparedTo;
  revision?: string;
  revisions?: string[];
}

export interface SyncStrategy {
  apply?: SyncStrategyApply;
  hook?: SyncStrategyHook;
}

export interface SyncStrategyApply {
  force?: boolean;
}

export interface SyncStrategyHook extends SyncStrategyApply {}

export interface SyncWindow {
  kind?: string;
  schedule?: string;
  duration?: string;
  applications?: string[];
  namespaces?: string[];
  clusters?: string[];
  manualSync?: boolean;
  timeZone?: string;
  andOperator?: boolean;
  description?: string;
  syncOverrun?: boolean;
}

export interface TLSClientConfig {
  insecure: boolean;
  serverName?: string;
  certData?: string;
  keyData?: string;
  caData?: string;
}

export interface TagFilter {
  key: string;
  value?: string;
}

export interface RepositoryCertificateCreateRequest {
  certificates?: RepositoryCertificateList;
  upsert?: boolean;
}

export interface RepositoryCertificateQuery {
  hostNamePattern?: string;
  certType?: string;
  certSubType?: string;
}

export interface Claim {
  essential?: boolean;
  value?: string;
  values?: string[];
}

export interface ClusterCreateRequest {
  cluster?: Cluster;
  upsert?: boolean;
}

export interface ClusterID {
  type?: string;
  value?: string;
}

export interface ClusterQuery {
  server?: string;
  name?: string;
  id?: ClusterID;
}

export type ClusterResponse = Record<string, never>;

export interface ClusterUpdateRequest {
  cluster?: Cluster;
  updatedFields?: string[];
  id?: ClusterID;
}

export interface Connector {
  name?: string;
  type?: string;
}

export interface DexConfig {
  connectors?: Connector[];
}

export interface GoogleAnalyticsConfig {
  trackingID?: string;
  anonymizeUsers?: boolean;
}

export interface Help {
  chatUrl?: string;
  chatText?: string;
  binaryUrls?: Record<string, string>;
}

export interface OIDCConfig {
  name?: string;
  issuer?: string;
  clientID?: string;
  cliClientID?: string;
  scopes?: string[];
  idTokenClaims?: Record<string, Claim>;
  enablePKCEAuthentication?: boolean;
}

export interface Plugin {
  name?: string;
}

export interface Settings {
  url?: string;
  dexConfig?: DexConfig;
  oidcConfig?: OIDCConfig;
  appLabelKey?: string;
  resourceOverrides?: Record<string, ResourceOverride>;
  statusBadgeEnabled?: boolean;
  googleAnalytics?: GoogleAnalyticsConfig;
  kustomizeOptions?: KustomizeOptions;
  help?: Help;
  plugins?: Plugin[];
  userLoginsDisabled?: boolean;
  configManagementPlugins?: ConfigManagementPlugin[];
  kustomizeVersions?: string[];
  uiCssURL?: string;
  uiBannerContent?: string;
  uiBannerURL?: string;
  passwordPattern?: string;
  trackingMethod?: string;
  uiBannerPermanent?: boolean;
  uiBannerPosition?: string;
  statusBadgeRootUrl?: string;
  execEnabled?: boolean;
  controllerNamespace?: string;
  appsInAnyNamespaceEnabled?: boolean;
  impersonationEnabled?: boolean;
  installationID?: string;
  additionalUrls?: string[];
  hydratorEnabled?: boolean;
  syncWithReplaceAllowed?: boolean;
}

export interface SettingsPluginsResponse {
  plugins?: Plugin[];
}

export type SettingsQuery = Record<string, never>;

export interface Event {
  metadata: ObjectMeta;
  involvedObject: ObjectReference;
  reason?: string;
  message?: string;
  source: EventSource;
  firstTimestamp: Time;
  lastTimestamp: Time;
  count?: number;
  type?: string;
  eventTime: MicroTime;
  series?: EventSeries;
  action?: string;
  related?: ObjectReference;
  reportingComponent?: string;
  reportingInstance?: string;
}

export interface EventList {
  metadata: ListMeta;
  items: Event[];
}

export interface EventSeries {
  count?: number;
  lastObservedTime: MicroTime;
}

export interface EventSource {
  component?: string;
  host?: string;
}

export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
}

export type Empty = Record<string, never>;

export interface GnuPGPublicKeyCreateRequest {
  publickey?: GnuPGPublicKey;
  upsert?: boolean;
}

export interface GnuPGPublicKeyCreateResponse {
  created?: GnuPGPublicKeyList;
  skipped?: string[];
}

export interface GnuPGPublicKeyQuery {
  keyID?: string;
}

export type GnuPGPublicKeyResponse = Record<string, never>;

export type JSON = unknown;

export interface LoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ipMode?: string;
  ports?: PortStatus[];
}

export interface NodeSwapStatus {
  capacity?: number;
}

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

export interface PortStatus {
  port: number;
  protocol: string;
  error?: string;
}

export type IntOrString = number | string;

export type FieldsV1 = unknown;

export interface GroupKind {
  group: string;
  kind: string;
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

export interface ListMeta {
  selfLink?: string;
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
  shardInfo?: ShardInfo;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: Time;
  fieldsType?: string;
  fieldsV1?: FieldsV1;
  subresource?: string;
}

export type MicroTime = string | null;

export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: Time;
  deletionTimestamp?: Time;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ShardInfo {
  selector: string;
}

export type Time = string | null;

export type RawExtension = unknown;

export interface Service {
  name: string;
}

export interface ServiceList {
  items?: Service[];
}

export type ServicesListRequest = Record<string, never>;

export interface Template {
  name: string;
}

export interface TemplateList {
  items?: Template[];
}

export type TemplatesListRequest = Record<string, never>;

export interface Trigger {
  name: string;
}

export interface TriggerList {
  items?: Trigger[];
}

export type TriggersListRequest = Record<string, never>;

export interface DetailedProjectsResponse {
  globalProjects?: AppProject[];
  project?: AppProject;
  repositories?: Repository[];
  clusters?: Cluster[];
}

export type ProjectEmptyResponse = Record<string, never>;

export interface GlobalProjectsResponse {
  items?: AppProject[];
}

export interface ListProjectLinksRequest {
  name?: string;
}

export interface ProjectCreateRequest {
  project?: AppProject;
  upsert?: boolean;
}

export interface ProjectQuery {
  name?: string;
}

export interface ProjectTokenCreateRequest {
  project?: string;
  description?: string;
  role?: string;
  expiresIn?: number;
  id?: string;
}

export interface ProjectTokenDeleteRequest {
  project?: string;
  role?: string;
  iat?: number;
  id?: string;
}

export interface ProjectTokenResponse {
  token?: string;
}

export interface ProjectUpdateRequest {
  project?: AppProject;
}

export interface SyncWindowsQuery {
  name?: string;
}

export interface SyncWindowsResponse {
  windows?: SyncWindow[];
}

export interface RepoCredsCreateRequest {
  creds?: RepoCreds;
  upsert?: boolean;
}

export interface RepoCredsDeleteRequest {
  url?: string;
}

export interface RepoCredsQuery {
  url?: string;
}

export type RepoCredsResponse = Record<string, never>;

export interface RepoCredsUpdateRequest {
  creds?: RepoCreds;
}

export interface AppInfo {
  type?: string;
  path?: string;
}

export type DirectoryAppSpec = Record<string, never>;

export interface HelmAppSpec {
  name?: string;
  valueFiles?: string[];
  parameters?: HelmParameter[];
  values?: string;
  fileParameters?: HelmFileParameter[];
}

export interface HelmChart {
  name?: string;
  versions?: string[];
}

export interface HelmChartsResponse {
  items?: HelmChart[];
}

export interface KustomizeAppSpec {
  images?: string[];
}

export interface ManifestResponse {
  manifests?: string[];
  namespace?: string;
  server?: string;
  revision?: string;
  sourceType?: string;
  verifyResult?: string;
  commands?: string[];
  sourceIntegrityResult?: SourceIntegrityCheckResult;
}

export interface ParameterAnnouncement {
  name?: string;
  title?: string;
  tooltip?: string;
  required?: boolean;
  itemType?: string;
  collectionType?: string;
  string?: string;
  array?: string[];
  map?: Record<string, string>;
}

export interface PluginAppSpec {
  parametersAnnouncement?: ParameterAnnouncement[];
}

export interface Refs {
  branches?: string[];
  tags?: string[];
}

export interface RepoAccessQuery {
  repo?: string;
  username?: string;
  password?: string;
  sshPrivateKey?: string;
  insecure?: boolean;
  tlsClientCertData?: string;
  tlsClientCertKey?: string;
  type?: string;
  name?: string;
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

export interface RepoAppDetailsQuery {
  source?: ApplicationSource;
  appName?: string;
  appProject?: string;
  sourceIndex?: number;
  versionId?: number;
}

export interface RepoAppDetailsResponse {
  type?: string;
  helm?: HelmAppSpec;
  kustomize?: KustomizeAppSpec;
  directory?: DirectoryAppSpec;
  plugin?: PluginAppSpec;
}

export interface RepoAppsQuery {
  repo?: string;
  revision?: string;
  appName?: string;
  appProject?: string;
}

export interface RepoAppsResponse {
  items?: AppInfo[];
}

export interface RepoCreateRequest {
  repo?: Repository;
  upsert?: boolean;
  credsOnly?: boolean;
}

export interface RepoQuery {
  repo?: string;
  forceRefresh?: boolean;
  appProject?: string;
}

export type RepoResponse = Record<string, never>;

export interface RepoUpdateRequest {
  repo?: Repository;
}

export type GetUserInfoRequest = Record<string, never>;

export interface GetUserInfoResponse {
  loggedIn?: boolean;
  username?: string;
  iss?: string;
  groups?: string[];
}

export interface SessionCreateRequest {
  username?: string;
  password?: string;
  token?: string;
}

export type SessionDeleteRequest = Record<string, never>;

export interface SessionResponse {
  token?: string;
}

export interface VersionMessage {
  Version?: string;
  BuildDate?: string;
  GitCommit?: string;
  GitTag?: string;
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

export interface AccountService<Call> {
  CanI(request: CanIRequest, call: Call): Promise<CanIResponse>;
  UpdatePassword(request: UpdatePasswordRequest, call: Call): Promise<UpdatePasswordResponse>;
  ListAccounts(request: ListAccountRequest, call: Call): Promise<AccountsList>;
  GetAccount(request: GetAccountRequest, call: Call): Promise<Account>;
  CreateToken(request: CreateTokenRequest, call: Call): Promise<CreateTokenResponse>;
  DeleteToken(request: DeleteTokenRequest, call: Call): Promise<AccountEmptyResponse>;
}

export interface ApplicationService<Call> {
  List(request: ApplicationQuery, call: Call): Promise<ApplicationList>;
  ListResourceEvents(request: ApplicationResourceEventsQuery, call: Call): Promise<EventList>;
  Watch(request: ApplicationQuery, call: Call): AsyncIterable<ApplicationWatchEvent>;
  Create(request: ApplicationCreateRequest, call: Call): Promise<Application>;
  Get(request: ApplicationQuery, call: Call): Promise<Application>;
  GetApplicationSyncWindows(request: ApplicationSyncWindowsQuery, call: Call): Promise<ApplicationSyncWindowsResponse>;
  RevisionMetadata(request: RevisionMetadataQuery, call: Call): Promise<RevisionMetadata>;
  RevisionChartDetails(request: RevisionMetadataQuery, call: Call): Promise<ChartDetails>;
  GetOCIMetadata(request: RevisionMetadataQuery, call: Call): Promise<OCIMetadata>;
  GetManifests(request: ApplicationManifestQuery, call: Call): Promise<ManifestResponse>;
  GetManifestsWithFiles(requests: AsyncIterable<ApplicationManifestQueryWithFilesWrapper>, call: Call): Promise<ManifestResponse>;
  Update(request: ApplicationUpdateRequest, call: Call): Promise<Application>;
  UpdateSpec(request: ApplicationUpdateSpecRequest, call: Call): Promise<ApplicationSpec>;
  Patch(request: ApplicationPatchRequest, call: Call): Promise<Application>;
  Delete(request: ApplicationDeleteRequest, call: Call): Promise<ApplicationResponse>;
  Sync(request: ApplicationSyncRequest, call: Call): Promise<Application>;
  ManagedResources(request: ResourcesQuery, call: Call): Promise<ManagedResourcesResponse>;
  ServerSideDiff(request: ApplicationServerSideDiffQuery, call: Call): Promise<ApplicationServerSideDiffResponse>;
  ResourceTree(request: ResourcesQuery, call: Call): Promise<ApplicationTree>;
  WatchResourceTree(request: ResourcesQuery, call: Call): AsyncIterable<ApplicationTree>;
  Rollback(request: ApplicationRollbackRequest, call: Call): Promise<Application>;
  TerminateOperation(request: OperationTerminateRequest, call: Call): Promise<OperationTerminateResponse>;
  GetResource(request: ApplicationResourceRequest, call: Call): Promise<ApplicationResourceResponse>;
  PatchResource(request: ApplicationResourcePatchRequest, call: Call): Promise<ApplicationResourceResponse>;
  ListResourceActions(request: ApplicationResourceRequest, call: Call): Promise<ResourceActionsListResponse>;
  RunResourceAction(request: ResourceActionRunRequest, call: Call): Promise<ApplicationResponse>;
  RunResourceActionV2(request: ResourceActionRunRequestV2, call: Call): Promise<ApplicationResponse>;
  DeleteResource(request: ApplicationResourceDeleteRequest, call: Call): Promise<ApplicationResponse>;
  PodLogs(request: ApplicationPodLogsQuery, call: Call): AsyncIterable<LogEntry>;
  ListLinks(request: ListAppLinksRequest, call: Call): Promise<LinksResponse>;
  ListResourceLinks(request: ApplicationResourceRequest, call: Call): Promise<LinksResponse>;
}

export interface ApplicationSetService<Call> {
  Get(request: ApplicationSetGetQuery, call: Call): Promise<ApplicationSet>;
  Generate(request: ApplicationSetGenerateRequest, call: Call): Promise<ApplicationSetGenerateResponse>;
  List(request: ApplicationSetListQuery, call: Call): Promise<ApplicationSetList>;
  Create(request: ApplicationSetCreateRequest, call: Call): Promise<ApplicationSet>;
  Delete(request: ApplicationSetDeleteRequest, call: Call): Promise<ApplicationSetResponse>;
  ResourceTree(request: ApplicationSetTreeQuery, call: Call): Promise<ApplicationSetTree>;
  ListResourceEvents(request: ApplicationSetGetQuery, call: Call): Promise<EventList>;
  Watch(request: ApplicationSetWatchQuery, call: Call): AsyncIterable<ApplicationSetWatchEvent>;
}

export interface CertificateService<Call> {
  ListCertificates(request: RepositoryCertificateQuery, call: Call): Promise<RepositoryCertificateList>;
  CreateCertificate(request: RepositoryCertificateCreateRequest, call: Call): Promise<RepositoryCertificateList>;
  DeleteCertificate(request: RepositoryCertificateQuery, call: Call): Promise<RepositoryCertificateList>;
}

export interface ClusterService<Call> {
  List(request: ClusterQuery, call: Call): Promise<ClusterList>;
  Create(request: ClusterCreateRequest, call: Call): Promise<Cluster>;
  Get(request: ClusterQuery, call: Call): Promise<Cluster>;
  Update(request: ClusterUpdateRequest, call: Call): Promise<Cluster>;
  Delete(request: ClusterQuery, call: Call): Promise<ClusterResponse>;
  RotateAuth(request: ClusterQuery, call: Call): Promise<ClusterResponse>;
  InvalidateCache(request: ClusterQuery, call: Call): Promise<Cluster>;
}

export interface SettingsService<Call> {
  Get(request: SettingsQuery, call: Call): Promise<Settings>;
  GetPlugins(request: SettingsQuery, call: Call): Promise<SettingsPluginsResponse>;
}

export interface GPGKeyService<Call> {
  List(request: GnuPGPublicKeyQuery, call: Call): Promise<GnuPGPublicKeyList>;
  Get(request: GnuPGPublicKeyQuery, call: Call): Promise<GnuPGPublicKey>;
  Create(request: GnuPGPublicKeyCreateRequest, call: Call): Promise<GnuPGPublicKeyCreateResponse>;
  Delete(request: GnuPGPublicKeyQuery, call: Call): Promise<GnuPGPublicKeyResponse>;
}

export interface NotificationService<Call> {
  ListTriggers(request: TriggersListRequest, call: Call): Promise<TriggerList>;
  ListServices(request: ServicesListRequest, call: Call): Promise<ServiceList>;
  ListTemplates(request: TemplatesListRequest, call: Call): Promise<TemplateList>;
}

export interface ProjectService<Call> {
  CreateToken(request: ProjectTokenCreateRequest, call: Call): Promise<ProjectTokenResponse>;
  DeleteToken(request: ProjectTokenDeleteRequest, call: Call): Promise<ProjectEmptyResponse>;
  Create(request: ProjectCreateRequest, call: Call): Promise<AppProject>;
  List(request: ProjectQuery, call: Call): Promise<AppProjectList>;
  GetDetailedProject(request: ProjectQuery, call: Call): Promise<DetailedProjectsResponse>;
  Get(request: ProjectQuery, call: Call): Promise<AppProject>;
  GetGlobalProjects(request: ProjectQuery, call: Call): Promise<GlobalProjectsResponse>;
  Update(request: ProjectUpdateRequest, call: Call): Promise<AppProject>;
  Delete(request: ProjectQuery, call: Call): Promise<ProjectEmptyResponse>;
  ListEvents(request: ProjectQuery, call: Call): Promise<EventList>;
  GetSyncWindowsState(request: SyncWindowsQuery, call: Call): Promise<SyncWindowsResponse>;
  ListLinks(request: ListProjectLinksRequest, call: Call): Promise<LinksResponse>;
}

export interface RepoCredsService<Call> {
  ListRepositoryCredentials(request: RepoCredsQuery, call: Call): Promise<RepoCredsList>;
  ListWriteRepositoryCredentials(request: RepoCredsQuery, call: Call): Promise<RepoCredsList>;
  CreateRepositoryCredentials(request: RepoCredsCreateRequest, call: Call): Promise<RepoCreds>;
  CreateWriteRepositoryCredentials(request: RepoCredsCreateRequest, call: Call): Promise<RepoCreds>;
  UpdateRepositoryCredentials(request: RepoCredsUpdateRequest, call: Call): Promise<RepoCreds>;
  UpdateWriteRepositoryCredentials(request: RepoCredsUpdateRequest, call: Call): Promise<RepoCreds>;
  DeleteRepositoryCredentials(request: RepoCredsDeleteRequest, call: Call): Promise<RepoCredsResponse>;
  DeleteWriteRepositoryCredentials(request: RepoCredsDeleteRequest, call: Call): Promise<RepoCredsResponse>;
}

export interface RepositoryService<Call> {
  List(request: RepoQuery, call: Call): Promise<RepositoryList>;
  Get(request: RepoQuery, call: Call): Promise<Repository>;
  GetWrite(request: RepoQuery, call: Call): Promise<Repository>;
  ListRepositories(request: RepoQuery, call: Call): Promise<RepositoryList>;
  ListWriteRepositories(request: RepoQuery, call: Call): Promise<RepositoryList>;
  ListRefs(request: RepoQuery, call: Call): Promise<Refs>;
  ListOCITags(request: RepoQuery, call: Call): Promise<Refs>;
  ListApps(request: RepoAppsQuery, call: Call): Promise<RepoAppsResponse>;
  GetAppDetails(request: RepoAppDetailsQuery, call: Call): Promise<RepoAppDetailsResponse>;
  GetHelmCharts(request: RepoQuery, call: Call): Promise<HelmChartsResponse>;
  Create(request: RepoCreateRequest, call: Call): Promise<Repository>;
  CreateRepository(request: RepoCreateRequest, call: Call): Promise<Repository>;
  CreateWriteRepository(request: RepoCreateRequest, call: Call): Promise<Repository>;
  Update(request: RepoUpdateRequest, call: Call): Promise<Repository>;
  UpdateRepository(request: RepoUpdateRequest, call: Call): Promise<Repository>;
  UpdateWriteRepository(request: RepoUpdateRequest, call: Call): Promise<Repository>;
  Delete(request: RepoQuery, call: Call): Promise<RepoResponse>;
  DeleteRepository(request: RepoQuery, call: Call): Promise<RepoResponse>;
  DeleteWriteRepository(request: RepoQuery, call: Call): Promise<RepoResponse>;
  ValidateAccess(request: RepoAccessQuery, call: Call): Promise<RepoResponse>;
  ValidateWriteAccess(request: RepoAccessQuery, call: Call): Promise<RepoResponse>;
}

export interface SessionService<Call> {
  GetUserInfo(request: GetUserInfoRequest, call: Call): Promise<GetUserInfoResponse>;
  Create(request: SessionCreateRequest, call: Call): Promise<SessionResponse>;
  Delete(request: SessionDeleteRequest, call: Call): Promise<SessionResponse>;
}

export interface VersionService<Call> {
  Version(request: Empty, call: Call): Promise<VersionMessage>;
}
