import type { HttpKubeApi } from '../../src/kube/index.ts';
import { startControlPlane, type ControlPlane } from '../../test/support/cluster/control-plane.ts';
import { connectTo } from '../../test/support/cluster/shared-cluster.ts';
import { startFairway } from '../../test/support/fairway.ts';
import { startArgocd, type Tuning } from '../support/argocd-installation.ts';
import { prepareArgocdHome } from '../support/prepare-argocd-home.ts';

export const ADMIN_PASSWORD = 'bench-admin-password';

/** One of those that are compared, on a control plane of its own. */
export interface Contender {
  readonly name: string;
  /** Of its API. */
  readonly url: string;
  /** The control plane, as somebody sees it who is none of them. */
  readonly api: HttpKubeApi;
  readonly plane: ControlPlane;
  /** All processes of the tool. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

export type ContenderName = 'Argo CD, defaults' | 'Argo CD, tuned' | 'Fairway';

export async function startContender(name: ContenderName): Promise<Contender> {
  const plane = await startControlPlane({ isAudited: true });
  const api = await connectTo(plane);
  try {
    const tool =
      name === 'Fairway' ? await startOurs(plane) : await startTheirs(plane, api, name === 'Argo CD, tuned' ? 'tuned' : 'defaults');
    const stop = async (): Promise<void> => {
      await tool.stop();
      await api.close();
      await plane.stop();
    };
    return { ...tool, name, api, plane, stop };
  } catch (error) {
    await api.close();
    await plane.stop();
    throw error;
  }
}

type Tool = Pick<Contender, 'url' | 'pids' | 'stop'>;

async function startOurs(plane: ControlPlane): Promise<Tool> {
  const fairway = await startFairway({
    args: ['--kubeconfig', plane.kubeconfig('admin'), '--log-level', 'warn'],
    env: { FAIRWAY_ADMIN_PASSWORD: ADMIN_PASSWORD },
  });
  return { url: fairway.url, pids: [fairway.pid], stop: () => fairway.stop() };
}

async function startTheirs(plane: ControlPlane, api: HttpKubeApi, tuning: Tuning): Promise<Tool> {
  await prepareArgocdHome(api, ADMIN_PASSWORD);
  return startArgocd(plane, tuning);
}
