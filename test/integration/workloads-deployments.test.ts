import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { condition, startWorkloadTest, withImage, workload } from '../support/workloads.ts';
import type { Given, WorkloadTest } from '../support/workloads.ts';

let cluster: WorkloadTest;
beforeEach(async () => {
  cluster = await startWorkloadTest();
});
afterEach(() => cluster.stop());

const image = (name: string): Given => ({ spec: withImage(name) });

describe('a simulated Deployment', () => {
  it('gets a ReplicaSet and ready pods on a node that says that it is simulated', async () => {
    await cluster.create('Deployment', workload('web', { spec: { replicas: 3 } }));
    await cluster.settle();
    const replicaSet = await cluster.only('ReplicaSet');
    const hash = replicaSet.metadata.labels['pod-template-hash'];
    expect(replicaSet.metadata).toMatchObject({
      name: `web-${hash}`,
      labels: { app: 'web', 'pod-template-hash': expect.stringMatching(/^[bcdf4-9]{8,10}$/) },
      annotations: {
        'deployment.kubernetes.io/desired-replicas': '3',
        'deployment.kubernetes.io/max-replicas': '4',
        'deployment.kubernetes.io/revision': '1',
      },
      ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true, blockOwnerDeletion: true }],
    });
    expect(replicaSet.status).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 0,
      observedGeneration: 1,
    });
    const deployment = await cluster.get('Deployment', 'web');
    expect(deployment.metadata).toMatchObject({ annotations: { 'deployment.kubernetes.io/revision': '1' } });
    const times = { lastUpdateTime: '2026-01-02T03:04:05Z', lastTransitionTime: '2026-01-02T03:04:05Z' };
    expect(deployment.status).toEqual({
      observedGeneration: deployment.metadata.generation,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 0,
      conditions: [
        {
          type: 'Available',
          status: 'True',
          ...times,
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        },
        {
          type: 'Progressing',
          status: 'True',
          ...times,
          reason: 'NewReplicaSetAvailable',
          message: `ReplicaSet "web-${hash}" has successfully progressed.`,
        },
      ],
    });
    const pods = await cluster.list('Pod');
    expect(pods).toHaveLength(3);
    expect(new Set(pods.map((pod) => pod.status.podIP)).size).toBe(3);
    for (const pod of pods) {
      expect(pod.metadata.name).toMatch(new RegExp(`^web-${hash}-[bcdfghjklmnpqrstvwxz2456789]{5}$`));
      expect(pod.spec.nodeName).toBe('fairway-simulated');
      expect(pod.status).toMatchObject({ phase: 'Running', podIP: expect.stringMatching(/^10\.244\./), startTime: times.lastUpdateTime });
      expect(condition(pod, 'Ready')?.status).toBe('True');
    }
    const log = (await cluster.logs(pods[0]?.metadata.name ?? '')).trimEnd().split('\n');
    expect(log[0]).toMatch(/^\[simulation\]/);
  });

  it('rests without a single write once it has settled', async () => {
    await cluster.create('Deployment', workload('web', { spec: { replicas: 3 } }));
    await cluster.settle();
    cluster.takeWrites();
    await cluster.advance(3_600_000);
    expect(cluster.takeWrites()).toEqual([]);
  });

  it('rolls to another template within its limits, keeps the old ReplicaSet, and goes back to it by its template', async () => {
    await cluster.create(
      'Deployment',
      workload('web', { spec: { replicas: 4, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } } }),
    );
    await cluster.settle();
    const first = await cluster.only('ReplicaSet');
    cluster.takeWrites();
    await cluster.merge('Deployment', 'web', image('example/web:2'));
    await cluster.settle();
    const sizes = cluster
      .takeWrites()
      .filter(({ object }) => object.kind === 'Deployment')
      .map(({ object }) => object.status);
    for (const { replicas = 0, availableReplicas = 0 } of sizes) {
      expect(replicas).toBeLessThanOrEqual(5);
      expect(availableReplicas).toBeGreaterThanOrEqual(3);
    }
    const replicaSets = await cluster.list('ReplicaSet');
    const sizeOf = new Map(
      replicaSets.map((replicaSet) => [replicaSet.metadata.annotations['deployment.kubernetes.io/revision'], replicaSet.spec.replicas]),
    );
    expect(Object.fromEntries(sizeOf)).toEqual({ 1: 0, 2: 4 });
    await cluster.merge('Deployment', 'web', image('example/web:1'));
    await cluster.settle();
    const back = await cluster.get('ReplicaSet', first.metadata.name);
    expect(back).toMatchObject({
      metadata: { annotations: { 'deployment.kubernetes.io/revision': '3', 'deployment.kubernetes.io/revision-history': '1' } },
      spec: { replicas: 4 },
      status: { availableReplicas: 4 },
    });
    expect(await cluster.list('ReplicaSet')).toHaveLength(2);
    expect(await cluster.get('Deployment', 'web')).toMatchObject({
      metadata: { annotations: { 'deployment.kubernetes.io/revision': '3' } },
      status: { replicas: 4, updatedReplicas: 4, availableReplicas: 4 },
    });
  });

  it('keeps no more old ReplicaSets than its history has room for', async () => {
    await cluster.create('Deployment', workload('web', { spec: { revisionHistoryLimit: 1 } }));
    for (const version of [2, 3, 4]) {
      await cluster.settle();
      await cluster.merge('Deployment', 'web', image(`example/web:${version}`));
    }
    await cluster.settle();
    const revisions = (await cluster.list('ReplicaSet')).map(
      (replicaSet) => replicaSet.metadata.annotations['deployment.kubernetes.io/revision'],
    );
    expect(new Set(revisions)).toEqual(new Set(['3', '4']));
  });

  it('replaces all at once where it says Recreate', async () => {
    await cluster.create('Deployment', workload('web', { spec: { replicas: 2, strategy: { type: 'Recreate' } } }));
    await cluster.settle();
    cluster.takeWrites();
    await cluster.merge('Deployment', 'web', image('example/web:2'));
    await cluster.settle();
    const images = cluster
      .takeWrites()
      .filter(({ object }) => object.kind === 'Pod')
      .map(({ object }) => object.spec.containers[0]?.image);
    const lastOld = images.lastIndexOf('example/web:1');
    expect(lastOld).toBeGreaterThan(0);
    expect(images.indexOf('example/web:2')).toBeGreaterThan(lastOld);
    expect((await cluster.get('Deployment', 'web')).status).toMatchObject({ updatedReplicas: 2, availableReplicas: 2 });
  });

  it('scales up and down', async () => {
    await cluster.create('Deployment', workload('web'));
    for (const replicas of [5, 2, 0, 1]) {
      await cluster.merge('Deployment', 'web', { spec: { replicas } });
      await cluster.settle();
      expect(await cluster.list('Pod')).toHaveLength(replicas);
      expect((await cluster.get('Deployment', 'web')).status.availableReplicas ?? 0).toBe(replicas);
    }
  });

  it('waits with a new template while it is paused, and still scales', async () => {
    await cluster.create('Deployment', workload('web'));
    await cluster.settle();
    await cluster.merge('Deployment', 'web', { spec: { paused: true, replicas: 3, ...withImage('example/web:2') } });
    await cluster.settle();
    expect(await cluster.list('ReplicaSet')).toHaveLength(1);
    const paused = await cluster.get('Deployment', 'web');
    expect(condition(paused, 'Progressing')).toMatchObject({
      status: 'Unknown',
      reason: 'DeploymentPaused',
      message: 'Deployment is paused',
    });
    expect(paused.status).toMatchObject({ replicas: 3, availableReplicas: 3 });
    await cluster.merge('Deployment', 'web', { spec: { paused: false } });
    await cluster.settle();
    const resumed = await cluster.get('Deployment', 'web');
    expect(resumed.status).toMatchObject({ replicas: 3, updatedReplicas: 3 });
    expect(condition(resumed, 'Progressing')?.reason).toBe('NewReplicaSetAvailable');
  });
});

