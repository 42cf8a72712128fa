/** One Fairway on a real control plane behind a proxy that counts, with a git server: what the measurements of syncs share. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { HttpKubeApi } from '../../src/kube/index.ts';
import { applicationType, readApplication, type Application } from '../../src/model/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { startControlPlane } from '../../test/support/cluster/control-plane.ts';
import { connectTo } from '../../test/support/cluster/shared-cluster.ts';
import { startFairway, type Fairway } from '../../test/support/fairway.ts';
import { startFaultProxy, type FaultProxy } from '../../test/support/fault-proxy.ts';
import { startGitHttpServer } from '../../test/support/git-http-server.ts';
import { createGitRepository, type GitRepository } from '../../test/support/git-repository.ts';
import { kinds } from '../../test/support/kinds.ts';

export const CONTROL = 'argocd';

export interface BenchScene {
  readonly fairway: Fairway;
  /** Past the proxy. */
  readonly api: HttpKubeApi;
  readonly proxy: FaultProxy;
  readonly repository: GitRepository;
  readonly repositoryUrl: string;
  createApplication(name: string, namespace: string, spec?: object): Promise<void>;
  createNamespace(name: string): Promise<void>;
  get(name: string): Promise<Application>;
  list(): Promise<readonly Application[]>;
  close(): Promise<void>;
}

export async function openBenchScene(): Promise<BenchScene> {
  const plane = await startControlPlane();
  const api = await connectTo(plane);
  const proxy = await startFaultProxy(plane);
  const createNamespace = async (name: string): Promise<void> => {
    await api.create(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  };
  await createNamespace(CONTROL);
  const repository = await createGitRepository({ 'README.md': 'Measured.\n' });
  const server = await startGitHttpServer({ root: dirname(repository.folder) });
  const repositoryUrl = `${server.url}/${basename(repository.folder)}`;
  const args = ['--kubeconfig', await writeKubeconfig(proxy.url), '--namespace', CONTROL, '--log-level', 'warn'];
  const fairway = await startFairway({ args });
  return {
    fairway,
    api,
    proxy,
    repository,
    repositoryUrl,
    createNamespace,
    async createApplication(name, namespace, spec = {}) {
      const source = { repoURL: repositoryUrl, path: name, targetRevision: 'main' };
      const destination = { server: 'https://kubernetes.default.svc', namespace };
      const whole = { project: 'default', source, destination, ...spec };
      const metadata = { name, namespace: CONTROL };
      await api.create(applicationType, { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata, spec: whole } as KubeObject);
    },
    get: async (name) => readApplication(await api.get(applicationType, { namespace: CONTROL, name })),
    list: async () => (await api.list(applicationType, { namespace: CONTROL })).items.map(readApplication),
    async close() {
      await fairway.stop();
      await server.close();
      await repository.remove();
      await proxy.close();
      await api.close();
      await plane.stop();
    },
  };
}

/** The proxy speaks to the cluster as the administrator, whoever asks. */
async function writeKubeconfig(server: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'bench-sync-')), 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'bench',
    clusters: [{ name: 'bench', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'bench', user: { token: 'anybody' } }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
  };
  await writeFile(file, JSON.stringify(config));
  return file;
}

/** The four objects of a small application, by file. */
export function fourObjects(name: string): Record<string, string> {
  const labels = { app: name };
  const container = { name: 'web', image: 'example.com/web:1' };
  const objects = {
    account: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } },
    settings: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { greeting: 'hello' } },
    service: { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { selector: labels, ports: [{ port: 80 }] } },
    web: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
    },
  };
  return Object.fromEntries(Object.entries(objects).map(([file, object]) => [`${name}/${file}.json`, JSON.stringify(object)]));
}
