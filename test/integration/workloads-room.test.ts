import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { condition, startWorkloadTest, workload } from '../support/workloads.ts';
import type { Seen, WorkloadTest } from '../support/workloads.ts';

const ROOM = 6;
const REFUSAL = `the simulation has no room for more: it makes ${ROOM} pods and claims in all`;
/** As many as a manifest can ask for. */
const REPLICAS = 2_000_000_000;

let cluster: WorkloadTest;
beforeEach(async () => {
  cluster = await startWorkloadTest({ roomMax: ROOM });
});
afterEach(() => cluster.stop());

async function refused(): Promise<readonly string[]> {
  const events = (await cluster.list('Event')) as readonly (Seen & { reason: string; message: string; involvedObject: { kind: string } })[];
  return events.filter(({ message }) => message === REFUSAL).map(({ reason, involvedObject }) => `${reason} ${involvedObject.kind}`);
}

describe('simulated workloads that want more pods than there is room for', () => {
  it('get what there is, say why it is no more, and get the rest when others go', async () => {
    await cluster.create('Deployment', workload('web', { spec: { replicas: REPLICAS } }));
    await cluster.settle();
    expect(await cluster.list('Pod')).toHaveLength(ROOM);
    const held = await cluster.get('Deployment', 'web');
    expect(held.status.availableReplicas).toBe(ROOM);
    expect(condition(held, 'ReplicaFailure')).toMatchObject({ status: 'True', reason: 'FailedCreate', message: REFUSAL });
    await cluster.create('DaemonSet', workload('agent'));
    await cluster.settle();
    expect(await cluster.list('Pod', 'app=agent')).toEqual([]);
    expect((await refused()).toSorted()).toEqual(['FailedCreate DaemonSet', 'FailedCreate ReplicaSet']);
    cluster.takeWrites();
    await cluster.advance(3_000);
    expect(cluster.takeWrites()).toEqual([]);
    await cluster.merge('Deployment', 'web', { spec: { replicas: 2 } });
    await cluster.settle();
    expect(await cluster.list('Pod', 'app=web')).toHaveLength(2);
    expect(await cluster.list('Pod', 'app=agent')).toHaveLength(1);
    expect(condition(await cluster.get('Deployment', 'web'), 'ReplicaFailure')).toBeUndefined();
  });

  it('need room for their claims, too', async () => {
    const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
    const spec = { serviceName: 'db', replicas: REPLICAS, podManagementPolicy: 'Parallel', volumeClaimTemplates: [claim] };
    await cluster.create('StatefulSet', workload('db', { spec }));
    await cluster.settle();
    expect(await cluster.list('Pod')).toHaveLength(ROOM / 2);
    expect(await cluster.list('PersistentVolumeClaim')).toHaveLength(ROOM / 2);
    expect(await refused()).toEqual(['FailedCreate StatefulSet']);
    expect((await cluster.get('StatefulSet', 'db')).status).toMatchObject({ replicas: ROOM / 2, availableReplicas: ROOM / 2 });
  });

  it('stop at it where pods that have ended take it', async () => {
    const { spec } = workload('work', {}, { restartPolicy: 'Never' }) as { spec: { template: object } };
    const job = { completionMode: 'Indexed', completions: 1_000_000_000, parallelism: 1, template: spec.template };
    await cluster.create('Job', { metadata: { name: 'work' }, spec: job });
    await cluster.advance(20_000);
    expect(await cluster.list('Pod')).toHaveLength(ROOM);
    expect(await refused()).toEqual(['FailedCreate Job']);
    expect((await cluster.get('Job', 'work')).status).toMatchObject({ succeeded: ROOM, completedIndexes: `0-${ROOM - 1}` });
  });
});
