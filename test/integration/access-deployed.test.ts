import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccessScene, type AccessScene } from '../support/access-scene.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { createGrpcClient, type GrpcClient } from '../support/grpc-client.ts';
import type { RestCaller } from '../support/rest-caller.ts';
import { waitUntil } from '../support/wait-until.ts';

const IN_CLUSTER = 'https://kubernetes.default.svc';
const slow = { timeout: 60_000 };
const READS = ['p, reader, applications, get, shop/*, allow', 'p, reader, logs, get, shop/*, allow'];
const RESTARTS = [
  'p, restarter, applications, get, shop/*, allow',
  'p, restarter, applications, action/apps/Deployment/restart, shop/*, allow',
];
const POLICY = [...READS, ...RESTARTS];

const deployment = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'web:1' }] } },
  },
});

let scene: AccessScene;
let repository: GitRepository;
let other: GitRepository;
let client: GrpcClient;
let reader: RestCaller;
let readerToken: string;

beforeAll(async () => {
  repository = await createGitRepository({ 'app/web.json': deployment, 'more/one.json': configMap('one') });
  other = await createGitRepository({ 'app/two.json': configMap('two') });
  scene = await openAccessScene({ reader: 'apiKey', restarter: 'apiKey' }, POLICY);
  client = createGrpcClient(scene.fairway.address);
  readerToken = await scene.tokenOf('reader');
  reader = await scene.callerOf('reader');
  const spec = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] };
  await expectOk('POST', '/api/v1/projects', { project: { metadata: { name: 'shop' }, spec } });
  await create('deployed', { source: sourceOf(repository, 'app') });
  await sync('deployed');
}, 60_000);
afterAll(async () => {
  client?.close();
  await scene?.close();
  await repository?.remove();
  await other?.remove();
});

const sourceOf = ({ url }: GitRepository, path: string): object => ({ repoURL: url, path, targetRevision: 'main' });

