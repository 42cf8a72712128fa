import { connectToFairway } from '../../support/connect-to-fairway.ts';
import { startFairway, type FairwayOptions } from '../../support/fairway.ts';
import { startPluginStub } from '../../support/plugin-stub.ts';
import { callerWith } from '../../support/rest-caller.ts';
import { openContractScene, type ContractScene } from './scene.ts';

/** Everything in one process; the cluster that is registered is the embedded one, from outside. */
export async function openEmbeddedScene(options: FairwayOptions = {}): Promise<ContractScene> {
  await using stack = new AsyncDisposableStack();
  const plugin = await startPluginStub({});
  stack.defer(() => plugin.close());
  const fairway = await startFairway({ ...options, args: [...(options.args ?? []), '--plugin-sockets', plugin.socketFolder] });
  stack.defer(() => fairway.stop());
  const api = await connectToFairway(fairway);
  stack.defer(() => api.close());
  const { json } = await callerWith(fairway, '')('POST', '/api/v1/session', { username: 'admin', password: fairway.adminPassword });
  const server = `${fairway.url}/k8s`;
  const scene = await openContractScene({
    fairway,
    api,
    controlNamespace: 'argocd',
    namespace: 'shop',
    cluster: { server, otherServer: server.replace('127.0.0.1', 'localhost'), token: String(json['token']) },
  });
  stack.defer(() => scene.close());
  const opened = stack.move();
  return { ...scene, close: () => opened.disposeAsync() };
}
