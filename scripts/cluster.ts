/** Starts the control plane that the tests use, for a developer, and prints how to reach it: `npm run cluster`. */
import { ensureTool } from '../test/support/tools/ensure-tool.ts';
import { startControlPlane } from '../test/support/cluster/control-plane.ts';

const cluster = await startControlPlane();
const kubectl = await ensureTool('kubectl');
process.stdout.write(
  `\nA control plane runs at ${cluster.url}\n\n  export KUBECONFIG=${cluster.kubeconfig()}\n  ${kubectl} get nodes\n\nCtrl-C stops it and removes its data.\n`,
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void cluster.stop().then(() => process.exit(0));
  });
}
