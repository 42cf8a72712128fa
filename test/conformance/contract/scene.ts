/** The program with one of each thing that the contract knows, and six callers. */
import { basename, dirname } from 'node:path';
import { methods, type JsonObject, type MethodSchema } from '../../../src/contract/index.ts';
import type { HttpKubeApi } from '../../../src/kube/index.ts';
import { callRest, type ContractAnswer } from '../../support/contract-call.ts';
import type { Fairway } from '../../support/fairway.ts';
import { startGitHttpServer } from '../../support/git-http-server.ts';
import { createGitRepository, type GitRepository } from '../../support/git-repository.ts';
import { kinds } from '../../support/kinds.ts';
import { callerWith, signInAsAdmin } from '../../support/rest-caller.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startPackageServer } from './package-server.ts';
import { makeKey } from './public-key.ts';
import { CONTRACT_REQUESTS, type Changed } from './requests.ts';
import { CONFIG_MAP, DEPLOYMENT, type Absent, type Things } from './things.ts';

/**
 * Who asks: nobody known, an account that may do nothing, one that may read, a token of a role of the project, somebody of another project, the
 * administrator.
 */
export const CALLERS = ['anonymous', 'noRights', 'readOnly', 'projectRole', 'otherProject', 'admin'] as const;
export type CallerName = (typeof CALLERS)[number];

/** Where the program keeps its objects, and what stands for a cluster that is registered. */
export interface SceneHome {
  readonly fairway: Fairway;
  /** The home API. */
  readonly api: HttpKubeApi;
  readonly controlNamespace: string;
  readonly namespace: string;
  /** Two addresses of one cluster, and a token for it. */
  readonly cluster: { readonly server: string; readonly otherServer: string; readonly token: string };
  /** Another token for it, that can be taken away; undefined where tokens are not of service accounts. */
  readonly makeToken?: () => Promise<string>;
}

export interface ContractScene {
  readonly fairway: Fairway;
  readonly things: { readonly present: Things; readonly absent: Things };
  readonly tokens: Readonly<Record<CallerName, string | undefined>>;
  /** Registers the cluster with a token that can be changed for another, where there are such. */
  readonly registerFreshToken: (() => Promise<void>) | undefined;
  /** A new session of the administrator. */
  signIn(): Promise<string>;
  /** Makes everything as it was before calls that change something. */
  restore(changed: Changed): Promise<void>;
  close(): Promise<void>;
}

const POLICY = [
  'g, reader, role:readonly',
  ...['applications', 'applicationsets', 'repositories', 'write-repositories', 'clusters', 'logs', 'exec'].map(
    (resource) => `p, stranger, ${resource}, *, web/*, allow`,
  ),
  'p, stranger, projects, get, web, allow',
].join('\n');
const ROLE_POLICIES = ['applications', 'applicationsets', 'repositories', 'exec', 'logs', 'clusters'].map(
  (resource) => `p, proj:shop:dev, ${resource}, *, shop/*, allow`,
);
const SETTINGS = {
  ...Object.fromEntries(['reader', 'stranger', 'nobody'].map((account) => [`accounts.${account}`, 'apiKey'])),
  'accounts.somebody': 'login, apiKey',
  'application.links': '- {title: Board, url: "https://board.example.com/{{.app.metadata.name}}"}',
  'resource.links': '- {title: Logs, url: "https://logs.example.com/{{.resource.metadata.name}}"}',
  'project.links': '- {title: Team, url: "https://team.example.com/{{.project.metadata.name}}"}',
  globalProjects: '- {projectName: base, labelSelector: {matchLabels: {inherits: base}}}',
};
const NOTIFICATIONS = {
  'trigger.on-failure': '- {send: [failure], when: app.status.operationState.phase == "Failed"}',
  'template.failure': 'message: It failed.',
  'service.webhook.board': 'url: https://board.example.com',
};
const PASSWORD = 'a-password-of-somebody';
const HOST_KEY = Buffer.from('AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl').toString('base64');

