import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpKubeApi, ResourceType } from '../../../src/kube/index.ts';
import { applicationSetType, applicationType, readApplication } from '../../../src/model/index.ts';
import type { JsonObject, KubeObject } from '../../../src/objects/index.ts';
import { prepareArgocdHome } from '../argocd-installation/prepare-argocd-home.ts';
import { startArgocd, type ArgocdInstallation } from '../argocd-installation/start-argocd.ts';
import { startControlPlane, type ControlPlane } from '../cluster/control-plane.ts';
import { connectTo } from '../cluster/shared-cluster.ts';
import { startGitHttpServer } from '../git-http-server.ts';
import { waitUntil } from '../wait-until.ts';
import { createGitRepository, type GitRepository } from '../git-repository.ts';
import { configMap, documents, job } from './corpus/corpus-case.ts';
import { createCorpus, type Corpus } from './corpus/create-corpus.ts';
import { startCorpusServers } from './corpus-servers.ts';

export const ADMIN_PASSWORD = 'take-over-password';
/** Where applications may be beside the namespace of the control plane. */
export const APPLICATION_NAMESPACES = ['team-*'];
const REFRESH = 'argocd.argoproj.io/refresh';
const SETTLE_LIMIT_MS = 15 * 60_000;
/** How long none changes before all are taken to be as they stay; where there are few, little is under way that nobody sees. */
const QUIET_MS = { whole: 8_000, small: 3_000 };
const POLL_MS = 250;

const SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'argocd-cm': {
    'accounts.robot': 'apiKey, login',
    'resource.customizations.health.corpus.example.com_Probe':
      'local hs = {}\nif obj.spec.fails then\n  hs.status = "Degraded"\n  hs.message = "on purpose"\nelse\n  hs.status = "Healthy"\nend\nreturn hs\n',
    'resource.customizations.ignoreDifferences.ConfigMap': 'jsonPointers:\n- /data/corpus-volatile\n',
  },
  'argocd-rbac-cm': { 'policy.csv': 'p, role:viewer, applications, get, */*, allow\ng, robot, role:viewer\n' },
  'argocd-cmd-params-cm': {
    'application.namespaces': APPLICATION_NAMESPACES.join(','),
    'controller.resource.health.persist': 'true',
    'applicationsetcontroller.enable.progressive.syncs': 'true',
  },
};

/** What a deployment tells the processes of Argo CD, from the settings and besides. */
const VARIABLES = {
  ARGOCD_APPLICATION_NAMESPACES: APPLICATION_NAMESPACES.join(','),
  // So that the health of every resource can be compared, too.
  ARGOCD_APPLICATION_CONTROLLER_PERSIST_RESOURCE_HEALTH: 'true',
  ARGOCD_APPLICATIONSET_CONTROLLER_ENABLE_PROGRESSIVE_SYNCS: 'true',
  ARGOCD_RECONCILIATION_JITTER: '0s',
};

/** A control plane with an Argo CD that has deployed the corpus. */
export interface TakeOverScene {
  readonly plane: ControlPlane;
  readonly api: HttpKubeApi;
  readonly corpus: Corpus;
  readonly repository: GitRepository;
  readonly repositoryUrl: string;
  /** The folder of the plugins. */
  readonly pluginSockets: string;
  /** Of its API server. */
  readonly argocd: () => ArgocdInstallation;
  startArgocd(): Promise<void>;
  stopArgocd(): Promise<void>;
  /** Waits until every application is as it is expected to be then, and none has changed for a while. */
  settle(moment: Moment): Promise<void>;
  /** Has every application that can be compared looked at now, however young the last look is. */
  askForRefresh(): Promise<void>;
  /** Returns when the audit log has everything that happened before. */
  flushAudit(): Promise<void>;
  applications(): Promise<readonly KubeObject[]>;
  close(): Promise<void>;
}

/** Deployed, and after somebody did things by hand; or looked at by an Argo CD that came back, whatever was done in between. */
export type Moment = 'deployed' | 'drifted' | 'given back';

export interface TakeOverOptions {
  readonly size: 'whole' | 'small';
  /** How objects are marked as an application's, throughout the installation. */
  readonly tracking: 'annotation' | 'label' | 'annotation+label';
}

