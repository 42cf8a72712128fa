import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorkloadTest, withImage, workload } from '../support/workloads.ts';
import type { WorkloadTest } from '../support/workloads.ts';

const COUNT = 200;
/** Some three seconds on a machine that has nothing else to do. */
const SETTLE_MAX_MS = 30_000;

let cluster: WorkloadTest;
beforeEach(async () => {
  cluster = await startWorkloadTest();
});
afterEach(() => cluster.stop());

describe('many simulated workloads', () => {
  it(`settle soon and with few writes: ${COUNT} Deployments with a Service each`, { timeout: 60_000 }, async () => {
    await cluster.settle();
    cluster.takeWrites();
    const startMs = performance.now();
    await Promise.all(
      Array.from({ length: COUNT }, async (_, index) => {
        const name = `web-${index}`;
        await cluster.create('Deployment', workload(name, { spec: { replicas: 2 } }));
        await cluster.create('Service', { metadata: { name }, spec: { selector: { app: name }, ports: [{ port: 80 }] } });
      }),
    );
    await cluster.settle();
    const tookMs = performance.now() - startMs;
    const counts = new Map<string, number>();
    for (const { object } of cluster.takeWrites()) counts.set(object.kind, (counts.get(object.kind) ?? 0) + 1);
    const deployments = await cluster.list('Deployment');
    expect(deployments.every(({ status }) => status.availableReplicas === 2)).toBe(true);
    expect(tookMs).toBeLessThan(SETTLE_MAX_MS);
    const per = (kind: string): number => (counts.get(kind) ?? 0) / COUNT;
    // Each pod: created, bound, running. The others as often as what they count changes.
    expect(per('Pod')).toBe(6);
    expect(per('ReplicaSet')).toBeLessThanOrEqual(5);
    expect(per('Deployment')).toBeLessThanOrEqual(6);
    expect(per('EndpointSlice')).toBeLessThanOrEqual(5);
    expect(per('Endpoints')).toBeLessThanOrEqual(5);
    await cluster.advance(600_000);
    expect(cluster.takeWrites()).toEqual([]);
  });

  it('are left as they are when the simulation starts again', async () => {
    await cluster.create('Deployment', workload('web', { spec: { replicas: 2 } }));
    await cluster.create('StatefulSet', workload('db', { spec: { serviceName: 'db', replicas: 2 } }));
    await cluster.create('DaemonSet', workload('agent'));
    await cluster.create('Service', {
      metadata: { name: 'web' },
      spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80 }] },
    });
    await cluster.settle();
    cluster.takeWrites();
    await cluster.restart();
    expect(cluster.takeWrites()).toEqual([]);
    await cluster.merge('Deployment', 'web', { spec: { replicas: 3 } });
    await cluster.settle();
    const addresses = (await cluster.list('Pod')).map(({ status }) => status.podIP);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('make nothing twice where they hear of their own writes late', async () => {
    const late = await startWorkloadTest({ watchTurns: 20 });
    await late.create('Deployment', workload('web', { spec: { replicas: 3 } }));
    await late.create('StatefulSet', workload('db', { spec: { serviceName: 'db', replicas: 2 } }));
    await late.settle();
    await late.merge('Deployment', 'web', { spec: withImage('example/web:2') });
    await late.settle();
    await late.merge('Deployment', 'web', { spec: { replicas: 1 } });
    await late.settle();
    const made = late.takeWrites().filter(({ type, object }) => type === 'ADDED' && ['Pod', 'ReplicaSet'].includes(object.kind));
    const count = (kind: string): number => made.filter(({ object }) => object.kind === kind).length;
    expect([count('ReplicaSet'), count('Pod')]).toEqual([2, 8]);
    expect(await late.list('Pod')).toHaveLength(3);
    await late.stop();
  });
});
