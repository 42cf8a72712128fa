/**
 * The paths, verbs and parameters that the API document promises to users, in its words: `[<verb> <path>, <parameters>]`.
 * `{app}`-like short forms are written out; parameters in the path are not repeated.
 */
const RESOURCE = 'namespace resourceName version group kind appNamespace';
const TREE = 'namespace name version group kind appNamespace';
const LIST = 'name refresh projects resourceVersion selector repo appNamespace';
const ACCESS =
  'username password sshPrivateKey insecure tlsClientCertData tlsClientCertKey type name enableOci scmAppPrivateKey scmAppID ' +
  'scmAppInstallationID scmAppEnterpriseBaseUrl proxy project cloudServiceAccountKey forceHttpBasicAuth';

export const PROMISED_ROUTES: readonly (readonly [route: string, parameters: string])[] = [
  ['GET /api/v1/applications', LIST],
  ['GET /api/v1/applications/{name}', 'refresh project appNamespace'],
  ['POST /api/v1/applications', 'application upsert validate'],
  ['PUT /api/v1/applications/{application.metadata.name}', 'application validate project'],
  ['PUT /api/v1/applications/{name}/spec', 'spec validate appNamespace'],
  ['PATCH /api/v1/applications/{name}', 'patch patchType appNamespace'],
  ['DELETE /api/v1/applications/{name}', 'cascade propagationPolicy appNamespace project'],
  ['POST /api/v1/applications/{name}/sync', 'revision prune dryRun strategy resources manifests syncOptions appNamespace revisions'],
  ['DELETE /api/v1/applications/{name}/operation', 'appNamespace'],
  ['POST /api/v1/applications/{name}/rollback', 'id prune dryRun appNamespace'],
  ['GET /api/v1/applications/{name}/manifests', 'revision appNamespace noCache'],
  ['GET /api/v1/applications/{applicationName}/resource-tree', TREE],
  ['GET /api/v1/stream/applications/{applicationName}/resource-tree', TREE],
  ['GET /api/v1/applications/{applicationName}/managed-resources', TREE],
  ['GET /api/v1/applications/{name}/resource', RESOURCE],
  ['POST /api/v1/applications/{name}/resource', `${RESOURCE} patch patchType`],
  ['DELETE /api/v1/applications/{name}/resource', `${RESOURCE} force orphan`],
  ['GET /api/v1/applications/{name}/resource/actions', RESOURCE],
  ['POST /api/v1/applications/{name}/resource/actions/v2', 'namespace resourceName version group kind action resourceActionParameters'],
  ['GET /api/v1/applications/{name}/pods/{podName}/logs', 'namespace container sinceSeconds tailLines follow filter previous'],
  ['GET /api/v1/applications/{name}/events', 'resourceNamespace resourceName resourceUID'],
  ['GET /api/v1/applications/{name}/syncwindows', 'appNamespace'],
  ['GET /api/v1/applications/{name}/revisions/{revision}/metadata', 'appNamespace'],
  ['GET /api/v1/applications/{name}/links', 'namespace'],
  ['GET /api/v1/stream/applications', LIST],

  ['GET /api/v1/projects', ''],
  ['GET /api/v1/projects/{name}', ''],
  ['GET /api/v1/projects/{name}/detailed', ''],
  ['POST /api/v1/projects', 'project upsert'],
  ['PUT /api/v1/projects/{project.metadata.name}', 'project'],
  ['DELETE /api/v1/projects/{name}', ''],
  ['POST /api/v1/projects/{project}/roles/{role}/token', 'description expiresIn id'],
  ['DELETE /api/v1/projects/{project}/roles/{role}/token/{iat}', 'id'],
  ['GET /api/v1/projects/{name}/syncwindows', ''],
  ['GET /api/v1/projects/{name}/events', ''],
  ['GET /api/v1/projects/{name}/links', ''],
  ['GET /api/v1/projects/{name}/globalprojects', ''],

  ['GET /api/v1/repositories', 'repo forceRefresh appProject'],
  ['GET /api/v1/repositories/{repo}', 'forceRefresh appProject'],
  ['POST /api/v1/repositories', 'repo upsert credsOnly'],
  ['PUT /api/v1/repositories/{repo.repo}', 'repo'],
  ['DELETE /api/v1/repositories/{repo}', ''],
  ['POST /api/v1/repositories/{repo}/validate', ACCESS],
  ['GET /api/v1/repositories/{repo}/refs', ''],
  ['GET /api/v1/repositories/{repo}/oci-tags', ''],
  ['GET /api/v1/repositories/{repo}/apps', 'revision appName appProject'],
  ['POST /api/v1/repositories/{source.repoURL}/appdetails', 'source appName appProject sourceIndex versionId'],
  ['GET /api/v1/repositories/{repo}/helmcharts', ''],
  ['GET /api/v1/write-repositories', 'repo forceRefresh appProject'],
  ['GET /api/v1/write-repositories/{repo}', ''],
  ['POST /api/v1/write-repositories', 'repo upsert credsOnly'],
  ['PUT /api/v1/write-repositories/{repo.repo}', 'repo'],
  ['DELETE /api/v1/write-repositories/{repo}', ''],
  ['POST /api/v1/write-repositories/{repo}/validate', ACCESS],

  ['GET /api/v1/clusters', 'server name id'],
  ['GET /api/v1/clusters/{id.value}', 'server name id'],
  ['POST /api/v1/clusters', 'cluster upsert'],
  ['PUT /api/v1/clusters/{id.value}', 'cluster updatedFields id'],
  ['DELETE /api/v1/clusters/{id.value}', 'id'],
  ['POST /api/v1/clusters/{id.value}/rotate-auth', 'id'],
  ['POST /api/v1/clusters/{id.value}/invalidate-cache', 'id'],

  ['GET /api/v1/applicationsets', 'projects selector appsetNamespace'],
  ['GET /api/v1/applicationsets/{name}', 'appsetNamespace'],
  ['POST /api/v1/applicationsets', 'applicationset upsert dryRun'],
  ['DELETE /api/v1/applicationsets/{name}', 'appsetNamespace'],
  ['POST /api/v1/applicationsets/generate', 'applicationSet'],
  ['GET /api/v1/applicationsets/{name}/resource-tree', 'appsetNamespace'],
  ['GET /api/v1/applicationsets/{name}/events', 'appsetNamespace'],
  ['GET /api/v1/stream/applicationsets', 'projects selector appsetNamespace resourceVersion'],

  ['GET /api/v1/account', ''],
  ['GET /api/v1/account/{name}', ''],
  ['PUT /api/v1/account/password', ''],
  ['POST /api/v1/account/{name}/token', ''],
  ['DELETE /api/v1/account/{name}/token/{id}', ''],
  ['GET /api/v1/account/can-i/{resource}/{action}/{subresource}', ''],

  ['POST /api/v1/session', 'username password token'],
  ['GET /api/v1/session/userinfo', ''],
  ['DELETE /api/v1/session', ''],
  ['GET /api/v1/settings', ''],
];

