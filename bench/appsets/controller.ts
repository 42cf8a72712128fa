/** Our controller of application sets in a process of its own, on the control plane of a kubeconfig. It says when it is ready. */
import { createLogger } from '../../src/base/index.ts';
import { connectTo } from '../../test/support/cluster/shared-cluster.ts';
import { answerParent } from '../support/child-program.ts';
import { NAMESPACE } from './fleet.ts';
import { openPlane } from './open-plane.ts';

const kubeconfig = process.argv[2] ?? '';
const log = createLogger({ level: 'error', format: 'text', write: (line) => void process.stderr.write(line) });

answerParent(async () => {
  const api = await connectTo({ kubeconfig: () => kubeconfig }, { userAgent: 'fairway' });
  await openPlane({ api, namespace: NAMESPACE, kind: 'cluster', log });
  return 'ready';
});
