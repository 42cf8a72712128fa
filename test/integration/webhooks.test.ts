/** From a commit to the application, through a webhook, with the real program and a real git server. */
import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpKubeApi, ResourceType } from '../../src/kube/index.ts';
import { applicationSetType, applicationType, readApplication, type Application } from '../../src/model/index.ts';
import { connectToFairway } from '../support/connect-to-fairway.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';
import { configMap, createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { sendHttp } from '../support/send-http.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  bitbucketServerPullRequest,
  giteaPullRequest,
  githubPullRequest,
  githubPush,
  hubSignature,
  type SentWebhook,
} from '../support/webhook-payloads.ts';

const secrets: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const configMaps: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const namespace = 'argocd';
const secret = 'what-only-the-repository-knows';

let repository: GitRepository;
let git: GitHttpServer;
let fairway: Fairway;
let api: HttpKubeApi;
let url: string;

beforeAll(async () => {
  repository = await createGitRepository({ 'one/a.json': configMap('one'), 'two/b.json': configMap('two') });
  git = await startGitHttpServer({ root: dirname(repository.folder) });
  url = `${git.url}/${basename(repository.folder)}`;
  fairway = await startFairway();
  api = await connectToFairway(fairway);
  const merge = (type: ResourceType, name: string, body: object) =>
    api.patch(type, { namespace, name }, { type: 'merge', body: body as never });
  await merge(configMaps, 'argocd-cm', { data: { 'timeout.reconciliation': '1h' } });
  await merge(secrets, 'argocd-secret', { stringData: { 'webhook.github.secret': secret } });
});

afterAll(async () => {
  await api?.close();
  await fairway?.stop();
  await git?.close();
  await repository?.remove();
});

async function createApplication(name: string, path: string, annotations: Record<string, string> = {}, syncPolicy = {}): Promise<void> {
  await api.create(applicationType, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace, annotations },
    spec: {
      project: 'default',
      source: { repoURL: `${url}/.git`, path, targetRevision: 'HEAD' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
      syncPolicy,
    },
  });
}

const get = async (name: string): Promise<Application> => readApplication(await api.get(applicationType, { namespace, name }));

const waitFor = (name: string, isThere: (application: Application) => boolean): Promise<Application> =>
  waitUntil(async () => {
    const application = await get(name);
    return isThere(application) && application;
  });

function post({ headers, payload }: SentWebhook, sign: (body: string) => string = (body) => hubSignature(secret, body)) {
  const body = JSON.stringify(payload);
  return sendHttp(fairway, 'POST', '/api/webhook', {
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': sign(body), ...headers },
    body,
  });
}

describe('A webhook', () => {
  it('has the application that a commit touches compared with it, and no other of the same repository', async () => {
    const own = { 'argocd.argoproj.io/manifest-generate-paths': '.' };
    await createApplication('one', 'one', own);
    await createApplication('one-automated', 'one', own, { automated: {} });
    await createApplication('two', 'two', own);
    const first = await repository.git('rev-parse', 'HEAD');
    for (const name of ['one', 'one-automated', 'two']) await waitFor(name, ({ status }) => status?.sync?.revision === first);
    await waitFor('one-automated', ({ status }) => status?.sync?.status === 'Synced' && status.operationState?.phase === 'Succeeded');
    const before = await get('two');

    const second = await repository.commit({ 'one/a.json': configMap('one', { key: 'changed' }) });
    const hook = githubPush({ url: `${url}/.git`, files: ['one/a.json'] });
    const forged = await post(hook, (body) => hubSignature('a guess', body));
    expect([forged.status, forged.body.toString()]).toEqual([400, 'Webhook processing failed\n']);

    const sentMs = Date.now();
    expect(await post(hook)).toMatchObject({ status: 200, body: Buffer.alloc(0) });
    const one = await waitFor('one', ({ status }) => status?.sync?.revision === second);
    process.stdout.write(`webhook to new revision: ${Date.now() - sentMs} ms\n`);
    expect(one.status?.sync?.status).toBe('OutOfSync');
    await waitFor('one-automated', ({ status }) => status?.sync?.revision === second && status.sync.status === 'Synced');
    expect(await get('two')).toEqual(before);
    expect((await get('two')).status?.sync?.revision).toBe(first);
  });

  it('has application sets looked at anew whose git or pull-request generators it concerns', async () => {
    const template = { metadata: { name: 'x-{{name}}' }, spec: { project: 'default', destination: {} } };
    const createSet = (name: string, generator: object) =>
      api.create(applicationSetType, {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'ApplicationSet',
        metadata: { name, namespace },
        spec: { generators: [generator], template } as never,
      });
    // Nobody answers there, so that nothing is asked of anyone outside.
    const nobody = 'http://127.0.0.1:1';
    await createSet('by-git', { git: { repoURL: `${url}/.git`, revision: 'main', directories: [{ path: 'none' }] } });
    await createSet('by-other-git', {
      git: { repoURL: `${git.url}/other`, revision: 'HEAD', directories: [{ path: 'x' }] },
    });
    const server = `${git.url}/none`;
    await createSet('by-gitea', { pullRequest: { gitea: { owner: 'acme', repo: 'shop', api: server } } });
    await createSet('by-bitbucket', { pullRequest: { bitbucketServer: { project: 'ACME', repo: 'shop', api: server } } });
    await createSet('by-requests', {
      matrix: { generators: [{ pullRequest: { github: { owner: 'Acme', repo: 'shop', api: nobody } } }, { list: { elements: [] } }] },
    });
    const marks: string[] = [];
    const watching = new AbortController();
    const watch = (async () => {
      for await (const event of api.watch(applicationSetType, { namespace, signal: watching.signal })) {
        if (event.type !== 'ERROR' && event.object.metadata.annotations?.['argocd.argoproj.io/application-set-refresh'] === 'true')
          marks.push(event.object.metadata.name ?? '');
      }
    })().catch(() => undefined);
    await post(githubPush({ url: `${url}/.git`, branch: 'other' }));
    await post(githubPush({ url: `${url}/.git` }));
    await waitUntil(() => marks.includes('by-git'));
    await post(githubPullRequest('acme', 'shop'));
    await post(githubPullRequest('acme', 'shop', nobody));
    await waitUntil(() => marks.includes('by-requests'));
    await post(giteaPullRequest('acme', 'shop', `${git.url}/acme/shop`));
    await waitUntil(() => marks.includes('by-gitea'));
    await post(bitbucketServerPullRequest('ACME', 'shop'));
    await waitUntil(() => marks.includes('by-bitbucket'));
    expect(new Set(marks)).toEqual(new Set(['by-git', 'by-requests', 'by-gitea', 'by-bitbucket']));
    watching.abort();
    await watch;
  });
});