export async function openTakeOverScene({ size, tracking }: TakeOverOptions): Promise<TakeOverScene> {
  await using stack = new AsyncDisposableStack();
  // Closed also where one beside it does not open.
  const open = <Thing>(opening: Promise<Thing>, close: (thing: Thing) => Promise<void>): Promise<Thing> => {
    stack.defer(() => opening.then(close, () => undefined));
    return opening;
  };
  const [plane, repository, servers] = await Promise.all([
    open(startControlPlane({ isAudited: true }), (it) => it.stop()),
    open(createGitRepository(), (it) => it.remove()),
    open(startCorpusServers(), (it) => it.close()),
  ]);
  const api = await connectTo(plane);
  stack.defer(() => api.close());
  const server = await startGitHttpServer({ root: dirname(repository.folder) });
  stack.defer(() => server.close());
  const repositoryUrl = `${server.url}/${basename(repository.folder)}`;
  const corpus = createCorpus({ repositoryUrl, ...servers }, size);
  await repository.commit({ ...corpus.files, 'interrupted/all.yaml': interruptedFiles(), 'README.md': 'The corpus.\n' });
  await repository.git('tag', 'v1.0.0');
  await repository.git('tag', '1.4.0');
  await prepareArgocdHome(api, ADMIN_PASSWORD);
  await writeSettings(api, tracking);
  let installation: ArgocdInstallation | undefined;
  const scene = {
    plane,
    api,
    corpus,
    repository,
    repositoryUrl,
    pluginSockets: servers.pluginSockets,
    argocd: () => installation as ArgocdInstallation,
    async startArgocd() {
      const timeout = { ARGOCD_RECONCILIATION_TIMEOUT: size === 'small' ? '20s' : '60s' };
      const variables = { ...VARIABLES, ...timeout, ARGOCD_PLUGINSOCKFILEPATH: servers.pluginSockets };
      installation = await startArgocd({ plane, variables });
    },
    async stopArgocd() {
      await installation?.stop();
      installation = undefined;
    },
    settle: (moment: Moment) => settle(api, corpus, moment, QUIET_MS[size]),
    askForRefresh: () => askForRefresh(api),
    flushAudit: () => flushAudit(plane),
    applications: async () => (await api.list(applicationType)).items,
  };
  await create(api, [...corpus.objects, secondCluster(plane)]);
  // Whether an application or its controller comes first is all the same.
  await Promise.all([open(scene.startArgocd(), () => scene.stopArgocd()), createApplications(api, corpus)]);
  const close = stack.move();
  return { ...scene, close: () => close.disposeAsync() };
}

/** Does by hand what the corpus says that somebody did. */
export async function applyDrift({ api, corpus }: Pick<TakeOverScene, 'api' | 'corpus'>): Promise<void> {
  for (const { apiVersion, kind, name, namespace, patch, fieldManager = 'somebody', isNew = false } of corpus.drift) {
    const type = await typeOf(api, apiVersion, kind);
    const body = patch as unknown as JsonObject;
    if (patch === undefined) await api.delete(type, { namespace, name });
    else if (isNew) await api.create(type, merge({ apiVersion, kind, metadata: { name, namespace } }, body));
    else await api.patch(type, { namespace, name }, { type: 'merge', body }, { fieldManager });
  }
}

function merge(base: { apiVersion: string; kind: string; metadata: JsonObject }, more: JsonObject): KubeObject {
  return { ...base, ...more, metadata: { ...base.metadata, ...(more['metadata'] as JsonObject) } } as unknown as KubeObject;
}

/** Whose sync takes until somebody ends its hook. */
function interruptedFiles(): string {
  const hook = { annotations: { 'argocd.argoproj.io/hook': 'PreSync' } };
  return documents(configMap('interrupted'), job('interrupted-first', ['sleep', '3600'], hook));
}

async function writeSettings(api: HttpKubeApi, tracking: TakeOverOptions['tracking']): Promise<void> {
  const type: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
  for (const [name, data] of Object.entries(SETTINGS)) {
    await api.patch(type, { namespace: 'argocd', name }, { type: 'merge', body: { data } });
  }
  const body = { data: { 'application.resourceTrackingMethod': tracking } };
  await api.patch(type, { namespace: 'argocd', name: 'argocd-cm' }, { type: 'merge', body });
}

/** The same control plane, registered as any other cluster would be. */
function secondCluster(plane: ControlPlane): KubeObject {
  const { clusters, users } = JSON.parse(readFileSync(plane.kubeconfig('admin'), 'utf8')) as {
    clusters: [{ cluster: Record<string, string> }];
    users: [{ user: Record<string, string> }];
  };
  const [{ cluster }] = clusters;
  const [{ user }] = users;
  const tlsClientConfig = {
    caData: cluster['certificate-authority-data'],
    certData: user['client-certificate-data'],
    keyData: user['client-key-data'],
  };
  const labels = { 'argocd.argoproj.io/secret-type': 'cluster' };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'corpus-second', namespace: 'argocd', labels },
    stringData: { name: 'second', server: plane.url, config: JSON.stringify({ tlsClientConfig }) },
  };
}

