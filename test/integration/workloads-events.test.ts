import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorkloadTest, withImage, workload } from '../support/workloads.ts';
import type { Seen, WorkloadTest } from '../support/workloads.ts';

let cluster: WorkloadTest;
beforeEach(async () => {
  cluster = await startWorkloadTest();
});
afterEach(() => cluster.stop());

interface SeenEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly source: { readonly component: string };
  readonly involvedObject: { readonly kind: string; readonly name: string; readonly fieldPath?: string };
}

async function events(kind: string): Promise<readonly SeenEvent[]> {
  const all = (await cluster.list('Event')) as readonly (Seen & SeenEvent)[];
  return all.filter(({ involvedObject }) => involvedObject.kind === kind);
}

const told = (list: readonly SeenEvent[]): readonly string[] => list.map(({ reason, message }) => `${reason}: ${message}`).toSorted();

describe('the Events of simulated workloads', () => {
  it('tell of a rollout what a cluster tells', async () => {
    await cluster.create('Deployment', workload('web'));
    await cluster.settle();
    const replicaSet = (await cluster.only('ReplicaSet')).metadata.name;
    const pod = (await cluster.only('Pod')).metadata.name;
    expect(told(await events('Deployment'))).toEqual([`ScalingReplicaSet: Scaled up replica set ${replicaSet} from 0 to 1`]);
    expect(told(await events('ReplicaSet'))).toEqual([`SuccessfulCreate: Created pod: ${pod}`]);
    const ofPod = await events('Pod');
    expect(told(ofPod)).toEqual([
      'Created: Created container: main',
      expect.stringMatching(/^Pulled: Container image ".*" already present on machine$/),
      `Scheduled: Successfully assigned default/${pod} to fairway-simulated`,
      'Started: Started container main',
    ]);
    const started = ofPod.find(({ reason }) => reason === 'Started');
    expect(started).toMatchObject({ type: 'Normal', count: 1, source: { component: 'kubelet', host: 'fairway-simulated' } });
    expect(started?.involvedObject).toMatchObject({ kind: 'Pod', name: pod, fieldPath: 'spec.containers{main}' });

    await cluster.merge('Deployment', 'web', { spec: withImage('example/web:2') });
    await cluster.settle();
    expect(told(await events('Deployment'))).toContain(`ScalingReplicaSet: Scaled down replica set ${replicaSet} from 1 to 0`);
    expect(told(await events('ReplicaSet'))).toContain(`SuccessfulDelete: Deleted pod: ${pod}`);
    expect(told(await events('Pod'))).toContain('Killing: Stopping container main');
  });

  it('count what happens again and again', async () => {
    await cluster.create('Deployment', workload('web', {}, { annotations: { 'simulate.fairway.dev/behavior': 'crash-loop' } }));
    await cluster.advance(60_000);
    const ofPod = await events('Pod');
    const backOff = ofPod.filter(({ reason }) => reason === 'BackOff');
    expect(backOff).toHaveLength(1);
    expect(backOff[0]).toMatchObject({
      type: 'Warning',
      count: 6,
      message: expect.stringContaining('Back-off restarting failed container main'),
    });
    expect(ofPod.find(({ reason }) => reason === 'Started')?.count).toBe(6);
  });

  it('say how a Job ended and why an image is missing', async () => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example/work' }] } };
    await cluster.create('Job', { metadata: { name: 'work' }, spec: { template } });
    await cluster.create('Deployment', workload('broken', {}, { containers: [{ name: 'main', image: 'example/invalid:1' }] }));
    await cluster.advance(15_000);
    expect(told(await events('Job'))).toEqual(['Completed: Job completed', expect.stringMatching(/^SuccessfulCreate: Created pod: work-/)]);
    expect(told(await events('Pod'))).toEqual(
      expect.arrayContaining([
        'BackOff: Back-off pulling image "example/invalid:1"',
        'Failed: Error: ErrImagePull',
        'Failed: Error: ImagePullBackOff',
      ]),
    );
  });

  it('are not repeated when the simulation starts again', async () => {
    await cluster.create('StatefulSet', workload('db', { spec: { serviceName: 'db', replicas: 2 } }));
    await cluster.settle();
    expect(told(await events('StatefulSet'))).toEqual([
      'SuccessfulCreate: create Pod db-0 in StatefulSet db successful',
      'SuccessfulCreate: create Pod db-1 in StatefulSet db successful',
    ]);
    const before = (await cluster.list('Event')).length;
    await cluster.restart();
    expect(await cluster.list('Event')).toHaveLength(before);
  });
});