async function expectOk(verb: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> {
  const { status, text, json } = await scene.admin(verb, path, body);
  expect({ path, status, text: status === 200 ? '' : text }).toEqual({ path, status: 200, text: '' });
  return json;
}

async function create(name: string, sources: object): Promise<void> {
  const destination = { server: IN_CLUSTER, namespace: 'default' };
  await expectOk('POST', '/api/v1/applications', { metadata: { name }, spec: { project: 'shop', destination, ...sources } });
}

interface Seen {
  readonly operationState?: { readonly phase: string };
  readonly history?: readonly { readonly id: number }[];
}

async function sync(name: string): Promise<void> {
  await expectOk('POST', `/api/v1/applications/${name}/sync`, {});
  await waitUntil(async () => (await statusOf(name)).operationState?.phase === 'Succeeded');
}

async function statusOf(name: string): Promise<Seen> {
  return ((await expectOk('GET', `/api/v1/applications/${name}`))['status'] ?? {}) as Seen;
}

async function refusal(verb: string, path: string, body?: unknown): Promise<string> {
  const { status, json } = await scene.admin(verb, `/api/v1/applications/${path}`, body);
  return `${status} ${String(json['message'])}`;
}

describe('An application that is deployed', () => {
  it('RBAC-17: gives no more lines of its logs to who has lost the right to them', slow, async () => {
    const lines: string[] = [];
    const query = { name: 'deployed', namespace: 'default', kind: 'Deployment', group: 'apps', resourceName: 'web', follow: true };
    await waitUntil(
      async () => (await reader('GET', '/api/v1/applications/deployed/logs?kind=Deployment&resourceName=web')).status === 200,
    );
    const stream = client.serverStream('/application.ApplicationService/PodLogs', query, { metadata: { token: readerToken } });
    const outcome = (async () => {
      for await (const entry of stream) lines.push(String((entry as { content?: string }).content ?? ''));
    })().then(
      () => 'ended well',
      (error: unknown) => error,
    );
    await waitUntil(() => lines.length > 0);
    await scene.configure('argocd-rbac-cm', { 'policy.csv': READS[0] ?? '' });
    expect(await outcome).toMatchObject({ code: 7 });
    await scene.configure('argocd-rbac-cm', { 'policy.csv': POLICY.join('\n') });
  });

  it('RBAC-07: lets somebody do to its parts what they may, and nothing else', slow, async () => {
    const restarter = await scene.callerOf('restarter');
    const path = '/api/v1/applications/deployed/resource/actions/v2';
    const part = { namespace: 'default', resourceName: 'web', version: 'v1', group: 'apps', kind: 'Deployment' };
    await waitUntil(async () => (await restarter('POST', path, { ...part, action: 'restart' })).status === 200);
    const others = [
      { ...part, action: 'pause' },
      { ...part, action: 'explode' },
      { ...part, action: 'restart/../pause' },
      { ...part, group: 'batch', kind: 'CronJob', action: 'create-job' },
      { ...part, namespace: 'argocd', resourceName: 'argocd-secret', group: '', kind: 'Secret', action: 'restart' },
    ];
    for (const asked of others) {
      const { status } = await restarter('POST', path, asked);
      expect({ asked, isRefused: [400, 403].includes(status) }).toEqual({ asked, isRefused: true });
      if (asked.action === 'pause') continue;
      expect({ asked, status: (await scene.admin('POST', path, asked)).status }).toEqual({ asked, status: 400 });
    }
  });

  it('RBAC-18: has no parts that are not in its tree, nor others under the name of its own', slow, async () => {
    const tree = await expectOk('GET', '/api/v1/applications/deployed/resource-tree');
    const nodes = tree['nodes'] as readonly { kind: string; uid: string }[];
    const { uid = '' } = nodes.find(({ kind }) => kind === 'Deployment') ?? {};
    const events = (asked: string) => `deployed/events?resourceName=web&resourceNamespace=default&resourceUID=${asked}`;
    expect(await refusal('GET', events('another'))).toBe('400 web not found as part of application deployed');
    await expectOk('GET', `/api/v1/applications/${events(uid)}`);
    const secret = 'namespace=argocd&resourceName=argocd-secret&version=v1&group=&kind=Secret';
    const absent = '400 Secret  argocd-secret not found as part of application deployed';
    expect(await refusal('GET', `deployed/resource?${secret}`)).toBe(absent);
    expect(await refusal('DELETE', `deployed/resource?${secret}`)).toBe(absent);
    expect(await refusal('POST', `deployed/resource?${secret}&patchType=application/merge-patch%2Bjson`, '{}')).toBe(absent);
  });

  it('RBAC-20: has links for those who may see it', slow, async () => {
    const part = 'namespace=default&resourceName=web&version=v1&group=apps&kind=Deployment';
    for (const path of ['links', `resource/links?${part}`]) {
      expect((await reader('GET', `/api/v1/applications/deployed/${path}`)).status).toBe(200);
    }
    await scene.configure('argocd-rbac-cm', { 'policy.csv': '' });
    await waitUntil(async () => (await reader('GET', '/api/v1/applications/deployed')).status === 403);
    for (const path of ['links', `resource/links?${part}`])
      expect((await reader('GET', `/api/v1/applications/deployed/${path}`)).status).toBe(403);
    await scene.configure('argocd-rbac-cm', { 'policy.csv': POLICY.join('\n') });
  });

  it('RBAC-25: of several sources is not synced to positions that are not there, twice there, or without a revision', slow, async () => {
    await create('several', { sources: [sourceOf(repository, 'more'), sourceOf(other, 'app')] });
    const outOfRange = '400 source position is out of range';
    for (const [sourcePositions, revisions, expected] of [
      [[0], ['main'], outOfRange],
      [[-1], ['main'], outOfRange],
      [[99], ['main'], outOfRange],
      [[1, 2], ['main'], '400 the number of source positions is not that of the revisions'],
      [[], ['main'], '400 the number of revisions is not that of the sources: name their positions'],
      [[2, 2], ['main', 'main'], '400 a source position is named more than once'],
    ] as const) {
      expect(await refusal('POST', 'several/sync', { sourcePositions, revisions })).toBe(expected);
      const query = [...sourcePositions.map((at) => `sourcePositions=${at}`), ...revisions.map((name) => `revisions=${name}`)].join('&');
      expect(await refusal('GET', `several/manifests?${query}`)).toBe(expected);
    }
    expect((await statusOf('several')).operationState).toBeUndefined();
    await expectOk('POST', '/api/v1/applications/several/sync', { sourcePositions: [2, 1], revisions: ['main', 'main'] });
    await waitUntil(async () => (await statusOf('several')).operationState?.phase === 'Succeeded');
    await expectOk('DELETE', '/api/v1/applications/several?cascade=false');
  });

  it('RBAC-26: is rolled back to what it was, by who may, and only to what its project allows today', slow, async () => {
    await create('rolled', { source: sourceOf(other, 'app') });
    await sync('rolled');
    const [first] = (await statusOf('rolled')).history ?? [];
    const path = '/api/v1/applications/rolled';
    const { spec } = await expectOk('GET', path);
    await expectOk('PUT', `${path}/spec`, { ...(spec as object), source: sourceOf(repository, 'more') });
    await sync('rolled');
    const id = first?.id ?? -1;
    expect(await refusal('POST', 'rolled/rollback', { id: 99 })).toBe('400 application argocd/rolled does not have deployment with id 99');
    expect((await reader('POST', `${path}/rollback`, { id })).status).toBe(403);

    const narrowed = { sourceRepos: [repository.url], destinations: [{ server: '*', namespace: '*' }] };
    const current = await expectOk('GET', '/api/v1/projects/shop');
    await expectOk('PUT', '/api/v1/projects/shop', { project: { metadata: current['metadata'], spec: narrowed } });
    expect(await refusal('POST', 'rolled/rollback', { id })).toBe(`403 application repo ${other.url} is not permitted in project 'shop'`);
    const widened = await expectOk('GET', '/api/v1/projects/shop');
    await expectOk('PUT', '/api/v1/projects/shop', {
      project: { metadata: widened['metadata'], spec: { ...narrowed, sourceRepos: ['*'] } },
    });
    await expectOk('POST', `${path}/rollback`, { id });
    await waitUntil(async () => (await statusOf('rolled')).operationState?.phase === 'Succeeded');
  });
});
