/** The program with two projects, `mine` and `other`, an application in each, and people who may do little. */
import type { HttpKubeApi } from '../../src/kube/index.ts';
import { applicationType, type Application } from '../../src/model/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { connectToFairway } from './connect-to-fairway.ts';
import { startFairway, type Fairway } from './fairway.ts';
import { configMap, createGitRepository, type GitRepository } from './git-repository.ts';
import { kinds } from './kinds.ts';
import { callerWith, signInAsAdmin, type RestCaller } from './rest-caller.ts';
import { waitUntil } from './wait-until.ts';

export const IN_CLUSTER = 'https://kubernetes.default.svc';

export interface ProjectScene {
  readonly fairway: Fairway;
  readonly home: HttpKubeApi;
  readonly repository: GitRepository;
  readonly admin: RestCaller;
  /** Has a token of `mine` whose role may do everything with what is in it. */
  readonly dev: RestCaller;
  /** Has an account and no right at all. */
  readonly nobody: RestCaller;
  createProject(name: string, spec: object): Promise<void>;
  application(name: string, project: string, spec?: object): Application;
  createApplication(name: string, project: string, spec?: object): Promise<void>;
  /** An application as the home API has it. */
  read(name: string, namespace?: string): Promise<Application>;
  setSettings(data: Readonly<Record<string, string | null>>): Promise<void>;
  close(): Promise<void>;
}

const RESOURCES = ['applications', 'applicationsets', 'repositories', 'exec', 'logs', 'clusters'];

export async function openProjectScene(): Promise<ProjectScene> {
  await using stack = new AsyncDisposableStack();
  const repository = await createGitRepository({ 'app/one.json': configMap('one') });
  stack.defer(() => repository.remove());
  const fairway = await startFairway({ args: ['--application-namespaces', 'team-*'] });
  stack.defer(() => fairway.stop());
  const admin = await signInAsAdmin(fairway);
  const home = await connectToFairway(fairway);
  stack.defer(() => home.close());
  const expectOk = async (answer: ReturnType<RestCaller>): Promise<Readonly<Record<string, unknown>>> => {
    const { status, text, json } = await answer;
    if (status !== 200) throw new Error(`answered ${status}: ${text}`);
    return json;
  };
  const application = (name: string, project: string, spec: object = {}): Application => ({
    metadata: { name },
    spec: { project, source: { repoURL: repository.url, path: 'app' }, destination: { server: IN_CLUSTER, namespace: 'default' }, ...spec },
  });
  const scene: Omit<ProjectScene, 'dev' | 'nobody' | 'close'> = {
    fairway,
    home,
    repository,
    admin,
    application,
    async createProject(name, spec) {
      await expectOk(admin('POST', '/api/v1/projects', { project: { metadata: { name }, spec } }));
    },
    async createApplication(name, project, spec) {
      await expectOk(admin('POST', '/api/v1/applications?validate=false', application(name, project, spec)));
    },
    read: async (name, namespace = 'argocd') => (await home.get(applicationType, { namespace, name })) as unknown as Application,
    async setSettings(data) {
      await home.patch(kinds.configMap, { namespace: 'argocd', name: 'argocd-cm' }, { type: 'merge', body: { data } });
    },
  };
  const everything = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] };
  const policies = RESOURCES.map((resource) => `p, proj:mine:dev, ${resource}, *, mine/*, allow`);
  await scene.createProject('mine', { ...everything, roles: [{ name: 'dev', policies }] });
  await scene.createProject('other', everything);
  await scene.createApplication('mine-app', 'mine');
  await scene.createApplication('other-app', 'other');
  await scene.setSettings({ 'accounts.nobody': 'apiKey' });
  const token = await waitUntil(async () => (await admin('POST', '/api/v1/account/nobody/token', {})).json['token']);
  const issued = await expectOk(admin('POST', '/api/v1/projects/mine/roles/dev/token', {}));
  const opened = stack.move();
  return {
    ...scene,
    dev: callerWith(fairway, String(issued['token'])),
    nobody: callerWith(fairway, String(token)),
    close: () => opened.disposeAsync(),
  };
}

/** An Application as somebody with rights in the home API would put it there. */
export function applicationObject(application: Application, namespace: string): KubeObject {
  const { metadata, ...rest } = application;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { ...metadata, namespace },
    ...rest,
  } as unknown as KubeObject;
}
