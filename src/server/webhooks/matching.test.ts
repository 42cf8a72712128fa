import { describe, expect, it } from 'vitest';
import type { Application } from '../../model/index.ts';
import { createApplicationMatcher, createTouchedMatcher } from './match-application.ts';
import { createApplicationSetMatcher } from './match-application-set.ts';
import { matchesFiles } from './match-files.ts';
import { matchRepository } from './match-repository.ts';
import { matchesRevision } from './match-revision.ts';
import type { PushEvent } from './webhook-event.ts';

describe('The repository of a webhook', () => {
  const isShop = matchRepository(['https://git.example.com/acme/shop']);

  it.each([
    'https://git.example.com/acme/shop',
    'http://git.example.com/acme/shop.git',
    'https://GIT.example.com/Acme/Shop',
    'https://git.example.com:8443/acme/shop',
    'https://ada@git.example.com/acme/shop',
    'https://ada:pass@git.example.com:8443/acme/shop.git',
    'ssh://git@git.example.com:2222/acme/shop.git',
    'ssh://git@ssh.git.example.com/acme/shop',
    'altssh.git.example.com:443/acme/shop',
    'git@git.example.com:acme/shop.git',
    'git.example.com/acme/shop',
    'https://git.example.com/acme/shop/',
  ])('is %s', (address) => expect(isShop(address)).toBe(true));

  it.each([
    'https://git.example.com/acme/shop2',
    'https://git.example.com/acme',
    'https://git.example.com/acme/shop/deeper',
    'https://git.example.com.attacker.example/acme/shop',
    'https://attacker.example/git.example.com/acme/shop',
    'https://git.example.com@attacker.example/acme/shop',
    'https://xgit.example.com/acme/shop',
    'ftp://git.example.com/acme/shop',
    '',
  ])('is not %s', (address) => expect(isShop(address)).toBe(false));

  it.each([
    '.*',
    '(a+)+$',
    'https://.*',
    'https://.*/.*',
    'https://git.example.com/.*',
    'https://ada@git.example.com/acme/(shop|other)',
    '',
  ])('WEBH-09: is a text and no pattern: %s', (named) => {
    const matches = matchRepository([named]);
    for (const address of [
      'https://git.example.com/acme/shop',
      'git@git.example.com:acme/shop.git',
      'https://x/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
    ])
      expect(matches(address)).toBe(false);
  });

  it('WEBH-09: is found whoever the payload says that reads it', () => {
    expect(matchRepository(['https://mallory:secret@git.example.com/acme/shop'])('https://git.example.com/acme/shop')).toBe(true);
    expect(matchRepository(['https://git.example.com@other.example/acme/shop'])('https://git.example.com/acme/shop')).toBe(false);
  });

  it('DOS-01: is compared in a time that grows with its length alone', () => {
    const slashes = `https://git.example.com/${'/'.repeat(1_000_000)}x`;
    const startMs = performance.now();
    expect(matchRepository([slashes])('https://git.example.com/acme/shop')).toBe(false);
    expect(isShop(slashes)).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });

  it('is found when names have spaces in them', () => {
    const matches = matchRepository(['https://acme@dev.azure.com/acme/My%20Project/_git/shop']);
    expect(matches('https://dev.azure.com/acme/My%20Project/_git/shop')).toBe(true);
    expect(matches('https://dev.azure.com/acme/my project/_git/shop')).toBe(true);
  });
});

describe('A target revision', () => {
  const pushed = { revision: 'v1.4.2', touchesHead: false };
  it.each([
    ['v1.4.2', true],
    ['refs/tags/v1.4.2', true],
    ['1.x', true],
    ['^1.2', true],
    ['>=2', false],
    ['main', false],
    ['', false],
    ['HEAD', false],
    ['5f4dcc3b5aa765d61d8327deb882cf99aa765d61', false],
  ])('%s is concerned by a tag: %s', (target, isConcerned) => expect(matchesRevision(target, pushed)).toBe(isConcerned));

  it('means the default branch when it is empty or HEAD', () => {
    for (const target of ['', 'HEAD', 'main', 'refs/heads/main'])
      expect(matchesRevision(target, { revision: 'main', touchesHead: true })).toBe(true);
  });

  it('picks only from tags with its prefix', () => {
    expect(matchesRevision('1.x', { revision: 'web/v1.2.0', touchesHead: false }, 'web/')).toBe(true);
    expect(matchesRevision('1.x', { revision: 'api/v1.2.0', touchesHead: false }, 'web/')).toBe(false);
  });
});

