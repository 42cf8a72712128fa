import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectTo, describeWithCluster, testNamespace } from '../support/cluster/shared-cluster.ts';
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy.ts';
import { kinds } from '../support/kinds.ts';
import type { Usage } from '../support/reconnecting-cache.ts';
import { waitUntil } from '../support/wait-until.ts';

const OBJECTS = 50;
/** More of them with KUBE_LEAK_RECONNECTS, for a long look. */
const RECONNECTS = Number(process.env['KUBE_LEAK_RECONNECTS'] ?? 100);
/**
 * Machine code is in the heap too, and of it there is more the longer a program runs: some kilobytes for each reconnect at first. Without
 * it and with all bytecode kept, what is left to grow is a list in Node for each length that a timer ever had: a few hundred, and small.
 */
const PLAIN_HEAP = ['--no-opt', '--no-maglev', '--no-sparkplug', '--no-flush-bytecode'];
const HEAP_TOLERANCE_BYTES = 128 << 10;

describeWithCluster('A cache that is cut off again and again', (cluster) => {
  let proxy: FaultProxy;
  let child: ChildProcess;

  beforeAll(async () => {
    proxy = await startFaultProxy(cluster());
    const namespace = await testNamespace(cluster());
    const api = await connectTo(cluster());
    for (let index = 0; index < OBJECTS; index += 1) {
      const metadata = { namespace, name: `map-${index}` };
      await api.create(kinds.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: 'x'.repeat(1000) } });
    }
    await api.close();
    const program = fileURLToPath(new URL('../support/reconnecting-cache.ts', import.meta.url));
    child = fork(program, [cluster().kubeconfig(), proxy.url, namespace], { execArgv: ['--expose-gc', ...PLAIN_HEAP] });
  }, 60_000);
  afterAll(async () => {
    child.kill('SIGKILL');
    await proxy.close();
  });

  async function measure(): Promise<Usage> {
    child.send('measure');
    const [usage] = (await once(child, 'message')) as [Usage];
    return usage;
  }

  /** Once it watches again, what the last cut left behind is gone. */
  const measureAtRest = (): Promise<Usage> =>
    waitUntil(async () => {
      const usage = await measure();
      // One timer is left then: the one that waits for silence.
      return usage.state === 'watching' && usage.resources['Timeout'] === 1 && usage;
    });

  async function reconnect(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      const before = proxy.watchesBegun;
      // Each tenth time the version has expired as well, and everything is listed again.
      const expired = { kind: 'answer', status: 410, reason: 'Expired' } as const;
      if (time % 10 === 9) proxy.inject(expired, { only: ({ isWatch }) => isWatch, times: 1 });
      proxy.cutAll();
      await waitUntil(() => proxy.watchesBegun > before);
    }
  }

  it(`uses the same memory and the same sockets after ${RECONNECTS} reconnects`, { timeout: 60_000 + RECONNECTS * 500 }, async () => {
    await reconnect(30);
    const before = await measureAtRest();
    expect(before.objects).toBeGreaterThanOrEqual(OBJECTS);
    await reconnect(RECONNECTS);
    const after = await measureAtRest();
    // Now and then the line is cut before the answer is there, and the client below tries again by itself.
    expect(after.failures - before.failures).toBeGreaterThanOrEqual(RECONNECTS * 0.8);
    expect(after.heapBytes - before.heapBytes).toBeLessThan(HEAP_TOLERANCE_BYTES);
    expect(after.resources['TCPSocketWrap']).toBe(1);
    expect(before.resources['TCPSocketWrap']).toBe(1);
    expect(after.objects).toBe(before.objects);
  });
});
