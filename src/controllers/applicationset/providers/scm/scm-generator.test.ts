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

let scene: ProviderScene<ProviderOptions>;
let stub: ProviderStub | undefined;

beforeAll(async () => {
  scene = await openProviderScene<ProviderOptions>({ createGenerators: createProviderGenerators as never, createRenderText });
  await scene.store('Secret', 'scm', { token: `${world.token}\n` });
});

afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

afterAll(() => scene.close());

const ref = { secretName: 'scm', key: 'token' };
const everything = ['shop', 'api', 'attic', 'tools', 'worker'];

/** Each provider: how it is started, and what a generator says to ask it. */
const providers = {
  github: {
    start: startGithubStub,
    block: (api: string, more: object) => ({ github: { organization: 'acme', api, tokenRef: ref, ...more } }),
  },
  gitlab: { start: startGitlabStub, block: (api: string, more: object) => ({ gitlab: { group: 'acme', api, tokenRef: ref, ...more } }) },
  gitea: { start: startGiteaStub, block: (api: string, more: object) => ({ gitea: { owner: 'acme', api, tokenRef: ref, ...more } }) },
  bitbucketServer: {
    start: startBitbucketServerStub,
    block: (api: string, more: object) => ({ bitbucketServer: { project: 'acme', api, bearerToken: { tokenRef: ref }, ...more } }),
  },
  azureDevOps: {
    start: startAzureDevOpsStub,
    block: (api: string, more: object) => ({
      azureDevOps: { organization: 'acme', teamProject: 'store', api, accessTokenRef: ref, ...more },
    }),
  },
  bitbucket: {
    start: startBitbucketCloudStub,
    block: (_api: string, more: object) => ({ bitbucket: { owner: 'acme', user: 'robot', appPasswordRef: ref, ...more } }),
  },
};
type ProviderName = keyof typeof providers;
const names = Object.keys(providers) as ProviderName[];

interface AskOptions {
  readonly block?: object;
  readonly spec?: object;
  readonly goTemplate?: boolean;
  readonly limits?: ProviderOptions['limits'];
}

/** What a fresh generator of a provider yields; what was remembered of others does not count. */
async function ask(name: ProviderName, { block = {}, spec = {}, goTemplate = true, limits = {} }: AskOptions = {}) {
  stub ??= await providers[name].start(world);
  const environment = { BITBUCKET_API_BASE_URL: `${stub.url}/2.0` };
  const options = { environment, limits: { attemptsMax: 1, ...limits } };
  return scene.generate('scmProvider', { ...providers[name].block(stub.url, block), ...spec }, { goTemplate, options });
}

const lower = (value: unknown): string => String(value).toLowerCase();
const repositoriesOf = (sets: Record<string, unknown>[]): string[] => sets.map(({ repository }) => lower(repository));

