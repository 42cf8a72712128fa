import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployment, startTestApi, types } from '../../../test/support/embedded.ts';
import type { TestApi } from '../../../test/support/embedded.ts';
import type { KubeObject } from '../../objects/index.ts';
import type { ResourceType } from '../../kube/index.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startTestApi();
});
afterAll(() => test.stop());

const resource = (group: string, plural: string, kind: string): ResourceType => ({ group, version: 'v1', plural, kind, namespaced: true });
const metadata = { labels: { a: 'b' } };
const containers = [{ name: 'c', image: 'i' }];
const selector = { matchLabels: { a: 'b' } };

/** What is sent, and the message of the reference API server. */
const cases: readonly [ResourceType, Record<string, unknown>, string][] = [
  [
    types.deployments,
    { spec: {} },
    'Deployment.apps "x" is invalid: [spec.selector: Required value, spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`, spec.template.spec.containers: Required value]',
  ],
  [
    types.deployments,
    { spec: { selector, template: { metadata: { labels: { a: 'c' } }, spec: { containers } } } },
    'Deployment.apps "x" is invalid: spec.template.metadata.labels: Invalid value: {"a":"c"}: `selector` does not match template `labels`',
  ],
  [
    types.deployments,
    { spec: { replicas: -1, selector, template: { metadata, spec: { containers: [{ name: 'c' }] } } } },
    'Deployment.apps "x" is invalid: [spec.replicas: Invalid value: -1: must be greater than or equal to 0, spec.template.spec.containers[0].image: Required value]',
  ],
  [
    types.deployments,
    { spec: { selector, template: { metadata, spec: { containers: [{ ports: [{ containerPort: 0 }] }] } } } },
    'Deployment.apps "x" is invalid: [spec.template.spec.containers[0].name: Required value, spec.template.spec.containers[0].image: Required value, spec.template.spec.containers[0].ports[0].containerPort: Required value]',
  ],
  [
    types.deployments,
    { spec: { replicas: 'x' } },
    'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
  ],
  [
    types.deployments,
    { spec: { template: { spec: { containers: [{ resources: { limits: { cpu: 'abc' } } }] } } } },
    'Deployment in version "v1" cannot be handled as a Deployment: quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\'',
  ],
  [
    types.jobs,
    { spec: { template: { spec: { containers } } } },
    'Job.batch "x" is invalid: spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  [
    resource('batch', 'cronjobs', 'CronJob'),
    { spec: {} },
    'CronJob.batch "x" is invalid: [spec.schedule: Required value, spec.jobTemplate.spec.template.spec.containers: Required value, spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"]',
  ],
  [
    types.pods,
    { spec: { restartPolicy: 'Sometimes', dnsPolicy: 'x', containers: [{ name: 'c', image: 'i', imagePullPolicy: 'x' }] } },
    'Pod "x" is invalid: [spec.containers[0].imagePullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never", spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never", spec.dnsPolicy: Unsupported value: "x": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]',
  ],
  [
    types.configMaps,
    { metadata: { name: 'x', namespace: 'default', finalizers: ['x'] } },
    'ConfigMap "x" is invalid: metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
  ],
  [types.pods, { spec: {} }, 'Pod "x" is invalid: spec.containers: Required value'],
  [
    types.services,
    { spec: { ports: [{ port: 0 }, { port: 80 }] } },
    'Service "x" is invalid: [spec.ports[0].name: Required value, spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive, spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive, spec.ports[1].name: Required value]',
  ],
  [types.services, { spec: {} }, 'Service "x" is invalid: spec.ports: Required value'],
  [
    types.configMaps,
    { data: { 'a b': '1' } },
    "ConfigMap \"x\" is invalid: data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  ],
  [types.secrets, { data: { a: '!!' } }, 'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 0'],
  [types.secrets, { type: 'kubernetes.io/tls' }, 'Secret "x" is invalid: [data[tls.crt]: Required value, data[tls.key]: Required value]'],
  [
    resource('', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
    { spec: {} },
    'PersistentVolumeClaim "x" is invalid: [spec.accessModes: Required value: at least 1 access mode is required, spec.resources[storage]: Required value]',
  ],
  [
    resource('networking.k8s.io', 'ingresses', 'Ingress'),
    { spec: {} },
    'Ingress.networking.k8s.io "x" is invalid: spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
  ],
  [
    resource('rbac.authorization.k8s.io', 'rolebindings', 'RoleBinding'),
    {},
    'RoleBinding.rbac.authorization.k8s.io "x" is invalid: [roleRef.kind: Unsupported value: "": supported values: "Role", "ClusterRole", roleRef.name: Required value]',
  ],
];

describe('an object is refused', () => {
  it.each(cases)('%#', async (type, content, message) => {
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    const object = { apiVersion, kind: type.kind, metadata: { name: 'x', namespace: 'default' }, ...content } as unknown as KubeObject;
    await expect(test.api.create(type, object)).rejects.toMatchObject({ message });
  });
});

describe('the size of what a Secret or a ConfigMap holds', () => {
  const MEBIBYTE = 1024 * 1024;
  const place = (name: string) => ({ name, namespace: 'default' });
  const secret = (name: string, bytes: number) => {
    const text = Buffer.alloc(bytes).toString('base64');
    // Base64 may come in lines, whose ends are no part of it.
    const a = text.replaceAll(/.{76}/g, '$&\n');
    return test.api.create(types.secrets, { apiVersion: 'v1', kind: 'Secret', metadata: place(name), data: { a } });
  };
  const configMap = (name: string, content: Record<string, unknown>) =>
    test.api.create(types.configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: place(name), ...content });

  it('is counted in bytes as they are, and not as they are written', async () => {
    await expect(secret('full', MEBIBYTE)).resolves.toMatchObject({ metadata: { name: 'full' } });
    await expect(secret('over', MEBIBYTE + 1)).rejects.toThrow(
      'Secret "over" is invalid: data: Too long: may not be more than 1048576 bytes',
    );
    const a = 'ä'.repeat(MEBIBYTE / 4);
    const b = Buffer.alloc(MEBIBYTE / 2);
    await expect(configMap('full', { data: { a }, binaryData: { b: b.toString('base64') } })).resolves.toBeDefined();
    await expect(configMap('over', { data: { a: `${a}.` }, binaryData: { b: b.toString('base64') } })).rejects.toThrow('Too long');
  });
});

describe('a change is refused', () => {
  const change = (type: ResourceType, name: string, body: Record<string, unknown>) =>
    test.api.patch(type, { namespace: 'default', name }, { type: 'merge', body: body as never });

  it('of what says that it is immutable', async () => {
    await test.api.create(types.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'im', namespace: 'default' },
      immutable: true,
      data: { a: 'b' },
    });
    await expect(change(types.configMaps, 'im', { data: { a: 'c' } })).rejects.toMatchObject({
      message: 'ConfigMap "im" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    });
  });

  it('of an address, but not by leaving it out', async () => {
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's', namespace: 'default' }, spec: { ports: [{ port: 80 }] } };
    const created = await test.api.create(types.services, service);
    const kept = await test.api.update(types.services, { ...service, metadata: { ...service.metadata, labels: { a: 'b' } } });
    expect(kept['spec']).toEqual(created['spec']);
    await expect(change(types.services, 's', { spec: { clusterIP: '10.96.0.77', clusterIPs: ['10.96.0.77'] } })).rejects.toThrow(
      /may not change once set/,
    );
  });

  it('of what a StatefulSet is built on', async () => {
    const type = resource('apps', 'statefulsets', 'StatefulSet');
    const set = { ...deployment('set'), kind: 'StatefulSet' };
    await test.api.create(type, set);
    await expect(change(type, 'set', { spec: { serviceName: 'other' } })).rejects.toMatchObject({
      message:
        "StatefulSet.apps \"set\" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    });
    await expect(change(type, 'set', { spec: { replicas: 2 } })).resolves.toMatchObject({ spec: { replicas: 2 } });
  });

  it('of a Pod beyond its images', async () => {
    await test.api.create(types.pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'default' },
      spec: { containers },
    });
    await expect(change(types.pods, 'p', { spec: { hostname: 'x' } })).rejects.toThrow(
      /^Pod "p" is invalid: spec: Forbidden: pod updates may not change fields/,
    );
    await expect(change(types.pods, 'p', { spec: { containers: [{ name: 'c', image: 'j' }] } })).resolves.toMatchObject({
      metadata: { generation: 2 },
    });
  });
});
