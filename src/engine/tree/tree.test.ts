import { describe, expect, it } from 'vitest';
import type { JsonObject, KubeObject } from '../../objects/index.ts';
import { buildTree, factsOf } from './build-tree.ts';
import type { TreeSource } from './build-tree.ts';
import { infoOf } from './info-items.ts';
import { networkingInfoOf } from './networking-info.ts';

function make(apiVersion: string, kind: string, parts: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return { apiVersion, kind, metadata: { name: 'one', namespace: 'ns', ...metadata }, ...parts } as KubeObject;
}
const pod = (parts: JsonObject, metadata: JsonObject = {}): KubeObject => make('v1', 'Pod', parts, metadata);

describe('The info of a pod', () => {
  const valueOf = (object: KubeObject, name: string) => infoOf(object, []).find((item) => item.name === name)?.value;
  const containers = [
    { name: 'a', image: 'a:1' },
    { name: 'b', image: 'b:1' },
  ];
  const running = { ready: true, state: { running: {} } };

  it.each<[string, KubeObject, string]>([
    ['its phase', pod({ status: { phase: 'Pending' } }), 'Pending'],
    ['its reason', pod({ status: { phase: 'Failed', reason: 'Evicted' } }), 'Evicted'],
    [
      'a gate',
      pod({ status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] } }),
      'SchedulingGated',
    ],
    [
      'how many init containers are done',
      pod({
        spec: { initContainers: [{ name: 'i' }, { name: 'j' }] },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            { name: 'i', state: { terminated: { exitCode: 0 } } },
            { name: 'j', state: { running: {} } },
          ],
        },
      }),
      'Init:1/2',
    ],
    [
      'why an init container waits',
      pod({
        spec: { initContainers: [{ name: 'i' }] },
        status: { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: { waiting: { reason: 'ImagePullBackOff' } } }] },
      }),
      'Init:ImagePullBackOff',
    ],
    [
      'how an init container failed',
      pod({
        spec: { initContainers: [{ name: 'i' }] },
        status: { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: { terminated: { exitCode: 2 } } }] },
      }),
      'Init:ExitCode:2',
    ],
    [
      'by which signal an init container ended',
      pod({
        spec: { initContainers: [{ name: 'i' }] },
        status: { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: { terminated: { exitCode: 137, signal: 9 } } }] },
      }),
      'Init:Signal:9',
    ],
    [
      'why a container waits',
      pod({ status: { phase: 'Running', containerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } } }, running] } }),
      'CrashLoopBackOff',
    ],
    [
      'how a container ended',
      pod({ status: { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 3 } } }] } }),
      'ExitCode:3',
    ],
    [
      'that one of its containers still runs',
      pod({
        status: {
          phase: 'Running',
          conditions: [{ type: 'Ready', status: 'True' }],
          containerStatuses: [{ state: { terminated: { reason: 'Completed' } } }, running],
        },
      }),
      'Running',
    ],
    ['that it is being deleted', pod({ status: { phase: 'Running' } }, { deletionTimestamp: '2026-01-01T00:00:00Z' }), 'Terminating'],
    [
      'that its node is lost',
      pod({ status: { phase: 'Running', reason: 'NodeLost' } }, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      'Unknown',
    ],
  ])('says %s', (_what, object, reason) => expect(valueOf(object, 'Status Reason')).toBe(reason));

  it('counts containers, restarts and requests', () => {
    const spec = {
      nodeName: 'node-1',
      initContainers: [{ name: 'side', restartPolicy: 'Always', resources: { requests: { cpu: '50m' } } }],
      containers: [{ name: 'a', resources: { requests: { cpu: '0.25', memory: '1Ki' } } }, { name: 'b' }],
    };
    const status = {
      phase: 'Running',
      initContainerStatuses: [{ name: 'side', started: true, ready: true, restartCount: 1, state: { running: {} } }],
      containerStatuses: [
        { ...running, restartCount: 2 },
        { ready: false, state: { running: {} } },
      ],
    };
    expect(infoOf(pod({ spec, status }), [])).toEqual([
      { name: 'Status Reason', value: 'Running' },
      { name: 'Node', value: 'node-1' },
      { name: 'Containers', value: '2/3' },
      { name: 'Restart Count', value: '3' },
      { name: 'cpu', value: '300' },
      { name: 'memory', value: '1024000' },
    ]);
  });

  it('names its images once', () => {
    expect(factsOf(pod({ spec: { containers: [...containers, { name: 'c', image: 'a:1' }] } }))?.images).toEqual(['a:1', 'b:1']);
  });
});

