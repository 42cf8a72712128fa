/** Webhooks that nobody meant well with, against the real program. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HttpKubeApi, ResourceType } from '../../src/kube/index.ts';
import { applicationType } from '../../src/model/index.ts';
import { connectToFairway } from '../support/connect-to-fairway.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { sendHttp, type HttpAnswer } from '../support/send-http.ts';
import { startTestServer } from '../support/test-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  azurePullRequest,
  azurePush,
  bitbucketCloudPullRequest,
  bitbucketCloudPush,
  bitbucketServerPullRequest,
  bitbucketServerPush,
  giteaPullRequest,
  giteaPush,
  githubPackage,
  githubPullRequest,
  githubPush,
  gitlabMergeRequest,
  gitlabPush,
  hubSignature,
  type SentWebhook,
} from '../support/webhook-payloads.ts';

const secrets: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const configMaps: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const namespace = 'argocd';
const url = 'http://127.0.0.1/acme/shop';
const keys = {
  'webhook.github.secret': 'github-secret',
  'webhook.gitlab.secret': 'gitlab-secret',
  'webhook.bitbucket.uuid': '8f1d3e7c-0000-4000-8000-000000000001',
  'webhook.bitbucketserver.secret': 'bitbucket-secret',
  'webhook.gogs.secret': 'gogs-secret',
  'webhook.azuredevops.username': 'azure',
  'webhook.azuredevops.password': '$azure-password',
  'azure-password': 'azure:secret',
};

let fairway: Fairway;
let api: HttpKubeApi;

beforeAll(async () => {
  fairway = await startFairway();
  api = await connectToFairway(fairway);
  // Nobody answers there; that it was asked to look again is all that counts here.
  const source = { repoURL: `${url}.git`, path: '.', targetRevision: 'HEAD' };
  const destination = { server: 'https://kubernetes.default.svc', namespace: 'default' };
  const spec = { project: 'default', source, destination };
  await api.create(applicationType, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace },
    spec,
  });
  const body = { data: { 'webhook.maxPayloadSizeMB': '1' } };
  await api.patch(configMaps, { namespace, name: 'argocd-cm' }, { type: 'merge', body });
});

afterAll(async () => {
  await api?.close();
  await fairway?.stop();
});

beforeEach(() => setSecrets(false));

async function setSecrets(on: boolean): Promise<void> {
  const data = Object.fromEntries(Object.entries(keys).map(([name, value]) => [name, on ? Buffer.from(value).toString('base64') : null]));
  await api.patch(secrets, { namespace, name: 'argocd-secret' }, { type: 'merge', body: { data } });
  const forged = { headers: { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': 'a guess' }, payload: {} };
  await waitUntil(async () => (await post(forged)).status === (on ? 400 : 200));
}

function post({ headers, payload }: SentWebhook, more: Record<string, string> = {}): Promise<HttpAnswer> {
  return sendHttp(fairway, 'POST', '/api/webhook', { headers: { ...headers, ...more }, body: JSON.stringify(payload) });
}

/** How often it has been asked to look at the application again. */
const refreshed = (): number => fairway.output().split(/refreshed"?[:=]1\b/).length - 1;

async function expectRefresh(send: () => Promise<HttpAnswer>): Promise<void> {
  const before = refreshed();
  const answer = await send();
  expect([answer.status, answer.body.toString()]).toEqual([200, '']);
  await waitUntil(() => refreshed() > before);
}

const pushes: Record<string, () => SentWebhook> = {
  'Azure DevOps': () => azurePush({ url }),
  Gitea: () => giteaPush({ url }),
  GitHub: () => githubPush({ url }),
  GitLab: () => gitlabPush({ url }),
  'Bitbucket Cloud': () => bitbucketCloudPush({ url }),
  'Bitbucket Server': () => bitbucketServerPush({ url }),
};

/** The headers that prove that the sender knows the secret. */
const proofs: Record<string, (body: string) => Record<string, string>> = {
  'Azure DevOps': () => ({ authorization: `Basic ${Buffer.from('azure:azure:secret').toString('base64')}` }),
  Gitea: (body) => ({ 'x-gogs-signature': createHmac('sha256', 'gogs-secret').update(body).digest('hex') }),
  GitHub: (body) => ({ 'x-hub-signature-256': hubSignature('github-secret', body) }),
  GitLab: () => ({ 'x-gitlab-token': 'gitlab-secret' }),
  'Bitbucket Cloud': () => ({ 'x-hook-uuid': keys['webhook.bitbucket.uuid'] }),
  'Bitbucket Server': (body) => ({ 'x-hub-signature': hubSignature('bitbucket-secret', body) }),
};

describe('A push', () => {
  it.each(Object.entries(pushes))('of %s is taken without a secret, and with the right one where there is one', async (name, make) => {
    const hook = make();
    await expectRefresh(() => post(hook));
    await setSecrets(true);
    await expectRefresh(() => post(hook, proofs[name]?.(JSON.stringify(hook.payload))));
    const headers = name === 'Bitbucket Cloud' ? { ...hook.headers, 'x-hook-uuid': 'another' } : hook.headers;
    for (const wrong of [{}, ...wrongProofs(name, JSON.stringify(hook.payload))]) {
      const answer = await post({ ...hook, headers }, wrong);
      expect([answer.status, answer.body.toString()]).toEqual([400, 'Webhook processing failed\n']);
    }
  });

  it('WEBH-07: signed over one body does not vouch for another, nor in another letter', async () => {
    await setSecrets(true);
    const hook = githubPush({ url });
    const signature = hubSignature('github-secret', JSON.stringify(hook.payload));
    for (const [payload, value] of [
      [{ ...(hook.payload as object), extra: 1 }, signature],
      [hook.payload, `${signature}, ${signature}`],
      [hook.payload, signature.replace('sha256=', 'sha1=')],
      [hook.payload, signature.slice('sha256='.length)],
      [hook.payload, ''],
    ] as const)
      expect((await post({ ...hook, payload }, { 'x-hub-signature-256': value })).status).toBe(400);
    expect((await post(hook, { 'x-hub-signature-256': signature })).status).toBe(200);
    const registry = await post(githubPackage('acme', 'shop', '1.0.0'), { 'x-hub-signature-256': 'sha256=00' });
    expect([registry.status, registry.body.toString()]).toEqual([401, 'Unauthorized\n']);
  });

  it('WEBH-07: with the headers of two providers, or with one of them twice, is refused', async () => {
    for (const [one, other] of [
      [githubPush({ url }), gitlabPush({ url })],
      [githubPush({ url }), azurePush({ url })],
      [gitlabPush({ url }), bitbucketServerPush({ url })],
      [bitbucketCloudPush({ url }), giteaPush({ url })],
    ] as const) {
      const answer = await post(one, other.headers);
      expect([answer.status, answer.body.toString()]).toEqual([400, 'Webhook processing failed\n']);
    }
    expect((await post(githubPush({ url }), { 'x-github-event': 'push, push' })).status).toBe(400);
  });
});

describe('A payload', () => {
  const survives = async (hooks: readonly SentWebhook[]): Promise<void> => {
    for (const hook of hooks) expect([200, 400]).toContain((await post(hook)).status);
    await expectRefresh(() => post(githubPush({ url })));
  };

  it('WEBH-02: of Bitbucket Server may have any links', async () => {
    const hook = bitbucketServerPush({ url });
    const odd = ['boom', [null], [{ href: [] }], [{ name: 'http', href: [] }], [{ name: 'http' }], {}, null, 7];
    const linked = odd.map((clone) => ({ ...hook, payload: { ...(hook.payload as object), repository: { links: { clone } } } }));
    await survives([...linked, { ...hook, payload: { ...(hook.payload as object), repository: {} } }]);
  });

  it('WEBH-03: of Azure DevOps may lack references and the repository', async () => {
    const hook = azurePush({ url });
    const { resource } = hook.payload as { resource: object };
    const resources = [{ ...resource, refUpdates: [] }, { ...resource, refUpdates: null }, { ...resource, refUpdates: [null] }, {}, null];
    const odd = [...resources, { ...resource, repository: null }];
    await survives(odd.map((one) => ({ ...hook, payload: { eventType: 'git.push', resource: one } })));
  });

  it('WEBH-04: of Gogs may have no repository and no commits', async () => {
    const hook = giteaPush({ url });
    const odd = [
      { repository: null },
      { commits: null },
      { commits: [null] },
      { commits: [{ added: null, modified: [1] }] },
      { ref: null },
    ];
    await survives(odd.map((change) => ({ ...hook, payload: { ...(hook.payload as object), ...change } })));
  });

  it('WEBH-05: of any provider may be anything at all', async () => {
    const random = new SeededRandom(5);
    const hooks = [
      ...Object.values(pushes).map((make) => make()),
      githubPackage('acme', 'shop', '1.0.0'),
      githubPullRequest('acme', 'shop'),
      gitlabMergeRequest(15, url),
      azurePullRequest('acme', 'shop'),
      giteaPullRequest('acme', 'shop', url),
      bitbucketCloudPullRequest('acme', 'shop'),
      bitbucketServerPullRequest('acme', 'shop'),
    ];
    const broken = hooks.flatMap((hook) => Array.from({ length: 25 }, () => ({ ...hook, payload: disturb(hook.payload, random) })));
    const roots = hooks.flatMap((hook) => [null, 7, 'x', [], [[]], { __proto__: null }].map((payload) => ({ ...hook, payload })));
    await survives([...broken, ...roots]);
    expect(fairway.output()).not.toContain('could not be worked on');
  });

  it('WEBH-10: of an unknown event, of no event, with another verb, or that is no JSON is refused', async () => {
    const body = JSON.stringify(githubPush({ url }).payload);
    const ask = async (verb: string, headers: Record<string, string>, text: string | undefined = body) => {
      const answer = await sendHttp(fairway, verb, '/api/webhook', { headers, ...(text !== '' && { body: text }) });
      return [answer.status, answer.body.toString()] as const;
    };
    const unread = 'Webhook processing failed: payload must be valid JSON under 1 MB\n';
    expect(await ask('POST', {})).toEqual([400, 'Unknown webhook event\n']);
    expect(await ask('POST', { 'x-github-event': 'issues' })).toEqual([400, 'Webhook processing failed\n']);
    expect(await ask('POST', { 'x-github-event': 'ping' }, '{"zen":"x"}')).toEqual([200, '']);
    expect((await ask('GET', { 'x-github-event': 'push' }, ''))[0]).toBe(405);
    expect((await ask('PUT', { 'x-github-event': 'push' }))[0]).toBe(405);
    expect(await ask('POST', { 'x-github-event': 'push' }, '')).toEqual([400, unread]);
    expect(await ask('POST', { 'x-github-event': 'push' }, '{"ref":')).toEqual([400, unread]);
    const form = { 'x-github-event': 'push', 'content-type': 'application/x-www-form-urlencoded' };
    expect(await ask('POST', form, `payload=${encodeURIComponent(body)}`)).toEqual([400, unread]);
    expect(await ask('POST', { 'x-github-event': 'push' }, JSON.stringify({ ref: 'x'.repeat(1_100_000) }))).toEqual([400, unread]);
  });

  it('never has its secret or the secret of the server in the log', () => {
    for (const secret of Object.values(keys).filter((value) => value.includes('secret'))) expect(fairway.output()).not.toContain(secret);
  });
});

describe('A flood', () => {
  it('DOS-06: of webhooks from one address is held back', async () => {
    const route = { path: '/api/webhook', verbs: ['POST'], isRateLimited: true, handler: async () => ({ status: 200 }) };
    const server = await startTestServer({ routes: [route], limits: { anonymousLocalCallsPerSecondMax: 1 } });
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await sendHttp(server, 'POST', '/api/webhook', { body: '{}' })).status),
    );
    await server.stop();
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(50);
  });
});