const manifests = (namespace: string): Record<string, string> => ({
  'app/web.json': JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } },
    },
  }),
  'app/settings.json': JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: 'b' } }),
  'kustom/kustomization.yaml': 'resources: []\n',
  'spare/spare.json': JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'spare', namespace } }),
});

export async function openContractScene(home: SceneHome): Promise<ContractScene> {
  const { fairway, api, controlNamespace, namespace } = home;
  await using stack = new AsyncDisposableStack();
  const createRepository = async (files: Record<string, string>): Promise<GitRepository> => {
    const created = await createGitRepository(files);
    stack.defer(() => created.remove());
    return created;
  };
  const repository = await createRepository(manifests(namespace));
  const others = [await createRepository({ 'README.md': 'One.\n' }), await createRepository({ 'README.md': 'Two.\n' })];
  const git = await startGitHttpServer({ root: dirname(repository.folder) });
  stack.defer(() => git.close());
  const packages = await startPackageServer();
  stack.defer(() => packages.close());
  const urlOf = ({ folder }: { readonly folder: string }): string => `${git.url}/${basename(folder)}`;
  const [key, otherKey] = [makeKey('Ada <ada@example.com>', 1), makeKey('Bob <bob@example.com>', 2)];
  const present: Things = {
    app: 'cart',
    spare: 'cart-spare',
    namespace,
    project: 'shop',
    askedProject: 'shop',
    spareProject: 'shop-spare',
    set: 'cart-set',
    spareSet: 'cart-spare-set',
    cluster: { server: home.cluster.server, name: 'remote', token: home.cluster.token },
    repository: urlOf(repository),
    revision: await repository.git('rev-parse', 'HEAD'),
    spareRepository: urlOf(others[0]!),
    packaged: 'cart-packages',
    charts: `${packages.url}/charts`,
    digest: packages.digest,
    oci: `oci://${new URL(packages.url).host}/image`,
    credentials: 'https://git.example.com/',
    host: 'git.example.com',
    hostKey: HOST_KEY,
    key,
    account: 'somebody',
    password: PASSWORD,
    accountToken: 'somebody-token',
    adminPassword: fairway.adminPassword,
  };
  const missing: Absent = {
    app: 'none',
    spare: 'none-spare',
    askedProject: 'none-asked',
    spareProject: 'none-project',
    set: 'none-set',
    spareSet: 'none-spare-set',
    cluster: { ...present.cluster, server: home.cluster.otherServer, name: 'none-cluster' },
    repository: `${git.url}/none-repository`,
    spareRepository: urlOf(others[1]!),
    packaged: 'none-packages',
    charts: `${packages.url}/none-charts`,
    oci: `oci://${new URL(packages.url).host}/none-image`,
    credentials: 'https://none.example.com/',
    host: 'none.example.com',
    key: otherKey,
    account: 'none-account',
    accountToken: 'none-token',
  };
  const absent: Things = { ...present, ...missing };

  const admin = await signInAsAdmin(fairway);
  const expectOk = async (verb: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> => {
    const { status, text, json } = await admin(verb, path, body);
    if (status !== 200) throw new Error(`${verb} ${path} answered ${status}: ${text}`);
    return json;
  };
  const configure = (name: string, data: Readonly<Record<string, string>>) =>
    api.patch(kinds.configMap, { namespace: controlNamespace, name }, { type: 'merge', body: { data } });
  await configure('argocd-cm', SETTINGS);
  const notifications = { name: 'argocd-notifications-cm', namespace: controlNamespace };
  await api.create(kinds.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: notifications, data: NOTIFICATIONS });
  await configure('argocd-cmd-params-cm', { 'hydrator.enabled': 'true' });
  await configure('argocd-rbac-cm', { 'policy.csv': POLICY });
  await waitUntil(async () => (await admin('GET', '/api/v1/write-repositories')).status === 200);
  const tokenOf = (account: string): Promise<string> =>
    waitUntil(async () => (await admin('POST', `/api/v1/account/${account}/token`, {})).json['token'] as string | undefined);

  const everything = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] };
  const roles = [{ name: 'dev', policies: ROLE_POLICIES }];
  const syncWindows = [{ kind: 'allow', schedule: '* * * * *', duration: '1h', applications: ['*'], manualSync: true }];
  const shop = { metadata: { name: 'shop', labels: { inherits: 'base' } }, spec: { ...everything, roles, syncWindows } };
  await expectOk('POST', '/api/v1/projects', { project: { metadata: { name: 'base' }, spec: everything } });
  await expectOk('POST', '/api/v1/projects', { project: shop });
  await expectOk('POST', '/api/v1/projects', { project: { metadata: { name: 'web' }, spec: everything } });
  const issued = await expectOk('POST', '/api/v1/projects/shop/roles/dev/token', {});
  const signIn = async (): Promise<string> =>
    String(
      (await callerWith(fairway, '')('POST', '/api/v1/session', { username: 'admin', password: fairway.adminPassword })).json['token'],
    );
  const adminToken = await signIn();
  const tokens = {
    anonymous: undefined,
    noRights: await tokenOf('nobody'),
    readOnly: await tokenOf('reader'),
    projectRole: String(issued['token']),
    otherProject: await tokenOf('stranger'),
    admin: adminToken,
  };

  const ask = async (path: string, things: Things, more: JsonObject = {}): Promise<ContractAnswer> => {
    const { request } = CONTRACT_REQUESTS[path] ?? { request: () => ({}) };
    return callRest(fairway.url, findMethod(path), { ...request(things), ...more }, { token: adminToken });
  };
  const mustAsk = async (path: string, things: Things, more: JsonObject = {}): Promise<void> => {
    const { code, text } = await ask(path, things, more);
    if (code !== 0) throw new Error(`${path} answered ${code}: ${text}`);
  };

  async function restore(changed: Changed): Promise<void> {
    if (changed === 'account') {
      await mustAsk('account.AccountService/UpdatePassword', present, { newPassword: present.password });
      await ask('account.AccountService/CreateToken', present, { id: present.accountToken });
    } else if (changed === 'deployed') await restoreDeployed();
    else {
      const [create, remove] = MAKERS[changed];
      await ask(remove, absent);
      if (changed === 'application' || changed === 'project') await ask(remove, present);
      await mustAsk(create, present, { upsert: true });
    }
  }

  async function restoreDeployed(): Promise<void> {
    const [group, kind, name] = CONFIG_MAP;
    const tracking = { 'argocd.argoproj.io/tracking-id': `${present.app}:${group}/${kind}:${namespace}/${name}` };
    const object = { apiVersion: 'v1', kind, metadata: { name, namespace, annotations: tracking }, data: { a: 'b' } };
    await waitUntil(async () => {
      // Where it is there, or still going, that is all right for now.
      await api.create(kinds.configMap, object).catch(() => undefined);
      const json = (await admin('GET', `/api/v1/applications/${present.app}`)).json as {
        operation?: object;
        status?: { operationState?: { finishedAt?: string } };
      };
      if (json.operation !== undefined || json.status?.operationState?.finishedAt === undefined) return false;
      return (await ask('application.ApplicationService/GetResource', present, { group: '', kind, resourceName: name })).code === 0;
    });
    const changed = { metadata: { labels: { patched: null } }, spec: { paused: null } };
    await api.patch(kinds.deployment, { namespace, name: DEPLOYMENT[2] }, { type: 'merge', body: changed });
  }

  await registerPackages(expectOk, present);
  for (const changed of Object.keys(MAKERS) as (keyof typeof MAKERS)[]) await restore(changed);
  await expectOk('POST', '/api/v1/repositories', { repo: present.repository, project: 'shop', type: 'git' });
  await mustAsk('applicationset.ApplicationSetService/Create', { ...present, spareSet: present.set });
  await createPackaged(expectOk, present);
  await deploy(expectOk, present);
  await restore('account');
  await restore('deployed');
  const opened = stack.move();
  return {
    fairway,
    things: { present, absent },
    tokens,
    registerFreshToken:
      home.makeToken &&
      (async () => {
        const token = await home.makeToken?.();
        const fresh = { ...present, cluster: { ...present.cluster, token: token ?? '' } };
        await mustAsk('cluster.ClusterService/Create', fresh, { upsert: true });
      }),
    signIn,
    restore,
    close: () => opened.disposeAsync(),
  };
}