describe('The files that manifests are generated from', () => {
  it.each([
    ['.', ['apps/web/deep/a.yaml'], true],
    ['.', ['apps/webshop/a.yaml'], false],
    ['.;../shared', ['apps/shared/x'], true],
    ['.;../shared;/lib/*.yaml', ['lib/a.yaml'], true],
    ['.;/lib/*.yaml', ['lib/deep/a.yaml'], false],
    ['/', ['README.md'], true],
    ['/charts', ['charts'], true],
    ['../../../../charts', ['charts/a'], true],
    ['.', undefined, true],
    ['', ['other/a.yaml'], true],
    [undefined, ['other/a.yaml'], true],
  ])('%s with %s changed: %s', (annotation, files, isConcerned) =>
    expect(matchesFiles(annotation, 'apps/web', files && new Set(files))).toBe(isConcerned),
  );
});

const push: PushEvent = {
  type: 'push',
  repositories: ['https://git.example.com/acme/shop'],
  revision: 'main',
  touchesHead: true,
  changedFiles: new Set(['web/a.yaml']),
};
const application = (spec: object, annotations: Record<string, string> = {}): Application =>
  ({ metadata: { name: 'web', annotations }, spec: { project: 'default', destination: {}, ...spec } }) as Application;

describe('An application', () => {
  const repoURL = 'git@git.example.com:acme/shop.git';
  const matches = createApplicationMatcher(push);

  it('is concerned by any of its sources', () => {
    expect(
      matches(
        application({
          sources: [
            { repoURL: 'https://charts.example.com', chart: 'x' },
            { repoURL, ref: 'values' },
          ],
        }),
      ),
    ).toBe('refresh');
    expect(matches(application({ sources: [{ repoURL: 'https://charts.example.com', chart: 'x' }] }))).toBe('none');
    expect(matches(application({}))).toBe('none');
  });

  it('is hydrated anew when its dry source changed, and only looked at when the branch did that is written', () => {
    const sourceHydrator = {
      drySource: { repoURL, targetRevision: 'main', path: 'web' },
      syncSource: { targetBranch: 'env/dev', path: 'web' },
    };
    expect(matches(application({ sourceHydrator }))).toBe('hydrate');
    const written = { ...push, revision: 'env/dev', touchesHead: false };
    expect(createApplicationMatcher(written)(application({ sourceHydrator }))).toBe('refresh');
    expect(createApplicationMatcher({ ...written, changedFiles: new Set(['other/a']) })(application({ sourceHydrator }))).toBe('none');
  });

  it('is touched where a file below one of its paths changed', () => {
    const isTouched = createTouchedMatcher({ ...push, changedFiles: new Set(['apps/web/deep/all.yaml', 'README.md']) });
    const of = (...paths: string[]) => isTouched(application({ sources: paths.map((path) => ({ repoURL, path })) }));
    expect([of('apps/web'), of('/apps/web/deep/'), of('other', './apps/web')]).toEqual([true, true, true]);
    expect([of('apps/we'), of('apps/web/deep/all'), of('other')]).toEqual([false, false, false]);
    expect(createTouchedMatcher({ ...push, changedFiles: undefined })(application({ source: { repoURL, path: 'apps/web' } }))).toBe(false);
  });

  it('of a registry is concerned by the tag that it uses', () => {
    const published = createApplicationMatcher({ type: 'package', repository: 'oci://ghcr.io/Acme/shop', tag: '1.2.3' });
    const of = (repository: string, targetRevision: string) =>
      published(application({ source: { repoURL: repository, targetRevision, path: '.' } }));
    expect([of('oci://ghcr.io/acme/shop', '1.2.3'), of('ghcr.io/acme/shop/', '1.x')]).toEqual(['refresh', 'refresh']);
    expect([of('oci://ghcr.io/acme/shop', '2.x'), of('oci://ghcr.io/acme/other', '1.2.3')]).toEqual(['none', 'none']);
  });
});