describe('a simulated Deployment that is told how to behave', () => {
  it('fails at once, keeps the old pods that it still needs, and recovers with another template', async () => {
    await cluster.create('Deployment', workload('web', { spec: { replicas: 4 } }));
    await cluster.settle();
    const behavior = (value: string | null): Given => ({
      spec: { template: { metadata: { annotations: { 'simulate.fairway.dev/behavior': value } } } },
    });
    await cluster.merge('Deployment', 'web', behavior('fail'));
    await cluster.settle();
    const failed = await cluster.get('Deployment', 'web');
    expect(condition(failed, 'Progressing')).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' });
    expect(condition(failed, 'Progressing')?.message).toMatch(/^ReplicaSet "web-\w+" has timed out progressing\.$/);
    expect(failed.status).toMatchObject({ availableReplicas: 3, updatedReplicas: 2, unavailableReplicas: 2 });
    await cluster.merge('Deployment', 'web', behavior(null));
    await cluster.settle();
    const mended = await cluster.get('Deployment', 'web');
    expect(condition(mended, 'Progressing')).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' });
    expect(mended.status).toMatchObject({ availableReplicas: 4, updatedReplicas: 4 });
  });

  it('fails and recovers by an annotation on itself, with the pods that it has', async () => {
    await cluster.create('Deployment', workload('web'));
    await cluster.settle();
    await cluster.merge('Deployment', 'web', { metadata: { annotations: { 'simulate.fairway.dev/behavior': 'fail' } } });
    await cluster.settle();
    expect(condition(await cluster.get('Deployment', 'web'), 'Progressing')?.reason).toBe('ProgressDeadlineExceeded');
    await cluster.merge('Deployment', 'web', { metadata: { annotations: { 'simulate.fairway.dev/behavior': null } } });
    await cluster.settle();
    const mended = await cluster.get('Deployment', 'web');
    expect(condition(mended, 'Progressing')?.reason).toBe('NewReplicaSetAvailable');
    expect(mended.status.availableReplicas).toBe(1);
  });

  it('hangs until its deadline has passed', async () => {
    await cluster.create(
      'Deployment',
      workload('web', { spec: { progressDeadlineSeconds: 60 } }, { annotations: { 'simulate.fairway.dev/behavior': 'hang' } }),
    );
    await cluster.advance(59_000);
    expect(condition(await cluster.get('Deployment', 'web'), 'Progressing')).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' });
    await cluster.advance(2_000);
    expect(condition(await cluster.get('Deployment', 'web'), 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
    });
  });

  it('takes the time that it is told', async () => {
    await cluster.create('Deployment', workload('web', {}, { annotations: { 'simulate.fairway.dev/delay': '5s' } }));
    await cluster.advance(4_000);
    const waiting = await cluster.only('Pod');
    expect(waiting.status).toMatchObject({
      phase: 'Pending',
      containerStatuses: [{ ready: false, state: { waiting: { reason: 'ContainerCreating' } } }],
    });
    await cluster.advance(1_000);
    expect((await cluster.get('Deployment', 'web')).status.availableReplicas).toBe(1);
  });

  it('restarts in a loop, with longer and longer pauses', async () => {
    await cluster.create('Deployment', workload('web', {}, { annotations: { 'simulate.fairway.dev/behavior': 'crash-loop' } }));
    await cluster.advance(60_000);
    const pod = await cluster.only('Pod');
    expect(pod.status.containerStatuses[0]).toMatchObject({
      restartCount: 5,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
    });
    cluster.takeWrites();
    await cluster.advance(3_600_000);
    expect(cluster.takeWrites().filter(({ object }) => object.kind !== 'Event').length).toBeLessThan(60);
  });
});
