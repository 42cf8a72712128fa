/** One Fairway on the real control plane for many stories, each with an application, a repository and a namespace of its own. */
import { expect } from 'vitest';
import type { HttpKubeApi, ResourceType } from '../../src/kube/index.ts';
import { applicationType, readApplication, type Application, type OperationState } from '../../src/model/index.ts';
import { isStatusError, type JsonObject, type KubeObject } from '../../src/objects/index.ts';
import { connectTo, testNamespace, type SharedCluster } from './cluster/shared-cluster.ts';
import { startFairway, type Fairway } from './fairway.ts';
import { createGitRepository, type FileChanges, type GitRepository } from './git-repository.ts';
import { kinds } from './kinds.ts';
import { signInAsAdmin, type RestAnswer, type RestCaller } from './rest-caller.ts';
import { waitUntil } from './wait-until.ts';

export const IN_CLUSTER = 'https://kubernetes.default.svc';

/** Manifests by file name; undefined takes a file away. */
export type Manifests = Readonly<Record<string, object | undefined>>;

export interface StoryOptions {
  /** Merged over an ordinary spec. */
  readonly spec?: object;
  readonly metadata?: object;
  /** Another namespace than one of its own. */
  readonly namespace?: string;
}

export interface SyncScene {
  readonly fairway: Fairway;
  readonly api: HttpKubeApi;
  readonly rest: RestCaller;
  readonly controlNamespace: string;
  /** Begins a story: what is in the repository, and the application that wants it. */
  given(name: string, manifests: Manifests, options?: StoryOptions): Promise<Story>;
  /** A namespace that nobody else uses. */
  namespace(): Promise<string>;
  close(): Promise<void>;
}

export async function openSyncScene(cluster: SharedCluster, env: Readonly<Record<string, string>> = {}): Promise<SyncScene> {
  await using stack = new AsyncDisposableStack();
  const repositories: GitRepository[] = [];
  stack.defer(async () => {
    await Promise.all(repositories.map((repository) => repository.remove()));
  });
  const controlNamespace = await testNamespace(cluster);
  const args = ['--kubeconfig', cluster.kubeconfig(), '--namespace', controlNamespace, '--allow-file-repositories'];
  const fairway = await startFairway({ args, env });
  stack.defer(() => fairway.stop());
  const api = await connectTo(cluster);
  stack.defer(() => api.close());
  const rest = await signInAsAdmin(fairway);
  const opened = stack.move();
  return {
    fairway,
    api,
    rest,
    controlNamespace,
    namespace: () => testNamespace(cluster),
    async given(name, manifests, options = {}) {
      const namespace = options.namespace ?? (await testNamespace(cluster));
      // Of its own, as a commit of another story would be another revision of this one.
      const repository = await createGitRepository(filesOf(name, manifests));
      repositories.push(repository);
      const story = new Story({ name, namespace, api, rest, controlNamespace, repository });
      const source = { repoURL: repository.url, path: name, targetRevision: 'HEAD' };
      const spec = { project: 'default', source, destination: { server: IN_CLUSTER, namespace }, ...options.spec };
      await story.call('POST', '/api/v1/applications', { metadata: { name, ...options.metadata }, spec });
      return story;
    },
    close: () => opened.disposeAsync(),
  };
}

function filesOf(name: string, manifests: Manifests): FileChanges {
  return Object.fromEntries(Object.entries(manifests).map(([file, object]) => [`${name}/${file}.json`, object && JSON.stringify(object)]));
}

interface StoryParts {
  readonly name: string;
  readonly namespace: string;
  readonly api: HttpKubeApi;
  readonly rest: RestCaller;
  readonly controlNamespace: string;
  readonly repository: GitRepository;
}

/** What happens to one application. */
export class Story {
  readonly #parts: StoryParts;

  constructor(parts: StoryParts) {
    this.#parts = parts;
  }

  get namespace(): string {
    return this.#parts.namespace;
  }

  get repository(): GitRepository {
    return this.#parts.repository;
  }

  get name(): string {
    return this.#parts.name;
  }

  /** A call that must succeed. */
  async call(verb: string, path: string, body?: unknown): Promise<RestAnswer['json']> {
    const { status, text, json } = await this.#parts.rest(verb, path, body);
    expect({ verb, path, status, text: status === 200 ? '' : text }).toEqual({ verb, path, status: 200, text: '' });
    return json;
  }

  /** A call of the application's own, which may fail. */
  ask(verb: string, what: string, body?: unknown): Promise<RestAnswer> {
    return this.#parts.rest(verb, `/api/v1/applications/${this.name}${what}`, body);
  }

  commit(manifests: Manifests): Promise<string> {
    return this.repository.commit(filesOf(this.name, manifests));
  }

