import { bindAccount, createAccountToken } from '../../support/cluster/account-token.ts';
import { connectTo, testNamespace, type SharedCluster } from '../../support/cluster/shared-cluster.ts';
import { startFairway } from '../../support/fairway.ts';
import { startPluginStub } from '../../support/plugin-stub.ts';
import { openContractScene, type ContractScene } from './scene.ts';

/** The program on a real control plane, which is also the cluster that is registered, as a service account sees it. */
export async function openClusterScene(shared: SharedCluster): Promise<ContractScene> {
  await using stack = new AsyncDisposableStack();
  const [controlNamespace, namespace] = [await testNamespace(shared), await testNamespace(shared)];
  const api = await connectTo(shared);
  stack.defer(() => api.close());
  await bindAccount(api, controlNamespace);
  const makeToken = (): Promise<string> => createAccountToken(api, controlNamespace);
  const plugin = await startPluginStub({});
  stack.defer(() => plugin.close());
  const args = ['--kubeconfig', shared.kubeconfig(), '--namespace', controlNamespace, '--plugin-sockets', plugin.socketFolder];
  const fairway = await startFairway({ args });
  stack.defer(() => fairway.stop());
  const scene = await openContractScene({
    fairway,
    api,
    controlNamespace,
    namespace,
    cluster: { server: shared.url, otherServer: shared.url.replace('127.0.0.1', 'localhost'), token: await makeToken() },
    makeToken,
  });
  stack.defer(() => scene.close());
  const opened = stack.move();
  return { ...scene, close: () => opened.disposeAsync() };
}
