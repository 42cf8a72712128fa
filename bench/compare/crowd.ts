import { basename, dirname } from 'node:path';
import type { KubeObject } from '../../src/objects/index.ts';
import { startGitHttpServer } from '../../test/support/git-http-server.ts';
import { createGitRepository, type FileChanges } from '../../test/support/git-repository.ts';

export const DESTINATION_NAMESPACE = 'crowd';

const FIRST_MARK = 'first';

/** How the objects of an application are written down. */
export type Flavour = 'plain' | 'kustomize' | 'helm';

/** Many applications of four objects each, in folders of one repository that is served over HTTP. */
export interface Crowd extends AsyncDisposable {
  readonly repositoryUrl: string;
  readonly names: readonly string[];
  readonly applications: readonly KubeObject[];
  /** What the repository says in the ConfigMap of an application. */
  markOf(name: string): string;
  /** Changes the ConfigMaps of these applications in one commit, and answers with it. */
  commitTo(names: readonly string[], mark: string): Promise<string>;
  commit(changes: FileChanges): Promise<string>;
  /** An application of a folder of the repository; where it is not automated it waits for somebody to sync it. */
  describe(name: string, path: string, isAutomated?: boolean): KubeObject;
}

export async function createCrowd(count: number, flavour: Flavour): Promise<Crowd> {
  const names = Array.from({ length: count }, (_, index) => `member-${String(index).padStart(4, '0')}`);
  const files = (touched: readonly string[], mark: string): FileChanges =>
    Object.fromEntries(touched.flatMap((name) => Object.entries(FILES[flavour](name, mark))));
  const marks = new Map<string, string>();
  const repository = await createGitRepository({ README: 'Many.\n', ...files(names, FIRST_MARK) });
  const server = await startGitHttpServer({ root: dirname(repository.folder) });
  const repositoryUrl = `${server.url}/${basename(repository.folder)}`;
  const describe = (name: string, path: string, isAutomated = true): KubeObject =>
    applicationOf({ name, path, repositoryUrl, isAutomated });
  return {
    repositoryUrl,
    names,
    applications: names.map((name) => describe(name, `apps/${name}`)),
    markOf: (name) => marks.get(name) ?? FIRST_MARK,
    commitTo(touched, mark) {
      for (const name of touched) marks.set(name, mark);
      return repository.commit(files(touched, mark));
    },
    commit: (changes) => repository.commit(changes),
    describe,
    async [Symbol.asyncDispose]() {
      await server.close();
      await repository.remove();
    },
  };
}

interface ApplicationParts {
  readonly name: string;
  readonly path: string;
  readonly repositoryUrl: string;
  readonly isAutomated: boolean;
}

function applicationOf({ name, path, repositoryUrl, isAutomated }: ApplicationParts): KubeObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL: repositoryUrl, path, targetRevision: 'HEAD' },
      destination: { server: 'https://kubernetes.default.svc', namespace: DESTINATION_NAMESPACE },
      // Nobody heals: some workloads change what lives, and wait until that is seen.
      ...(isAutomated && { syncPolicy: { automated: { prune: true } } }),
    },
  };
}

const FILES: Record<Flavour, (name: string, mark: string) => FileChanges> = {
  plain: (name, mark) => ({ [`apps/${name}/all.yaml`]: documents(objectsOf(name, mark)) }),
  kustomize: (name, mark) => ({
    [`apps/${name}/all.yaml`]: documents(objectsOf('web', mark)),
    [`apps/${name}/kustomization.yaml`]: JSON.stringify({
      resources: ['all.yaml'],
      nameSuffix: `-${name}`,
      images: [{ name: 'example/web', newTag: '2' }],
      labels: [{ pairs: { team: name }, includeSelectors: true }],
    }),
  }),
  helm: (name, mark) => ({
    [`apps/${name}/Chart.yaml`]: JSON.stringify({ apiVersion: 'v2', name: 'web', version: '1.0.0' }),
    [`apps/${name}/values.yaml`]: JSON.stringify({ mark, tag: '2', replicas: 1 }),
    [`apps/${name}/templates/all.yaml`]: documents(objectsOf('{{ .Release.Name }}', '{{ .Values.mark }}', '{{ .Values.tag }}')),
  }),
};

function documents(objects: readonly object[]): string {
  return objects.map((object) => JSON.stringify(object)).join('\n---\n');
}

function objectsOf(name: string, mark: string, tag = '1'): readonly object[] {
  const labels = { 'app.kubernetes.io/name': name };
  const container = {
    name: 'main',
    image: `example/web:${tag}`,
    ports: [{ containerPort: 8080 }],
    envFrom: [{ configMapRef: { name } }],
  };
  const data = { mark, 'settings.yaml': 'option: value\n'.repeat(20) };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, labels } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data },
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
}
