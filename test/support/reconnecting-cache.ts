/**
 * A cache in a process of its own, whose memory and sockets a test can measure. Any message is answered by what it uses after a
 * collection of garbage.
 */
import { createLogger, systemClock } from '../../src/base/index.ts';
import { createHttpKubeApi, createReflector, loadKubeconfig } from '../../src/kube/index.ts';
import { kinds } from './kinds.ts';

export interface Usage {
  readonly heapBytes: number;
  /** Sockets, timers and whatever else keeps the event loop busy, by name. */
  readonly resources: Readonly<Record<string, number>>;
  readonly objects: number;
  readonly failures: number;
  readonly state: string;
}

const [kubeconfig = '', server = '', namespace = ''] = process.argv.slice(2);
const log = createLogger({ level: 'error', format: 'text', write: (line) => void process.stderr.write(line) });
const access = await loadKubeconfig({ files: [kubeconfig] });
const api = createHttpKubeApi({ ...access, server, clock: systemClock, log, userAgent: 'fairway-test', limits: { retryDelayMs: 5 } });
const reflector = createReflector({
  api,
  type: kinds.configMap,
  namespace,
  onEvent: () => undefined,
  log,
  limits: { watchMinMs: 10, backOff: { firstMs: 2, maxMs: 20 } },
});
reflector.start();

process.on('message', () => {
  for (let times = 0; times < 4; times += 1) globalThis.gc?.();
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  const usage: Usage = {
    heapBytes: process.memoryUsage().heapUsed,
    resources,
    objects: reflector.size,
    failures: reflector.counts.failures,
    state: reflector.state.name,
  };
  process.send?.(usage);
});
