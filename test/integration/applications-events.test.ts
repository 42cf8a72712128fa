import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../src/objects/index.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { signInAsAdmin, type RestCaller } from '../support/rest-caller.ts';
import { waitUntil } from '../support/wait-until.ts';

let fairway: Fairway;
let repository: GitRepository;
let admin: RestCaller;

beforeAll(async () => {
  repository = await createGitRepository({ 'app/a.json': configMap('a'), 'app/b.json': configMap('b') });
  fairway = await startFairway();
  admin = await signInAsAdmin(fairway);
});
afterAll(async () => {
  await fairway.stop();
  await repository.remove();
});

const applications = '/api/v1/applications';
const destination = { server: 'https://kubernetes.default.svc', namespace: 'default' };

async function call(verb: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> {
  const { status, text, json } = await admin(verb, path, body);
  expect({ path, status, text: status === 200 ? '' : text }).toEqual({ path, status: 200, text: '' });
  return json;
}

async function create(name: string, syncPolicy: object = {}): Promise<void> {
  const source = { repoURL: repository.url, path: 'app', targetRevision: 'HEAD' };
  await call('POST', applications, { metadata: { name }, spec: { project: 'default', source, destination, syncPolicy } });
}

interface Event extends KubeObject {
  readonly message: string;
  readonly reason: string;
  readonly type: string;
}

const eventsOf = async (name: string): Promise<readonly Event[]> =>
  ((await call('GET', `${applications}/${name}/events`))['items'] ?? []) as readonly Event[];
const textsOf = async (name: string): Promise<readonly string[]> =>
  (await eventsOf(name)).map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
const waitForEvent = async (name: string, text: string): Promise<void> => {
  let seen: readonly string[] = [];
  await waitUntil(async () => {
    seen = await textsOf(name);
    return seen.includes(text);
  }).catch(() => expect(seen).toContain(text));
};

describe('The events of an application', () => {
  it('say who did what to it, and what became of it', async () => {
    await create('told');
    await waitForEvent('told', 'Normal ResourceCreated: admin created application');
    await waitForEvent('told', 'Normal ResourceUpdated: Updated sync status:  -> OutOfSync');
    await waitForEvent('told', 'Normal ResourceUpdated: Updated health status:  -> Missing');
    const revision = await repository.git('rev-parse', 'HEAD');
    await call('POST', `${applications}/told/sync`, {});
    await waitForEvent('told', `Normal OperationStarted: admin initiated sync to ${revision}`);
    await waitForEvent('told', `Normal OperationCompleted: Sync operation to ${revision} succeeded`);
    await waitForEvent('told', 'Normal ResourceUpdated: Updated sync status: OutOfSync -> Synced');
    await call('POST', `${applications}/told/sync`, { resources: [{ group: '', kind: 'ConfigMap', name: 'a' }] });
    await waitForEvent('told', `Normal OperationStarted: admin initiated partial sync to ${revision}`);
    await waitForEvent('told', `Normal OperationCompleted: Partial sync operation to ${revision} succeeded`);
    await call('POST', `${applications}/told/rollback`, { id: 0 });
    await waitForEvent('told', 'Normal OperationStarted: admin initiated rollback to 0');
    await waitUntil(async () => (await call('GET', `${applications}/told`))['operation'] === undefined);
    await call('PATCH', `${applications}/told`, { patch: '{"spec":{"revisionHistoryLimit":3}}', patchType: 'merge' });
    await waitForEvent('told', 'Normal ResourceUpdated: admin updated application spec');
    const resource = 'resourceName=a&namespace=default&version=v1&kind=ConfigMap';
    await call('POST', `${applications}/told/resource?${resource}&patchType=application/merge-patch%2Bjson`, '{"data":{"x":"y"}}');
    await waitForEvent('told', "Normal ResourceUpdated: admin patched resource /ConfigMap 'a'");
    await call('DELETE', `${applications}/told/resource?${resource}`);
    await waitForEvent('told', "Normal ResourceDeleted: admin deleted resource /ConfigMap 'a'");
    const [first] = await eventsOf('told');
    expect(first).toMatchObject({
      metadata: { namespace: 'argocd', annotations: { user: 'admin', 'dest-server': destination.server, 'dest-namespace': 'default' } },
      source: { component: 'argocd-server' },
      involvedObject: { kind: 'Application', name: 'told', namespace: 'argocd' },
      count: 1,
    });
    expect(first?.metadata.name).toMatch(/^told\.[0-9a-f]{16}$/);
  });

  it('tell of syncs that nobody asked for, and of those that fail', async () => {
    await create('automatic', { automated: {} });
    const revision = await repository.git('rev-parse', 'HEAD');
    await waitForEvent('automatic', `Normal OperationStarted: Initiated automated sync to '${revision}'`);
    await create('broken');
    await call('PATCH', `${applications}/broken`, { patch: '{"spec":{"destination":{"namespace":"not-there"}}}', patchType: 'merge' });
    await call('POST', `${applications}/broken/sync`, {});
    await waitUntil(async () =>
      (await textsOf('broken')).some((text) => /^Warning OperationCompleted: Sync operation to .* failed: /.test(text)),
    );
  });

  it('do not repeat themselves while nothing changes', async () => {
    await waitUntil(async () => (await textsOf('automatic')).some((text) => text.endsWith('-> Synced')));
    const before = await textsOf('automatic');
    for (let round = 0; round < 3; round++) await call('GET', `${applications}/automatic?refresh=hard`);
    expect(await textsOf('automatic')).toEqual(before);
  });

  it('show no secret of a repository', async () => {
    const secret = 'hunter2-in-a-url';
    const source = { repoURL: `http://user:${secret}@127.0.0.1:1/none.git`, path: 'app' };
    await admin('POST', `${applications}?validate=false`, {
      metadata: { name: 'leak' },
      spec: { project: 'default', source, destination },
    });
    await waitForEvent('leak', 'Normal ResourceCreated: admin created application');
    await admin('POST', `${applications}/leak/sync`, {});
    await waitUntil(async () => (await textsOf('leak')).some((text) => text.includes('Updated sync status')));
    expect((await textsOf('leak')).join('\n')).not.toContain(secret);
  });
});

describe('The metrics of applications', () => {
  const metrics = async (): Promise<string> => (await admin('GET', '/metrics')).text;

  it('have the names and labels that dashboards know', async () => {
    await waitUntil(async () => (await metrics()).includes('name="told",project="default",autosync_enabled="false"'));
    const text = await metrics();
    expect(text).toContain(
      `argocd_app_info{namespace="argocd",name="automatic",project="default",autosync_enabled="true",repo="${repository.url}",dest_server="${destination.server}",dest_namespace="default",sync_status="Synced",health_status="Healthy",operation=""} 1`,
    );
    expect(text).toMatch(
      /argocd_app_sync_total\{namespace="argocd",name="told",project="default",dest_server="[^"]+",phase="Succeeded",dry_run="false"\} [1-9]/,
    );
    expect(text).toMatch(/argocd_app_sync_total\{[^}]*name="broken"[^}]*phase="Failed"/);
    expect(text).toMatch(
      /argocd_app_sync_duration_seconds_total\{namespace="argocd",name="told",project="default",dest_server="[^"]+"\} \d/,
    );
    expect(text).toContain(`argocd_git_request_duration_seconds_count{repo="${repository.url}",request_type="fetch"}`);
    expect(text).toMatch(
      /grpc_server_handled_total\{grpc_type="unary",grpc_service="application\.ApplicationService",[^}]*grpc_code="OK"\} [1-9]/,
    );
    expect(text).toContain('workqueue_unfinished_work_seconds{name="app_reconciliation_queue"} ');
    expect(text).toMatch(/argocd_app_reconcile_count\{namespace="argocd",dest_server="[^"]+"\} [1-9]/);
    expect(text).toMatch(
      /argocd_app_k8s_request_total\{namespace="argocd",name="told",project="default",server="[^"]+",response_code="201",verb="Create",resource_kind="ConfigMap",resource_namespace="default",dry_run="false"\} [1-9]/,
    );
    expect(text).toMatch(/argocd_cluster_info\{server="[^"]+",k8s_version="v[^"]+",name="in-cluster"\} 1/);
    expect(text).toMatch(/argocd_cluster_connection_status\{server="[^"]+",k8s_version="v[^"]+"\} 1/);
    expect(text).toMatch(/argocd_cluster_api_resource_objects\{server="[^"]+"\} [1-9]/);
    expect(text).toMatch(/argocd_cluster_api_resources\{server="[^"]+"\} [1-9]/);
    expect(text).toMatch(/argocd_cluster_cache_age_seconds\{server="[^"]+"\} \d/);
    expect(text).toMatch(/argocd_cluster_events_total\{server="[^"]+",group="",kind="ConfigMap"\} [1-9]/);
    expect(text).toMatch(/argocd_app_orphaned_resources_count\{namespace="argocd",name="told",project="default"\} 0/);
    expect(text).toMatch(/workqueue_adds_total\{name="app_reconciliation_queue"\} [1-9]/);
    expect(text).toMatch(/workqueue_depth\{name="app_reconciliation_queue"\} \d/);
    expect(text).toMatch(/workqueue_work_duration_seconds_count\{name="app_reconciliation_queue"\} [1-9]/);
    expect(text).not.toContain('argocd_app_labels');
    expect(text).not.toContain('argocd_app_condition');
  });
});