async function createApplications(api: HttpKubeApi, { applications, sets }: Corpus): Promise<void> {
  for (const object of applications) await api.create(applicationType, object);
  for (const object of sets) await api.create(applicationSetType, object);
}

async function create(api: HttpKubeApi, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) await api.create(await typeOf(api, object.apiVersion, object.kind), object);
}

/** The kind as the cluster serves it; one that was defined a moment ago is waited for. */
async function typeOf(api: HttpKubeApi, apiVersion: string, kind: string): Promise<ResourceType> {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const find = async (fresh: boolean): Promise<ResourceType | undefined> => {
    const { resources } = await api.discover({ fresh });
    return resources.find((one) => one.group === group && one.version === version && one.kind === kind);
  };
  return (await find(false)) ?? waitUntil(() => find(true));
}

async function settle(api: HttpKubeApi, corpus: Corpus, moment: Moment, quietMs: number): Promise<void> {
  const deadline = Date.now() + SETTLE_LIMIT_MS;
  let quietSince = Date.now();
  let seen = '';
  for (;;) {
    const { items } = await api.list(applicationType);
    const states = new Map(items.map((object) => [keyOf(object), stateOf(object)]));
    const state = JSON.stringify([...states]);
    if (state !== seen) quietSince = Date.now();
    seen = state;
    const expected = corpus.expected.map(({ key, state: last, deployedState }) => ({
      key,
      wanted: moment === 'deployed' ? deployedState : last,
    }));
    const missing =
      moment === 'given back'
        ? items.filter((object) => !isLookedAt(object)).map((object) => ({ key: keyOf(object), wanted: '' }))
        : expected.filter(({ key, wanted }) => !isAsExpected(states.get(key), wanted));
    if (missing.length === 0 && Date.now() - quietSince >= quietMs) return;
    if (Date.now() > deadline) {
      const said = missing.map(({ key, wanted }) => `${key}: ${states.get(key) ?? 'absent'} instead of ${wanted || 'anything'}`);
      throw new Error(`the applications did not settle:\n${said.join('\n')}`);
    }
    await wait(POLL_MS);
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** Whoever looks takes away that it was asked for. */
function isLookedAt({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[REFRESH] === undefined;
}

/** Of what cannot be compared nobody says when that was tried. */
function isComparable(object: KubeObject): boolean {
  const state = readApplication(object).status?.sync?.status;
  return state === 'Synced' || state === 'OutOfSync';
}

async function askForRefresh(api: HttpKubeApi): Promise<void> {
  const body = { metadata: { annotations: { [REFRESH]: 'normal' } } };
  for (const object of (await api.list(applicationType)).items) {
    const { name = '', namespace = '', annotations } = object.metadata;
    const isLeftAlone = annotations?.['argocd.argoproj.io/skip-reconcile'] === 'true';
    if (isComparable(object) && !isLeftAlone) await api.patch(applicationType, { namespace, name }, { type: 'merge', body });
  }
}

/** Sync and health, with a mark while something is under way. */
function stateOf(object: KubeObject): string {
  const { status, operation } = readApplication(object);
  const isBusy = operation !== undefined || status?.operationState?.phase === 'Running';
  return `${status?.sync?.status ?? ''} ${status?.health?.status ?? ''}${isBusy ? ' busy' : ''}`;
}

function isAsExpected(state: string | undefined, wanted: string): boolean {
  if (state === undefined) return false;
  return wanted === '' ? state.trim() !== '' && !state.endsWith('busy') : state === wanted;
}

/** Lines are written in batches, in the order in which requests ended: one of ours tells that all before it are there. */
async function flushAudit(plane: ControlPlane): Promise<void> {
  const name = `audit-mark-${performance.now().toFixed(0)}`;
  await plane.request('GET', `/api/v1/namespaces/default/configmaps/${name}`);
  await waitUntil(() => readFileSync(join(plane.folder, 'audit.log'), 'utf8').includes(name));
}

interface AuditLine {
  readonly userAgent?: string;
  readonly verb?: string;
  readonly requestURI?: string;
}

/** The requests of a program that were no reads, as `verb path`, and whether they were only tried; from this size of the log on. */
export function readWrites({ folder }: Pick<ControlPlane, 'folder'>, userAgent: string, sinceBytes = 0): readonly string[] {
  const text = readFileSync(join(folder, 'audit.log')).subarray(sinceBytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditLine)
    .filter((line) => line.userAgent?.startsWith(userAgent) === true && !['get', 'list', 'watch'].includes(line.verb ?? ''))
    .map(
      ({ verb = '', requestURI = '' }) => `${verb} ${requestURI.replace(/\?.*/, '')}${requestURI.includes('dryRun=All') ? ' (tried)' : ''}`,
    );
}
