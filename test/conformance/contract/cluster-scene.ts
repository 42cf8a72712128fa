import { bindAccount, createAccountToken } from '../../support/cluster/account-token.ts';
import { connectTo, testNamespace, type SharedCluster } from '../../support/cluster/shared-cluster.ts';
import { startFairway } from '../../support/fairway.ts';
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
