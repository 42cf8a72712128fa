import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { HttpKubeApi } from '../../src/kube/index.ts';
import { prepareArgocdHome } from '../../test/support/argocd-installation/prepare-argocd-home.ts';
import { startArgocd } from '../../test/support/argocd-installation/start-argocd.ts';
import { startControlPlane, type ControlPlane } from '../../test/support/cluster/control-plane.ts';
import { connectTo } from '../../test/support/cluster/shared-cluster.ts';
import { startFairway } from '../../test/support/fairway.ts';
import { ensureTool } from '../../test/support/tools/ensure-tool.ts';
import { buildProgram } from '../support/build-program.ts';

export const ADMIN_PASSWORD = 'bench-admin-password';

export const contenderNames = ['Argo CD, defaults', 'Argo CD, tuned', 'Fairway'] as const;
export type ContenderName = (typeof contenderNames)[number];

/** What runs on a control plane and looks after applications. */
interface Tool {
  /** Of its API. */
  readonly url: string;
  /** All processes of the tool, those that run. */
  readonly pids: readonly number[];
  /** Stops it, with what it caches outside the cluster kept for `resume`. */
  pause(): Promise<void>;
  /** Resolves once it listens. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** One of those that are compared, on a control plane of its own. */
export interface Contender extends Tool {
  readonly name: ContenderName;
  /** The control plane, as somebody sees it who is none of them. */
  readonly api: HttpKubeApi;
  readonly plane: ControlPlane;
}

export async function startContender(name: ContenderName): Promise<Contender> {
  const plane = await startControlPlane({ isAudited: true });
  const api = await connectTo(plane);
  const stopPlane = async (): Promise<void> => {
    await api.close();
    await plane.stop();
  };
  try {
    const tool = name === 'Fairway' ? await startOurs(plane) : await startTheirs(plane, api, name);
    return {
      name,
      api,
      plane,
      get url() {
        return tool.url;
      },
      get pids() {
        return tool.pids;
      },
      pause: () => tool.pause(),
      resume: () => tool.resume(),
      async stop() {
        await tool.stop();
        await stopPlane();
      },
    };
  } catch (error) {
    await stopPlane();
    throw error;
  }
}

async function startOurs(plane: ControlPlane): Promise<Tool> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fairway-bench-'));
  const args = ['--kubeconfig', plane.kubeconfig('admin'), '--log-level', 'warn'];
  const tools = await Promise.all([ensureTool('helm'), ensureTool('kustomize')]);
  const env = {
    FAIRWAY_ADMIN_PASSWORD: ADMIN_PASSWORD,
    PATH: [...tools.map((tool) => dirname(tool)), process.env['PATH'] ?? ''].join(delimiter),
  };
  const program = buildProgram();
  const start = () => startFairway({ args, dataDir, env, program });
  let fairway = await start();
  return {
    get url() {
      return fairway.url;
    },
    get pids() {
      return [fairway.pid];
    },
    pause: () => fairway.stop(),
    async resume() {
      fairway = await start();
    },
    async stop() {
      await fairway.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function startTheirs(plane: ControlPlane, api: HttpKubeApi, name: ContenderName): Promise<Tool> {
  await prepareArgocdHome(api, ADMIN_PASSWORD);
  return startArgocd({ plane, tuning: name === 'Argo CD, tuned' ? 'tuned' : 'defaults', redis: 'system' });
}
