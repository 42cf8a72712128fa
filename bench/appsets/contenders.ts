import { createLogger } from '../../src/base/index.ts';
import { createObjectStore, type KubeApi, type ObjectStore, type ResourceType } from '../../src/kube/index.ts';
import { applicationSetType, applicationType } from '../../src/model/index.ts';
import { installDefinitions } from '../../src/settings/index.ts';
import { prepareArgocdHome } from '../../test/support/argocd-installation/prepare-argocd-home.ts';
import { startArgocd } from '../../test/support/argocd-installation/start-argocd.ts';
import { startControlPlane, type ControlPlane } from '../../test/support/cluster/control-plane.ts';
import { connectTo } from '../../test/support/cluster/shared-cluster.ts';
import { openEmbeddedHome } from '../../test/support/embedded-home.ts';
import { startChildProgram } from '../support/child-program.ts';
import { NAMESPACE, registerClusters } from './fleet.ts';
import { openPlane } from './open-plane.ts';
import { openWrites, type Writes } from './take-writes.ts';

export const contenderNames = ['Argo CD, defaults', 'Argo CD, tuned', 'Fairway', 'Fairway, embedded'] as const;
export type ContenderName = (typeof contenderNames)[number];

/** A controller of application sets, and the home that it works on as somebody else sees it. */
export interface Contender {
  readonly api: KubeApi;
  readonly applications: ObjectStore;
  readonly applicationSets: ObjectStore;
  /** All processes that the work takes; of Argo CD also its repo server and Redis. */
  readonly pids: readonly number[];
  /** Writes since the last call. */
  takeWrites(): Writes;
  stop(): Promise<void>;
}

const namespaces: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
const observerAgent = 'fairway-test';
const log = createLogger({ level: 'error', format: 'text', write: (line) => void process.stderr.write(line) });

export async function startContender(name: ContenderName): Promise<Contender> {
  if (name === 'Fairway, embedded') return startEmbedded();
  const plane = await startControlPlane({ isAudited: true });
  const api = await connectTo(plane);
  const stores: ObjectStore[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(stores.map((store) => store.stop()));
    await api.close();
    await plane.stop();
  };
  try {
    if (name === 'Fairway') await prepareOurs(api);
    else await prepareArgocdHome(api, 'unused-password');
    await registerClusters(api);
    for (const type of [applicationType, applicationSetType]) {
      const store = createObjectStore({ api, type, namespace: NAMESPACE, log });
      stores.push(store);
      store.start();
      await store.whenSynced(30_000);
    }
    const [applications, applicationSets] = stores as [ObjectStore, ObjectStore];
    const tool =
      name === 'Fairway'
        ? await startOurs(plane)
        : await startArgocd({ plane, tuning: name.endsWith('tuned') ? 'tuned' : 'defaults', parts: 'application sets', redis: 'system' });
    return {
      api,
      applications,
      applicationSets,
      pids: tool.pids,
      takeWrites: openWrites(plane, observerAgent),
      async stop() {
        await tool.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function prepareOurs(api: KubeApi): Promise<void> {
  await installDefinitions({ api, log });
  await api.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
}

async function startOurs(plane: ControlPlane): Promise<{ readonly pids: readonly number[]; stop(): Promise<void> }> {
  const child = startChildProgram<string, string>(new URL('controller.ts', import.meta.url), [plane.kubeconfig('admin')]);
  await child.ask('start');
  return { pids: [child.pid], stop: () => Promise.resolve(child.stop()) };
}

/** In this process, with the home that it works on. */
async function startEmbedded(): Promise<Contender> {
  const home = await openEmbeddedHome();
  await registerClusters(home.api);
  const plane = await openPlane({ api: home.api, namespace: NAMESPACE, kind: 'embedded', log });
  return {
    ...plane,
    // What is written through this one does not count.
    api: home.api,
    pids: [process.pid],
    async stop() {
      await plane.close();
      await home.close();
    },
  };
}
