import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { destination, openApplicationPlane, type ApplicationPlane } from '../../../../test/support/application-plane.ts';
import { configMap, createGitRepository, type GitRepository } from '../../../../test/support/git-repository.ts';
import { kinds } from '../../../../test/support/kinds.ts';
import { createServiceCall } from '../../../../test/support/service-call.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import type { ApplicationService } from '../../../contract/index.ts';
import { applicationType, appProjectType, type Application } from '../../../model/index.ts';
import type { JsonObject, KubeObject } from '../../../objects/index.ts';
import type { Call } from '../../call.ts';
import { createApplicationService } from './create-application-service.ts';

/** Each step renders anew. */
const slow = { timeout: 60_000 };

let plane: ApplicationPlane;
let repository: GitRepository;
let service: ApplicationService<Call>;
const call = (): Call => createServiceCall('/application.ApplicationService/Get');

const web = { namespace: destination.namespace, name: 'web' };
const map = (name: string) => ({ namespace: destination.namespace, name });

beforeAll(async () => {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  };
  repository = await createGitRepository({
    'app/web.json': JSON.stringify(deployment),
    'app/a.json': configMap('a'),
    'app/found.json': configMap('found'),
    'local/local.json': configMap('local', { key: 'git' }),
  });
  plane = await openApplicationPlane();
  service = createApplicationService(plane.service) as ApplicationService<Call>;
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'tidy', namespace: 'argocd' },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], orphanedResources: { warn: true } },
  };
  await plane.home.api.create(appProjectType, project as unknown as KubeObject);
  await waitUntil(() => plane.context.projects.get({ namespace: 'argocd', name: 'tidy' }) !== undefined);
  plane.startController();
}, 60_000);

afterAll(async () => {
  await plane.close();
  await repository.remove();
});

async function change(name: string, body: JsonObject): Promise<void> {
  await plane.home.api.patch(applicationType, { namespace: 'argocd', name }, { type: 'merge', body });
}

/** The deployment as its controller would describe it. */
async function rollOut(status: 'Healthy' | 'Degraded'): Promise<void> {
  const { metadata } = await plane.home.api.get(kinds.deployment, web);
  const reason = status === 'Healthy' ? 'NewReplicaSetAvailable' : 'ProgressDeadlineExceeded';
  const conditions = [{ type: 'Progressing', status: status === 'Healthy' ? 'True' : 'False', reason }];
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  const body = { status: { observedGeneration: metadata.generation ?? 1, ...counts, conditions } };
  await plane.home.api.patch(kinds.deployment, web, { type: 'merge', body }, { subresource: 'status' });
}

const isLike =
  (sync: string, health: string) =>
  ({ status, operation }: Application): boolean =>
    !operation && status?.sync?.status === sync && status.health?.status === health;

