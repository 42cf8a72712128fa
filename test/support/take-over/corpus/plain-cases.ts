import { configMap, deployment, documents, job, podTemplate, service, type CorpusCase } from './corpus-case.ts';

/** Manifests as they are: one application for each sort of object, and for each way to write it. */
export function plainCases(): readonly CorpusCase[] {
  return [...kindCases(), ...formCases(), ...fieldCases()];
}

function plain(name: string, objects: readonly object[], more: Partial<CorpusCase> = {}): CorpusCase {
  return { name, files: { 'all.yaml': documents(...objects) }, ...more };
}

function kindCases(): CorpusCase[] {
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }];
  const rbac = 'rbac.authorization.k8s.io/v1';
  const set = (kind: string, name: string, spec: object): object => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: { selector: { matchLabels: { app: name } }, template: podTemplate(name), ...spec },
  });
  return [
    plain('plain-config', [configMap('plain-config')], { isSmall: true }),
    plain('plain-web', [deployment('plain-web'), service('plain-web')], { isSmall: true }),
    plain('plain-secret', [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'plain-secret' }, stringData: { word: 'canary' } }]),
    plain('plain-secret-data', [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'plain-secret-data' }, data: { word: 'Y2FuYXJ5' } }]),
    plain('plain-stateful', [
      set('StatefulSet', 'plain-stateful', { serviceName: 'plain-stateful', replicas: 2 }),
      service('plain-stateful', { clusterIP: 'None' }),
    ]),
    plain('plain-daemon', [set('DaemonSet', 'plain-daemon', {})]),
    plain('plain-replicas', [set('ReplicaSet', 'plain-replicas', { replicas: 2 })]),
    plain('plain-pod', [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'plain-pod' },
        spec: { containers: [{ name: 'main', image: 'example.com/web:1' }] },
      },
    ]),
    plain('plain-job', [job('plain-job')], { isSmall: true }),
    plain('plain-cron', [
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'plain-cron' },
        spec: {
          schedule: '0 3 * * *',
          suspend: true,
          jobTemplate: {
            spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/job:1' }] } } },
          },
        },
      },
    ]),
    plain('plain-account', [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'plain-account' } }]),
    plain('plain-role', [
      { apiVersion: rbac, kind: 'Role', metadata: { name: 'plain-role' }, rules },
      {
        apiVersion: rbac,
        kind: 'RoleBinding',
        metadata: { name: 'plain-role' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'plain-role' },
        subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'work' }],
      },
    ]),
    plain('plain-cluster-role', [{ apiVersion: rbac, kind: 'ClusterRole', metadata: { name: 'corpus-plain-cluster-role' }, rules }]),
    plain('plain-aggregated', [
      {
        apiVersion: rbac,
        kind: 'ClusterRole',
        metadata: { name: 'corpus-aggregated' },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { corpus: 'none' } }] },
        rules: [],
      },
    ]),
    plain(
      'plain-ingress',
      [
        {
          apiVersion: 'networking.k8s.io/v1',
          kind: 'Ingress',
          metadata: { name: 'plain-ingress' },
          spec: {
            rules: [
              {
                host: 'shop.example.com',
                http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'plain-web', port: { number: 80 } } } }] },
              },
            ],
          },
        },
      ],
      { expects: 'Synced Progressing' },
    ),
    plain('plain-network', [
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name: 'plain-network' },
        spec: { podSelector: {}, policyTypes: ['Ingress'] },
      },
    ]),
    plain('plain-disruption', [
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'plain-disruption' },
        spec: { minAvailable: '50%', selector: { matchLabels: { app: 'nobody' } } },
      },
    ]),
    plain(
      'plain-limits',
      [
        {
          apiVersion: 'v1',
          kind: 'LimitRange',
          metadata: { name: 'plain-limits' },
          spec: { limits: [{ type: 'Container', max: { memory: '4096Mi' } }] },
        },
      ],
      { target: 'work-limits' },
    ),
    plain(
      'plain-quota',
      [
        {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name: 'plain-quota' },
          spec: { hard: { pods: '1000', 'requests.cpu': '10000m' } },
        },
      ],
      { target: 'work-limits' },
    ),
    plain('plain-priority', [
      { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'corpus-priority' }, value: 1000 },
    ]),
    plain('plain-storage', [
      { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'corpus-storage' }, provisioner: 'example.com/none' },
    ]),
    plain(
      'plain-claim',
      [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'plain-claim' },
          spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'corpus-none', resources: { requests: { storage: '1024Mi' } } },
        },
      ],
      { expects: 'Synced Progressing' },
    ),
    plain('plain-namespace', [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'work-made', labels: { team: 'corpus' } } }]),
    plain('plain-balancer', [service('plain-balancer', { type: 'LoadBalancer' })], { expects: 'Synced Progressing' }),
    plain('plain-external', [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'plain-external' },
        spec: { type: 'ExternalName', externalName: 'shop.example.com' },
      },
    ]),
    plain(
      'plain-scaler',
      [
        deployment('plain-scaler'),
        {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: 'plain-scaler' },
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'plain-scaler' },
            minReplicas: 1,
            maxReplicas: 2,
            metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
          },
        },
      ],
      { expects: '' },
    ),
  ];
}

