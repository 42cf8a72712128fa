import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startAzureDevOpsStub } from '../../../../../test/support/provider-stubs/azure-devops-stub.ts';
import { startBitbucketCloudStub } from '../../../../../test/support/provider-stubs/bitbucket-cloud-stub.ts';
import { startBitbucketServerStub } from '../../../../../test/support/provider-stubs/bitbucket-server-stub.ts';
import { startGiteaStub } from '../../../../../test/support/provider-stubs/gitea-stub.ts';
import { startGithubStub } from '../../../../../test/support/provider-stubs/github-stub.ts';
import { startGitlabStub } from '../../../../../test/support/provider-stubs/gitlab-stub.ts';
import { openProviderScene, type ProviderScene } from '../../../../../test/support/provider-stubs/provider-scene.ts';
import type { ProviderStub } from '../../../../../test/support/provider-stubs/provider-stub.ts';
import { shaOf, world } from '../../../../../test/support/provider-stubs/stub-world.ts';
import { createRenderText } from '../../templates/render-text.ts';
import { createProviderGenerators, type ProviderOptions } from '../index.ts';
import { makeSlug } from '../make-slug.ts';

let scene: ProviderScene<ProviderOptions>;
let stub: ProviderStub | undefined;

beforeAll(async () => {
  scene = await openProviderScene<ProviderOptions>({ createGenerators: createProviderGenerators as never, createRenderText });
  await scene.store('Secret', 'scm', { token: world.token });
});

afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

afterAll(() => scene.close());

const ref = { secretName: 'scm', key: 'token' };
const bearerToken = { tokenRef: ref };

const providers = {
  github: { start: startGithubStub, block: (api: string) => ({ owner: 'acme', repo: 'shop', api, tokenRef: ref }) },
  gitlab: { start: startGitlabStub, block: (api: string) => ({ project: 'acme/shop', api, tokenRef: ref }) },
  gitea: { start: startGiteaStub, block: (api: string) => ({ owner: 'acme', repo: 'shop', api, tokenRef: ref }) },
  bitbucketServer: { start: startBitbucketServerStub, block: (api: string) => ({ project: 'acme', repo: 'shop', api, bearerToken }) },
  bitbucket: { start: startBitbucketCloudStub, block: (api: string) => ({ owner: 'acme', repo: 'shop', api: `${api}/2.0`, bearerToken }) },
  azuredevops: {
    start: startAzureDevOpsStub,
    block: (api: string) => ({ organization: 'acme', project: 'store', repo: 'shop', api, tokenRef: ref }),
  },
};
type ProviderName = keyof typeof providers;
const names = Object.keys(providers) as ProviderName[];
const withLabels: readonly ProviderName[] = ['github', 'gitlab', 'gitea', 'azuredevops'];

async function ask(
  name: ProviderName,
  options: { block?: object; spec?: object; goTemplate?: boolean; limits?: ProviderOptions['limits'] } = {},
) {
  const { block = {}, spec = {}, goTemplate = true, limits = {} } = options;
  stub ??= await providers[name].start(world);
  const generator = { [name]: { ...providers[name].block(stub.url), ...block }, ...spec };
  return scene.generate('pullRequest', generator, { goTemplate, options: { limits: { attemptsMax: 1, ...limits } } });
}

const numbersOf = (sets: Record<string, unknown>[]): unknown[] => sets.map(({ number }) => number);

describe.each(names)('The pull requests of %s', (name) => {
  it('are listed over all pages, with all there is to know of them', async () => {
    const sets = await ask(name);
    expect(numbersOf(sets)).toEqual(['1', '2', '3', '5']);
    const sha = shaOf('shop', 'feat/Add_Login');
    expect(sets[0]).toEqual({
      number: '1',
      title: 'Add login',
      branch: 'feat/Add_Login',
      branch_slug: 'feat-add-login',
      target_branch: 'main',
      target_branch_slug: 'main',
      head_sha: sha,
      head_short_sha: sha.slice(0, 8),
      head_short_sha_7: sha.slice(0, 7),
      author: 'ada',
      labels: withLabels.includes(name) ? ['preview', 'ui'] : [],
    });
  });

  it('have no labels where templates are simple, but values', async () => {
    const [first] = await ask(name, { goTemplate: false, spec: { values: { slug: '{{ branch_slug }}-{{number}}' } } });
    expect(first).toMatchObject({ number: '1', 'values.slug': 'feat-add-login-1' });
    expect(first).not.toHaveProperty('labels');
  });

  it('are filtered by branch, target and title', async () => {
    const filtered = async (...filters: object[]) => numbersOf(await ask(name, { spec: { filters } }));
    expect(await filtered({ branchMatch: '^f' })).toEqual(['1', '2']);
    expect(await filtered({ branchMatch: '^f', targetBranchMatch: 'main' })).toEqual(['1']);
    expect(await filtered({ titleMatch: '^Draft$' }, { targetBranchMatch: '^release-' })).toEqual(['2', '3']);
    await expect(filtered({ titleMatch: '[' })).rejects.toThrow('error listing repos: error compiling TitleMatch regexp "["');
  });

  it('fail as a whole where any one answer fails', async () => {
    await ask(name);
    const count = stub?.requests.length ?? 0;
    expect(count).toBeGreaterThan(1);
    for (const trouble of [
      { status: 500 },
      { status: 404 },
      { status: 200, body: '{}' },
      { status: 200, body: '[{}]' },
      { cut: true } as const,
    ]) {
      for (let broken = 0; broken < count; broken++) {
        const first = stub?.requests.length ?? 0;
        if (stub) stub.trouble = (_request, index) => (index === first + broken ? trouble : undefined);
        const outcome = await ask(name).then(numbersOf, (error: unknown) => String(error));
        // A page that differs from what it was a moment ago is read again; all else is an error. The list is never shorter.
        if (typeof outcome === 'string') expect(outcome).toMatch(/error|failed|otherwise|answer/);
        else expect([trouble, outcome]).toEqual([{ status: 200, body: '[{}]' }, ['1', '2', '3', '5']]);
      }
    }
  });

  it('of a repository that is not there are none where the generator says so, and an error where it does not', async () => {
    const block = name === 'gitlab' ? { project: 'acme/none' } : name === 'azuredevops' ? { project: 'none' } : { repo: 'none' };
    await expect(ask(name, { block })).rejects.toThrow(/^error listing repos: /);
    expect(await ask(name, { block, spec: { continueOnRepoNotFoundError: true } })).toEqual([]);
    // A provider that breaks has not said that the repository is gone.
    if (stub) stub.trouble = ({ path }) => (path.includes('version') ? undefined : { status: 500 });
    await expect(ask(name, { block, spec: { continueOnRepoNotFoundError: true } })).rejects.toThrow('500');
    if (stub) stub.trouble = ({ path }) => (path.includes('version') ? undefined : { status: 403 });
    await expect(ask(name, { block, spec: { continueOnRepoNotFoundError: true } })).rejects.toThrow('403');
  });
});