/** How things are made and taken away, by what a call changes. */
const MAKERS = {
  application: ['application.ApplicationService/Create', 'application.ApplicationService/Delete'],
  set: ['applicationset.ApplicationSetService/Create', 'applicationset.ApplicationSetService/Delete'],
  project: ['project.ProjectService/Create', 'project.ProjectService/Delete'],
  cluster: ['cluster.ClusterService/Create', 'cluster.ClusterService/Delete'],
  repository: ['repository.RepositoryService/CreateRepository', 'repository.RepositoryService/DeleteRepository'],
  writeRepository: ['repository.RepositoryService/CreateWriteRepository', 'repository.RepositoryService/DeleteWriteRepository'],
  credentials: ['repocreds.RepoCredsService/CreateRepositoryCredentials', 'repocreds.RepoCredsService/DeleteRepositoryCredentials'],
  writeCredentials: [
    'repocreds.RepoCredsService/CreateWriteRepositoryCredentials',
    'repocreds.RepoCredsService/DeleteWriteRepositoryCredentials',
  ],
  certificate: ['certificate.CertificateService/CreateCertificate', 'certificate.CertificateService/DeleteCertificate'],
  key: ['gpgkey.GPGKeyService/Create', 'gpgkey.GPGKeyService/Delete'],
} as const;