function formCases(): CorpusCase[] {
  return [
    { name: 'form-json', files: { 'all.json': JSON.stringify(configMap('form-json')) } },
    {
      name: 'form-list',
      files: {
        'all.yaml': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [configMap('form-list-a'), configMap('form-list-b')] }),
      },
    },
    {
      name: 'form-many',
      files: Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [`part-${index}.yaml`, JSON.stringify(configMap(`form-many-${index}`))]),
      ),
    },
    {
      name: 'form-recurse',
      files: { 'a/one.yaml': documents(configMap('form-recurse-a')), 'b/c/two.yml': documents(configMap('form-recurse-b')) },
      source: { directory: { recurse: true } },
      isSmall: true,
    },
    {
      name: 'form-flat',
      files: { 'one.yaml': documents(configMap('form-flat')), 'below/two.yaml': documents(configMap('form-flat-below')) },
    },
    {
      name: 'form-include',
      files: { 'one.yaml': documents(configMap('form-include')), 'two.yaml': documents(configMap('form-include-not')) },
      source: { directory: { include: 'one.*' } },
    },
    {
      name: 'form-exclude',
      files: { 'one.yaml': documents(configMap('form-exclude')), 'two.yaml': documents(configMap('form-exclude-not')) },
      source: { directory: { exclude: '{two.*,three.*}' } },
    },
    { name: 'form-empty', files: { 'README.md': 'Nothing to deploy.\n' } },
    {
      name: 'form-repeated',
      files: { 'one.yaml': documents(configMap('form-repeated')), 'two.yaml': documents(configMap('form-repeated')) },
    },
    {
      name: 'form-comments',
      files: {
        'all.yaml':
          '# First a comment\n---\n# and an empty document\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: form-comments # here, too\ndata:\n  text: |\n    two\n    lines\n',
      },
    },
    {
      name: 'form-scalars',
      files: {
        'all.yaml':
          'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: form-scalars\n  labels: {version: "1.10", on: "yes"}\ndata:\n  number: "010"\n  folded: >-\n    one\n    line\n  empty: ""\n',
      },
    },
    {
      name: 'form-anchors',
      files: {
        'all.yaml':
          'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: form-anchors\n  labels: &labels\n    team: corpus\n  annotations:\n    <<: *labels\ndata:\n  key: value\n',
      },
    },
    { name: 'form-revision', files: { 'all.yaml': documents(configMap('form-revision')) }, source: { targetRevision: 'v1.0.0' } },
    { name: 'form-range', files: { 'all.yaml': documents(configMap('form-range')) }, source: { targetRevision: '1.x' } },
    { name: 'form-branch', files: { 'all.yaml': documents(configMap('form-branch')) }, source: { targetRevision: 'main' } },
  ];
}

function fieldCases(): CorpusCase[] {
  const resources = { requests: { cpu: '0.5', memory: '1024Mi' }, limits: { cpu: '1000m', memory: '2Gi' } };
  const probe = { httpGet: { path: '/', port: 'http' } };
  return [
    plain('field-quantities', [deployment('field-quantities', {}, { resources })]),
    plain('field-ports', [
      deployment(
        'field-ports',
        {},
        {
          ports: [
            { name: 'http', containerPort: 80 },
            { name: 'dns', containerPort: 53, protocol: 'UDP' },
          ],
          livenessProbe: probe,
          readinessProbe: probe,
        },
      ),
      service('field-ports', {
        ports: [
          { name: 'http', port: 80, targetPort: 'http' },
          { name: 'dns', port: 53, protocol: 'UDP' },
        ],
      }),
    ]),
    plain('field-variables', [
      deployment(
        'field-variables',
        {},
        {
          env: [
            { name: 'A', value: '1' },
            { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'EMPTY', value: '' },
          ],
        },
      ),
    ]),
    plain('field-null', [deployment('field-null', { strategy: null }, { resources: null })], { expects: '' }),
    plain('field-zero', [deployment('field-zero', { replicas: 0 })]),
    plain('field-paused', [deployment('field-paused', { paused: true })], { expects: 'Synced Suspended' }),
    plain('field-volumes', [
      deployment('field-volumes', {
        template: podTemplate(
          'field-volumes',
          {
            volumeMounts: [
              { name: 'temp', mountPath: '/tmp' },
              { name: 'config', mountPath: '/etc/app' },
            ],
          },
          {
            volumes: [
              { name: 'temp', emptyDir: {} },
              { name: 'config', configMap: { name: 'field-volumes' } },
            ],
            securityContext: { runAsNonRoot: true },
            initContainers: [{ name: 'first', image: 'example.com/init:1' }],
          },
        ),
      }),
      configMap('field-volumes'),
    ]),
    plain('field-strategy', [
      deployment('field-strategy', {
        strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
        minReadySeconds: 0,
        revisionHistoryLimit: 3,
      }),
    ]),
    plain('field-annotations', [
      configMap(
        'field-annotations',
        { key: 'value' },
        {
          annotations: { 'example.com/note': 'ünïcode ✓', 'link.argocd.argoproj.io/external-link': 'https://docs.example.com' },
          labels: { 'app.kubernetes.io/instance': 'somebody' },
        },
      ),
    ]),
    plain('field-binary', [{ ...configMap('field-binary'), binaryData: { bytes: 'AAEC/w==' } }]),
    plain('field-immutable', [{ ...configMap('field-immutable'), immutable: true }]),
    plain('field-other-namespace', [configMap('field-other-namespace', { key: 'value' }, { namespace: 'work-limits' })]),
  ];
}
