/**
 * A candidate for leadership in a process of its own, so that a test can make it stand still. For as long as it believes that it leads
 * it says so, with the time, every few milliseconds. Any message ends it.
 */
import { createLogger, systemClock } from '../../src/base/index.ts';
import { createHttpKubeApi, createLeaderElection, loadKubeconfig, type LeaseTiming } from '../../src/kube/index.ts';

const [kubeconfig = '', namespace = '', name = '', identity = '', timing = '{}'] = process.argv.slice(2);
const log = createLogger({ level: 'error', format: 'text', write: (line) => void process.stderr.write(line) });
const access = await loadKubeconfig({ files: [kubeconfig] });
const api = createHttpKubeApi({ ...access, clock: systemClock, log, userAgent: 'fairway-test' });
const election = createLeaderElection({
  api,
  namespace,
  name,
  identity,
  timing: JSON.parse(timing) as LeaseTiming,
  log,
  lead: (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
});
election.start();
const ticking = setInterval(() => {
  if (election.isLeading()) process.send?.({ leadsAtMs: Date.now() });
}, 10);

process.once('message', () => {
  clearInterval(ticking);
  void election
    .stop()
    .then(() => api.close())
    .then(() => process.disconnect());
});
