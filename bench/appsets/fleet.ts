import { basename, dirname } from 'node:path';
import type { KubeApi, ResourceType } from '../../src/kube/index.ts';
import type { JsonObject, KubeObject } from '../../src/objects/index.ts';
import { secret } from '../../test/support/embedded-home.ts';
import { startGitHttpServer } from '../../test/support/git-http-server.ts';
import { createGitRepository } from '../../test/support/git-repository.ts';

export const NAMESPACE = 'argocd';
export const CLUSTERS = 10;
/** Of the one application set. */
export const fleetRef = { namespace: NAMESPACE, name: 'fleet' };

const secrets: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };

/** Files in git, served over HTTP, and the application set that makes an application of each for each of ten clusters. */
export interface Fleet extends AsyncDisposable {
  readonly applications: number;
  readonly set: KubeObject & JsonObject;
  /** Commits another size in one file: ten applications get it as a label. */
  resize(size: string): Promise<void>;
}

export async function createFleet(applications: number): Promise<Fleet> {
  const files = Array.from({ length: Math.ceil(applications / CLUSTERS) }, (_, index) => fileOf(index, '1'));
  const repository = await createGitRepository(Object.fromEntries(files));
  const server = await startGitHttpServer({ root: dirname(repository.folder) });
  return {
    applications: files.length * CLUSTERS,
    set: applicationSet(`${server.url}/${basename(repository.folder)}/.git`),
    async resize(size) {
      await repository.commit(Object.fromEntries([fileOf(7, size)]));
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await repository.remove();
    },
  };
}

export async function registerClusters(api: Pick<KubeApi, 'create'>): Promise<void> {
  for (let index = 0; index < CLUSTERS; index += 1) {
    const data = { name: `cluster-${index}`, server: `https://cluster-${index}.invalid`, config: '{}' };
    const labels = { 'argocd.argoproj.io/secret-type': 'cluster', fleet: 'yes' };
    await api.create(secrets, secret(`cluster-${index}`, data, labels));
  }
}

function fileOf(index: number, size: string): [string, string] {
  const name = `app-${String(index).padStart(3, '0')}`;
  return [
    `teams/team-${index % 10}/${name}/config.json`,
    JSON.stringify({ name, size, team: `team-${index % 10}`, helm: { replicas: index } }),
  ];
}

function applicationSet(repoURL: string): KubeObject & JsonObject {
  const git = { repoURL, revision: 'main', files: [{ path: 'teams/*/config.json' }], requeueAfterSeconds: 3_600 };
  const clusters = { selector: { matchLabels: { fleet: 'yes' } } };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { ...fleetRef },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [{ matrix: { generators: [{ git }, { clusters }] } }],
      template: {
        // The cluster's own name would be hidden by the one in the file.
        metadata: { name: '{{ .path.basename }}-{{ .nameNormalized }}', labels: { size: '{{ .size }}', team: '{{ .team }}' } },
        spec: {
          project: 'default',
          source: { repoURL, targetRevision: 'main', path: '{{ .path.path }}', helm: { releaseName: '{{ .name }}' } },
          destination: { server: '{{ .server }}', namespace: '{{ .team }}' },
        },
      },
    },
  };
}
