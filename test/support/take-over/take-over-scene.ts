import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpKubeApi, ResourceType } from '../../../src/kube/index.ts';
import { applicationSetType, applicationType, readApplication } from '../../../src/model/index.ts';
import type { JsonObject, KubeObject } from '../../../src/objects/index.ts';
import { startControlPlane, type ControlPlane } from '../cluster/control-plane.ts';
import { connectTo } from '../cluster/shared-cluster.ts';
import { startGitHttpServer } from '../git-http-server.ts';
import { createGitRepository, type GitRepository } from '../git-repository.ts';
import { prepareArgocdHome, startArgocd, type ArgocdInstallation } from './argocd-installation.ts';
import { createCorpus, type Corpus } from './corpus/create-corpus.ts';
import { REPOSITORY } from './corpus/corpus-case.ts';

export const ADMIN_PASSWORD = 'take-over-password';
/** Where applications may be beside the namespace of the control plane. */
export const APPLICATION_NAMESPACES = ['team-*'];
const SETTLE_LIMIT_MS = 15 * 60_000;
const QUIET_MS = 8_000;
const POLL_MS = 500;

const SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'argocd-cm': {
    'timeout.reconciliation': '60s',
    'timeout.reconciliation.jitter': '0s',
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

/** A control plane with an Argo CD that has deployed the corpus. */
export interface TakeOverScene {
  readonly plane: ControlPlane;
  readonly api: HttpKubeApi;
  readonly corpus: Corpus;
  readonly repository: GitRepository;
  readonly repositoryUrl: string;
  /** Of its API server. */
  readonly argocd: () => ArgocdInstallation;
  startArgocd(): Promise<void>;
  stopArgocd(): Promise<void>;
  /** Waits until every application is as it is expected to be and none has changed for a while. */
  settle(): Promise<void>;
  applications(): Promise<readonly KubeObject[]>;
  close(): Promise<void>;
}

export async function openTakeOverScene(size: 'whole' | 'small'): Promise<TakeOverScene> {
  await using stack = new AsyncDisposableStack();
  const plane = await startControlPlane({ isAudited: true });
  stack.defer(() => plane.stop());
  const api = await connectTo(plane);
  stack.defer(() => api.close());
  const repository = await createGitRepository();
  stack.defer(() => repository.remove());
  const server = await startGitHttpServer({ root: dirname(repository.folder) });
  stack.defer(() => server.close());
  const repositoryUrl = `${server.url}/${basename(repository.folder)}`;
  const corpus = createCorpus(repositoryUrl, size);
  await repository.commit({ ...corpus.files, 'README.md': `${REPOSITORY}\n` });
  await repository.git('tag', 'v1.0.0');
  await repository.git('tag', '1.4.0');
  await prepareArgocdHome(api, ADMIN_PASSWORD);
  await writeSettings(api);
  let installation: ArgocdInstallation | undefined;
  stack.defer(() => installation?.stop());
  const scene = {
    plane,
    api,
    corpus,
    repository,
    repositoryUrl,
    argocd: () => installation as ArgocdInstallation,
    async startArgocd() {
      installation = await startArgocd({ plane, applicationNamespaces: APPLICATION_NAMESPACES });
    },
    async stopArgocd() {
      await installation?.stop();
      installation = undefined;
    },
    settle: () => settle(api, corpus),
    applications: async () => (await api.list(applicationType)).items,
  };
  await create(api, corpus.objects);
  await scene.startArgocd();
  for (const object of corpus.applications) await api.create(applicationType, object);
  for (const object of corpus.sets) await api.create(applicationSetType, object);
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

async function writeSettings(api: HttpKubeApi): Promise<void> {
  const type: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
  for (const [name, data] of Object.entries(SETTINGS)) {
    await api.patch(type, { namespace: 'argocd', name }, { type: 'merge', body: { data } });
  }
}

async function create(api: HttpKubeApi, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) await api.create(await typeOf(api, object.apiVersion, object.kind), object);
}

async function typeOf(api: HttpKubeApi, apiVersion: string, kind: string): Promise<ResourceType> {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const { resources } = await api.discover();
  const found = resources.find((one) => one.group === group && one.version === version && one.kind === kind);
  if (found === undefined) throw new Error(`the cluster does not serve ${kind} of ${apiVersion}`);
  return found;
}

async function settle(api: HttpKubeApi, corpus: Corpus): Promise<void> {
  const deadline = Date.now() + SETTLE_LIMIT_MS;
  let quietSince = Date.now();
  let seen = '';
  for (;;) {
    const { items } = await api.list(applicationType);
    const states = new Map(items.map((object) => [`${object.metadata.namespace}/${object.metadata.name}`, stateOf(object)]));
    const state = JSON.stringify([...states]);
    if (state !== seen) quietSince = Date.now();
    seen = state;
    const missing = corpus.expected.filter(({ key, state: wanted }) => !isAsExpected(states.get(key), wanted));
    if (missing.length === 0 && Date.now() - quietSince >= QUIET_MS) return;
    if (Date.now() > deadline) {
      const said = missing.map(({ key, state: wanted }) => `${key}: ${states.get(key) ?? 'absent'} instead of ${wanted || 'anything'}`);
      throw new Error(`the applications did not settle:\n${said.join('\n')}`);
    }
    await wait(POLL_MS);
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

interface AuditLine {
  readonly userAgent?: string;
  readonly verb?: string;
  readonly requestURI?: string;
}

/** The requests of a program that were no reads, as `verb path`; since a moment that `auditMark` gave. */
export function readWrites({ folder }: Pick<ControlPlane, 'folder'>, userAgent: string, sinceBytes = 0): readonly string[] {
  const text = readFileSync(join(folder, 'audit.log')).subarray(sinceBytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditLine)
    .filter((line) => line.userAgent?.startsWith(userAgent) === true && !['get', 'list', 'watch'].includes(line.verb ?? ''))
    .map(({ verb = '', requestURI = '' }) => `${verb} ${requestURI.replace(/\?.*/, '')}`);
}
