import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { condition, startWorkloadTest, withImage, workload } from '../support/workloads.ts';
import type { Given, Seen, WorkloadTest } from '../support/workloads.ts';

let cluster: WorkloadTest;
beforeEach(async () => {
  cluster = await startWorkloadTest();
});
afterEach(() => cluster.stop());

const names = (objects: readonly Seen[]): string[] => objects.map(({ metadata }) => metadata.name);

describe('a simulated StatefulSet', () => {
  const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
  const set = (more: Given = {}): Given =>
    workload('db', { spec: { serviceName: 'db', replicas: 3, volumeClaimTemplates: [claim], ...more } });
  const ready = (pod: Seen): boolean => condition(pod, 'Ready')?.status === 'True';

  it('makes its pods in order, each when the one before is ready, with claims that are bound', async () => {
    await cluster.create('StatefulSet', set());
    await cluster.settle();
    const seen = new Map<string, boolean>();
    for (const { object } of cluster.takeWrites().filter((write) => write.object.kind === 'Pod')) {
      const ordinal = Number(object.metadata.name.slice(3));
      for (let before = 0; before < ordinal; before += 1) expect(seen.get(`db-${before}`)).toBe(true);
      seen.set(object.metadata.name, ready(object));
    }
    expect(names(await cluster.list('Pod'))).toEqual(['db-0', 'db-1', 'db-2']);
    const pod = await cluster.get('Pod', 'db-1');
    expect(pod.metadata.labels).toMatchObject({ 'apps.kubernetes.io/pod-index': '1', 'statefulset.kubernetes.io/pod-name': 'db-1' });
    expect(pod.spec).toMatchObject({
      hostname: 'db-1',
      subdomain: 'db',
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-1' } }],
    });
    const first = await cluster.get('PersistentVolumeClaim', 'data-db-0');
    expect(await cluster.list('PersistentVolumeClaim')).toHaveLength(3);
    expect(first).toMatchObject({
      metadata: { name: 'data-db-0', labels: { app: 'db' } },
      spec: { storageClassName: 'simulated', volumeName: `pvc-${first.metadata.uid}` },
      status: { phase: 'Bound', capacity: { storage: '1Gi' } },
    });
    expect(await cluster.get('PersistentVolume', first.spec.volumeName)).toMatchObject({ status: { phase: 'Bound' } });
    const revision = await cluster.only('ControllerRevision');
    expect((await cluster.get('StatefulSet', 'db')).status).toEqual({
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      currentRevision: revision.metadata.name,
      updateRevision: revision.metadata.name,
      collisionCount: 0,
    });
  });

  it('updates from the last pod down, stops at the partition, and removes the last pods first', async () => {
    await cluster.create('StatefulSet', set());
    await cluster.settle();
    cluster.takeWrites();
    await cluster.merge('StatefulSet', 'db', {
      spec: { updateStrategy: { rollingUpdate: { partition: 1 } }, ...withImage('example/db:2') },
    });
    await cluster.settle();
    const created = cluster.takeWrites().filter(({ type, object }) => type === 'ADDED' && object.kind === 'Pod');
    expect(created.map(({ object }) => object.metadata.name)).toEqual(['db-2', 'db-1']);
    const parted = await cluster.get('StatefulSet', 'db');
    expect(parted.status).toMatchObject({ replicas: 3, readyReplicas: 3, currentReplicas: 1, updatedReplicas: 2 });
    expect(parted.status.currentRevision).not.toBe(parted.status.updateRevision);
    await cluster.merge('StatefulSet', 'db', { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
    await cluster.settle();
    const whole = await cluster.get('StatefulSet', 'db');
    expect(whole.status).toMatchObject({ currentReplicas: 3, updatedReplicas: 3, currentRevision: whole.status.updateRevision });
    cluster.takeWrites();
    await cluster.merge('StatefulSet', 'db', { spec: { replicas: 1 } });
    await cluster.settle();
    const gone = cluster.takeWrites().filter(({ type, object }) => type === 'DELETED' && object.kind === 'Pod');
    expect(gone.map(({ object }) => object.metadata.name)).toEqual(['db-2', 'db-1']);
    expect(await cluster.list('PersistentVolumeClaim')).toHaveLength(3);
  });
});

describe('a simulated DaemonSet', () => {
  it('has one pod on the one node, and replaces it when its template changes', async () => {
    await cluster.create('DaemonSet', workload('agent'));
    await cluster.settle();
    const pod = await cluster.only('Pod');
    expect(pod.metadata).toMatchObject({ labels: { 'pod-template-generation': '1' } });
    expect((await cluster.get('DaemonSet', 'agent')).status).toEqual({
      currentNumberScheduled: 1,
      numberMisscheduled: 0,
      desiredNumberScheduled: 1,
      numberReady: 1,
      observedGeneration: 1,
      updatedNumberScheduled: 1,
      numberAvailable: 1,
    });
    await cluster.merge('DaemonSet', 'agent', { spec: { template: { spec: { containers: [{ name: 'main', image: 'agent:2' }] } } } });
    await cluster.settle();
    const next = await cluster.only('Pod');
    expect(next).toMatchObject({ metadata: { labels: { 'pod-template-generation': '2' } }, spec: { containers: [{ image: 'agent:2' }] } });
    expect(await cluster.list('ControllerRevision')).toHaveLength(2);
  });
});

describe('simulated Services, Ingresses and namespaces', () => {
  it('have endpoints as far as pods are ready, and addresses that lead nowhere', async () => {
    await cluster.create('Service', {
      metadata: { name: 'web' },
      spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    });
    await cluster.create('Ingress', {
      metadata: { name: 'web' },
      spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
    });
    await cluster.create('Deployment', workload('web', { spec: { replicas: 2 } }));
    await cluster.settle();
    const slice = await cluster.only('EndpointSlice', 'kubernetes.io/service-name=web');
    expect(slice).toMatchObject({ addressType: 'IPv4', ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] });
    expect(slice.endpoints.map(({ conditions }) => conditions.ready)).toEqual([true, true]);
    expect((await cluster.get('Endpoints', 'web')).subsets?.[0]?.addresses).toHaveLength(2);
    expect((await cluster.get('Service', 'web')).status.loadBalancer.ingress[0]?.ip).toMatch(/^192\.0\.2\.\d+$/);
    expect((await cluster.get('Ingress', 'web')).status.loadBalancer.ingress[0]?.ip).toMatch(/^192\.0\.2\.\d+$/);
    await cluster.merge('Deployment', 'web', { metadata: { annotations: { 'simulate.fairway.dev/behavior': 'hang' } } });
    await cluster.settle();
    const hanging = await cluster.only('EndpointSlice');
    expect(hanging.endpoints.map(({ conditions }) => conditions.ready)).toEqual([false, false]);
    await cluster.merge('Deployment', 'web', { spec: { replicas: 0 } });
    await cluster.settle();
    expect((await cluster.get('Endpoints', 'web')).subsets).toBeUndefined();
    await cluster.remove('Service', 'web');
    await cluster.settle();
    expect(await cluster.list('EndpointSlice')).toEqual([]);
  });

  it('have an account and the place of the root certificates in each namespace, also when somebody removes them', async () => {
    await cluster.create('Namespace', { metadata: { name: 'team' } });
    await cluster.settle();
    expect(await cluster.get('ServiceAccount', 'default', 'team')).toBeDefined();
    await cluster.remove('ConfigMap', 'kube-root-ca.crt');
    await cluster.settle();
    expect(await cluster.get('ConfigMap', 'kube-root-ca.crt')).toBeDefined();
    await cluster.remove('Namespace', 'team');
    await cluster.settle();
    await expect(cluster.get('Namespace', 'team')).rejects.toMatchObject({ code: 404 });
  });

  it('count for budgets and autoscalers', async () => {
    await cluster.create('Deployment', workload('web', { spec: { replicas: 3 } }));
    await cluster.create('PodDisruptionBudget', {
      metadata: { name: 'web' },
      spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
    });
    await cluster.create('HorizontalPodAutoscaler', {
      metadata: { name: 'web' },
      spec: { maxReplicas: 9, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
    });
    await cluster.settle();
    const budget = await cluster.get('PodDisruptionBudget', 'web');
    expect(budget.status).toMatchObject({
      currentHealthy: 3,
      desiredHealthy: 2,
      disruptionsAllowed: 1,
      expectedPods: 3,
      observedGeneration: 1,
    });
    expect(condition(budget, 'DisruptionAllowed')).toMatchObject({ status: 'True', reason: 'SufficientPods' });
    const autoscaler = await cluster.get('HorizontalPodAutoscaler', 'web');
    expect(autoscaler.status).toMatchObject({ currentReplicas: 3, desiredReplicas: 3 });
    expect(condition(autoscaler, 'AbleToScale')?.status).toBe('True');
  });
});

describe('simulated storage', () => {
  it('binds a claim to a volume that waits for it, and lets made volumes go with their claims', async () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await cluster.create('PersistentVolume', {
      metadata: { name: 'mine' },
      spec: { storageClassName: 'own', capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } },
    });
    await cluster.create('PersistentVolumeClaim', { metadata: { name: 'old' }, spec: { ...spec, storageClassName: 'own' } });
    await cluster.create('PersistentVolumeClaim', { metadata: { name: 'new' }, spec: { ...spec, storageClassName: 'gp3' } });
    await cluster.settle();
    expect(await cluster.get('PersistentVolumeClaim', 'old')).toMatchObject({
      spec: { volumeName: 'mine' },
      status: { phase: 'Bound', capacity: { storage: '2Gi' } },
    });
    const made = (await cluster.get('PersistentVolumeClaim', 'new')).spec.volumeName;
    await cluster.remove('PersistentVolumeClaim', 'new');
    await cluster.remove('PersistentVolumeClaim', 'old');
    await cluster.settle();
    await expect(cluster.get('PersistentVolume', made)).rejects.toMatchObject({ code: 404 });
    expect(await cluster.get('PersistentVolume', 'mine')).toMatchObject({ status: { phase: 'Released' } });
  });
});

