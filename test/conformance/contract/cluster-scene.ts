import type { HttpKubeApi } from '../../../src/kube/index.ts';
import { connectTo, testNamespace, type SharedCluster } from '../../support/cluster/shared-cluster.ts';
import { startFairway } from '../../support/fairway.ts';
import { kinds } from '../../support/kinds.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { openContractScene, type ContractScene } from './scene.ts';

/** The program on a real control plane, which is also the cluster that is registered, as a service account sees it. */
export async function openClusterScene(shared: SharedCluster): Promise<ContractScene> {
  const [controlNamespace, namespace] = [await testNamespace(shared), await testNamespace(shared)];
  const api = await connectTo(shared);
  await bindAccount(api, controlNamespace);
  const makeToken = (): Promise<string> => createAccountToken(api, controlNamespace);
  const fairway = await startFairway({ args: ['--kubeconfig', shared.kubeconfig(), '--namespace', controlNamespace] });
  const scene = await openContractScene({
    fairway,
    api,
    controlNamespace,
    namespace,
    cluster: { server: shared.url, otherServer: shared.url.replace('127.0.0.1', 'localhost'), token: await makeToken() },
    makeToken,
  });
  return {
    ...scene,
    async close() {
      await fairway.stop();
      await api.close();
      await scene.close();
    },
  };
}

async function bindAccount(api: HttpKubeApi, namespace: string): Promise<void> {
  await api.create(kinds.clusterRoleBinding, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }],
  });
}

/** A token that is kept in a Secret, as those that `argocd cluster add` makes. */
async function createAccountToken(api: HttpKubeApi, namespace: string): Promise<string> {
  const annotations = { 'kubernetes.io/service-account.name': 'default' };
  const metadata = { generateName: 'default-token-', namespace, annotations };
  const type = 'kubernetes.io/service-account-token';
  const { metadata: made } = await api.create(kinds.secret, { apiVersion: 'v1', kind: 'Secret', type, metadata });
  return waitUntil(async () => {
    const { data } = await api.get(kinds.secret, { namespace, name: made.name ?? '' });
    const token = (data as { readonly token?: string } | undefined)?.token;
    return token === undefined ? undefined : Buffer.from(token, 'base64').toString('utf8');
  });
}
