/**
 * One request for each method of the contract, about things that are there or about things that are not: what the conformance suite and the
 * authorisation matrix ask.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../src/contract/index.ts';
import { makeTarball } from '../../support/make-archive.ts';
import { CONFIG_MAP, DEPLOYMENT, type Things } from './things.ts';

/** What calls change, and what has to be put back before the next one. */
export type Changed =
  | 'account'
  | 'application'
  | 'deployed'
  | 'set'
  | 'project'
  | 'cluster'
  | 'repository'
  | 'writeRepository'
  | 'credentials'
  | 'writeCredentials'
  | 'certificate'
  | 'key';

export interface ContractRequest {
  readonly request: (things: Things) => JsonObject;
  /** For a list: what is in it where the caller sees the thing. */
  readonly listed?: (things: Things) => string;
  readonly changes?: Changed;
  /** What a stream of requests goes on with. */
  readonly next?: JsonObject;
}

/** The files of the application, as somebody has them who has not committed yet. */
const UPLOAD = makeTarball({ 'app/local.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: local}\n' });
/** Of the role of the project that is to be changed. */
export const PROJECT_TOKEN = { iat: 1_700_000_000, id: 'some-id' } as const;
/** What the account is to sign in with from now on. */
export const nextPassword = ({ password }: Things): string => `next-${password}`;

const application = ({ spare, project, repository, namespace }: Things): JsonObject => ({
  metadata: { name: spare },
  spec: {
    project,
    source: { repoURL: repository, path: 'spare' },
    destination: { server: 'https://kubernetes.default.svc', namespace },
  },
});
/** The same, as somebody wants it from now on. */
const changedSpec = (things: Things): JsonObject => {
  const spec = application(things)['spec'] as JsonObject;
  return { ...spec, source: { ...(spec['source'] as JsonObject), targetRevision: 'main' } };
};
const applicationSet = ({ spareSet: set, project, repository, namespace }: Things): JsonObject => ({
  metadata: { name: set },
  spec: {
    generators: [{ list: { elements: [{ name: `${set}-one` }] } }],
    template: {
      metadata: { name: '{{name}}' },
      spec: {
        project,
        source: { repoURL: repository, path: 'spare' },
        destination: { server: 'https://kubernetes.default.svc', namespace },
      },
    },
  },
});
const projectOf = ({ spareProject }: Things, more: JsonObject = {}): JsonObject => ({
  metadata: { name: spareProject },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    roles: [{ name: 'dev', jwtTokens: [PROJECT_TOKEN] }],
    ...more,
  },
});
const clusterOf = ({ cluster, project }: Things): JsonObject => ({
  server: cluster.server,
  name: cluster.name,
  project,
  config: { bearerToken: cluster.token, tlsClientConfig: { insecure: cluster.server.startsWith('https') } },
});
const repositoryOf = ({ spareRepository, project }: Things): JsonObject => ({ repo: spareRepository, project, type: 'git' });
const writeRepositoryOf = (things: Things): JsonObject => ({ ...repositoryOf(things), username: 'writer', password: 'secret-of-a-writer' });
const credentialsOf = ({ credentials }: Things): JsonObject => ({ url: credentials, username: 'robot', password: 'secret-of-a-robot' });
const clusterQuery = ({ cluster }: Things): JsonObject => ({ id: { type: 'url', value: cluster.server } });
const resource = ({ app, namespace }: Things, [group, kind, resourceName]: readonly [string, string, string]): JsonObject => ({
  name: app,
  namespace,
  resourceName,
  version: 'v1',
  ...(group !== '' && { group }),
  kind,
});
const named = ({ app }: Things): JsonObject => ({ name: app });
const spare = ({ spare: name }: Things): JsonObject => ({ name });
const ofTree = ({ app }: Things): JsonObject => ({ applicationName: app });
const ofSet = ({ set }: Things): JsonObject => ({ name: set });
const ofProject = ({ askedProject }: Things): JsonObject => ({ name: askedProject });
const ofRepository = ({ repository, project }: Things): JsonObject => ({ repo: repository, appProject: project });
const ofSpareRepository = ({ spareRepository }: Things): JsonObject => ({ repo: spareRepository });
const revision = ({ app, revision: commit }: Things): JsonObject => ({ name: app, revision: commit });
const nothing = (): JsonObject => ({});

