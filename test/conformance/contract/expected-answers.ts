/** A part of what each method answers to the administrator about things that are there; `{}` is the whole answer. */
import type { Things } from './things.ts';

/**
 * The methods that answer with a refusal: there is no operation to end, and the token of the registered cluster is none of a service account where
 * everything is in one process.
 */
export const REFUSING: ReadonlySet<string> = new Set([
  'application.ApplicationService/TerminateOperation',
  'cluster.ClusterService/RotateAuth',
]);

type Answer = (things: Things) => string;

const part =
  (text: string): Answer =>
  () =>
    text;
const nothing = part('{}');
const named =
  (pick: (things: Things) => string): Answer =>
  (things) =>
    `"name":"${pick(things)}"`;

export const EXPECTED_ANSWERS: Readonly<Record<string, Answer>> = {
  'account.AccountService/CanI': part('{"value":"yes"}'),
  'account.AccountService/UpdatePassword': nothing,
  'account.AccountService/ListAccounts': named(({ account }) => account),
  'account.AccountService/GetAccount': named(({ account }) => account),
  'account.AccountService/CreateToken': part('"token":"ey'),
  'account.AccountService/DeleteToken': nothing,

  'application.ApplicationService/List': named(({ app }) => app),
  'application.ApplicationService/ListResourceEvents': part('"reason":"ResourceCreated"'),
  'application.ApplicationService/Watch': part('"type":"ADDED"'),
  'application.ApplicationService/Create': named(({ spare }) => spare),
  'application.ApplicationService/Get': part('"status":"Synced"'),
  'application.ApplicationService/GetApplicationSyncWindows': part('"activeWindows":[{"kind":"allow"'),
  'application.ApplicationService/RevisionMetadata': part('"author":"Ada Test <ada@example.com>"'),
  'application.ApplicationService/RevisionChartDetails': part('"home":"https://shop.example.com"'),
  'application.ApplicationService/GetOCIMetadata': part('"authors":"Ada"'),
  'application.ApplicationService/GetManifests': ({ revision }) => `"revision":"${revision}"`,
  'application.ApplicationService/GetManifestsWithFiles': part('\\"name\\":\\"local\\"'),
  'application.ApplicationService/Update': named(({ spare }) => spare),
  'application.ApplicationService/UpdateSpec': ({ project }) => `"project":"${project}"`,
  'application.ApplicationService/Patch': part('"patched":"yes"'),
  'application.ApplicationService/Delete': nothing,
  'application.ApplicationService/Sync': part('"dryRun":true'),
  'application.ApplicationService/ManagedResources': part('"kind":"Deployment"'),
  'application.ApplicationService/ServerSideDiff': part('"modified":false'),
  'application.ApplicationService/ResourceTree': part('"kind":"ReplicaSet"'),
  'application.ApplicationService/WatchResourceTree': part('"kind":"ReplicaSet"'),
  'application.ApplicationService/Rollback': part('"dryRun":true'),
  'application.ApplicationService/TerminateOperation': part('Unable to terminate operation. No operation is in progress'),
  'application.ApplicationService/GetResource': part('\\"kind\\":\\"Deployment\\"'),
  'application.ApplicationService/PatchResource': part('\\"patched\\":\\"yes\\"'),
  'application.ApplicationService/ListResourceActions': part('"name":"restart"'),
  'application.ApplicationService/RunResourceAction': nothing,
  'application.ApplicationService/RunResourceActionV2': nothing,
  'application.ApplicationService/DeleteResource': nothing,
  'application.ApplicationService/PodLogs': part('"podName":"web-'),
  'application.ApplicationService/ListLinks': ({ app }) => `"url":"https://board.example.com/${app}"`,
  'application.ApplicationService/ListResourceLinks': part('"url":"https://logs.example.com/web"'),

  'applicationset.ApplicationSetService/Get': named(({ set }) => set),
  'applicationset.ApplicationSetService/Generate': named(({ spareSet }) => `${spareSet}-one`),
  'applicationset.ApplicationSetService/List': named(({ set }) => set),
  'applicationset.ApplicationSetService/Create': named(({ spareSet }) => spareSet),
  'applicationset.ApplicationSetService/Delete': nothing,
  'applicationset.ApplicationSetService/ResourceTree': part('"kind":"ApplicationSet"'),
  'applicationset.ApplicationSetService/ListResourceEvents': part('"items":['),
  'applicationset.ApplicationSetService/Watch': part('"type":"ADDED"'),

  'certificate.CertificateService/ListCertificates': ({ host }) => `"serverName":"${host}"`,
  'certificate.CertificateService/CreateCertificate': ({ host }) => `"serverName":"${host}"`,
  'certificate.CertificateService/DeleteCertificate': ({ host }) => `"serverName":"${host}"`,

  'cluster.ClusterService/List': named(({ cluster }) => cluster.name),
  'cluster.ClusterService/Create': named(({ cluster }) => cluster.name),
  'cluster.ClusterService/Get': named(({ cluster }) => cluster.name),
  'cluster.ClusterService/Update': named(({ cluster }) => cluster.name),
  'cluster.ClusterService/Delete': nothing,
  'cluster.ClusterService/RotateAuth': part('the bearer token is not one of a service account that is kept in a Secret'),
  'cluster.ClusterService/InvalidateCache': named(({ cluster }) => cluster.name),
  'cluster.SettingsService/Get': part('"controllerNamespace":'),
  'cluster.SettingsService/GetPlugins': part('{"plugins":[{"name":"stub"}]}'),

  'gpgkey.GPGKeyService/List': ({ key }) => `"keyID":"${key.id}"`,
  'gpgkey.GPGKeyService/Get': ({ key }) => `"keyID":"${key.id}"`,
  'gpgkey.GPGKeyService/Create': ({ key }) => key.id,
  'gpgkey.GPGKeyService/Delete': nothing,

  'notification.NotificationService/ListTriggers': part('{"items":[{"name":"on-failure"}]}'),
  'notification.NotificationService/ListServices': part('{"items":[{"name":"board"}]}'),
  'notification.NotificationService/ListTemplates': part('{"items":[{"name":"failure"}]}'),

  'project.ProjectService/CreateToken': part('"token":"ey'),
  'project.ProjectService/DeleteToken': nothing,
  'project.ProjectService/Create': named(({ spareProject }) => spareProject),
  'project.ProjectService/List': named(({ project }) => project),
  'project.ProjectService/GetDetailedProject': ({ repository }) => `"repo":"${repository}"`,
  'project.ProjectService/Get': part('proj:shop:dev'),
  'project.ProjectService/GetGlobalProjects': part('"name":"base"'),
  'project.ProjectService/Update': named(({ spareProject }) => spareProject),
  'project.ProjectService/Delete': nothing,
  'project.ProjectService/ListEvents': part('"reason":"ResourceCreated"'),
  'project.ProjectService/GetSyncWindowsState': part('{"windows":[{"kind":"allow"'),
  'project.ProjectService/ListLinks': ({ project }) => `"url":"https://team.example.com/${project}"`,

  'repocreds.RepoCredsService/ListRepositoryCredentials': ({ credentials }) => `"url":"${credentials}"`,
  'repocreds.RepoCredsService/ListWriteRepositoryCredentials': ({ credentials }) => `"url":"${credentials}"`,
  'repocreds.RepoCredsService/CreateRepositoryCredentials': ({ credentials }) => `"url":"${credentials}"`,
  'repocreds.RepoCredsService/CreateWriteRepositoryCredentials': ({ credentials }) => `"url":"${credentials}"`,
  'repocreds.RepoCredsService/UpdateRepositoryCredentials': ({ credentials }) => `"url":"${credentials}"`,
  'repocreds.RepoCredsService/UpdateWriteRepositoryCredentials': ({ credentials }) => `"url":"${credentials}"`,
  'repocreds.RepoCredsService/DeleteRepositoryCredentials': nothing,
  'repocreds.RepoCredsService/DeleteWriteRepositoryCredentials': nothing,

  'repository.RepositoryService/List': ({ spareRepository }) => `"repo":"${spareRepository}"`,
  'repository.RepositoryService/Get': ({ spareRepository }) => `"repo":"${spareRepository}"`,
  'repository.RepositoryService/GetWrite': ({ spareRepository }) => `"repo":"${spareRepository}"`,
  'repository.RepositoryService/ListRepositories': ({ spareRepository }) => `"repo":"${spareRepository}"`,
  'repository.RepositoryService/ListWriteRepositories': ({ spareRepository }) => `"repo":"${spareRepository}"`,
  'repository.RepositoryService/ListRefs': part('"branches":["main"]'),
  'repository.RepositoryService/ListOCITags': part('"tags":["1.0.0"]'),
  'repository.RepositoryService/ListApps': part('"path":"kustom"'),
  'repository.RepositoryService/GetAppDetails': part('"type":"Directory"'),
  'repository.RepositoryService/GetHelmCharts': part('"versions":["1.0.0"]'),
  'repository.RepositoryService/Create': ({ spareRepository }) => `"repo":"${spareRepository}"`,
  'repository.RepositoryService/CreateRepository': ({ spareRepository }) => `"repo":"${spareRepository}"`,
  'repository.RepositoryService/CreateWriteRepository': ({ spareRepository }) => `"repo":"${spareRepository}"`,
  'repository.RepositoryService/Update': ({ spareRepository }) => `"repo":"${spareRepository}"`,
  'repository.RepositoryService/UpdateRepository': ({ spareRepository }) => `"repo":"${spareRepository}"`,
  'repository.RepositoryService/UpdateWriteRepository': ({ spareRepository }) => `"repo":"${spareRepository}"`,
  'repository.RepositoryService/Delete': nothing,
  'repository.RepositoryService/DeleteRepository': nothing,
  'repository.RepositoryService/DeleteWriteRepository': nothing,
  'repository.RepositoryService/ValidateAccess': nothing,
  'repository.RepositoryService/ValidateWriteAccess': nothing,

  'session.SessionService/GetUserInfo': part('"username":"admin"'),
  'session.SessionService/Create': part('"token":"ey'),
  'session.SessionService/Delete': nothing,
  'version.VersionService/Version': part('"Version":"'),
};
