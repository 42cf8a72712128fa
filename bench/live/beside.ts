import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpKubeApi, ResourceType } from '../../src/kube/index.ts';
import { applicationType } from '../../src/model/index.ts';
import type { KubeObject } from '../../src/objects/index.ts';
import { prepareArgocdHome } from '../../test/support/argocd-installation/prepare-argocd-home.ts';
import { startArgocd } from '../../test/support/argocd-installation/start-argocd.ts';
import { startControlPlane, type ControlPlane } from '../../test/support/cluster/control-plane.ts';
import { connectTo } from '../../test/support/cluster/shared-cluster.ts';
import { startFairway } from '../../test/support/fairway.ts';
import { startGitHttpServer } from '../../test/support/git-http-server.ts';
import { createGitRepository } from '../../test/support/git-repository.ts';
import { SeededRandom } from '../../test/support/seeded-random.ts';
import { generateCluster } from '../cache/generated-cluster.ts';
import { readUsage } from '../support/usage.ts';
import { quantile } from './quantile.ts';
import { manifestsOf, NODES_PER_APPLICATION, PODS_PER_APPLICATION, SETS_PER_APPLICATION } from './sample-applications.ts';
import { countNodes, signIn, watchTree, type Caller } from '../../test/support/watched-tree.ts';
import { writeCluster } from './written-cluster.ts';

const PASSWORD = 'bench-admin-password';
const APPLICATION = 'app-0';
const CHANGES = 300;
const TREE_LIMIT_MS = 900_000;
const CHANGE_LIMIT_MS = 60_000;
/** Both give memory back to the system some time after they needed it. */
const REST_MS = 120_000;
const QUIET_MS = 150;
const SERVED_MS = 3_000;
const podType: ResourceType = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };

/** One of those that are compared: all its processes, and where its API is. */
interface Tool {
  readonly url: string;
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

interface Scene {
  readonly api: HttpKubeApi;
  readonly application: KubeObject;
  /** Of the application. */
  readonly pods: readonly KubeObject[];
}

/** Argo CD and Fairway, one after the other, on one control plane whose objects do not move by themselves. */
export async function measureBeside(sets: number): Promise<void> {
  const generated = generateCluster(sets);
  const repository = await createGitRepository(manifestsOf(generated, 0));
  const git = await startGitHttpServer({ root: dirname(repository.folder) });
  const plane = await startControlPlane({ isStill: true });
  const api = await connectTo(plane);
  try {
    await prepareArgocdHome(api, PASSWORD);
    const startedMs = performance.now();
    await writeCluster(plane, api, generated, SETS_PER_APPLICATION);
    console.log(`${generated.objects} objects written to a control plane in ${Math.round((performance.now() - startedMs) / 1000)} s`);
    await waitUntilServed(api, sets);
    const application = describeApplication(`${git.url}/${basename(repository.folder)}/.git`);
    const selector = Array.from({ length: SETS_PER_APPLICATION }, (_, set) => `web-${set}`).join(',');
    const { items: pods } = await api.list(podType, { labelSelector: `app in (${selector})` });
    const scene: Scene = { api, application, pods };
    // Each as soon as it is known: on a busy machine the second may take long.
    console.table({ 'Argo CD': await measureTool(scene, await startArgocd({ plane, redis: 'system' })) });
    console.table({ Fairway: await measureTool(scene, await startOurs(plane)) });
  } finally {
    await api.close();
    await plane.stop();
    await git.close();
    await repository.remove();
  }
}

/** The API server learns of what was put into etcd with some delay. */
async function waitUntilServed(api: HttpKubeApi, sets: number): Promise<void> {
  for (let inTime = 0; inTime < 3; await wait(1_000)) {
    const startedMs = performance.now();
    const last = await api.list(podType, { labelSelector: `app=web-${sets - 1}` }).catch(() => undefined);
    inTime = last?.items.length === 3 && performance.now() - startedMs < SERVED_MS ? inTime + 1 : 0;
  }
}

async function startOurs(plane: ControlPlane): Promise<Tool> {
  const fairway = await startFairway({
    args: ['--kubeconfig', plane.kubeconfig('admin'), '--log-level', 'warn'],
    env: { FAIRWAY_ADMIN_PASSWORD: PASSWORD },
  });
  return { url: fairway.url, pids: [fairway.pid], stop: () => fairway.stop() };
}

async function measureTool(scene: Scene, tool: Tool): Promise<Record<string, number>> {
  const { api, application } = scene;
  try {
    const caller = await signIn(tool.url, PASSWORD);
    await wait(REST_MS / 10);
    const idle = readUsage(tool.pids);
    const startedMs = performance.now();
    await api.create(applicationType, application);
    while ((await countNodes(caller, APPLICATION)) !== NODES_PER_APPLICATION) {
      if (performance.now() - startedMs > TREE_LIMIT_MS) throw new Error('the tree was never complete');
      await wait(50);
    }
    const treeMs = performance.now() - startedMs;
    const loaded = readUsage(tool.pids);
    await wait(REST_MS);
    const rested = readUsage(tool.pids);
    const times = await measureChanges(scene, caller);
    return {
      'MB before': Math.round(idle.residentMegabytes),
      'MB at most': Math.round(readUsage(tool.pids).peakMegabytes),
      'MB at rest': Math.round(rested.residentMegabytes),
      'MB more than before': Math.round(rested.residentMegabytes - idle.residentMegabytes),
      's to the first tree': Math.round(treeMs / 100) / 10,
      'processor s for it': Math.round((loaded.processorSeconds - idle.processorSeconds) * 10) / 10,
      'pod to tree ms, p50': Math.round(quantile(times, 0.5)),
      'pod to tree ms, p99': Math.round(quantile(times, 0.99)),
    };
  } finally {
    await tool.stop();
    await api.delete(applicationType, { namespace: 'argocd', name: APPLICATION });
  }
}

/** From before a pod is written until the client has a tree with the version that was written. */
async function measureChanges({ api, pods }: Scene, caller: Caller): Promise<readonly number[]> {
  using tree = await watchTree(caller, APPLICATION);
  const random = new SeededRandom(20_261_115);
  const times: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const { name = '', namespace = '' } = pods[change % PODS_PER_APPLICATION]?.metadata ?? {};
    const body = { metadata: { annotations: { 'example.com/change': `${caller.url} ${change}` } } };
    tree.forget();
    const startedMs = performance.now();
    const { metadata } = await api.patch(podType, { name, namespace }, { type: 'merge', body });
    await tree.until(`"resourceVersion":"${metadata.resourceVersion}"`, CHANGE_LIMIT_MS);
    times.push(performance.now() - startedMs);
    // Both gather changes for a while; what follows at once would measure that.
    await wait(QUIET_MS + random.below(QUIET_MS));
  }
  return times;
}

function describeApplication(repoURL: string): KubeObject {
  const source = { repoURL, path: APPLICATION, targetRevision: 'HEAD' };
  const destination = { server: 'https://kubernetes.default.svc', namespace: 'team-0' };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: APPLICATION, namespace: 'argocd' },
    spec: { project: 'default', source, destination },
  };
}
