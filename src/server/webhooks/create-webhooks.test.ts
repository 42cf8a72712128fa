import { afterEach, describe, expect, it } from 'vitest';
import { openApplicationPlane, type ApplicationPlane } from '../../../test/support/application-plane.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { githubPush, type SentWebhook } from '../../../test/support/webhook-payloads.ts';
import { createObjectStore, type ObjectStore } from '../../kube/index.ts';
import { applicationSetType } from '../../model/index.ts';
import type { HttpReply } from '../http.ts';
import { createWebhookRoute } from '../routes/webhook.ts';
import { createWebhooks, type RefreshWish, type Webhooks, type WebhooksOptions } from './create-webhooks.ts';

let plane: ApplicationPlane;
let sets: ObjectStore;
let webhooks: Webhooks;

afterEach(async () => {
  await webhooks.stop();
  await sets.stop();
  await plane.close();
});

async function open(more: Partial<WebhooksOptions> = {}, settings: Record<string, string> = {}) {
  plane = await openApplicationPlane({ settings });
  sets = createObjectStore({ api: plane.home.api, type: applicationSetType, log: plane.home.log });
  sets.start();
  await sets.whenSynced(10_000);
  webhooks = createWebhooks({ ...plane.context, applicationSets: sets, isApplicationSetNamespaceEnabled: () => true, ...more });
  webhooks.start();
  const route = createWebhookRoute(webhooks);
  return ({ headers, payload }: SentWebhook): Promise<HttpReply> =>
    route({
      verb: 'POST',
      path: '/api/webhook',
      query: '',
      headers,
      remoteAddress: '192.0.2.1',
      secure: false,
      signal: new AbortController().signal,
      readBody: async () => Buffer.from(JSON.stringify(payload)),
    });
}

const url = 'https://git.example.com/acme/shop';
const createApplication = (name: string, repoURL = url) =>
  plane.create(name, { project: 'default', source: { repoURL, path: '.' }, destination: { server: 'https://kubernetes.default.svc' } });
const marked = (): string[] =>
  [...plane.applications.values()]
    .filter(({ metadata }) => metadata.annotations?.['argocd.argoproj.io/refresh'] === 'normal')
    .map(({ metadata }) => metadata.name ?? '');
const patches = (): number => plane.takeRequests().filter((request) => request.startsWith('patch')).length;

describe('Many webhooks', () => {
  it('WEBH-08: that do not fit into the queue are refused with 503, the others are taken at once', async () => {
    const post = await open({ queueMax: 100 });
    await createApplication('web');
    const startedMs = performance.now();
    const replies = await Promise.all(
      Array.from({ length: 10_000 }, (_, index) => post(githubPush({ url: `https://git.example.com/acme/shop-${index}` }))),
    );
    const refused = replies.filter(({ status }) => status === 503);
    const taken = replies.filter(({ status }) => status === 200);
    expect(refused.length + taken.length).toBe(10_000);
    expect(taken.length).toBeGreaterThanOrEqual(100);
    expect(refused[0]?.body).toBe('Queue is full, discarding webhook payload\n');
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    expect(await waitUntil(async () => (await post(githubPush({ url }))).status === 200)).toBe(true);
    await waitUntil(() => marked().includes('web'));
  });

  it('WEBH-08: about 2,000 applications write to each of them once', async () => {
    const post = await open();
    const names = Array.from({ length: 2_000 }, (_, index) => `app-${index}`);
    await Promise.all(names.map((name) => createApplication(name)));
    await createApplication('other', 'https://git.example.com/acme/other');
    await waitUntil(() => plane.applications.size === 2_001);
    plane.takeRequests();
    for (let index = 0; index < 50; index++) expect((await post(githubPush({ url, files: [`file-${index}`] }))).status).toBe(200);
    await waitUntil(() => marked().length === 2_000);
    expect(marked()).not.toContain('other');
    expect(patches()).toBe(2_000);
  });

  it('are spread over the time that the settings give, from so many applications on', async () => {
    const later: number[] = [];
    const post = await open({ random: () => 0.5 }, { 'webhook.refresh.jitter': '2s', 'webhook.refresh.jitter.threshold': '1' });
    for (const name of ['one', 'two']) await createApplication(name);
    const startedMs = Date.now();
    await post(githubPush({ url }));
    await waitUntil(() => marked().length === 2 && later.push(Date.now() - startedMs) > 0);
    expect(later[0]).toBeGreaterThanOrEqual(990);
  });
});

describe('Where applications are looked after in the same process', () => {
  it('they are told to it and not marked: those first whose files changed', async () => {
    const told: [name: string, wish: RefreshWish][] = [];
    let isHere = true;
    const refreshHere: WebhooksOptions['refreshHere'] = ({ name }, wish) => {
      if (isHere) told.push([name, wish]);
      return isHere;
    };
    const post = await open({ refreshHere });
    for (const name of ['one', 'two'])
      await plane.create(name, {
        project: 'default',
        source: { repoURL: url, path: name },
        destination: { server: 'https://kubernetes.default.svc' },
      });
    await waitUntil(() => plane.applications.size === 2);
    plane.takeRequests();
    const beforeMs = plane.context.clock.nowMs();
    await post(githubPush({ url, files: ['two/all.yaml'] }));
    await waitUntil(() => told.length === 2);
    expect(new Map(told)).toEqual(
      new Map([
        ['one', { sinceMs: expect.any(Number), isFirst: false }],
        ['two', { sinceMs: expect.any(Number), isFirst: true }],
      ]),
    );
    expect(told[0]?.[1].sinceMs).toBeGreaterThanOrEqual(beforeMs);
    expect(told[0]?.[1].sinceMs).toBe(told[1]?.[1].sinceMs);
    expect(patches()).toBe(0);
    // Another process has come to look after them.
    isHere = false;
    await post(githubPush({ url }));
    await waitUntil(() => marked().length === 2);
  });
});

describe('A webhook that comes while an earlier one is being worked on', () => {
  it('is not lost: the application is marked again as soon as its mark is gone', async () => {
    const post = await open();
    await createApplication('web');
    await post(githubPush({ url }));
    await waitUntil(() => marked().includes('web'));
    await post(githubPush({ url }));
    await waitUntil(() => plane.home.logged.filter((line) => line.includes('a webhook came')).length === 2);
    for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
    plane.takeRequests();
    const body = { metadata: { annotations: { 'argocd.argoproj.io/refresh': null } } };
    const ref = { namespace: 'argocd', name: 'web' };
    const looked = await plane.home.embedded.patch(plane.applications.type, ref, { type: 'merge', body });
    const isNewer = () => Number(plane.applications.get(ref)?.metadata.resourceVersion) > Number(looked.metadata.resourceVersion);
    await waitUntil(() => isNewer() && marked().includes('web'));
    expect(patches()).toBe(1);
  });
});