describe.each(names)('The repositories of %s', (name) => {
  it('are listed over all pages, each at its default branch', async () => {
    const sets = await ask(name);
    expect(repositoriesOf(sets)).toEqual(everything);
    const sha = shaOf('worker', 'trunk');
    expect(sets[4]).toMatchObject({
      organization: 'acme',
      branch: 'trunk',
      branchNormalized: 'trunk',
      sha,
      short_sha: sha.slice(0, 8),
      short_sha_7: sha.slice(0, 7),
    });
    expect(sets[0]?.['url']).toContain('shop');
    for (const { headers } of stub?.requests ?? []) expect(JSON.stringify(headers)).toMatch(/stub-token|version|Basic/i);
  });

  it('are listed with all branches', async () => {
    const sets = await ask(name, { block: { allBranches: true } });
    const found = sets.map(({ repository, branch }) => `${lower(repository)}:${String(branch)}`);
    expect(found.toSorted()).toEqual(
      ['api:main', 'attic:master', 'shop:feature/one', 'shop:main', 'shop:old', 'tools:main', 'worker:next', 'worker:trunk'].toSorted(),
    );
    expect(sets.find(({ branch }) => branch === 'feature/one')).toMatchObject({
      branchNormalized: 'feature-one',
      sha: shaOf('shop', 'feature/one'),
    });
  });

  it('are filtered by their name, their branches and the paths in them', async () => {
    const filtered = async (...filters: object[]) => repositoriesOf(await ask(name, { spec: { filters } }));
    expect(await filtered({ repositoryMatch: '(?i)^(shop|tools)$' })).toEqual(['shop', 'tools']);
    expect(await filtered({ pathsExist: ['deploy/app.yaml'] })).toEqual(['shop', 'api', 'worker']);
    expect(await filtered({ pathsExist: ['deploy/'] })).toEqual(['shop', 'api', 'worker']);
    expect(await filtered({ pathsDoNotExist: ['deploy'] })).toEqual(['attic', 'tools']);
    expect(await filtered({ pathsExist: ['README.md'], pathsDoNotExist: ['deploy'], repositoryMatch: '(?i)o' })).toEqual(['tools']);
    expect(await filtered({ branchMatch: '^main$' }, { branchMatch: 'unk$' })).toEqual(['shop', 'api', 'tools', 'worker']);
    // One about the repository and one about the branch must both let it through.
    expect(await filtered({ repositoryMatch: '(?i)^w' }, { branchMatch: '^main$' })).toEqual([]);
    expect(await filtered({})).toEqual(everything);
  });

  it('fail as a whole where any one answer fails, is cut off, is late or is no answer', async () => {
    const spec = { filters: [{ pathsExist: ['deploy/app.yaml'] }] };
    // One after the other, so that what is asked is the same each time.
    const limits = { parallelMax: 1 };
    const whole = repositoriesOf(await ask(name, { spec, limits }));
    const count = stub?.requests.length ?? 0;
    expect(count).toBeGreaterThan(whole.length);
    // Nothing is how Bitbucket Server says that a repository has no default branch.
    const nothing = name === 'bitbucketServer' ? { status: 500 } : { status: 204 };
    const troubles = [
      { status: 500 },
      { status: 403 },
      { status: 200, body: '<html>' },
      { status: 200, body: '{}' },
      { cut: true } as const,
      nothing,
    ];
    for (let broken = 0; broken < count; broken++) {
      const first = stub?.requests.length ?? 0;
      const trouble = troubles[broken % troubles.length];
      if (stub) stub.trouble = (_request, index) => (index === first + broken ? trouble : undefined);
      await expect(ask(name, { spec, limits })).rejects.toThrow(/error|otherwise|answer/);
    }
    if (stub) stub.trouble = ({ url }) => (url.pathname.endsWith('version') ? undefined : { hang: true });
    await expect(ask(name, { limits: { requestMs: 300 } })).rejects.toThrow(/no answer within|error/);
  });

  it('never show the token, whatever the provider says', async () => {
    stub = await providers[name].start(world);
    const echo = JSON.stringify({
      message: `bad ${world.token}`,
      errors: [{ message: `bad ${world.token}` }],
      error: { message: world.token },
    });
    stub.trouble = () => ({ status: 400, body: echo });
    const failure = await ask(name).catch((error: unknown) => error);
    expect(String(failure)).toContain('400 Bad Request');
    expect(JSON.stringify([String(failure), (failure as Error).stack])).not.toContain(world.token);
    expect(scene.plane.home.logged.join('\n')).not.toContain(world.token);
  });
});

