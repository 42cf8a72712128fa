/**
 * One application set of 2,000 applications, from 200 files in git and 10 clusters: how long until all are there, until one changed file
 * has changed its ten, and what a look costs that finds nothing to do. On the embedded home, and on a real control plane.
 */
import { createLogger } from '../../src/base/index.ts';
import type { KubeApi, ResourceType } from '../../src/kube/index.ts';
import { applicationSetType } from '../../src/model/index.ts';
import type { JsonObject, KubeObject } from '../../src/objects/index.ts';
import { installDefinitions } from '../../src/settings/index.ts';
import { startControlPlane } from '../../test/support/cluster/control-plane.ts';
import { connectTo } from '../../test/support/cluster/shared-cluster.ts';
import { openEmbeddedHome, secret } from '../../test/support/embedded-home.ts';
import { createGitRepository, type GitRepository } from '../../test/support/git-repository.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { openPlane, type BenchHome, type BenchPlane } from './open-plane.ts';

const FILES = 200;
const CLUSTERS = 10;
const NAMESPACE = 'argocd';
const ref = { namespace: NAMESPACE, name: 'fleet' };
const refresh = 'argocd.argoproj.io/application-set-refresh';
const secrets: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const namespaces: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
const log = createLogger({ level: 'error', format: 'text', write: (line) => void process.stderr.write(line) });

const embedded = await openEmbeddedHome();
await measure('the embedded home', { api: embedded.api, namespace: NAMESPACE, kind: 'embedded', log });
await embedded.close();

if (!process.argv.includes('--embedded')) {
  const controlPlane = await startControlPlane();
  const api = await connectTo({ kubeconfig: (user) => controlPlane.kubeconfig(user) });
  await installDefinitions({ api, log });
  await api.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await measure('a real control plane', { api, namespace: NAMESPACE, kind: 'cluster', log });
  await api.close();
  await controlPlane.stop();
}

async function measure(title: string, home: BenchHome): Promise<void> {
  const repository = await createGitRepository(Object.fromEntries(Array.from({ length: FILES }, (_, index) => fileOf(index, '1'))));
  await registerClusters(home.api);
  const plane = await openPlane(home);
  plane.takeWrites();
  console.log(`\n${title}: ${FILES} files × ${CLUSTERS} clusters`);
  console.table({
    'from nothing to all': await timed(plane, async () => {
      await home.api.create(applicationSetType, applicationSet(repository));
      await waitUntil(() => plane.applications.size === FILES * CLUSTERS && isUpToDate(plane));
    }),
    'a look that finds nothing': await timed(plane, () => askForRefresh(plane)),
    'one changed file': await timed(plane, async () => {
      await repository.commit(Object.fromEntries([fileOf(7, '2')]));
      await askForRefresh(plane);
      const changed = [...plane.applications.values()].filter(({ metadata }) => metadata.labels?.['size'] === '2').length;
      if (changed !== CLUSTERS) throw new Error(`${changed} applications changed instead of ${CLUSTERS}`);
    }),
  });
  await plane.close();
  await repository.remove();
}

interface Figures {
  readonly ms: number;
  readonly 'processor ms': number;
  readonly 'memory, MB': number;
  /** Such as `10 patch Application`. */
  readonly writes: string;
}

async function timed(plane: BenchPlane, work: () => Promise<void>): Promise<Figures> {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  const writes = Object.entries(plane.takeWrites()).map(([what, count]) => `${count} ${what}`);
  return {
    ms: Math.round(performance.now() - startedMs),
    'processor ms': Math.round((user + system) / 1_000),
    'memory, MB': Math.round(process.memoryUsage().rss / 2 ** 20),
    writes: writes.join(', '),
  };
}

/** Asks as a webhook does, and waits until it has been done. */
async function askForRefresh({ api, applicationSets }: BenchPlane): Promise<void> {
  applicationSets.noticeWrite(
    await api.patch(applicationSetType, ref, { type: 'merge', body: { metadata: { annotations: { [refresh]: 'true' } } } }),
  );
  await waitUntil(() => applicationSets.get(ref)?.metadata.annotations?.[refresh] === undefined);
}

function isUpToDate({ applicationSets }: BenchPlane): boolean {
  const { conditions = [] } = (applicationSets.get(ref)?.['status'] ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions.some(({ type, status }) => type === 'ResourcesUpToDate' && status === 'True');
}

function fileOf(index: number, size: string): [string, string] {
  const name = `app-${String(index).padStart(3, '0')}`;
  return [
    `teams/team-${index % 10}/${name}/config.json`,
    JSON.stringify({ name, size, team: `team-${index % 10}`, helm: { replicas: index } }),
  ];
}

async function registerClusters(api: KubeApi): Promise<void> {
  for (let index = 0; index < CLUSTERS; index += 1) {
    const data = { name: `cluster-${index}`, server: `https://cluster-${index}.invalid`, config: '{}' };
    const labels = { 'argocd.argoproj.io/secret-type': 'cluster', fleet: 'yes' };
    await api.create(secrets, secret(`cluster-${index}`, data, labels));
  }
}

function applicationSet(repository: GitRepository): KubeObject & JsonObject {
  const git = { repoURL: repository.url, revision: 'main', files: [{ path: 'teams/*/config.json' }], requeueAfterSeconds: 3_600 };
  const clusters = { selector: { matchLabels: { fleet: 'yes' } } };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { ...ref },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [{ matrix: { generators: [{ git }, { clusters }] } }],
      template: {
        // The cluster's own name would be hidden by the one in the file.
        metadata: { name: '{{ .path.basename }}-{{ .nameNormalized }}', labels: { size: '{{ .size }}', team: '{{ .team }}' } },
        spec: {
          project: 'default',
          source: { repoURL: repository.url, targetRevision: 'main', path: '{{ .path.path }}', helm: { releaseName: '{{ .name }}' } },
          destination: { server: '{{ .server }}', namespace: '{{ .team }}' },
        },
      },
    },
  };
}