export const CONTRACT_REQUESTS: Readonly<Record<string, ContractRequest>> = {
  'account.AccountService/CanI': {
    request: ({ project, app }) => ({ resource: 'applications', action: 'get', subresource: `${project}/${app}` }),
  },
  'account.AccountService/UpdatePassword': {
    request: (things) => ({ name: things.account, currentPassword: things.adminPassword, newPassword: nextPassword(things) }),
    changes: 'account',
  },
  'account.AccountService/ListAccounts': { request: nothing, listed: ({ account }) => account },
  'account.AccountService/GetAccount': { request: ({ account }) => ({ name: account }) },
  'account.AccountService/CreateToken': { request: ({ account }) => ({ name: account }), changes: 'account' },
  'account.AccountService/DeleteToken': {
    request: ({ account, accountToken }) => ({ name: account, id: accountToken }),
    changes: 'account',
  },

  'application.ApplicationService/List': { request: ({ app }) => ({ name: app }), listed: ({ app }) => app },
  'application.ApplicationService/ListResourceEvents': { request: named },
  'application.ApplicationService/Watch': { request: named },
  'application.ApplicationService/Create': {
    request: (things) => ({ application: application(things), validate: false }),
    changes: 'application',
  },
  'application.ApplicationService/Get': { request: named },
  'application.ApplicationService/GetApplicationSyncWindows': { request: named },
  'application.ApplicationService/RevisionMetadata': { request: revision },
  'application.ApplicationService/RevisionChartDetails': {
    request: ({ packaged }) => ({ name: packaged, revision: '1.0.0', sourceIndex: 0 }),
  },
  'application.ApplicationService/GetOCIMetadata': {
    request: ({ packaged, digest }) => ({ name: packaged, revision: digest, sourceIndex: 1 }),
  },
  'application.ApplicationService/GetManifests': { request: named },
  'application.ApplicationService/GetManifestsWithFiles': {
    request: ({ app }) => ({ query: { name: app, checksum: createHash('sha256').update(UPLOAD).digest('hex') } }),
    next: { chunk: { chunk: UPLOAD.toString('base64') } },
  },
  'application.ApplicationService/Update': {
    request: (things) => ({
      application: { metadata: { name: things.spare, labels: { updated: 'yes' } }, spec: changedSpec(things) },
      validate: false,
    }),
    changes: 'application',
  },
  'application.ApplicationService/UpdateSpec': {
    request: (things) => ({ ...spare(things), spec: changedSpec(things), validate: false }),
    changes: 'application',
  },
  'application.ApplicationService/Patch': {
    request: (things) => ({ ...spare(things), patchType: 'merge', patch: '{"metadata":{"labels":{"patched":"yes"}}}' }),
    changes: 'application',
  },
  'application.ApplicationService/Delete': { request: (things) => ({ ...spare(things), cascade: false }), changes: 'application' },
  'application.ApplicationService/Sync': { request: (things) => ({ ...spare(things), dryRun: true }), changes: 'application' },
  'application.ApplicationService/ManagedResources': { request: ofTree },
  'application.ApplicationService/ServerSideDiff': { request: ({ app }) => ({ appName: app }) },
  'application.ApplicationService/ResourceTree': { request: ofTree },
  'application.ApplicationService/WatchResourceTree': { request: ofTree },
  'application.ApplicationService/Rollback': { request: (things) => ({ ...named(things), id: 0, dryRun: true }), changes: 'deployed' },
  'application.ApplicationService/TerminateOperation': { request: named },
  'application.ApplicationService/GetResource': { request: (things) => resource(things, DEPLOYMENT) },
  'application.ApplicationService/PatchResource': {
    request: (things) => ({
      ...resource(things, DEPLOYMENT),
      patch: '{"metadata":{"labels":{"patched":"yes"}}}',
      patchType: 'application/merge-patch+json',
    }),
    changes: 'deployed',
  },
  'application.ApplicationService/ListResourceActions': { request: (things) => resource(things, DEPLOYMENT) },
  'application.ApplicationService/RunResourceAction': {
    request: (things) => ({ ...resource(things, DEPLOYMENT), action: 'pause' }),
    changes: 'deployed',
  },
  'application.ApplicationService/RunResourceActionV2': {
    request: (things) => ({ ...resource(things, DEPLOYMENT), action: 'pause' }),
    changes: 'deployed',
  },
  'application.ApplicationService/DeleteResource': {
    request: (things) => ({ ...resource(things, CONFIG_MAP), orphan: false }),
    changes: 'deployed',
  },
  'application.ApplicationService/PodLogs': {
    request: ({ app, namespace }) => ({ name: app, namespace, group: 'apps', kind: 'Deployment', resourceName: 'web' }),
  },
  'application.ApplicationService/ListLinks': { request: named },
  'application.ApplicationService/ListResourceLinks': { request: (things) => resource(things, DEPLOYMENT) },

  'applicationset.ApplicationSetService/Get': { request: ofSet },
  'applicationset.ApplicationSetService/Generate': { request: (things) => ({ applicationSet: applicationSet(things) }) },
  'applicationset.ApplicationSetService/List': { request: nothing, listed: ({ set }) => `"${set}"` },
  'applicationset.ApplicationSetService/Create': { request: (things) => ({ applicationset: applicationSet(things) }), changes: 'set' },
  'applicationset.ApplicationSetService/Delete': { request: ({ spareSet }) => ({ name: spareSet }), changes: 'set' },
  'applicationset.ApplicationSetService/ResourceTree': { request: ofSet },
  'applicationset.ApplicationSetService/ListResourceEvents': { request: ofSet },
  'applicationset.ApplicationSetService/Watch': { request: ofSet },

  'certificate.CertificateService/ListCertificates': { request: ({ host }) => ({ hostNamePattern: host }), listed: ({ host }) => host },
  'certificate.CertificateService/CreateCertificate': {
    request: ({ host, hostKey }) => ({
      certificates: { items: [{ serverName: host, certType: 'ssh', certSubType: 'ssh-ed25519', certData: hostKey }] },
    }),
    changes: 'certificate',
  },
  'certificate.CertificateService/DeleteCertificate': {
    request: ({ host }) => ({ hostNamePattern: host }),
    listed: ({ host }) => host,
    changes: 'certificate',
  },

  'cluster.ClusterService/List': { request: nothing, listed: ({ cluster }) => cluster.server },
  'cluster.ClusterService/Create': { request: (things) => ({ cluster: clusterOf(things) }), changes: 'cluster' },
  'cluster.ClusterService/Get': { request: clusterQuery },
  'cluster.ClusterService/Update': {
    request: (things) => ({ ...clusterQuery(things), cluster: { ...clusterOf(things), labels: { tier: 'gold' } } }),
    changes: 'cluster',
  },
  'cluster.ClusterService/Delete': { request: clusterQuery, changes: 'cluster' },
  'cluster.ClusterService/RotateAuth': { request: clusterQuery },
  'cluster.ClusterService/InvalidateCache': { request: clusterQuery },

  'cluster.SettingsService/Get': { request: nothing },
  'cluster.SettingsService/GetPlugins': { request: nothing },

  'gpgkey.GPGKeyService/List': { request: ({ key }) => ({ keyID: key.id }), listed: ({ key }) => key.id },
  'gpgkey.GPGKeyService/Get': { request: ({ key }) => ({ keyID: key.id }) },
  'gpgkey.GPGKeyService/Create': { request: ({ key }) => ({ publickey: { keyID: '', keyData: key.data } }), changes: 'key' },
  'gpgkey.GPGKeyService/Delete': { request: ({ key }) => ({ keyID: key.id }), changes: 'key' },

  'notification.NotificationService/ListTriggers': { request: nothing },
  'notification.NotificationService/ListServices': { request: nothing },
  'notification.NotificationService/ListTemplates': { request: nothing },

  'project.ProjectService/CreateToken': {
    request: ({ spareProject }) => ({ project: spareProject, role: 'dev', expiresIn: 600 }),
    changes: 'project',
  },
  'project.ProjectService/DeleteToken': {
    request: ({ spareProject }) => ({ project: spareProject, role: 'dev', ...PROJECT_TOKEN }),
    changes: 'project',
  },
  'project.ProjectService/Create': { request: (things) => ({ project: projectOf(things) }), changes: 'project' },
  'project.ProjectService/List': { request: nothing, listed: ({ askedProject }) => `"name":"${askedProject}"` },
  'project.ProjectService/GetDetailedProject': { request: ofProject },
  'project.ProjectService/Get': { request: ofProject },
  'project.ProjectService/GetGlobalProjects': { request: ofProject },
  'project.ProjectService/Update': {
    request: (things) => ({ project: projectOf(things, { description: 'changed' }) }),
    changes: 'project',
  },
  'project.ProjectService/Delete': { request: ({ spareProject }) => ({ name: spareProject }), changes: 'project' },
  'project.ProjectService/ListEvents': { request: ofProject },
  'project.ProjectService/GetSyncWindowsState': { request: ofProject },
  'project.ProjectService/ListLinks': { request: ofProject },

  'repocreds.RepoCredsService/ListRepositoryCredentials': { request: nothing, listed: ({ credentials }) => credentials },
  'repocreds.RepoCredsService/ListWriteRepositoryCredentials': { request: nothing, listed: ({ credentials }) => credentials },
  'repocreds.RepoCredsService/CreateRepositoryCredentials': {
    request: (things) => ({ creds: credentialsOf(things) }),
    changes: 'credentials',
  },
  'repocreds.RepoCredsService/CreateWriteRepositoryCredentials': {
    request: (things) => ({ creds: credentialsOf(things) }),
    changes: 'writeCredentials',
  },
  'repocreds.RepoCredsService/UpdateRepositoryCredentials': {
    request: (things) => ({ creds: { ...credentialsOf(things), username: 'other-robot' } }),
    changes: 'credentials',
  },
  'repocreds.RepoCredsService/UpdateWriteRepositoryCredentials': {
    request: (things) => ({ creds: { ...credentialsOf(things), username: 'other-robot' } }),
    changes: 'writeCredentials',
  },
  'repocreds.RepoCredsService/DeleteRepositoryCredentials': {
    request: ({ credentials }) => ({ url: credentials }),
    changes: 'credentials',
  },
  'repocreds.RepoCredsService/DeleteWriteRepositoryCredentials': {
    request: ({ credentials }) => ({ url: credentials }),
    changes: 'writeCredentials',
  },

  'repository.RepositoryService/List': { request: nothing, listed: ({ spareRepository }) => spareRepository },
  'repository.RepositoryService/Get': { request: ofSpareRepository },
  'repository.RepositoryService/GetWrite': { request: ofSpareRepository },
  'repository.RepositoryService/ListRepositories': { request: nothing, listed: ({ spareRepository }) => spareRepository },
  'repository.RepositoryService/ListWriteRepositories': { request: nothing, listed: ({ spareRepository }) => spareRepository },
  'repository.RepositoryService/ListRefs': { request: ofRepository },
  'repository.RepositoryService/ListOCITags': { request: ({ oci, project }) => ({ repo: oci, appProject: project }) },
  'repository.RepositoryService/ListApps': { request: (things) => ({ ...ofRepository(things), revision: 'HEAD', appName: things.app }) },
  'repository.RepositoryService/GetAppDetails': {
    request: ({ repository, app, project }) => ({ source: { repoURL: repository, path: 'app' }, appName: app, appProject: project }),
  },
  'repository.RepositoryService/GetHelmCharts': { request: ({ charts, project }) => ({ repo: charts, appProject: project }) },
  'repository.RepositoryService/Create': { request: (things) => ({ repo: repositoryOf(things) }), changes: 'repository' },
  'repository.RepositoryService/CreateRepository': { request: (things) => ({ repo: repositoryOf(things) }), changes: 'repository' },
  'repository.RepositoryService/CreateWriteRepository': {
    request: (things) => ({ repo: writeRepositoryOf(things) }),
    changes: 'writeRepository',
  },
  'repository.RepositoryService/Update': {
    request: (things) => ({ repo: { ...repositoryOf(things), name: 'renamed' } }),
    changes: 'repository',
  },
  'repository.RepositoryService/UpdateRepository': {
    request: (things) => ({ repo: { ...repositoryOf(things), name: 'renamed' } }),
    changes: 'repository',
  },
  'repository.RepositoryService/UpdateWriteRepository': {
    request: (things) => ({ repo: { ...writeRepositoryOf(things), name: 'renamed' } }),
    changes: 'writeRepository',
  },
  'repository.RepositoryService/Delete': { request: ofSpareRepository, changes: 'repository' },
  'repository.RepositoryService/DeleteRepository': { request: ofSpareRepository, changes: 'repository' },
  'repository.RepositoryService/DeleteWriteRepository': { request: ofSpareRepository, changes: 'writeRepository' },
  'repository.RepositoryService/ValidateAccess': { request: ({ repository, project }) => ({ repo: repository, project }) },
  'repository.RepositoryService/ValidateWriteAccess': { request: ({ repository, project }) => ({ repo: repository, project }) },

  'session.SessionService/GetUserInfo': { request: nothing },
  'session.SessionService/Create': { request: ({ account, password }) => ({ username: account, password }) },
  'session.SessionService/Delete': { request: nothing },
  'version.VersionService/Version': { request: nothing },
};