describe('What is particular', () => {
  it.each(withLabels)('%s gives only those with all labels', async (name) => {
    expect(numbersOf(await ask(name, { block: { labels: ['preview'] } }))).toEqual(['1', '3']);
    expect(numbersOf(await ask(name, { block: { labels: ['preview', 'ui'] } }))).toEqual(['1']);
  });

  it('GitLab is asked for a state, and for any without one', async () => {
    expect(numbersOf(await ask('gitlab', { block: { pullRequestState: 'merged' } }))).toEqual([]);
    expect(stub?.requests.at(-1)?.url.searchParams.get('state')).toBe('merged');
    await ask('gitlab');
    expect(stub?.requests.at(-1)?.url.searchParams.has('state')).toBe(false);
  });

  it('GitLab may know no commit of one, which does not hide the others', async () => {
    stub = await providers.gitlab.start(world);
    const known = { title: 't', target_branch: 'main', labels: [], author: { username: 'ada' } };
    const gone = { ...known, iid: 7, source_branch: 'gone', sha: null };
    const there = { ...known, iid: 8, source_branch: 'there', sha: shaOf('shop', 'main') };
    stub.trouble = () => ({ status: 200, body: JSON.stringify([gone, there]) });
    expect(await ask('gitlab')).toMatchObject([
      { number: '7', head_sha: '', head_short_sha: '' },
      { number: '8', head_sha: shaOf('shop', 'main') },
    ]);
  });

  it('both Bitbuckets also take a name and a password, and the cloud nothing at all', async () => {
    const block = { bearerToken: undefined, basicAuth: { username: 'robot', passwordRef: ref } };
    for (const name of ['bitbucketServer', 'bitbucket'] as const) {
      expect(numbersOf(await ask(name, { block }))).toHaveLength(4);
      await stub?.close();
      stub = undefined;
    }
    await expect(ask('bitbucket', { block: { bearerToken: undefined } })).rejects.toThrow('401 Unauthorized: Access denied');
    expect(stub?.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('errors name the repository', async () => {
    const failing = async (name: ProviderName) => {
      stub = await providers[name].start(world);
      stub.trouble = ({ path }) => (path.includes('version') ? undefined : { status: 418 });
      const text = await ask(name).catch((error: unknown) => (error as Error).message);
      await stub.close();
      return String(text);
    };
    expect(await failing('github')).toContain('error listing repos: error listing pull requests for acme/shop: ');
    expect(await failing('gitlab')).toContain("error listing repos: error listing merge requests for project 'acme/shop': ");
    expect(await failing('bitbucketServer')).toContain('error listing repos: error listing pull requests for acme/shop: ');
    expect(await failing('azuredevops')).toContain('error listing repos: failed to get pull requests by project: ');
  });

  it('without a provider there is nothing to ask', async () => {
    await expect(scene.generate('pullRequest', {})).rejects.toThrow(
      'failed to select pull request service provider: no Pull Request provider implementation configured',
    );
  });
});

describe('The slug of a branch', () => {
  it.each([
    ['feat/Add_Login', 'feat-add-login'],
    ['  Ünïcode & co @ home ', 'unicode-and-co-at-home'],
    ["it's-ok", 'its-ok'],
    ['straße/łódź', 'strasse-lodz'],
    ['фича/Ёлка-объект', 'ficha-iolka-ob-ekt'],
    ['Αλφα-ώρα', 'alpha-ora'],
    ['---a--b---', 'a-b'],
    ['one-two-three-four-five-six-seven-eight-nine-ten-eleven', 'one-two-three-four-five-six-seven-eight-nine-ten'],
    ['x'.repeat(60), 'x'.repeat(50)],
    ['', ''],
  ])('%s is %s', (branch, slug) => expect(makeSlug(branch)).toBe(slug));
});