describe('An application set', () => {
  const matches = createApplicationSetMatcher(push);
  const git = (repoURL: string, revision: string) => ({ git: { repoURL, revision, directories: [] } });
  const nested = (...generators: object[]) => [{ matrix: { generators: [{ list: { elements: [] } }, { merge: { generators } }] } }];

  it('is concerned by its git generators, however deep', () => {
    expect(matches([git('https://git.example.com/acme/shop', 'HEAD')])).toBe(true);
    expect(matches(nested(git('https://git.example.com/acme/shop.git', 'refs/heads/main')) as never)).toBe(true);
    expect(matches([git('https://git.example.com/acme/shop', 'other'), git('https://git.example.com/acme/other', 'main')])).toBe(false);
    expect(matches(nested(git('{{repository}}', 'main')) as never)).toBe(true);
  });

  it('with a plugin is concerned by anything, and one that lists or asks for repositories by nothing', () => {
    expect(matches(nested({ plugin: { configMapRef: { name: 'x' } } }) as never)).toBe(true);
    expect(matches([{ list: { elements: [] } }, { scmProvider: { github: { organization: 'acme' } } }, { clusters: {} }])).toBe(false);
    for (const odd of [undefined, null, 'x', [null], [[]], [{ matrix: null }], [{ git: 'x' }]]) expect(matches(odd as never)).toBe(false);
  });

  it('is concerned by pull requests of its repository at its provider', () => {
    const at = (event: Parameters<typeof createApplicationSetMatcher>[0], block: object) =>
      createApplicationSetMatcher(event)([{ pullRequest: block as never }]);
    const github = { type: 'pull-request', provider: 'github', owner: 'acme', repository: 'shop', apiHost: 'api.github.com' } as const;
    expect(at(github, { github: { owner: 'ACME', repo: 'Shop' } })).toBe(true);
    expect(at(github, { github: { owner: 'acme', repo: 'shop', api: 'https://ghe.example.com/' } })).toBe(false);
    expect(at(github, { gitea: { owner: 'acme', repo: 'shop' } })).toBe(false);
    const gitlab = { type: 'pull-request', provider: 'gitlab', projects: ['15', 'acme/shop'], host: 'gitlab.example.com' } as const;
    expect(at(gitlab, { gitlab: { project: '15', api: 'https://gitlab.example.com:8443' } })).toBe(true);
    expect(at(gitlab, { gitlab: { project: 'acme/shop', api: 'https://gitlab.example.com' } })).toBe(true);
    expect(at(gitlab, { gitlab: { project: '15' } })).toBe(false);
    const azure = { type: 'pull-request', provider: 'azuredevops', project: 'Acme', repository: 'shop' } as const;
    expect(at(azure, { azuredevops: { organization: 'x', project: 'acme', repo: 'shop' } })).toBe(true);
    expect(at(azure, { azuredevops: { organization: 'x', project: 'acme', repo: 'other' } })).toBe(false);
    const gitea = { type: 'pull-request', provider: 'gitea', owner: 'acme', repository: 'shop', host: 'gitea.example.com:3000' } as const;
    expect(at(gitea, { gitea: { owner: 'acme', repo: 'shop', api: 'https://gitea.example.com:3000/' } })).toBe(true);
    expect(at(gitea, { gitea: { owner: 'acme', repo: 'shop', api: 'https://gitea.example.com' } })).toBe(false);
    const cloud = { type: 'pull-request', provider: 'bitbucket', owner: 'acme', repository: 'shop' } as const;
    expect(at(cloud, { bitbucket: { owner: 'acme', repo: 'shop' } })).toBe(true);
    const server = { type: 'pull-request', provider: 'bitbucketServer', project: 'ACME', repository: 'shop' } as const;
    expect(at(server, { bitbucketServer: { project: 'acme', repo: 'shop', api: 'https://bitbucket.example.com' } })).toBe(true);
    expect(at(server, { bitbucket: { owner: 'acme', repo: 'shop' } })).toBe(false);
  });
});