describe('What is particular', () => {
  it.each([
    ['github', 'ssh', 'git@github.example.com:acme/shop.git'],
    ['github', 'https', 'https://github.example.com/acme/shop.git'],
    ['gitlab', '', 'git@gitlab.example.com:acme/shop.git'],
    ['gitlab', 'https', 'https://gitlab.example.com/acme/shop.git'],
    ['gitea', 'ssh', 'git@gitea.example.com:acme/shop.git'],
    ['gitea', 'https', 'https://gitea.example.com/acme/shop'],
    ['bitbucketServer', '', 'ssh://git@bitbucket.example.com:7999/acme/shop.git'],
    ['bitbucketServer', 'https', 'https://bitbucket.example.com/scm/acme/shop.git'],
    ['bitbucket', 'ssh', 'git@bitbucket.org:acme/shop.git'],
    ['bitbucket', 'https', 'https://bitbucket.org/acme/shop.git'],
    ['azureDevOps', 'whatever', 'https://acme@dev.azure.com/acme/store/_git/shop'],
  ] as const)('%s with the protocol %s is cloned from %s', async (name, cloneProtocol, url) => {
    expect((await ask(name, { spec: { cloneProtocol } }))[0]).toMatchObject({ url });
  });

  it.each([
    ['github', 'unknown clone protocol for GitHub ftp'],
    ['gitlab', 'unknown clone protocol for Gitlab ftp'],
    ['gitea', 'unknown clone protocol for GitHub ftp'],
    ['bitbucketServer', 'unknown clone protocol for Bitbucket Server ftp'],
    ['bitbucket', 'unknown clone protocol for Bitbucket cloud ftp'],
  ] as const)('%s knows no other protocol', async (name, text) => {
    await expect(ask(name, { spec: { cloneProtocol: 'ftp' } })).rejects.toThrow(text);
  });

  it.each([
    ['github', 101, 'web,team-a'],
    ['gitlab', 101, 'web,team-a'],
    ['gitea', 101, 'web,team-a'],
    ['bitbucketServer', 101, ''],
    ['bitbucket', '{101}', ''],
    ['azureDevOps', '00000000-0000-4000-8000-000000000101', ''],
  ] as const)('the id and the labels of %s are %s and %s', async (name, repository_id, labels) => {
    expect((await ask(name))[0]).toMatchObject({ repository_id, labels });
  });

  it.each(['github', 'gitea'] as const)('%s leaves out archived repositories where it is told to', async (name) => {
    expect(repositoriesOf(await ask(name, { block: { excludeArchivedRepos: true } }))).toEqual(['shop', 'api', 'tools', 'worker']);
  });

  it('GitLab is asked for subgroups, shared projects, topics and archives', async () => {
    expect(
      repositoriesOf(await ask('gitlab', { block: { topic: 'team-a', includeSubgroups: true, includeSharedProjects: false } })),
    ).toEqual(['shop', 'worker']);
    const asked = stub?.requests[0]?.url.searchParams;
    expect([asked?.get('include_subgroups'), asked?.get('with_shared'), asked?.get('archived')]).toEqual(['true', 'false', null]);
    expect(repositoriesOf(await ask('gitlab', { block: { includeArchivedRepos: true } }))).toEqual(['attic']);
  });

  it('labels are filtered together with names', async () => {
    const filters = [{ labelMatch: '^team-a$', repositoryMatch: 'o' }];
    expect(repositoriesOf(await ask('github', { spec: { filters } }))).toEqual(['shop', 'worker']);
  });

  it('a filter that is no regular expression is named', async () => {
    await expect(ask('github', { spec: { filters: [{ repositoryMatch: '(' }] } })).rejects.toThrow(
      'error listing repos: error compiling RepositoryMatch regexp "(": error parsing regexp: missing closing ): `(`',
    );
  });

  it('values are filled with what is known of the repository', async () => {
    const spec = { values: { name: '{{ organization }}-{{ repository }}', other: 'x' } };
    expect((await ask('github', { spec, goTemplate: false }))[0]).toMatchObject({ 'values.name': 'acme-shop', 'values.other': 'x' });
    const go = { values: { name: '{{ .organization }}-{{ .branch }}' } };
    expect((await ask('github', { spec: go }))[0]).toMatchObject({ values: { name: 'acme-main' } });
  });

  it('GitHub skips a repository without a commit, Gitea says what is wrong', async () => {
    const empty = { ...world, repositories: [...world.repositories, { name: 'empty', id: 106, branches: {} }] };
    stub = await startGithubStub(empty);
    expect(repositoriesOf(await ask('github'))).toEqual(everything);
    await stub.close();
    stub = await startGiteaStub(empty);
    await expect(ask('gitea')).rejects.toThrow('got 404 while getting default branch "main" for repo "empty"');
    for (const [name, start] of [
      ['gitlab', startGitlabStub],
      ['bitbucketServer', startBitbucketServerStub],
      ['azureDevOps', startAzureDevOpsStub],
      ['bitbucket', startBitbucketCloudStub],
    ] as const) {
      await stub.close();
      stub = await start(empty);
      expect(repositoriesOf(await ask(name))).toEqual(everything);
    }
  });

  it('Gitea must not be too old, and may not say how many there are', async () => {
    stub = await startGiteaStub(world, { version: '1.10.4' });
    await expect(ask('gitea')).rejects.toThrow('1.11');
    await stub.close();
    stub = await startGiteaStub(world, { tellsTotal: false });
    expect(repositoriesOf(await ask('gitea'))).toEqual(everything);
  });

  it('Bitbucket Server also takes a name and a password', async () => {
    const block = { bearerToken: undefined, basicAuth: { username: 'robot', passwordRef: ref } };
    expect(repositoriesOf(await ask('bitbucketServer', { block }))).toEqual(everything);
    expect(stub?.requests[0]?.headers).toMatchObject({ 'x-atlassian-token': 'no-check', 'x-requested-with': 'XMLHttpRequest' });
  });

  it('without a provider there is nothing to ask', async () => {
    await expect(scene.generate('scmProvider', {})).rejects.toThrow('no SCM provider implementation configured');
    await expect(ask('azureDevOps', { block: { accessTokenRef: null } })).rejects.toThrow('no access token provided');
  });
});
