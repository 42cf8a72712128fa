import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../test/support/embedded.ts';
import type { TestApi } from '../../../test/support/embedded.ts';
import { builtinResources } from '../../objects/index.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { ResourceType } from '../../kube/index.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startTestApi();
});
afterAll(() => test.stop());

const selector = { matchLabels: { app: 'x' } };
const template = {
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80 }] }] },
};
const podSpec = {
  containers: [
    {
      name: 'c',
      image: 'nginx',
      ports: [{ containerPort: 80, protocol: 'TCP' }],
      resources: {},
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: 'Always',
    },
  ],
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};
const defaultedTemplate = { metadata: { labels: { app: 'x' } }, spec: podSpec };
const address: unknown = expect.stringMatching(/^10\.96\.\d+\.\d+$/);
const nodePort: unknown = expect.toSatisfy((port: number) => port >= 30_000 && port < 32_768);

/** What is created, and what the reference API server made of it (uids, addresses and times apart). */
const cases: readonly [string, Record<string, unknown>, Record<string, unknown>][] = [
  [
    'apps/v1 Deployment',
    { spec: { selector, template } },
    {
      spec: {
        replicas: 1,
        selector,
        template: defaultedTemplate,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
      status: {},
    },
  ],
  [
    'apps/v1 ReplicaSet',
    { spec: { selector, template } },
    { spec: { replicas: 1, selector, template: defaultedTemplate }, status: { replicas: 0 } },
  ],
  [
    'apps/v1 StatefulSet',
    { spec: { selector, template } },
    {
      spec: {
        replicas: 1,
        selector,
        template: defaultedTemplate,
        serviceName: '',
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
        revisionHistoryLimit: 10,
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      },
      status: { replicas: 0, availableReplicas: 0 },
    },
  ],
  [
    'apps/v1 DaemonSet',
    { spec: { selector, template } },
    {
      spec: {
        selector,
        template: defaultedTemplate,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
        revisionHistoryLimit: 10,
      },
      status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
    },
  ],
  [
    'batch/v1 CronJob',
    { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } } } },
    {
      spec: {
        schedule: '* * * * *',
        concurrencyPolicy: 'Allow',
        suspend: false,
        jobTemplate: { metadata: {}, spec: { template: { metadata: {}, spec: { ...podSpec, restartPolicy: 'Never' } } } },
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      },
      status: {},
    },
  ],
  [
    'v1 Service',
    { spec: { ports: [{ port: 80 }] } },
    {
      spec: {
        ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
        clusterIP: address,
        clusterIPs: [address],
        type: 'ClusterIP',
        sessionAffinity: 'None',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        internalTrafficPolicy: 'Cluster',
      },
      status: { loadBalancer: {} },
    },
  ],
  [
    'v1 Service',
    { spec: { type: 'LoadBalancer', ports: [{ port: 443, targetPort: 'https' }] } },
    {
      spec: {
        ports: [{ protocol: 'TCP', port: 443, targetPort: 'https', nodePort }],
        clusterIP: address,
        clusterIPs: [address],
        type: 'LoadBalancer',
        sessionAffinity: 'None',
        externalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        allocateLoadBalancerNodePorts: true,
        internalTrafficPolicy: 'Cluster',
      },
      status: { loadBalancer: {} },
    },
  ],
  [
    'v1 Service',
    { spec: { type: 'ExternalName', externalName: 'a.b' } },
    { spec: { type: 'ExternalName', sessionAffinity: 'None', externalName: 'a.b' }, status: { loadBalancer: {} } },
  ],
  ['v1 Secret', { stringData: { a: 'b' }, data: { c: 'ZA==' } }, { data: { a: 'Yg==', c: 'ZA==' }, type: 'Opaque' }],
  [
    'v1 PersistentVolumeClaim',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    },
  ],
  [
    'autoscaling/v2 HorizontalPodAutoscaler',
    { spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } } },
    {
      spec: {
        maxReplicas: 3,
        minReplicas: 1,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
      },
      status: { desiredReplicas: 0, currentMetrics: null },
    },
  ],
  [
    'networking.k8s.io/v1 NetworkPolicy',
    { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] } },
    { spec: { podSelector: {}, ingress: [{ ports: [{ protocol: 'TCP', port: 80 }] }], policyTypes: ['Ingress'] } },
  ],
  [
    'rbac.authorization.k8s.io/v1 RoleBinding',
    { roleRef: { kind: 'Role', name: 'x' }, subjects: [{ kind: 'User', name: 'a' }] },
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'x' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'a' }],
    },
  ],
  [
    'storage.k8s.io/v1 StorageClass',
    { provisioner: 'a.b/c' },
    { provisioner: 'a.b/c', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  ],
];