export function findMethod(path: string): MethodSchema {
  const method = methods.find((each) => each.path === `/${path}`);
  if (method === undefined) throw new Error(`the contract has no ${path}`);
  return method;
}

type Send = (verb: string, path: string, body?: object) => Promise<Readonly<Record<string, unknown>>>;

async function registerPackages(send: Send, { charts, oci, project }: Things): Promise<void> {
  await send('POST', '/api/v1/repositories', { repo: charts, type: 'helm', name: 'charts', project });
  await send('POST', '/api/v1/repositories', { repo: oci, type: 'oci', name: 'image', project, insecureOCIForceHttp: true });
}

/** An application of a chart and an image, which nobody syncs. */
async function createPackaged(send: Send, { packaged, project, charts, oci, namespace }: Things): Promise<void> {
  await send('POST', '/api/v1/applications?validate=false', {
    metadata: { name: packaged },
    spec: {
      project,
      sources: [
        { repoURL: charts, chart: 'shop', targetRevision: '1.0.0' },
        { repoURL: oci, path: '.', targetRevision: '1.0.0' },
      ],
      destination: { server: 'https://kubernetes.default.svc', namespace },
    },
  });
}

/** The application that runs, with a first entry in its history. */
async function deploy(send: Send, { app, project, repository, namespace }: Things): Promise<void> {
  await send('POST', '/api/v1/applications', {
    metadata: { name: app },
    spec: {
      project,
      source: { repoURL: repository, path: 'app' },
      destination: { server: 'https://kubernetes.default.svc', namespace },
      syncPolicy: { syncOptions: ['CreateNamespace=true'] },
    },
  });
  await send('POST', `/api/v1/applications/${app}/sync`, {});
  await waitUntil(async () => {
    const { status } = (await send('GET', `/api/v1/applications/${app}`)) as {
      status?: { health?: { status?: string }; sync?: { status?: string }; history?: readonly object[] };
    };
    return status?.health?.status === 'Healthy' && status.sync?.status === 'Synced' && (status.history?.length ?? 0) > 0;
  });
}
