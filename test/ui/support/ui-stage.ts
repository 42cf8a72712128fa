/** The program with its web interface, a browser, and something to look at. */
import { fileURLToPath } from 'node:url';
import { ensureUi } from '../../../scripts/build/build-ui.ts';
import type { HttpKubeApi } from '../../../src/kube/index.ts';
import { deployment, IN_CLUSTER, service } from '../../support/argocd-stage.ts';
import { connectToFairway } from '../../support/connect-to-fairway.ts';
import { startFairway, type Fairway, type FairwayOptions } from '../../support/fairway.ts';
import { configMap, createGitRepository, type GitRepository } from '../../support/git-repository.ts';
import { kinds } from '../../support/kinds.ts';
import { signInAsAdmin, type RestCaller } from '../../support/rest-caller.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { openBrowser, type Person, type PersonOptions, type StoryBrowser } from './open-browser.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

export interface UiStage {
  readonly fairway: Fairway;
  /** With the folders `web`, `api` and `settings`. */
  readonly repository: GitRepository;
  /** Calls the REST API as the admin. */
  readonly call: RestCaller;
  /** The embedded Kubernetes API, where everything lives. */
  readonly home: HttpKubeApi;
  /** Changes argocd-cm, argocd-rbac-cm or another ConfigMap of the control plane. */
  configure(name: string, data: Readonly<Record<string, string | null>>): Promise<void>;
  /** Somebody else who may sign in, with the lines of a policy that say what they may do. Returns their password. */
  addAccount(name: string, policy: readonly string[]): Promise<string>;
  /** Somebody who is not signed in, with a window of their own. */
  open(options?: PersonOptions): Promise<Person>;
  /** The same, signed in (as the admin unless told otherwise), at a path. */
  openSignedIn(path: string, options?: PersonOptions & { readonly username?: string; readonly password?: string }): Promise<Person>;
  createApplication(name: string, options?: NewApplication): Promise<void>;
  /** Waits until sync and health are so, as `Synced Healthy`. */
  waitForState(name: string, state: string): Promise<void>;
  close(): Promise<void>;
}

export interface NewApplication {
  /** `web` unless told otherwise. */
  readonly path?: string;
  readonly project?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Synced by itself unless false. */
  readonly automated?: boolean;
  readonly namespace?: string;
}

const FILES = {
  'web/deployment.json': deployment('web', { replicas: 2 }),
  'web/service.json': service('web'),
  'api/deployment.json': deployment('api'),
  'settings/settings.json': configMap('settings', { theme: 'calm' }),
};

/** Builds the interface where it is stale, and starts everything. Always `close` it. */
export async function startUiStage(options: FairwayOptions = {}): Promise<UiStage> {
  await ensureUi(ROOT);
  const repository = await createGitRepository(FILES);
  const fairway = await startFairway(options);
  const [call, home] = [await signInAsAdmin(fairway), await connectToFairway(fairway)];
  const configure: UiStage['configure'] = async (name, data) => {
    await home.patch(kinds.configMap, { namespace: 'argocd', name }, { type: 'merge', body: { data } });
  };
  const lines: string[] = [];
  let browser: StoryBrowser | undefined;
  const open = async (person: PersonOptions = {}): Promise<Person> => {
    browser ??= await openBrowser(fairway.url);
    return browser.open(person);
  };
  return {
    fairway,
    repository,
    call,
    home,
    configure,
    async addAccount(name, policy) {
      lines.push(...policy);
      await configure('argocd-cm', { [`accounts.${name}`]: 'login' });
      await configure('argocd-rbac-cm', { 'policy.csv': lines.join('\n') });
      const body = { name, newPassword: `password-of-${name}`, currentPassword: fairway.adminPassword };
      await waitUntil(async () => (await call('PUT', '/api/v1/account/password', body)).status === 200);
      return body.newPassword;
    },
    open,
    async openSignedIn(path, { username = 'admin', password = fairway.adminPassword, ...person } = {}) {
      const opened = await open(person);
      const answer = await opened.context.request.post('/api/v1/session', { data: { username, password } });
      if (!answer.ok()) throw new Error(`${username} could not sign in: ${await answer.text()}`);
      await opened.page.goto(path);
      return opened;
    },
    createApplication: (name, application = {}) => createApplication(call, repository, name, application),
    waitForState: (name, state) => waitForState(call, name, state),
    async close() {
      await browser?.close();
      await home.close();
      await fairway.stop();
      await repository.remove();
    },
  };
}

async function createApplication(call: RestCaller, { url }: GitRepository, name: string, application: NewApplication): Promise<void> {
  const { path = 'web', project = 'default', labels = {}, annotations = {}, automated = true, namespace = name } = application;
  const { status, text } = await call('POST', '/api/v1/applications', {
    metadata: { name, labels, annotations },
    spec: {
      project,
      source: { repoURL: url, path, targetRevision: 'HEAD' },
      destination: { server: IN_CLUSTER, namespace },
      syncPolicy: { ...(automated && { automated: {} }), syncOptions: ['CreateNamespace=true'] },
    },
  });
  if (status !== 200) throw new Error(`${name} could not be created: ${text}`);
}

async function waitForState(call: RestCaller, name: string, state: string): Promise<void> {
  await waitUntil(async () => {
    const { json } = await call('GET', `/api/v1/applications/${name}`);
    const status = json['status'] as { sync?: { status?: string }; health?: { status?: string } } | undefined;
    return `${status?.sync?.status} ${status?.health?.status}` === state;
  });
}
