import type { ResourceType } from '../../../src/kube/index.ts';
import type { Scenario } from './object-scenarios.ts';

function type(group: string, plural: string, kind: string, more: Partial<ResourceType> = {}): ResourceType {
  return { group, version: 'v1', plural, kind, namespaced: true, ...more };
}

const types = {
  claim: type('', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
  cronJob: type('batch', 'cronjobs', 'CronJob'),
  daemonSet: type('apps', 'daemonsets', 'DaemonSet'),
  deployment: type('apps', 'deployments', 'Deployment'),
  ingress: type('networking.k8s.io', 'ingresses', 'Ingress'),
  job: type('batch', 'jobs', 'Job'),
  lease: type('coordination.k8s.io', 'leases', 'Lease'),
  pod: type('', 'pods', 'Pod'),
  role: type('rbac.authorization.k8s.io', 'roles', 'Role'),
  roleBinding: type('rbac.authorization.k8s.io', 'rolebindings', 'RoleBinding'),
  secret: type('', 'secrets', 'Secret'),
  service: type('', 'services', 'Service'),
  serviceAccount: type('', 'serviceaccounts', 'ServiceAccount'),
  statefulSet: type('apps', 'statefulsets', 'StatefulSet'),
  configMap: type('', 'configmaps', 'ConfigMap'),
};

const labels = { app: 'web' };
const container = { name: 'main', image: 'example/web:1' };
const template = (spec: object = {}) => ({ metadata: { labels }, spec: { containers: [container], ...spec } });
const selector = { matchLabels: labels };

/** Objects that are not right, and what their kinds leave out; each with a label for the transcript. */
const drafts: readonly (readonly [label: string, type: ResourceType, content: object, metadata?: object])[] = [
  ['a Service without ports', types.service, { spec: { selector: labels } }],
  ['a Service with a bad port', types.service, { spec: { ports: [{ port: 0 }] } }],
  ['a Service of no type', types.service, { spec: { type: 'Odd', ports: [{ port: 80 }] } }],
  ['a Service with unnamed ports', types.service, { spec: { ports: [{ port: 80 }, { port: 81 }] } }],
  ['an external Service without a name', types.service, { spec: { type: 'ExternalName' } }],
  ['a Pod without containers', types.pod, { spec: { containers: [] } }],
  ['a Pod with a bad container', types.pod, { spec: { containers: [{ name: 'Main' }] } }],
  ['a Pod with the same container twice', types.pod, { spec: { containers: [container, container] } }],
  ['a Pod with a bad policy', types.pod, { spec: { containers: [container], restartPolicy: 'Sometimes' } }],
  ['a Pod with an unknown volume', types.pod, { spec: { containers: [{ ...container, volumeMounts: [{ name: 'x', mountPath: '/x' }] }] } }],
  ['a Pod with a bad quantity', types.pod, { spec: { containers: [{ ...container, resources: { limits: { cpu: 'much' } } }] } }],
  ['a Deployment without a template', types.deployment, { spec: { selector } }],
  ['a Deployment of another label', types.deployment, { spec: { selector: { matchLabels: { app: 'other' } }, template: template() } }],
  ['a Deployment of no strategy', types.deployment, { spec: { selector, template: template(), strategy: { type: 'Odd' } } }],
  ['a Deployment that never restarts', types.deployment, { spec: { selector, template: template({ restartPolicy: 'Never' }) } }],
  ['a StatefulSet without a selector', types.statefulSet, { spec: { template: template() } }],
  ['a DaemonSet of another label', types.daemonSet, { spec: { selector: { matchLabels: { app: 'other' } }, template: template() } }],
  ['a Job that always restarts', types.job, { spec: { template: template({ restartPolicy: 'Always' }) } }],
  ['a Job with fewer than none', types.job, { spec: { parallelism: -1, template: template({ restartPolicy: 'Never' }) } }],
  [
    'a CronJob of no time',
    types.cronJob,
    { spec: { schedule: 'x', jobTemplate: { spec: { template: template({ restartPolicy: 'Never' }) } } } },
  ],
  [
    'a CronJob of no policy',
    types.cronJob,
    {
      spec: { schedule: '* * * * *', concurrencyPolicy: 'Odd', jobTemplate: { spec: { template: template({ restartPolicy: 'Never' }) } } },
    },
  ],
  ['an Ingress without rules', types.ingress, { spec: {} }],
  [
    'an Ingress with a bad path',
    types.ingress,
    {
      spec: {
        rules: [{ http: { paths: [{ path: 'x', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] } }],
      },
    },
  ],
  ['a claim without modes', types.claim, { spec: { resources: { requests: { storage: '1Gi' } } } }],
  ['a claim without a size', types.claim, { spec: { accessModes: ['ReadWriteOnce'] } }],
  ['a Role without verbs', types.role, { rules: [{ apiGroups: [''], resources: ['pods'], verbs: [] }] }],
  ['a RoleBinding to nothing', types.roleBinding, { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Odd', name: 'x' } }],
  ['a Lease', types.lease, { spec: { holderIdentity: 'me', leaseDurationSeconds: 15 } }],
  ['a Lease of no time', types.lease, { spec: { holderIdentity: 'me', leaseDurationSeconds: 0 } }],
  ['a Secret of a type that needs more', types.secret, { type: 'kubernetes.io/tls', data: {} }],
  ['a Secret with bad base64', types.secret, { data: { a: '***' } }],
  ['a Secret with a bad key', types.secret, { stringData: { 'a b': 'c' } }],
  ['a ConfigMap with a bad key', types.configMap, { data: { 'a b': 'c' } }],
  ['a ConfigMap with a key twice', types.configMap, { data: { a: 'b' }, binaryData: { a: 'Yg==' } }],
  ['a name that is too long', types.configMap, {}, { name: 'x'.repeat(254) }],
  ['no name', types.configMap, {}, { name: '' }],
  ['a bad annotation', types.configMap, {}, { annotations: { 'a b': 'c' } }],
  ['a bad finalizer', types.configMap, {}, { finalizers: ['odd'] }],
  ['a bad owner', types.configMap, {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: '', uid: '' }] }],
  ['a long label', types.configMap, {}, { labels: { a: 'x'.repeat(64) } }],
];

/** What every API must refuse alike, in the same words. */
export const validationScenarios: readonly Scenario[] = [
  [
    'refuses what is not right in the same words',
    async ({ note, create }) => {
      for (const [label, kind, content, metadata] of drafts) {
        const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
        await note(
          label,
          create(kind, { apiVersion, kind: kind.kind, metadata: { name: 'draft', ...metadata }, ...content }, { dryRun: true }),
        );
      }
    },
  ],
  [
    'keeps what may not change',
    async ({ note, create, patch }) => {
      const make = (kind: ResourceType, name: string, content: object) =>
        create(kind, {
          apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
          kind: kind.kind,
          metadata: { name },
          ...content,
        });
      const merge = (kind: ResourceType, name: string, body: object) =>
        patch(kind, name, { type: 'merge', body: body as Record<string, never> }, { dryRun: true });
      await make(types.configMap, 'fixed', { immutable: true, data: { a: 'b' } });
      await note('data of an immutable ConfigMap', merge(types.configMap, 'fixed', { data: { a: 'c' } }));
      await note('an immutable ConfigMap that would be mutable', merge(types.configMap, 'fixed', { immutable: false }));
      await make(types.secret, 'typed', { type: 'Opaque' });
      await note('the type of a Secret', merge(types.secret, 'typed', { type: 'example.com/other' }));
      await make(types.role, 'role', { rules: [] });
      await make(types.roleBinding, 'binding', { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'role' } });
      await note('the role of a binding', merge(types.roleBinding, 'binding', { roleRef: { name: 'other' } }));
      await make(types.job, 'job', { spec: { suspend: true, template: template({ restartPolicy: 'Never' }) } });
      await note('the completions of a Job', merge(types.job, 'job', { spec: { completions: 5 } }));
      await make(types.statefulSet, 'set', { spec: { replicas: 0, selector, template: template(), serviceName: 's' } });
      await note('the service of a StatefulSet', merge(types.statefulSet, 'set', { spec: { serviceName: 'other' } }));
      await make(types.claim, 'claim', {
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage: '1Gi' } } },
      });
      await note('the class of a claim', merge(types.claim, 'claim', { spec: { storageClassName: 'other' } }));
      await note('a name', merge(types.configMap, 'fixed', { metadata: { name: 'other' } }));
      await note('a uid', merge(types.configMap, 'fixed', { metadata: { uid: '00000000-0000-0000-0000-000000000000' } }));
      await note('a version of the past', merge(types.configMap, 'fixed', { metadata: { resourceVersion: '1', labels: { a: 'b' } } }));
    },
  ],
];
