import { connectToFairway } from '../../support/connect-to-fairway.ts';
import { startFairway, type FairwayOptions } from '../../support/fairway.ts';
import { callerWith } from '../../support/rest-caller.ts';
import { openContractScene, type ContractScene } from './scene.ts';

/** Everything in one process; the cluster that is registered is the embedded one, from outside. */
export async function openEmbeddedScene(options: FairwayOptions = {}): Promise<ContractScene> {
  const fairway = await startFairway(options);
  const api = await connectToFairway(fairway);
  const { json } = await callerWith(fairway, '')('POST', '/api/v1/session', { username: 'admin', password: fairway.adminPassword });
  const server = `${fairway.url}/k8s`;
  const scene = await openContractScene({
    fairway,
    api,
    controlNamespace: 'argocd',
    namespace: 'shop',
    cluster: { server, otherServer: server.replace('127.0.0.1', 'localhost'), token: String(json['token']) },
  });
  return {
    ...scene,
    async close() {
      await api.close();
      await fairway.stop();
      await scene.close();
    },
  };
}
