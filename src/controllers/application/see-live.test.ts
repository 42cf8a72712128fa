import { afterEach, describe, expect, it } from 'vitest';
import { destination, openApplicationPlane, type ApplicationPlane } from '../../../test/support/application-plane.ts';
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts';
import { kinds } from '../../../test/support/kinds.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { ResourceType } from '../../kube/index.ts';
import { applicationType, type Application } from '../../model/index.ts';
import { statusError, type JsonObject } from '../../objects/index.ts';

/** Each step renders anew. */
const slow = { timeout: 60_000 };

const definitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.corp.example' },
  spec: {
    group: 'corp.example',
    names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  },
};
const gadget = { apiVersion: 'corp.example/v1', kind: 'Gadget', metadata: { name: 'one' } };
const labels = { app: 'web' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } },
  },
};
const web = { namespace: destination.namespace, name: 'web' };

let plane: ApplicationPlane;
let repository: GitRepository;

afterEach(async () => {
  await plane.close();
  await repository.remove();
});

const isLike =
  (sync: string, health: string) =>
  ({ status, operation }: Application): boolean =>
    !operation && status?.sync?.status === sync && status.health?.status === health;

async function change(body: JsonObject): Promise<void> {
  await plane.home.api.patch(applicationType, { namespace: 'argocd', name: 'shop' }, { type: 'merge', body });
}

/** An application of one object, synced. */
async function open(object: object, settings: Readonly<Record<string, string>> = {}): Promise<void> {
  repository = await createGitRepository({ 'app/object.json': JSON.stringify(object) });
  plane = await openApplicationPlane({ settings });
  plane.startController();
  const source = { repoURL: repository.url, path: 'app', targetRevision: 'HEAD' };
  await plane.create('shop', { project: 'default', source, destination, syncPolicy: { automated: {} } });
  await plane.waitFor('shop', ({ status }) => status?.operationState?.phase === 'Succeeded');
}

const breakSource = (): Promise<void> => change({ spec: { source: { path: 'nowhere' } } });
const refresh = (): Promise<void> => change({ metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } });

/** The deployment as its controller would describe it. */
async function rollOut(status: 'Healthy' | 'Degraded'): Promise<void> {
  const { metadata } = await plane.home.api.get(kinds.deployment, web);
  const reason = status === 'Healthy' ? 'NewReplicaSetAvailable' : 'ProgressDeadlineExceeded';
  const conditions = [{ type: 'Progressing', status: status === 'Healthy' ? 'True' : 'False', reason }];
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  const body = { status: { observedGeneration: metadata.generation ?? 1, ...counts, conditions } };
  await plane.home.api.patch(kinds.deployment, web, { type: 'merge', body }, { subresource: 'status' });
}

describe('An application whose source cannot be rendered', () => {
  it.each([
    ['its definitions, which are never marked', definition],
    ['its definitions and what they define', { apiVersion: 'v1', kind: 'List', items: [definition, gadget] }],
  ])('is as well as %s, and Missing when they are gone', slow, async (_what, object) => {
    await open(object);
    await plane.waitFor('shop', isLike('Synced', 'Healthy'));
    // What is not marked is looked at again when the kinds of the cluster change: that it has this one must be known before it goes.
    const { cache } = plane.context.clusters.resolve(destination);
    await waitUntil(() => cache.resources.some(({ plural }) => plural === 'gadgets'));
    await breakSource();
    await plane.waitFor('shop', ({ status }) => status?.sync?.status === 'Unknown');
    expect(plane.get('shop').status?.health?.status).toBe('Healthy');
    await plane.home.api.delete(definitions, { name: definition.metadata.name });
    await plane.waitFor('shop', isLike('Unknown', 'Missing'));
  });

  it('is as well as what has an owner', slow, async () => {
    await open(deployment);
    await rollOut('Healthy');
    await plane.waitFor('shop', isLike('Synced', 'Healthy'));
    await breakSource();
    await plane.waitFor('shop', isLike('Unknown', 'Healthy'));
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: destination.namespace, name: 'owner' } };
    const { uid = '' } = (await plane.home.api.create(kinds.configMap, owner)).metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await plane.home.api.patch(kinds.deployment, web, { type: 'merge', body: { metadata: { ownerReferences } } });
    await rollOut('Degraded');
    const { cache } = plane.context.clusters.resolve(destination);
    await waitUntil(() => cache.find({ group: 'apps', kind: 'Deployment', ...web })?.health?.status === 'Degraded');
    await refresh();
    await plane.waitFor('shop', isLike('Unknown', 'Degraded'));
  });

  it('stays as it was where we may not list what it has', slow, async () => {
    await open(deployment, { 'resource.respectRBAC': 'normal' });
    await rollOut('Healthy');
    await plane.waitFor('shop', isLike('Synced', 'Healthy'));
    plane.home.disturb = (call) => {
      if (/^(list|watch) Deployment/.test(call)) throw statusError('Forbidden', 'deployments is forbidden');
    };
    const { cache } = plane.context.clusters.resolve(destination);
    cache.invalidate();
    await waitUntil(() => cache.state.name === 'synced' && cache.troubles().length === 0);
    expect(cache.isHidden({ group: 'apps', kind: 'Deployment', namespace: web.namespace })).toBe(true);
    await breakSource();
    await plane.waitFor('shop', ({ status }) => status?.sync?.status === 'Unknown');
    expect(plane.get('shop').status?.health?.status).toBe('Healthy');
  });
});