function wrongProofs(name: string, body: string): readonly Record<string, string>[] {
  const right = proofs[name]?.(body) ?? {};
  return Object.entries(right).flatMap(([header, value]) => [
    { [header]: `${value}0` },
    { [header]: value.slice(0, -1) },
    { [header]: '' },
  ]);
}

/** The payload with one to three of its parts replaced by something else. */
function disturb(payload: unknown, random: SeededRandom): unknown {
  const copy = structuredClone(payload) as Record<string, unknown>;
  for (let times = 1 + Math.floor(random.next() * 3); times > 0; times--) {
    let place: Record<string, unknown> = copy;
    for (;;) {
      const names = Object.keys(place);
      const name = names[Math.floor(random.next() * names.length)];
      if (name === undefined) break;
      const below = place[name];
      if (typeof below !== 'object' || below === null || random.chance(0.3)) {
        place[name] = structuredClone(odd[Math.floor(random.next() * odd.length)]);
        break;
      }
      place = below as Record<string, unknown>;
    }
  }
  return copy;
}

const odd: readonly unknown[] = [
  null,
  0,
  -1,
  1e300,
  true,
  '',
  'x'.repeat(100_000),
  [],
  [null],
  [[]],
  {},
  { constructor: 1 },
  'http://[',
  '\u0000',
];
