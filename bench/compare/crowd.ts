import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { KubeObject } from '../../src/objects/index.ts';
import { startGitHttpServer } from '../../test/support/git-http-server.ts';
import { createGitRepository, type FileChanges } from '../../test/support/git-repository.ts';

export const DESTINATION_NAMESPACE = 'crowd';

/** Many applications of four objects each, in folders of one repository that is served over HTTP. */
export interface Crowd extends AsyncDisposable {
  readonly applications: readonly KubeObject[];
}

export async function createCrowd(count: number): Promise<Crowd> {
  const changes: Record<string, FileChanges[string]> = {};
  for (let index = 0; index < count; index += 1) changes[`apps/${nameOf(index)}/all.yaml`] = manifestsOf(nameOf(index));
  const repository = await createGitRepository(changes);
  const server = await startGitHttpServer({ root: dirname(repository.folder) });
  const repoURL = `${server.url}/${basename(repository.folder)}/.git`;
  const cache = await mkdtemp(join(tmpdir(), 'crowd-'));
  return {
    applications: Array.from({ length: count }, (_, index) => applicationOf(nameOf(index), repoURL)),
    async [Symbol.asyncDispose]() {
      await server.close();
      await repository.remove();
      await rm(cache, { recursive: true, force: true });
    },
  };
}

function nameOf(index: number): string {
  return `member-${String(index).padStart(4, '0')}`;
}

function applicationOf(name: string, repoURL: string): KubeObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL, path: `apps/${name}`, targetRevision: 'HEAD' },
      destination: { server: 'https://kubernetes.default.svc', namespace: DESTINATION_NAMESPACE },
      syncPolicy: { automated: { prune: true, selfHeal: true } },
    },
  };
}

function manifestsOf(name: string): string {
  const labels = { 'app.kubernetes.io/name': name };
  const container = { name: 'main', image: 'example/web:1', ports: [{ containerPort: 8080 }], envFrom: [{ configMapRef: { name } }] };
  const objects = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, labels } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data: { 'settings.yaml': 'option: value\n'.repeat(20) } },
    { apiVersion: 'v1', kind: 'Service', metadata: { name, labels }, spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, labels },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { serviceAccountName: name, containers: [container] } },
      },
    },
  ];
  return objects.map((object) => JSON.stringify(object)).join('\n---\n');
}