describe('the end of simulated workloads', () => {
  it.each(['Background', 'Foreground'] as const)('takes everything below a Deployment along (%s)', async (propagation) => {
    await cluster.create('Deployment', workload('web', { spec: { replicas: 3 } }));
    await cluster.settle();
    await cluster.remove('Deployment', 'web', { propagation });
    await cluster.settle();
    expect([...(await cluster.list('Deployment')), ...(await cluster.list('ReplicaSet')), ...(await cluster.list('Pod'))]).toEqual([]);
  });

  it('comes for everything in a namespace that is deleted', async () => {
    await cluster.create('Namespace', { metadata: { name: 'team' } });
    const here = (object: Given): Given => ({ ...object, metadata: { ...(object['metadata'] as object), namespace: 'team' } });
    await cluster.create('Deployment', here(workload('web', { spec: { replicas: 3 } })));
    await cluster.create('StatefulSet', here(workload('db', { spec: { serviceName: 'db', replicas: 2 } })));
    await cluster.create('Service', here({ metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }));
    await cluster.settle();
    await cluster.remove('Namespace', 'team');
    await cluster.advance(5_000);
    await expect(cluster.get('Namespace', 'team')).rejects.toMatchObject({ code: 404 });
    cluster.takeWrites();
    await cluster.advance(600_000);
    expect(cluster.takeWrites()).toEqual([]);
  });

  it('leaves orphans behind where asked, and whoever selects them takes them over', async () => {
    await cluster.create('Deployment', workload('web', { spec: { replicas: 2 } }));
    await cluster.settle();
    await cluster.remove('Deployment', 'web', { propagation: 'Orphan' });
    await cluster.settle();
    const orphan = await cluster.only('ReplicaSet');
    expect(orphan.metadata.ownerReferences ?? []).toEqual([]);
    const pods = names(await cluster.list('Pod'));
    expect(pods).toHaveLength(2);
    await cluster.create('Deployment', workload('web', { spec: { replicas: 2 } }));
    await cluster.settle();
    const adopted = await cluster.only('ReplicaSet');
    expect(adopted.metadata.ownerReferences).toMatchObject([{ kind: 'Deployment', controller: true }]);
    expect(names(await cluster.list('Pod'))).toEqual(pods);
  });

  it('marks a running pod first, waits for its finalizers, and then it is gone and replaced', async () => {
    await cluster.create('Deployment', workload('web'));
    await cluster.settle();
    const pod = await cluster.only('Pod');
    await cluster.merge('Pod', pod.metadata.name, { metadata: { finalizers: ['example.com/hold'] } });
    await cluster.remove('Pod', pod.metadata.name);
    await cluster.settle();
    expect((await cluster.get('Pod', pod.metadata.name)).metadata.deletionTimestamp).toBeDefined();
    expect(await cluster.list('Pod')).toHaveLength(2);
    await cluster.merge('Pod', pod.metadata.name, { metadata: { finalizers: null } });
    await cluster.settle();
    expect(names(await cluster.list('Pod'))).not.toContain(pod.metadata.name);
  });
});
