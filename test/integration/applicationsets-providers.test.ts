/** Application sets that ask a host of repositories, in the real program: pull requests come and go, the host breaks, and nothing is lost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpKubeApi, ResourceType } from '../../src/kube/index.ts';
import { applicationSetType, applicationType } from '../../src/model/index.ts';
import { connectToFairway } from '../support/connect-to-fairway.ts';
import { startFairway, type Fairway } from '../support/fairway.ts';
import { startGithubStub } from '../support/provider-stubs/github-stub.ts';
import type { ProviderStub } from '../support/provider-stubs/provider-stub.ts';
import { world, type StubPullRequest } from '../support/provider-stubs/stub-world.ts';
import { sendHttp } from '../support/send-http.ts';
import { waitUntil } from '../support/wait-until.ts';
import { githubPullRequest, type SentWebhook } from '../support/webhook-payloads.ts';

const secrets: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const namespace = 'argocd';
const repoURL = 'https://127.0.0.1:1/acme/shop';
const destination = { server: 'https://kubernetes.default.svc', namespace: 'default' };

let fairway: Fairway;
let api: HttpKubeApi;
let stub: ProviderStub;
let pullRequests: StubPullRequest[];

beforeAll(async () => {
  pullRequests = [...world.pullRequests];
  stub = await startGithubStub({ ...world, pullRequests });
  fairway = await startFairway();
  api = await connectToFairway(fairway);
  const metadata = { name: 'scm', namespace };
  await api.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { token: world.token } });
});

afterAll(async () => {
  await api?.close();
  await fairway?.stop();
  await stub?.close();
});

const tokenRef = { secretName: 'scm', key: 'token' };

async function createSet(name: string, generator: object, template: object): Promise<void> {
  await api.create(applicationSetType, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace },
    spec: { goTemplate: true, goTemplateOptions: ['missingkey=error'], generators: [generator], template } as never,
  });
}

async function namesOf(set: string): Promise<string[]> {
  const { items } = await api.list(applicationType, { namespace });
  const own = items.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.name === set));
  return own.map(({ metadata }) => metadata.name ?? '').toSorted();
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
}

async function errorOf(set: string): Promise<string> {
  const { status } = (await api.get(applicationSetType, { namespace, name: set })) as unknown as { status?: { conditions?: Condition[] } };
  const found = status?.conditions?.find(({ type }) => type === 'ErrorOccurred');
  return found?.status === 'True' ? found.message : '';
}

function post({ headers, payload }: SentWebhook) {
  return sendHttp(fairway, 'POST', '/api/webhook', { headers, body: JSON.stringify(payload) });
}

describe('An application set that asks for pull requests', () => {
  it('follows them by webhook, and keeps its applications while the host fails', async () => {
    const github = { owner: 'acme', repo: 'shop', api: stub.url, tokenRef, labels: ['preview'] };
    await createSet(
      'previews',
      { pullRequest: { github, requeueAfterSeconds: 86_400 } },
      {
        metadata: { name: 'preview-{{ .number }}-{{ .branch_slug }}', labels: { author: '{{ .author }}', first: '{{ index .labels 0 }}' } },
        spec: { project: 'default', source: { repoURL, path: '.', targetRevision: '{{ .head_sha }}' }, destination },
      },
    );
    const first = ['preview-1-feat-add-login', 'preview-3-draft'];
    await waitUntil(async () => (await namesOf('previews')).length === 2);
    expect(await namesOf('previews')).toEqual(first);

    pullRequests.push({ number: 8, title: 'New', branch: 'new_one', target: 'main', labels: ['preview'], author: 'ada' });
    const hook = githubPullRequest('acme', 'shop', stub.url);
    expect((await post(hook)).status).toBe(200);
    await waitUntil(async () => (await namesOf('previews')).includes('preview-8-new-one'));

    stub.trouble = (_request, index) => (index % 2 === 1 ? { status: 400, body: `{"message":"no more for ${world.token}"}` } : undefined);
    await waitUntil(async () => {
      await post(hook);
      return (await errorOf('previews')).includes('400 Bad Request');
    });
    expect(await errorOf('previews')).toContain('error listing repos: error listing pull requests for acme/shop: ');
    expect(await errorOf('previews')).not.toContain(world.token);
    expect(await namesOf('previews')).toEqual([...first, 'preview-8-new-one']);

    stub.trouble = () => undefined;
    pullRequests.splice(0, 1);
    await waitUntil(async () => {
      await post(hook);
      return !(await namesOf('previews')).includes('preview-1-feat-add-login');
    });
    expect(await errorOf('previews')).toBe('');
    expect(fairway.output()).not.toContain(world.token);
  });

  it('may make one application of each repository', async () => {
    const github = { organization: 'acme', api: stub.url, tokenRef, excludeArchivedRepos: true };
    await createSet(
      'repositories',
      { scmProvider: { github, cloneProtocol: 'https', filters: [{ pathsExist: ['deploy/app.yaml'] }] } },
      {
        metadata: {
          name: 'repository-{{ .repository }}',
          annotations: { sha: '{{ .short_sha_7 }}', labels: '{{ .labels }}', id: '{{ .repository_id }}' },
        },
        spec: { project: 'default', source: { repoURL: '{{ .url }}', path: 'deploy', targetRevision: '{{ .branch }}' }, destination },
      },
    );
    await waitUntil(async () => (await namesOf('repositories')).length === 3);
    const made = await api.get(applicationType, { namespace, name: 'repository-worker' });
    expect(made).toMatchObject({
      metadata: { annotations: { labels: 'team-a', id: '105' } },
      spec: { source: { repoURL: 'https://github.example.com/acme/worker.git', targetRevision: 'trunk' } },
    });
  });
});
