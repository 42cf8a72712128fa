import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applicationType, appProjectType, type Application, type ResourceDiff } from '../../src/model/index.ts';
import type { JsonObject, KubeObject } from '../../src/objects/index.ts';
import { openApplicationPlane, type ApplicationPlane } from '../support/application-plane.ts';
import { createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { kinds } from '../support/kinds.ts';
import { waitUntil } from '../support/wait-until.ts';
import { definitionType } from '../support/widget-definition.ts';

const SERVER = 'https://kubernetes.default.svc';
const MANAGER = 'argocd-controller';
const gadgets = { group: 'corp.example', version: 'v1', plural: 'gadgets', kind: 'Gadget', namespaced: true };

const settings = {
  'resource.customizations.ignoreDifferences.all': 'managedFieldsManagers: [everywhere]',
  'resource.customizations.ignoreDifferences._Secret': 'managedFieldsManagers: [rotator]',
  'resource.customizations.ignoreDifferences.corp.example_Gadget': 'jsonPointers: [/spec/colour]',
  'resource.customizations.knownTypeFields.corp.example_Gadget':
    '[{field: spec.size, type: core/Quantity}, {field: spec.every, type: meta/v1/Duration}]',
  'application.allowedNodeLabels': 'zone',
  'resource.compareoptions': 'ignoreAggregatedRoles: true\nignoreResourceStatusField: crd',
};

/** Each step renders anew. */
const slow = { timeout: 60_000 };

let plane: ApplicationPlane;
let repository: GitRepository;
let count = 0;

beforeAll(async () => {
  repository = await createGitRepository({ 'README.md': 'Manifests.' });
  plane = await openApplicationPlane({ settings });
  await plane.home.api.create(definitionType, gadgetDefinition());
  plane.startController();
}, 60_000);

afterAll(async () => {
  await plane.close();
  await repository.remove();
});

/** A kind whose lists have keys, and whose fields have defaults. */
function gadgetDefinition(): KubeObject {
  const text = { type: 'string' };
  const part = { type: 'object', required: ['name'], properties: { name: text, weight: { type: 'integer', default: 1 } } };
  const spec = {
    type: 'object',
    properties: {
      colour: text,
      size: { 'x-kubernetes-int-or-string': true },
      every: text,
      mode: { type: 'string', default: 'calm' },
      parts: { type: 'array', items: part, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    },
  };
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.corp.example' },
    spec: {
      group: 'corp.example',
      scope: 'Namespaced',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

const gadget = (spec: JsonObject): JsonObject => ({ apiVersion: 'corp.example/v1', kind: 'Gadget', metadata: { name: 'one' }, spec });
const map = (data: JsonObject, annotations: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'one', annotations },
  data,
});

interface Story {
  readonly name: string;
  readonly namespace: string;
  /** Puts another object into the repository and waits until it was looked at. */
  declare(object: JsonObject): Promise<Application>;
  /** Waits until the application is like this. */
  become(status: string): Promise<Application>;
  refresh(): Promise<Application>;
  differences(): Promise<ResourceDiff[]>;
}

/** An application with one object, in a namespace of its own, synced once. */
async function begin(object: JsonObject, more: { spec?: JsonObject; annotations?: Record<string, string> } = {}): Promise<Story> {
  count += 1;
  const [name, namespace] = [`compared-${count}`, `place-${count}`];
  await plane.home.api.create(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await repository.commit({ [`${name}/object.json`]: JSON.stringify(object) });
  const source = { repoURL: repository.url, path: name, targetRevision: 'HEAD' };
  const spec = { project: 'default', source, destination: { server: SERVER, namespace }, ...more.spec };
  await plane.create(name, spec, { annotations: more.annotations ?? {} });
  const ref = { namespace: 'argocd', name };
  const become = (status: string): Promise<Application> => plane.waitFor(name, (one) => one.status?.sync?.status === status);
  await plane.waitFor(name, (one) => one.status?.sync?.status !== undefined);
  await plane.home.api.patch(applicationType, ref, { type: 'merge', body: { operation: { sync: {} } } });
  await plane.waitFor(name, (one) => one.status?.operationState?.phase === 'Succeeded' && one.operation === undefined);
  await become('Synced');
  const refresh = async (): Promise<Application> => {
    const body = { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'hard' } } };
    const asked = await plane.home.api.patch(applicationType, ref, { type: 'merge', body });
    const isNewer = ({ metadata }: Application): boolean => Number(metadata.resourceVersion) > Number(asked.metadata.resourceVersion);
    return plane.waitFor(name, (one) => isNewer(one) && one.metadata.annotations?.['argocd.argoproj.io/refresh'] === undefined);
  };
  return {
    name,
    namespace,
    become,
    refresh,
    async declare(next) {
      await repository.commit({ [`${name}/object.json`]: JSON.stringify(next) });
      return refresh();
    },
    differences: () => plane.service.inspector.managedResources(plane.get(name), { signal: AbortSignal.timeout(10_000) }),
  };
}

const statusOf = (application: Application): string => application.status?.sync?.status ?? '';

describe('The schemas of the cluster', () => {
  it('give fields of custom kinds their defaults, and lists their keys', slow, async () => {
    const spec = { syncPolicy: { syncOptions: ['ServerSideApply=true'] } };
    const story = await begin(gadget({ parts: [{ name: 'a' }] }), { spec });
    await plane.home.api.patch(
      gadgets,
      { namespace: story.namespace, name: 'one' },
      {
        type: 'apply',
        body: { apiVersion: 'corp.example/v1', kind: 'Gadget', metadata: { name: 'one' }, spec: { parts: [{ name: 'b', weight: 4 }] } },
      },
      { fieldManager: 'somebody' },
    );
    expect(statusOf(await story.refresh())).toBe('Synced');
    expect(statusOf(await story.declare(gadget({ parts: [{ name: 'a', weight: 1 }], mode: 'calm' })))).toBe('Synced');
    expect(statusOf(await story.declare(gadget({ parts: [{ name: 'a', weight: 2 }] })))).toBe('OutOfSync');
    const [found] = await story.differences();
    expect(JSON.parse(found?.predictedLiveState ?? '')).toMatchObject({
      spec: {
        parts: [
          { name: 'a', weight: 2 },
          { name: 'b', weight: 4 },
        ],
      },
    });
  });

  it('tell with the settings which fields are amounts and durations', slow, async () => {
    const story = await begin(gadget({ size: '1000m', every: '90m' }));
    expect(statusOf(await story.declare(gadget({ size: '1', every: '1h30m' })))).toBe('Synced');
    expect(statusOf(await story.declare(gadget({ size: '2', every: '1h30m' })))).toBe('OutOfSync');
  });
});

describe('What server-side apply no longer applies', () => {
  it('is a difference, and what others own is not', slow, async () => {
    const annotations = { 'argocd.argoproj.io/sync-options': 'ServerSideApply=true' };
    const story = await begin(map({ a: '1', b: '2' }, annotations));
    await plane.home.api.patch(
      kinds.configMap,
      { namespace: story.namespace, name: 'one' },
      {
        type: 'merge',
        body: { data: { c: '3' } },
      },
      { fieldManager: 'somebody' },
    );
    expect(statusOf(await story.refresh())).toBe('Synced');
    expect(statusOf(await story.declare(map({ a: '1' }, annotations)))).toBe('OutOfSync');
    const [found] = await story.differences();
    expect(JSON.parse(found?.predictedLiveState ?? '')).toMatchObject({ data: { a: '1', c: '3' } });
    expect(JSON.parse(found?.predictedLiveState ?? '')).not.toHaveProperty('data.b');
    expect(found?.liveState).not.toContain('managedFields');
  });
});

describe('Managers whose changes do not count', () => {
  async function change(story: Story, manager: string, data: JsonObject): Promise<void> {
    const ref = { namespace: story.namespace, name: 'one' };
    await plane.home.api.patch(kinds.configMap, ref, { type: 'merge', body: { data } }, { fieldManager: manager });
  }

  it('are named by an application', slow, async () => {
    const ignoreDifferences = [{ kind: 'ConfigMap', managedFieldsManagers: ['tuner'] }];
    const story = await begin(map({ a: '1' }), { spec: { ignoreDifferences } });
    await change(story, 'tuner', { a: '2' });
    expect(statusOf(await story.refresh())).toBe('Synced');
    await change(story, 'stranger', { a: '3' });
    await story.become('OutOfSync');
  });

  it('are named by the settings, for one kind and for all', slow, async () => {
    const story = await begin(map({ a: '1' }));
    await change(story, 'everywhere', { a: '2' });
    expect(statusOf(await story.refresh())).toBe('Synced');
    await change(story, 'rotator', { a: '3' });
    await story.become('OutOfSync');
    const secret = await begin({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' }, stringData: { a: '1' } });
    await plane.home.api.patch(
      kinds.secret,
      { namespace: secret.namespace, name: 'one' },
      {
        type: 'merge',
        body: { data: { a: 'Mg==' } },
      },
      { fieldManager: 'rotator' },
    );
    expect(statusOf(await secret.refresh())).toBe('Synced');
  });
});

describe('Options of every comparison', () => {
  it('leave out rules of roles that are put together, fields that settings name, and the status of definitions only', slow, async () => {
    const role = (name: string, rules: readonly JsonObject[]): JsonObject => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
      rules,
    });
    const rule = (verb: string): JsonObject => ({ apiGroups: [''], resources: ['pods'], verbs: [verb] });
    const spec = { project: 'default' };
    const story = await begin(role('put-together', [rule('get')]), { spec });
    expect(statusOf(await story.declare(role('put-together', [rule('list')])))).toBe('Synced');
    const coloured = await begin(gadget({ colour: 'red' }));
    expect(statusOf(await coloured.declare(gadget({ colour: 'blue' })))).toBe('Synced');
    expect(statusOf(await coloured.declare({ ...gadget({ colour: 'blue' }), status: { phase: 'Wanted' } }))).toBe('OutOfSync');
  });
});

describe('A diff by the cluster', () => {
  const asked = { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' };
  const dryRuns = (): number => plane.takeRequests().filter((request) => request === 'patch ConfigMap one').length;

  it('is asked for once for each version of an object and what is wanted of it', slow, async () => {
    const story = await begin(map({ a: '1' }), { annotations: asked });
    await story.refresh();
    dryRuns();
    await story.refresh();
    await story.refresh();
    expect(dryRuns()).toBe(0);
    expect(statusOf(await story.declare(map({ a: '2' })))).toBe('OutOfSync');
    expect(dryRuns()).toBe(1);
    const [found] = await story.differences();
    expect(JSON.parse(found?.predictedLiveState ?? '')).toMatchObject({ data: { a: '2' } });
    expect(JSON.parse(found?.normalizedLiveState ?? '')).toMatchObject({ data: { a: '1' } });
  });

  it('says why where the cluster refuses', slow, async () => {
    const story = await begin(map({ a: '1' }), { annotations: asked });
    const refused = { ...map({ a: '1' }), data: { a: 5 } };
    const application = await story.declare(refused as unknown as JsonObject);
    expect(statusOf(application)).toBe('Unknown');
    expect(application.status?.conditions?.map(({ message }) => message).join()).toMatch(
      /^Failed to compare desired state to live state: error running server side apply in dryrun mode for resource ConfigMap\/one: /,
    );
  });

  it('SECR-04 masks a Secret in all of its states, and what the cluster says of it', slow, async () => {
    const secret = (data: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' }, stringData: data });
    const annotations = { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true,IncludeMutationWebhook=true' };
    const story = await begin(secret({ kept: 'canary-first' }), { annotations });
    const ref = { namespace: story.namespace, name: 'one' };
    const body = { data: { other: Buffer.from('canary-other').toString('base64') } };
    await plane.home.api.patch(kinds.secret, ref, { type: 'merge', body }, { fieldManager: 'somebody' });
    const bare = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' } };
    for (const next of [secret({ kept: 'canary-second' }), bare, secret({ kept: 5 as unknown as string })]) {
      const application = await story.declare(next);
      const found = await story.differences().catch((error: unknown) => String(error));
      const text = JSON.stringify([application, found]);
      for (const canary of ['canary-first', 'canary-second', 'canary-other']) {
        expect(text).not.toContain(canary);
        expect(text).not.toContain(Buffer.from(canary).toString('base64'));
      }
    }
  });
});

describe('What settings leave out', () => {
  it('is not looked at, and that is said', slow, async () => {
    const story = await begin(map({ a: '1' }));
    const application = await story.declare({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'one' } });
    expect(application.status?.conditions).toMatchObject([
      { type: 'ExcludedResourceWarning', message: 'Resource coordination.k8s.io/Lease one is excluded in the settings' },
    ]);
    expect(application.status?.resources?.map(({ kind }) => kind)).toEqual(['ConfigMap']);
  });
});

describe('What belongs to no application', () => {
  it('is shown and counted where the project asks for it', slow, async () => {
    const orphanedResources = { warn: true, ignore: [{ kind: 'ConfigMap', name: 'fine-*' }] };
    const body = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'tidy', namespace: 'argocd' },
      spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], orphanedResources },
    };
    await plane.home.api.create(appProjectType, body as unknown as KubeObject);
    const story = await begin(map({ a: '1' }), { spec: { project: 'tidy' } });
    const { namespace } = story;
    for (const name of ['fine-one', 'lost', 'kube-root-ca.crt'])
      await plane.home.api.create(kinds.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } });
    const tracked = { 'argocd.argoproj.io/tracking-id': `gone:/ConfigMap:${namespace}/of-gone` };
    await plane.home.api.create(kinds.configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'of-gone', namespace, annotations: tracked },
    });
    const conditionOf = (application: Application): string | undefined =>
      application.status?.conditions?.find(({ type }) => type === 'OrphanedResourceWarning')?.message;
    await plane.waitFor(story.name, (one) => conditionOf(one) === 'Application has 2 orphaned resources');
    const tree = await plane.service.inspector.tree(plane.get(story.name), { signal: AbortSignal.timeout(10_000) });
    expect(tree.orphanedNodes?.map(({ name }) => name)).toEqual(['lost', 'of-gone']);
    expect(tree.nodes?.map(({ name }) => name)).toEqual(['one']);
    for (const name of ['lost', 'of-gone']) await plane.home.api.delete(kinds.configMap, { namespace, name });
    await plane.waitFor(story.name, (one) => conditionOf(one) === undefined);
  });
});

