import { parse } from 'yaml';
import { hashPassword } from '../../src/access/index.ts';
import { createLogger, systemClock } from '../../src/base/index.ts';
import type { HttpKubeApi, ResourceType } from '../../src/kube/index.ts';
import type { JsonObject } from '../../src/objects/index.ts';
import { installDefinitions, prepareHome } from '../../src/settings/index.ts';
import { startControlPlane, type ControlPlane } from '../../test/support/cluster/control-plane.ts';
import { connectTo } from '../../test/support/cluster/shared-cluster.ts';
import { startFairway } from '../../test/support/fairway.ts';
import { readArgocdDefinitions, startArgocd, type Tuning } from '../support/argocd-installation.ts';

export const ADMIN_PASSWORD = 'bench-admin-password';

const definitionType: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

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
  for (const text of readArgocdDefinitions()) {
    const body = parse(text) as JsonObject;
    const { name = '' } = body['metadata'] as { name?: string };
    await api.patch(definitionType, { name }, { type: 'apply', body, force: true }, { fieldManager: 'bench' });
  }
  const log = createLogger({ level: 'error', format: 'text', write: (line) => void process.stderr.write(line) });
  // Finds theirs, and waits until they are served.
  await installDefinitions({ api, log });
  await prepareHome({ api, namespace: 'argocd', clock: systemClock, log, hashPassword, firstPassword: ADMIN_PASSWORD });
  return startArgocd(plane, tuning);
}