describe('The info of other kinds', () => {
  it('names revisions, chosen labels and other control planes', () => {
    expect(infoOf(make('apps/v1', 'ReplicaSet', {}, { annotations: { 'deployment.kubernetes.io/revision': '4' } }), [])).toEqual([
      { name: 'Revision', value: 'Rev:4' },
    ]);
    expect(infoOf(make('apps/v1', 'ControllerRevision', { revision: 2 }), [])).toEqual([{ name: 'Revision', value: 'Rev:2' }]);
    expect(infoOf(make('v1', 'Service', {}, { labels: { team: 'a', other: 'b' } }), ['team', 'none'])).toEqual([
      { name: 'team', value: 'a' },
    ]);
    const annotations = { 'argocd.argoproj.io/managed-by-url': 'https://argo' };
    expect(infoOf(make('argoproj.io/v1alpha1', 'Application', {}, { annotations }), [])).toEqual([
      { name: 'managed-by-url', value: 'https://argo' },
    ]);
    expect(factsOf(make('v1', 'ConfigMap'))).toBeUndefined();
  });
});

describe('Traffic', () => {
  const lb = { loadBalancer: { ingress: [{ ip: '10.0.0.1' }, { hostname: 'lb.example.com' }] } };
  const path = (value: string, name: string): JsonObject => ({ path: value, backend: { service: { name } } });
  const rules = [
    { host: 'web.example.com', http: { paths: [path('/api*', 'api'), path('/', 'web')] } },
    { http: { paths: [path('/x', 'web')] } },
  ];

  it.each<[string, KubeObject, unknown]>([
    ['to a pod', pod({}, { labels: { app: 'a' } }), { labels: { app: 'a' } }],
    [
      'to a service',
      make('v1', 'Service', { spec: { type: 'ClusterIP', selector: { app: 'a' } }, status: lb }),
      { targetLabels: { app: 'a' } },
    ],
    [
      'to a balanced service',
      make('v1', 'Service', { spec: { type: 'LoadBalancer' }, status: lb }),
      { ingress: [{ ip: '10.0.0.1' }, { hostname: 'lb.example.com' }] },
    ],
    [
      'through an ingress',
      make('networking.k8s.io/v1', 'Ingress', { spec: { tls: [{ secretName: 's' }], rules }, status: lb }),
      {
        targetRefs: [
          { kind: 'Service', namespace: 'ns', name: 'api' },
          { kind: 'Service', namespace: 'ns', name: 'web' },
        ],
        ingress: [{ ip: '10.0.0.1' }, { hostname: 'lb.example.com' }],
        externalURLs: ['https://10.0.0.1/x', 'https://web.example.com/', 'https://web.example.com/api'],
      },
    ],
    [
      'through a mesh',
      make('networking.istio.io/v1', 'VirtualService', {
        spec: { http: [{ route: [{ destination: { host: 'web' } }, { destination: { host: 'db.other.svc' } }] }] },
      }),
      {
        targetRefs: [
          { kind: 'Service', name: 'web', namespace: 'ns' },
          { kind: 'Service', name: 'db', namespace: 'other' },
        ],
      },
    ],
    [
      'along a route',
      make('gateway.networking.k8s.io/v1', 'HTTPRoute', {
        spec: { parentRefs: [{ name: 'gw' }], rules: [{ backendRefs: [{ name: 'web', port: 80 }] }] },
      }),
      {
        targetRefs: [
          { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'ns', name: 'gw' },
          { kind: 'Service', namespace: 'ns', name: 'web' },
        ],
      },
    ],
    [
      'through a gateway',
      make('gateway.networking.k8s.io/v1', 'Gateway', {
        spec: {
          listeners: [
            { protocol: 'HTTP', port: 80 },
            { protocol: 'HTTPS', port: 8443, hostname: 'a.example.com' },
            { protocol: 'TCP', port: 5 },
          ],
        },
        status: { addresses: [{ value: '10.0.0.9' }] },
      }),
      { ingress: [{ ip: '10.0.0.9' }], externalURLs: ['http://10.0.0.9', 'https://a.example.com:8443'] },
    ],
  ])('%s', (_what, object, info) => expect(networkingInfoOf(object)).toEqual(info));

  it('has the links that a user gives, and not those that are no addresses of the web', () => {
    const annotations = {
      'link.argocd.argoproj.io/a': 'https://docs.example.com',
      'link.argocd.argoproj.io/b': 'Docs|https://docs.example.com/b',
      'link.argocd.argoproj.io/c': 'javascript:alert(1)',
    };
    expect(networkingInfoOf(make('v1', 'ConfigMap', {}, { annotations }))).toEqual({
      externalURLs: ['https://docs.example.com', 'Docs|https://docs.example.com/b'],
    });
  });

  it('does not show addresses that it is told to hide', () => {
    const annotations = { 'argocd.argoproj.io/ignore-default-links': 'true' };
    const ingress = make('networking.k8s.io/v1', 'Ingress', { spec: { rules }, status: lb }, { annotations });
    expect(networkingInfoOf(ingress)?.externalURLs).toBeUndefined();
  });
});