describe('The tree', () => {
  it('names the nodes that pods run on, and is told of changes of the application too', slow, async () => {
    const resources = { requests: { cpu: '100m', memory: '1Mi' } };
    const pod = (name: string): KubeObject & JsonObject => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { nodeName: 'host-one', containers: [{ name: 'main', image: 'web:1', resources }] },
    });
    const labels = { zone: 'a', secret: 'b' };
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'host-one', labels } };
    await plane.home.api.create(kinds.node, node);
    const status = { capacity: { cpu: '4', memory: '8Gi', pods: '110' }, nodeInfo: { kubeletVersion: 'v1.36.3' } };
    await plane.home.api.patch(kinds.node, { name: 'host-one' }, { type: 'merge', body: { status } }, { subresource: 'status' });
    const story = await begin(pod('one'));
    await plane.home.api.create(kinds.pod, { ...pod('neighbour'), metadata: { name: 'neighbour', namespace: story.namespace } });
    const signal = AbortSignal.timeout(20_000);
    const tree = await waitUntil(async () => {
      const found = await plane.service.inspector.tree(plane.get(story.name), { signal });
      return JSON.stringify(found.hosts ?? []).includes('"requestedByNeighbors":100') ? found : undefined;
    });
    expect(tree.hosts).toEqual([
      {
        name: 'host-one',
        labels: { zone: 'a' },
        systemInfo: expect.objectContaining({ kubeletVersion: 'v1.36.3' }) as object,
        resourcesInfo: [
          { resourceName: 'cpu', requestedByApp: 100, requestedByNeighbors: 100, capacity: 4_000 },
          {
            resourceName: 'memory',
            requestedByApp: (1 << 20) * 1000,
            requestedByNeighbors: (1 << 20) * 1000,
            capacity: 8 * 2 ** 30 * 1000,
          },
        ],
      },
    ]);
    let told = 0;
    const end = plane.service.inspector.onTreeChange(plane.get(story.name), () => void (told += 1));
    await story.declare(pod('two'));
    expect(told).toBeGreaterThan(0);
    end();
  });
});

describe('The field manager', () => {
  it('is the one under which objects are applied', slow, async () => {
    const story = await begin(map({ a: '1' }));
    const live = await plane.home.api.get(kinds.configMap, { namespace: story.namespace, name: 'one' }, { keepManagedFields: true });
    expect(live.metadata.managedFields?.map(({ manager }) => manager)).toEqual([MANAGER]);
  });
});
