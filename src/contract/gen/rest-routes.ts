// Generated from proto/ by `npm run generate`. Do not edit.

import type {
  AccountService,
  ApplicationService,
  ApplicationSetService,
  CertificateService,
  ClusterService,
  SettingsService,
  GPGKeyService,
  NotificationService,
  ProjectService,
  RepoCredsService,
  RepositoryService,
  SessionService,
  VersionService,
} from './types.ts';

/** The services by name. */
export interface Services<Call> {
  AccountService: AccountService<Call>;
  ApplicationService: ApplicationService<Call>;
  ApplicationSetService: ApplicationSetService<Call>;
  CertificateService: CertificateService<Call>;
  ClusterService: ClusterService<Call>;
  SettingsService: SettingsService<Call>;
  GPGKeyService: GPGKeyService<Call>;
  NotificationService: NotificationService<Call>;
  ProjectService: ProjectService<Call>;
  RepoCredsService: RepoCredsService<Call>;
  RepositoryService: RepositoryService<Call>;
  SessionService: SessionService<Call>;
  VersionService: VersionService<Call>;
}

/** By service and method: verb, path, and the field that is the body (`*`: all that is not in the path). */
export const restRoutes = {
  AccountService: {
    CanI: 'GET /api/v1/account/can-i/{resource}/{action}/{subresource=**}',
    UpdatePassword: 'PUT /api/v1/account/password *',
    ListAccounts: 'GET /api/v1/account',
    GetAccount: 'GET /api/v1/account/{name}',
    CreateToken: 'POST /api/v1/account/{name}/token *',
    DeleteToken: 'DELETE /api/v1/account/{name}/token/{id}',
  },
  ApplicationService: {
    List: 'GET /api/v1/applications',
    ListResourceEvents: 'GET /api/v1/applications/{name}/events',
    Watch: 'STREAM GET /api/v1/stream/applications',
    Create: 'POST /api/v1/applications application',
    Get: 'GET /api/v1/applications/{name}',
    GetApplicationSyncWindows: 'GET /api/v1/applications/{name}/syncwindows',
    RevisionMetadata: 'GET /api/v1/applications/{name}/revisions/{revision}/metadata',
    RevisionChartDetails: 'GET /api/v1/applications/{name}/revisions/{revision}/chartdetails',
    GetOCIMetadata: 'GET /api/v1/applications/{name}/revisions/{revision}/ocimetadata',
    GetManifests: 'GET /api/v1/applications/{name}/manifests',
    GetManifestsWithFiles: 'POST /api/v1/applications/manifestsWithFiles *',
    Update: 'PUT /api/v1/applications/{application.metadata.name} application',
    UpdateSpec: 'PUT /api/v1/applications/{name}/spec spec',
    Patch: 'PATCH /api/v1/applications/{name} *',
    Delete: 'DELETE /api/v1/applications/{name}',
    Sync: 'POST /api/v1/applications/{name}/sync *',
    ManagedResources: 'GET /api/v1/applications/{applicationName}/managed-resources',
    ServerSideDiff: 'GET /api/v1/applications/{appName}/server-side-diff',
    ResourceTree: 'GET /api/v1/applications/{applicationName}/resource-tree',
    WatchResourceTree: 'STREAM GET /api/v1/stream/applications/{applicationName}/resource-tree',
    Rollback: 'POST /api/v1/applications/{name}/rollback *',
    TerminateOperation: 'DELETE /api/v1/applications/{name}/operation',
    GetResource: 'GET /api/v1/applications/{name}/resource',
    PatchResource: 'POST /api/v1/applications/{name}/resource patch',
    ListResourceActions: 'GET /api/v1/applications/{name}/resource/actions',
    RunResourceAction: 'POST /api/v1/applications/{name}/resource/actions action',
    RunResourceActionV2: 'POST /api/v1/applications/{name}/resource/actions/v2 *',
    DeleteResource: 'DELETE /api/v1/applications/{name}/resource',
    PodLogs: 'STREAM GET /api/v1/applications/{name}/logs',
    ListLinks: 'GET /api/v1/applications/{name}/links',
    ListResourceLinks: 'GET /api/v1/applications/{name}/resource/links',
  },
  ApplicationSetService: {
    Get: 'GET /api/v1/applicationsets/{name}',
    Generate: 'POST /api/v1/applicationsets/generate *',
    List: 'GET /api/v1/applicationsets',
    Create: 'POST /api/v1/applicationsets applicationset',
    Delete: 'DELETE /api/v1/applicationsets/{name}',
    ResourceTree: 'GET /api/v1/applicationsets/{name}/resource-tree',
    ListResourceEvents: 'GET /api/v1/applicationsets/{name}/events',
    Watch: 'STREAM GET /api/v1/stream/applicationsets',
  },
  CertificateService: {
    ListCertificates: 'GET /api/v1/certificates',
    CreateCertificate: 'POST /api/v1/certificates certificates',
    DeleteCertificate: 'DELETE /api/v1/certificates',
  },
  ClusterService: {
    List: 'GET /api/v1/clusters',
    Create: 'POST /api/v1/clusters cluster',
    Get: 'GET /api/v1/clusters/{id.value}',
    Update: 'PUT /api/v1/clusters/{id.value} cluster',
    Delete: 'DELETE /api/v1/clusters/{id.value}',
    RotateAuth: 'POST /api/v1/clusters/{id.value}/rotate-auth',
    InvalidateCache: 'POST /api/v1/clusters/{id.value}/invalidate-cache',
  },
  SettingsService: {
    Get: 'GET /api/v1/settings',
    GetPlugins: 'GET /api/v1/settings/plugins',
  },
  GPGKeyService: {
    List: 'GET /api/v1/gpgkeys',
    Get: 'GET /api/v1/gpgkeys/{keyID}',
    Create: 'POST /api/v1/gpgkeys publickey',
    Delete: 'DELETE /api/v1/gpgkeys',
  },
  NotificationService: {
    ListTriggers: 'GET /api/v1/notifications/triggers',
    ListServices: 'GET /api/v1/notifications/services',
    ListTemplates: 'GET /api/v1/notifications/templates',
  },
  ProjectService: {
    CreateToken: 'POST /api/v1/projects/{project}/roles/{role}/token *',
    DeleteToken: 'DELETE /api/v1/projects/{project}/roles/{role}/token/{iat}',
    Create: 'POST /api/v1/projects *',
    List: 'GET /api/v1/projects',
    GetDetailedProject: 'GET /api/v1/projects/{name}/detailed',
    Get: 'GET /api/v1/projects/{name}',
    GetGlobalProjects: 'GET /api/v1/projects/{name}/globalprojects',
    Update: 'PUT /api/v1/projects/{project.metadata.name} *',
    Delete: 'DELETE /api/v1/projects/{name}',
    ListEvents: 'GET /api/v1/projects/{name}/events',
    GetSyncWindowsState: 'GET /api/v1/projects/{name}/syncwindows',
    ListLinks: 'GET /api/v1/projects/{name}/links',
  },
  RepoCredsService: {
    ListRepositoryCredentials: 'GET /api/v1/repocreds',
    ListWriteRepositoryCredentials: 'GET /api/v1/write-repocreds',
    CreateRepositoryCredentials: 'POST /api/v1/repocreds creds',
    CreateWriteRepositoryCredentials: 'POST /api/v1/write-repocreds creds',
    UpdateRepositoryCredentials: 'PUT /api/v1/repocreds/{creds.url} creds',
    UpdateWriteRepositoryCredentials: 'PUT /api/v1/write-repocreds/{creds.url} creds',
    DeleteRepositoryCredentials: 'DELETE /api/v1/repocreds/{url}',
    DeleteWriteRepositoryCredentials: 'DELETE /api/v1/write-repocreds/{url}',
  },
  RepositoryService: {
    List: 'GET /api/v1/repositories',
    Get: 'GET /api/v1/repositories/{repo}',
    GetWrite: 'GET /api/v1/write-repositories/{repo}',
    ListRepositories: 'GET /api/v1/repositories',
    ListWriteRepositories: 'GET /api/v1/write-repositories',
    ListRefs: 'GET /api/v1/repositories/{repo}/refs',
    ListOCITags: 'GET /api/v1/repositories/{repo}/oci-tags',
    ListApps: 'GET /api/v1/repositories/{repo}/apps',
    GetAppDetails: 'POST /api/v1/repositories/{source.repoURL}/appdetails *',
    GetHelmCharts: 'GET /api/v1/repositories/{repo}/helmcharts',
    Create: 'POST /api/v1/repositories repo',
    CreateRepository: 'POST /api/v1/repositories repo',
    CreateWriteRepository: 'POST /api/v1/write-repositories repo',
    Update: 'PUT /api/v1/repositories/{repo.repo} repo',
    UpdateRepository: 'PUT /api/v1/repositories/{repo.repo} repo',
    UpdateWriteRepository: 'PUT /api/v1/write-repositories/{repo.repo} repo',
    Delete: 'DELETE /api/v1/repositories/{repo}',
    DeleteRepository: 'DELETE /api/v1/repositories/{repo}',
    DeleteWriteRepository: 'DELETE /api/v1/write-repositories/{repo}',
    ValidateAccess: 'POST /api/v1/repositories/{repo}/validate repo',
    ValidateWriteAccess: 'POST /api/v1/write-repositories/{repo}/validate repo',
  },
  SessionService: {
    GetUserInfo: 'GET /api/v1/session/userinfo',
    Create: 'POST /api/v1/session *',
    Delete: 'DELETE /api/v1/session',
  },
  VersionService: {
    Version: 'GET /api/version',
  },
} as const;