describe('The tree', () => {
  const row = (kind: string, name: string, group = ''): TreeSource => ({
    type: { group, version: 'v1', kind },
    namespace: 'ns',
    name,
    uid: `uid-${name}`,
    resourceVersion: '5',
    createdAt: '2026-01-01T00:00:00Z',
    health: { status: 'Healthy' },
    facts: kind === 'Pod' ? { images: ['a:1'] } : undefined,
  });
  const [deployment, replicaSet, one] = [row('Deployment', 'web', 'apps'), row('ReplicaSet', 'web-1', 'apps'), row('Pod', 'web-1-a')];
  const entries = [
    { row: deployment, parents: [] },
    { row: replicaSet, parents: [deployment] },
    { row: one, parents: [replicaSet] },
  ];

  it('has each object with its parents, sorted, and what is missing', () => {
    const { nodes } = buildTree({ entries, missing: [{ group: '', version: 'v1', kind: 'Service', namespace: 'ns', name: 'web' }] });
    expect(nodes?.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['Pod web-1-a', 'Service web', 'Deployment web', 'ReplicaSet web-1']);
    expect(nodes?.[0]).toEqual({
      version: 'v1',
      kind: 'Pod',
      namespace: 'ns',
      name: 'web-1-a',
      uid: 'uid-web-1-a',
      parentRefs: [{ group: 'apps', version: 'v1', kind: 'ReplicaSet', namespace: 'ns', name: 'web-1', uid: 'uid-web-1' }],
      resourceVersion: '5',
      images: ['a:1'],
      health: { status: 'Healthy' },
      createdAt: '2026-01-01T00:00:00Z',
    });
    expect(nodes?.[1]).toEqual({ version: 'v1', kind: 'Service', namespace: 'ns', name: 'web', health: { status: 'Missing' } });
  });

  it('is cut where the project does not allow something, with all that is below', () => {
    const { nodes } = buildTree({ entries, isPermitted: ({ kind }) => kind !== 'ReplicaSet' });
    expect(nodes?.map(({ kind }) => kind)).toEqual(['Deployment']);
  });

  it('has orphans apart', () => {
    const { nodes, orphanedNodes } = buildTree({ entries: [], orphaned: [{ row: one, parents: [] }] });
    expect(nodes).toEqual([]);
    expect(orphanedNodes).toMatchObject([{ kind: 'Pod' }]);
  });
});
