/** The command of the stock client that calls each method, or why there is none. */
import { PROJECT_TOKEN, type Changed } from './requests.ts';
import type { Things } from './things.ts';

/** What commands can be about: things that are there, others that can be made, and files with them. */
export interface CommandStage {
  readonly present: Things;
  readonly absent: Things;
  /** Paths of files that commands read. */
  readonly files: {
    readonly knownHosts: string;
    readonly key: string;
    readonly set: string;
    /** A folder with other manifests of the application. */
    readonly manifests: string;
  };
  readonly address: string;
}

export interface ClientCommand {
  readonly arguments: (stage: CommandStage) => readonly string[];
  readonly changes?: Changed;
  /** What it says before it fails, where it does. */
  readonly failsSaying?: string;
}

const NONE = 'no command of the stock client calls it';
const RETIRED = 'the stock client calls the method of the longer name';

const NO_PAGER = ['--output', 'json'] as const;

export const CLIENT_COMMANDS: Readonly<Record<string, ClientCommand | string>> = {
  'account.AccountService/CanI': {
    arguments: ({ present: { project, app } }) => ['account', 'can-i', 'get', 'applications', `${project}/${app}`],
  },
  'account.AccountService/UpdatePassword': {
    arguments: ({ present: { account, adminPassword, password } }) => [
      'account',
      'update-password',
      '--account',
      account,
      '--current-password',
      adminPassword,
      '--new-password',
      password,
    ],
    changes: 'account',
  },
  'account.AccountService/ListAccounts': { arguments: () => ['account', 'list'] },
  'account.AccountService/GetAccount': { arguments: ({ present }) => ['account', 'get', '--account', present.account] },
  'account.AccountService/CreateToken': {
    arguments: ({ present }) => ['account', 'generate-token', '--account', present.account],
  },
  'account.AccountService/DeleteToken': {
    arguments: ({ present }) => ['account', 'delete-token', '--account', present.account, present.accountToken],
    changes: 'account',
  },

  'application.ApplicationService/List': { arguments: () => ['app', 'list', ...NO_PAGER] },
  'application.ApplicationService/ListResourceEvents': NONE,
  'application.ApplicationService/Watch': { arguments: ({ present }) => ['app', 'sync', present.spare], changes: 'application' },
  'application.ApplicationService/Create': {
    arguments: ({ absent: { spare, repository: _missing, project, namespace }, present: { repository } }) => [
      'app',
      'create',
      spare,
      '--project',
      project,
      '--repo',
      repository,
      '--path',
      'spare',
      '--dest-server',
      'https://kubernetes.default.svc',
      '--dest-namespace',
      namespace,
    ],
    changes: 'application',
  },
  'application.ApplicationService/Get': { arguments: ({ present }) => ['app', 'get', present.app] },
  'application.ApplicationService/GetApplicationSyncWindows': NONE,
  'application.ApplicationService/RevisionMetadata': NONE,
  'application.ApplicationService/RevisionChartDetails': NONE,
  'application.ApplicationService/GetOCIMetadata': NONE,
  'application.ApplicationService/GetManifests': { arguments: ({ present }) => ['app', 'manifests', present.app, '--revision', 'HEAD'] },
  'application.ApplicationService/GetManifestsWithFiles': {
    arguments: ({ present, files }) => [
      'app',
      'diff',
      present.app,
      '--local',
      files.manifests,
      '--server-side-generate',
      '--exit-code=false',
    ],
  },
  'application.ApplicationService/Update': {
    arguments: ({ present }) => ['app', 'confirm-deletion', present.spare],
    changes: 'application',
  },
  'application.ApplicationService/UpdateSpec': {
    arguments: ({ present }) => ['app', 'set', present.spare, '--sync-option', 'Validate=false'],
    changes: 'application',
  },
  'application.ApplicationService/Patch': {
    arguments: ({ present }) => ['app', 'patch', present.spare, '--type', 'merge', '--patch', '{"metadata":{"labels":{"patched":"yes"}}}'],
    changes: 'application',
  },
  'application.ApplicationService/Delete': {
    arguments: ({ present }) => ['app', 'delete', present.spare, '--cascade=false', '--yes'],
    changes: 'application',
  },
  'application.ApplicationService/Sync': {
    arguments: ({ present }) => ['app', 'sync', present.spare, '--dry-run'],
    changes: 'application',
  },
  'application.ApplicationService/ManagedResources': {
    arguments: ({ present }) => ['app', 'manifests', present.app, '--source', 'live'],
  },
  'application.ApplicationService/ServerSideDiff': {
    arguments: ({ present }) => ['app', 'diff', present.app, '--server-side-diff', '--exit-code=false'],
  },
  'application.ApplicationService/ResourceTree': { arguments: ({ present }) => ['app', 'resources', present.app] },
  'application.ApplicationService/WatchResourceTree': NONE,
  'application.ApplicationService/Rollback': { arguments: ({ present }) => ['app', 'rollback', present.app, '0'], changes: 'deployed' },
  'application.ApplicationService/TerminateOperation': {
    arguments: ({ present }) => ['app', 'terminate-op', present.app],
    failsSaying: 'Unable to terminate operation. No operation is in progress',
  },
  'application.ApplicationService/GetResource': {
    arguments: ({ present }) => ['app', 'get-resource', present.app, '--kind', 'Deployment', '--resource-name', 'web'],
  },
  'application.ApplicationService/PatchResource': {
    arguments: ({ present }) => [
      'app',
      'patch-resource',
      present.app,
      '--kind',
      'Deployment',
      '--resource-name',
      'web',
      '--patch-type',
      'application/merge-patch+json',
      '--patch',
      '{"metadata":{"labels":{"patched":"yes"}}}',
    ],
    changes: 'deployed',
  },
  'application.ApplicationService/ListResourceActions': {
    arguments: ({ present }) => ['app', 'actions', 'list', present.app, '--kind', 'Deployment'],
  },
  'application.ApplicationService/RunResourceAction': 'the stock client calls RunResourceActionV2, and this only where that is not there',
  'application.ApplicationService/RunResourceActionV2': {
    arguments: ({ present }) => ['app', 'actions', 'run', present.app, 'restart', '--kind', 'Deployment', '--resource-name', 'web'],
    changes: 'deployed',
  },
  'application.ApplicationService/DeleteResource': {
    arguments: ({ present }) => ['app', 'delete-resource', present.app, '--kind', 'ConfigMap', '--resource-name', 'settings'],
    changes: 'deployed',
  },
  'application.ApplicationService/PodLogs': {
    arguments: ({ present }) => ['app', 'logs', present.app, '--group', 'apps', '--kind', 'Deployment', '--name', 'web'],
  },
  'application.ApplicationService/ListLinks': NONE,
  'application.ApplicationService/ListResourceLinks': NONE,

  'applicationset.ApplicationSetService/Get': { arguments: ({ present }) => ['appset', 'get', present.set] },
  'applicationset.ApplicationSetService/Generate': { arguments: ({ files }) => ['appset', 'generate', files.set] },
  'applicationset.ApplicationSetService/List': { arguments: () => ['appset', 'list'] },
  'applicationset.ApplicationSetService/Create': { arguments: ({ files }) => ['appset', 'create', files.set], changes: 'set' },
  'applicationset.ApplicationSetService/Delete': {
    arguments: ({ present }) => ['appset', 'delete', present.spareSet, '--yes'],
    changes: 'set',
  },
  'applicationset.ApplicationSetService/ResourceTree': NONE,
  'applicationset.ApplicationSetService/ListResourceEvents': NONE,
  'applicationset.ApplicationSetService/Watch': {
    arguments: ({ files }) => ['appset', 'create', files.set, '--wait'],
    changes: 'set',
  },

  'certificate.CertificateService/ListCertificates': { arguments: () => ['cert', 'list'] },
  'certificate.CertificateService/CreateCertificate': {
    arguments: ({ files }) => ['cert', 'add-ssh', '--batch', '--from', files.knownHosts],
    changes: 'certificate',
  },
  'certificate.CertificateService/DeleteCertificate': {
    arguments: ({ present }) => ['cert', 'rm', present.host],
    changes: 'certificate',
  },

  'cluster.ClusterService/List': { arguments: () => ['cluster', 'list'] },
  'cluster.ClusterService/Create':
    'argocd cluster add makes a service account first: argocd-cluster.test.ts has it, on the real control plane',
  'cluster.ClusterService/Get': { arguments: ({ present }) => ['cluster', 'get', present.cluster.name] },
  'cluster.ClusterService/Update': {
    arguments: ({ present }) => ['cluster', 'set', present.cluster.name, '--label', 'tier=gold'],
    changes: 'cluster',
  },
  'cluster.ClusterService/Delete': {
    arguments: ({ present }) => ['cluster', 'rm', present.cluster.name, '--yes'],
    changes: 'cluster',
    // Then it looks in a kubeconfig, which there is not, for the service account that it might have made.
    failsSaying: "Cluster 'remote' removed",
  },
  'cluster.ClusterService/RotateAuth': {
    arguments: ({ present }) => ['cluster', 'rotate-auth', present.cluster.name],
    changes: 'cluster',
    failsSaying: 'the bearer token is not one of a service account that is kept in a Secret',
  },
  'cluster.ClusterService/InvalidateCache': NONE,
  'cluster.SettingsService/Get': { arguments: ({ present }) => ['app', 'get', present.app, '--output', 'tree'] },
  'cluster.SettingsService/GetPlugins': NONE,

  'gpgkey.GPGKeyService/List': { arguments: () => ['gpg', 'list'] },
  'gpgkey.GPGKeyService/Get': { arguments: ({ present }) => ['gpg', 'get', present.key.id] },
  'gpgkey.GPGKeyService/Create': { arguments: ({ files }) => ['gpg', 'add', '--from', files.key], changes: 'key' },
  'gpgkey.GPGKeyService/Delete': { arguments: ({ present }) => ['gpg', 'rm', present.key.id], changes: 'key' },

  'notification.NotificationService/ListTriggers': NONE,
  'notification.NotificationService/ListServices': NONE,
  'notification.NotificationService/ListTemplates': NONE,

  'project.ProjectService/CreateToken': {
    arguments: ({ present }) => ['proj', 'role', 'create-token', present.spareProject, 'dev'],
    changes: 'project',
  },
  'project.ProjectService/DeleteToken': {
    arguments: ({ present }) => ['proj', 'role', 'delete-token', present.spareProject, 'dev', String(PROJECT_TOKEN.iat)],
    changes: 'project',
  },
  'project.ProjectService/Create': { arguments: ({ absent }) => ['proj', 'create', absent.spareProject], changes: 'project' },
  'project.ProjectService/List': { arguments: () => ['proj', 'list'] },
  'project.ProjectService/GetDetailedProject': { arguments: ({ present }) => ['proj', 'get', present.project] },
  'project.ProjectService/Get': { arguments: ({ present }) => ['proj', 'role', 'list', present.project] },
  'project.ProjectService/GetGlobalProjects': NONE,
  'project.ProjectService/Update': {
    arguments: ({ present }) => ['proj', 'set', present.spareProject, '--description', 'changed'],
    changes: 'project',
  },
  'project.ProjectService/Delete': { arguments: ({ present }) => ['proj', 'delete', present.spareProject], changes: 'project' },
  'project.ProjectService/ListEvents': NONE,
  'project.ProjectService/GetSyncWindowsState': NONE,
  'project.ProjectService/ListLinks': NONE,

  'repocreds.RepoCredsService/ListRepositoryCredentials': { arguments: () => ['repocreds', 'list'] },
  'repocreds.RepoCredsService/ListWriteRepositoryCredentials': NONE,
  'repocreds.RepoCredsService/CreateRepositoryCredentials': {
    arguments: ({ absent }) => ['repocreds', 'add', absent.credentials, '--username', 'robot', '--password', 'secret-of-a-robot'],
    changes: 'credentials',
  },
  'repocreds.RepoCredsService/CreateWriteRepositoryCredentials': NONE,
  'repocreds.RepoCredsService/UpdateRepositoryCredentials': NONE,
  'repocreds.RepoCredsService/UpdateWriteRepositoryCredentials': NONE,
  'repocreds.RepoCredsService/DeleteRepositoryCredentials': {
    arguments: ({ present }) => ['repocreds', 'rm', present.credentials],
    changes: 'credentials',
  },
  'repocreds.RepoCredsService/DeleteWriteRepositoryCredentials': NONE,

  'repository.RepositoryService/List': RETIRED,
  'repository.RepositoryService/Get': { arguments: ({ present }) => ['repo', 'get', present.spareRepository] },
  'repository.RepositoryService/GetWrite': NONE,
  'repository.RepositoryService/ListRepositories': { arguments: () => ['repo', 'list'] },
  'repository.RepositoryService/ListWriteRepositories': NONE,
  'repository.RepositoryService/ListRefs': NONE,
  'repository.RepositoryService/ListOCITags': NONE,
  'repository.RepositoryService/ListApps': NONE,
  'repository.RepositoryService/GetAppDetails': NONE,
  'repository.RepositoryService/GetHelmCharts': NONE,
  'repository.RepositoryService/Create': RETIRED,
  'repository.RepositoryService/CreateRepository': {
    arguments: ({ absent }) => ['repo', 'add', absent.spareRepository, '--project', absent.project],
    changes: 'repository',
  },
  'repository.RepositoryService/CreateWriteRepository': NONE,
  'repository.RepositoryService/Update': NONE,
  'repository.RepositoryService/UpdateRepository': NONE,
  'repository.RepositoryService/UpdateWriteRepository': NONE,
  'repository.RepositoryService/Delete': RETIRED,
  'repository.RepositoryService/DeleteRepository': {
    arguments: ({ present }) => ['repo', 'rm', present.spareRepository],
    changes: 'repository',
  },
  'repository.RepositoryService/DeleteWriteRepository': NONE,
  'repository.RepositoryService/ValidateAccess': {
    arguments: ({ absent }) => ['repo', 'add', absent.spareRepository, '--upsert'],
    changes: 'repository',
  },
  'repository.RepositoryService/ValidateWriteAccess': NONE,

  'session.SessionService/GetUserInfo': { arguments: () => ['account', 'get-user-info'] },
  'session.SessionService/Create': {
    arguments: ({ present, address }) => ['login', address, '--plaintext', '--username', 'admin', '--password', present.adminPassword],
  },
  'session.SessionService/Delete': 'argocd logout goes to /auth/logout instead',
  'version.VersionService/Version': { arguments: () => ['version'] },
};