function typeOf(name: string): ResourceType & { apiVersion: string } {
  const [apiVersion = '', kind] = name.split(' ');
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const resource = builtinResources.find(
    (candidate) => candidate.kind === kind && candidate.version === version && candidate.group === group,
  );
  if (resource === undefined) throw new Error(`no ${name}`);
  return { group, version, plural: resource.plural, kind: resource.kind, namespaced: resource.namespaced, apiVersion };
}

describe('what a client leaves out', () => {
  it.each(cases)('is set for a %s, once and for all', async (name, input, expected) => {
    const { apiVersion, ...type } = typeOf(name);
    const metadata = { generateName: 'a-', ...(type.namespaced && { namespace: 'default' }) };
    const created = await test.api.create(type, { apiVersion, kind: type.kind, metadata, ...input } as unknown as KubeObject);
    const { metadata: made, apiVersion: _version, kind: _kind, ...content } = created;
    expect(content).toEqual(expected);
    // What was sent, sent again, changes nothing that was set: addresses and ports stay.
    const { name: madeName = '', namespace } = made;
    const again = await test.api.update(type, {
      ...created,
      metadata: { name: madeName, ...(namespace && { namespace }) },
      ...input,
    } as unknown as KubeObject);
    expect(again).toMatchObject(content);
  });

  it('is set for a Job, which finds its pods by its own uid', async () => {
    const { apiVersion, ...type } = typeOf('batch/v1 Job');
    const spec = { template: { spec: { ...template.spec, restartPolicy: 'Never' } } };
    const job = await test.api.create(type, { apiVersion, kind: 'Job', metadata: { name: 'job', namespace: 'default' }, spec });
    const { uid = '' } = job.metadata;
    const labels = {
      'batch.kubernetes.io/controller-uid': uid,
      'controller-uid': uid,
      'batch.kubernetes.io/job-name': 'job',
      'job-name': 'job',
    };
    expect(job.metadata.labels).toEqual(labels);
    expect(job['spec']).toMatchObject({
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      manualSelector: false,
      podReplacementPolicy: 'TerminatingOrFailed',
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
      template: { metadata: { labels } },
    });
  });
});

describe('a Service that changes its type', () => {
  it('drops what only the old type had, and keeps its address', async () => {
    const { apiVersion, ...type } = typeOf('v1 Service');
    const metadata = { name: 'turning', namespace: 'default' };
    const made = await test.api.create(type, {
      apiVersion,
      kind: 'Service',
      metadata,
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    });
    const turn = (spec: Record<string, string | null>) => test.api.patch(type, metadata, { type: 'merge', body: { spec } });
    const { clusterIP } = made['spec'] as { clusterIP: string };
    const inside = await turn({ type: 'ClusterIP' });
    expect(inside['spec']).toMatchObject({ clusterIP, ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] });
    for (const name of ['externalTrafficPolicy', 'allocateLoadBalancerNodePorts', 'ports.0.nodePort'])
      expect(inside['spec']).not.toHaveProperty(name);
    const outside = await turn({ type: 'ExternalName', externalName: 'a.b' });
    for (const name of ['clusterIP', 'clusterIPs', 'internalTrafficPolicy']) expect(outside['spec']).not.toHaveProperty(name);
  });
});

describe('kinds that are served in two forms', () => {
  it('are the same objects in both', async () => {
    const { apiVersion, ...second } = typeOf('autoscaling/v2 HorizontalPodAutoscaler');
    const { apiVersion: firstVersion, ...first } = typeOf('autoscaling/v1 HorizontalPodAutoscaler');
    const spec = {
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 50,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
    };
    await test.api.create(first, { apiVersion: firstVersion, kind: first.kind, metadata: { name: 'two', namespace: 'default' }, spec });
    const ref = { namespace: 'default', name: 'two' };
    expect(await test.api.get(first, ref)).toMatchObject({ apiVersion: firstVersion, spec });
    expect(await test.api.get(second, ref)).toMatchObject({
      apiVersion,
      spec: { metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }] },
    });
    const { apiVersion: eventsVersion, ...events } = typeOf('events.k8s.io/v1 Event');
    await test.api.create(events, {
      apiVersion: eventsVersion,
      kind: 'Event',
      metadata: { name: 'e', namespace: 'default' },
      regarding: { kind: 'Pod', name: 'p' },
      note: 'n',
    });
    const { apiVersion: coreVersion, ...coreEvents } = typeOf('v1 Event');
    const { items } = await test.api.list(coreEvents, { fieldSelector: 'involvedObject.name=p' });
    expect(items).toMatchObject([{ apiVersion: coreVersion, involvedObject: { kind: 'Pod', name: 'p' }, message: 'n' }]);
  });
});
