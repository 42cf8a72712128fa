import type { GitRepository } from '../../test/support/git-repository.ts';
import { deployment, IN_CLUSTER } from '../../test/support/argocd-stage.ts';
import type { RestCaller } from '../../test/support/rest-caller.ts';

/** A deployment with three pods comes to so many resources: itself, a replica set, and the pods. */
const NODES_EACH = 5;
const SYNC_TIMEOUT_MS = 10 * 60_000;
const LOOK_MS = 500;

export const LARGE = 'large';

/** One application with so many resources in its tree, deployed and at rest. */
export async function createLargeApplication(call: RestCaller, repository: GitRepository, nodes: number): Promise<void> {
  const count = Math.ceil(nodes / NODES_EACH);
  const files = Array.from({ length: count }, (_, index) => {
    const name = `part-${String(index).padStart(4, '0')}`;
    return [`${LARGE}/${name}.json`, deployment(name, { replicas: 3 })] as const;
  });
  await repository.commit(Object.fromEntries(files));
  const { status, text } = await call('POST', '/api/v1/applications', {
    metadata: { name: LARGE },
    spec: {
      project: 'default',
      source: { repoURL: repository.url, path: LARGE, targetRevision: 'HEAD' },
      destination: { server: IN_CLUSTER, namespace: LARGE },
      syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
    },
  });
  if (status !== 200) throw new Error(`the large application could not be created: ${text}`);
  const deadline = Date.now() + SYNC_TIMEOUT_MS;
  while ((await readState(call)) !== 'Synced Healthy') {
    if (Date.now() > deadline) throw new Error(`the large application is ${await readState(call)} after ${SYNC_TIMEOUT_MS / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function readState(call: RestCaller): Promise<string> {
  const { json } = await call('GET', `/api/v1/applications/${LARGE}`);
  const state = json['status'] as { sync?: { status?: string }; health?: { status?: string } } | undefined;
  return `${state?.sync?.status} ${state?.health?.status}`;
}