/** Fields of resources and answers, by the full name of the message that has them. */
export const PROMISED_FIELDS: Readonly<Record<string, string>> = {
  'argoproj.v1alpha1.ApplicationSpec': 'source sources destination project syncPolicy',
  'argoproj.v1alpha1.ApplicationSource': 'repoURL path targetRevision chart helm kustomize',
  'argoproj.v1alpha1.ApplicationDestination': 'server name namespace',
  'argoproj.v1alpha1.SyncPolicy': 'automated syncOptions retry',
  'argoproj.v1alpha1.SyncPolicyAutomated': 'prune selfHeal allowEmpty',
  'argoproj.v1alpha1.AppProjectSpec':
    'description sourceRepos destinations clusterResourceWhitelist clusterResourceBlacklist namespaceResourceWhitelist ' +
    'namespaceResourceBlacklist roles syncWindows sourceNamespaces',
  'argoproj.v1alpha1.ClusterResourceRestrictionItem': 'group kind',
  'k8s.meta.v1.GroupKind': 'group kind',
  'argoproj.v1alpha1.ProjectRole': 'name description policies groups jwtTokens',
  'argoproj.v1alpha1.SyncWindow': 'kind schedule duration applications manualSync',
  'application.ApplicationSyncWindowsResponse': 'activeWindows assignedWindows canSync',
  'argoproj.v1alpha1.Repository':
    'repo type name project username password sshPrivateKey bearerToken tlsClientCertData tlsClientCertKey scmAppPrivateKey scmAppID ' +
    'scmAppInstallationID scmAppEnterpriseBaseUrl cloudServiceAccountKey useCloudWorkloadIdentity insecure enableLfs enableOCI proxy ' +
    'forceHttpBasicAuth insecureOCIForceHttp depth connectionState',
  'argoproj.v1alpha1.ConnectionState': 'status message attemptedAt',
  'repository.AppInfo': 'type path',
  'repository.HelmChart': 'name versions',
  'repository.Refs': 'branches tags',
  'repository.RepoAppDetailsResponse': 'type helm kustomize directory plugin',
  'argoproj.v1alpha1.Cluster': 'server name config',
  'argoproj.v1alpha1.TLSClientConfig': 'insecure',
  'cluster.ClusterID': 'type value',
  'argoproj.v1alpha1.ApplicationSetSpec': 'generators template syncPolicy strategy goTemplate',
  'argoproj.v1alpha1.ApplicationSetTemplate': 'metadata spec',
  'argoproj.v1alpha1.ApplicationSetTemplateMeta': 'name labels annotations',
  'argoproj.v1alpha1.ApplicationSetSyncPolicy': 'preserveResourcesOnDeletion applicationsSync',
  'argoproj.v1alpha1.ApplicationSetStrategy': 'type rollingSync',
  'argoproj.v1alpha1.ApplicationSetRolloutStrategy': 'steps',
  'argoproj.v1alpha1.ApplicationSetRolloutStep': 'matchExpressions maxUpdate',
  'argoproj.v1alpha1.ApplicationMatchExpression': 'key operator values',
  'argoproj.v1alpha1.ApplicationSetGenerator': 'list clusters git matrix merge scmProvider pullRequest',
  'argoproj.v1alpha1.ListGenerator': 'elements',
  'argoproj.v1alpha1.ClusterGenerator': 'selector',
  'argoproj.v1alpha1.GitGenerator': 'repoURL revision directories files',
  'argoproj.v1alpha1.MatrixGenerator': 'generators',
  'argoproj.v1alpha1.SCMProviderGenerator': 'filters',
  'argoproj.v1alpha1.SCMProviderGeneratorFilter': 'repositoryMatch',
  'argoproj.v1alpha1.PullRequestGenerator': 'filters',
  'argoproj.v1alpha1.PullRequestGeneratorFilter': 'branchMatch',
  'argoproj.v1alpha1.SecretRef': 'secretName key',
  'account.Account': 'name enabled capabilities tokens',
  'account.Token': 'id issuedAt expiresAt',
  'session.SessionResponse': 'token',
  'session.GetUserInfoResponse': 'loggedIn username iss groups',
  'application.LogEntry': 'content timeStampStr podName last',
};

/** The methods that the document names, by service. */
export const PROMISED_METHODS: Readonly<Record<string, string>> = {
  'application.ApplicationService':
    'List Get Create Update UpdateSpec Patch Delete Sync TerminateOperation Rollback GetManifests ResourceTree WatchResourceTree ' +
    'ManagedResources GetResource PatchResource DeleteResource ListResourceActions RunResourceActionV2 PodLogs ListResourceEvents ' +
    'GetApplicationSyncWindows RevisionMetadata ListLinks Watch',
  'project.ProjectService': 'List Create CreateToken',
  'repository.RepositoryService':
    'ListRepositories ListWriteRepositories Get GetWrite CreateRepository CreateWriteRepository UpdateRepository UpdateWriteRepository ' +
    'DeleteRepository DeleteWriteRepository ValidateAccess ValidateWriteAccess ListRefs ListOCITags ListApps GetAppDetails GetHelmCharts',
  'cluster.ClusterService': 'List Get Create Update Delete RotateAuth InvalidateCache',
  'applicationset.ApplicationSetService': 'Get List Create Delete Generate ResourceTree ListResourceEvents Watch',
  'account.AccountService': 'ListAccounts GetAccount UpdatePassword CreateToken DeleteToken CanI',
};