  /** As the home holds it; undefined when it is gone. */
  async find(): Promise<Application | undefined> {
    try {
      return readApplication(await this.#parts.api.get(applicationType, this.#ref()));
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  async get(): Promise<Application> {
    const application = await this.find();
    if (application === undefined) throw new Error(`the application ${this.name} is gone`);
    return application;
  }

  async refresh(kind: 'normal' | 'hard' = 'normal'): Promise<Application> {
    await this.call('GET', `/api/v1/applications/${this.name}?refresh=${kind}`);
    return this.get();
  }

  /** Syncs and waits for the end, however it is. */
  async sync(request: object = {}): Promise<OperationState> {
    await this.startSync(request);
    return this.waitForEnd();
  }

  async startSync(request: object = {}): Promise<void> {
    await this.call('POST', `/api/v1/applications/${this.name}/sync`, request);
  }

  waitForEnd(): Promise<OperationState> {
    return this.waitFor(({ operation, status }) => (operation ? undefined : status?.operationState));
  }

  terminate(): Promise<RestAnswer> {
    return this.ask('DELETE', '/operation');
  }

  /** What the application shows once it shows something. */
  async waitFor<Result>(look: (application: Application) => Result | undefined | false): Promise<Result> {
    let last: Application | undefined;
    return waitUntil(async () => {
      last = await this.find();
      return last && look(last);
    }).catch((error: unknown) => {
      const { sync, health, conditions, operationState } = last?.status ?? {};
      const shown = {
        sync: sync?.status,
        health: health?.status,
        conditions,
        phase: operationState?.phase,
        message: operationState?.message,
      };
      throw new Error(`${this.name} came to ${JSON.stringify(shown)}`, { cause: error });
    });
  }

  /** Such as `Synced Healthy`. */
  async becomes(state: string): Promise<void> {
    await this.waitFor(({ status, operation }) => !operation && `${status?.sync?.status} ${status?.health?.status}` === state);
  }

  async isGone(): Promise<void> {
    await waitUntil(async () => (await this.find()) === undefined);
  }

  /** A live object of the story's namespace; undefined where there is none. */
  async live(type: ResourceType, name: string): Promise<KubeObject | undefined> {
    try {
      return await this.#parts.api.get(type, type.namespaced ? { namespace: this.namespace, name } : { name });
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  /** The names of live ConfigMaps, without the one that every namespace has. */
  async configMaps(): Promise<readonly string[]> {
    const { items } = await this.#parts.api.list(kinds.configMap, { namespace: this.namespace });
    return items.map(({ metadata }) => metadata.name ?? '').filter((name) => name !== 'kube-root-ca.crt');
  }

  async dataOf(name: string): Promise<unknown> {
    return (await this.live(kinds.configMap, name))?.['data'];
  }

  /** Changes a live object behind the application's back. */
  async change(type: ResourceType, name: string, body: JsonObject): Promise<void> {
    const ref = { name, ...(type.namespaced && { namespace: this.namespace }) };
    await this.#parts.api.patch(type, ref, { type: 'merge', body }, { fieldManager: 'somebody' });
  }

  async changeApplication(body: JsonObject): Promise<void> {
    await this.#parts.api.patch(applicationType, this.#ref(), { type: 'merge', body });
  }

  /** Takes part in it with what every object of a kind is made with. */
  async create(type: ResourceType, object: KubeObject): Promise<void> {
    const metadata = { ...object.metadata, ...(type.namespaced && { namespace: object.metadata.namespace ?? this.namespace }) };
    await this.#parts.api.create(type, { ...object, metadata });
  }

  async remove(type: ResourceType, name: string): Promise<void> {
    await this.#parts.api.delete(type, { name, ...(type.namespaced && { namespace: this.namespace }) });
  }

  #ref(): { readonly namespace: string; readonly name: string } {
    return { namespace: this.#parts.controlNamespace, name: this.name };
  }
}

/** What became of each resource, such as `ConfigMap a: Synced`. */
export function resultsOf({ syncResult }: OperationState): readonly string[] {
  return (syncResult?.resources ?? []).map(({ kind, name, status }) => `${kind} ${name}: ${status ?? ''}`);
}

/** Annotations of the manifests of stories. */
export const wave = (number: number): Record<string, string> => ({ 'argocd.argoproj.io/sync-wave': String(number) });
export const hook = (type: string, policy?: string): Record<string, string> => ({
  'argocd.argoproj.io/hook': type,
  ...(policy && { 'argocd.argoproj.io/hook-delete-policy': policy }),
});
export const options = (list: string): Record<string, string> => ({ 'argocd.argoproj.io/sync-options': list });

export function map(
  name: string,
  data: Readonly<Record<string, string>> = { key: 'value' },
  annotations?: Record<string, string>,
): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...(annotations && { annotations }) }, data };
}

/** A workload; an image with `invalid` in it never starts. */
export function workload(name: string, { image = 'example.com/web:1', replicas = 1, labels = { app: name } } = {}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      progressDeadlineSeconds: 5,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } },
    },
  };
}

/** A Job of a fake node: it ends after the seconds that it sleeps, and fails where it says `exit 1`. */
export function job(name: string, annotations: Record<string, string>, command: readonly string[] = ['sleep', '0']): KubeObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, annotations },
    spec: {
      backoffLimit: 0,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'run', image: 'example.com/run:1', command: [...command] }] } },
    },
  };
}