describe('An application whose source cannot be rendered', () => {
  const request = {
    name: 'broken',
    resourceName: 'web',
    namespace: destination.namespace,
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
  };

  beforeAll(async () => {
    const source = { repoURL: repository.url, path: 'app', targetRevision: 'HEAD' };
    const automated = { prune: true, selfHeal: true, allowEmpty: true };
    await plane.create('broken', { project: 'tidy', source, destination, syncPolicy: { automated } });
    await plane.waitFor('broken', ({ status }) => status?.operationState?.phase === 'Succeeded');
    await rollOut('Healthy');
    await plane.waitFor('broken', isLike('Synced', 'Healthy'));
    // What is wanted and not marked is the application's own only as long as it is known to be wanted.
    const annotations = { 'argocd.argoproj.io/tracking-id': null };
    await change('broken', { spec: { source: { path: 'nowhere' } } });
    await plane.waitFor('broken', isLike('Unknown', 'Healthy'));
    await plane.home.api.patch(kinds.configMap, map('found'), { type: 'merge', body: { metadata: { annotations } } });
    plane.takeRequests();
  }, 60_000);

  it('has the health of what lives, and does nothing to it', slow, async () => {
    await rollOut('Degraded');
    const { status, operation } = await plane.waitFor('broken', isLike('Unknown', 'Degraded'));
    expect(operation).toBeUndefined();
    expect(status?.conditions).toMatchObject([
      { type: 'ComparisonError', message: expect.stringMatching(/^Failed to load target state: /) as string },
    ]);
    expect(status?.resources?.map(({ name, status: code, requiresPruning }) => [name, code, requiresPruning])).toEqual([
      ['a', 'Unknown', undefined],
      ['found', 'Unknown', undefined],
      ['web', 'Unknown', undefined],
    ]);
    await rollOut('Healthy');
    await plane.waitFor('broken', isLike('Unknown', 'Healthy'));
    const writes = plane.takeRequests().filter((one) => /^(create|update|delete|patch) (ConfigMap|Deployment)/.test(one));
    // Those of this test.
    expect(new Set(writes)).toEqual(new Set(['patch Deployment web']));
    for (const name of ['a', 'found']) expect(await plane.home.api.get(kinds.configMap, map(name))).toBeDefined();
  });

  it('shows what lives, without orphans, and lets people reach it', slow, async () => {
    const tree = await service.ResourceTree({ applicationName: 'broken' }, call());
    expect(tree.nodes?.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual(['ConfigMap a', 'Deployment web']);
    expect(tree.orphanedNodes ?? []).toEqual([]);
    const { items = [] } = await service.ManagedResources({ applicationName: 'broken' }, call());
    expect(items.map(({ name, targetState, modified }) => [name, targetState, modified])).toEqual([
      ['a', 'null', undefined],
      ['web', 'null', undefined],
    ]);
    expect((await service.GetResource(request, call())).manifest).toContain('"name":"web"');
    expect((await service.ListResourceActions(request, call())).actions?.map(({ name }) => name)).toContain('restart');
    const uid = tree.nodes?.find(({ name }) => name === 'web')?.uid ?? '';
    const asked = { name: 'broken', resourceName: 'web', resourceNamespace: destination.namespace, resourceUID: uid };
    expect((await service.ListResourceEvents(asked, call())).items).toEqual([]);
    const patch = JSON.stringify({ metadata: { labels: { touched: 'yes' } } });
    await service.PatchResource({ ...request, patch, patchType: 'application/merge-patch+json' }, call());
    expect((await plane.home.api.get(kinds.deployment, web)).metadata.labels).toMatchObject({ touched: 'yes' });
  });

  it('is Missing where nothing of it is left, and whole again when it can be rendered', slow, async () => {
    await service.DeleteResource({ ...request, force: true }, call());
    await service.DeleteResource({ ...request, group: '', kind: 'ConfigMap', resourceName: 'a', force: true }, call());
    await plane.home.api.delete(kinds.configMap, map('found'));
    const gone = await plane.waitFor('broken', isLike('Unknown', 'Missing'));
    expect(gone.status?.resources?.map(({ name }) => name)).toEqual(['a', 'found', 'web']);
    await change('broken', { spec: { source: { path: 'app' } } });
    await plane.waitFor('broken', ({ status, operation }) => status?.sync?.status === 'Synced' && !operation);
    expect(await plane.home.api.get(kinds.deployment, web)).toBeDefined();
  });
});

describe('An application that was synced to what somebody brought', () => {
  it('is compared with it also for those who look', slow, async () => {
    const source = { repoURL: repository.url, path: 'local', targetRevision: 'HEAD' };
    await plane.create('local', { project: 'default', source, destination });
    await plane.waitFor('local', ({ status }) => status?.sync?.status === 'OutOfSync');
    await change('local', { operation: { sync: { manifests: [configMap('local', { key: 'brought' })] } } });
    await plane.waitFor('local', ({ status, operation }) => status?.sync?.status === 'Synced' && !operation);
    const { items = [] } = await service.ManagedResources({ applicationName: 'local' }, call());
    expect(items.map(({ targetState, modified }) => [JSON.parse(targetState ?? ''), modified])).toMatchObject([
      [{ data: { key: 'brought' } }, undefined],
    ]);
  });
});
