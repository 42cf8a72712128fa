import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasCondition, openApplicationSetPlane, templateOf, type ApplicationSetPlane } from '../support/application-set-plane.ts';
import { createGitRepository, type GitRepository } from '../support/git-repository.ts';
import { waitUntil } from '../support/wait-until.ts';

const files = {
  'README.md': 'x',
  'apps/web/app.yaml': 'x: 1\n',
  'apps/My_App/config.json': JSON.stringify({ size: 'large', n: 1_000_000, deep: { a: { b: ['x', 'y'] } }, none: null, empty: {} }),
  'apps/My_App/sub/config.json': JSON.stringify([{ size: 's1' }, { size: 's2' }]),
  'apps/.hidden/x/config.json': '{}',
  'env/dev/config.yaml': 'size: small\n',
  'env/prod/config.yaml': '',
  'top.json': '{"size": "top"}',
};

let repository: GitRepository;
let sets: ApplicationSetPlane | undefined;

beforeAll(async () => {
  repository = await createGitRepository(files);
});
afterAll(() => repository.remove());
afterEach(async () => {
  await sets?.close();
  sets = undefined;
});

interface Preview {
  /** For each of these. */
  readonly sides?: readonly string[];
  readonly goTemplate?: boolean;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** What an annotation that names parameters comes to, for each application. */
async function preview(git: object, text: string, { goTemplate = false, parameters, sides }: Preview = {}): Promise<readonly string[]> {
  sets ??= await openApplicationSetPlane();
  if (parameters) await sets.setParameters(parameters);
  const one = { git: { repoURL: repository.url, revision: 'HEAD', ...git } };
  const outer = { list: { elements: sides?.map((side) => ({ side })) } };
  const generators = [sides === undefined ? one : { matrix: { generators: [outer, one] } }];
  const spec = { goTemplate, generators, template: templateOf('a', {}, { annotations: { text } }) };
  const set = { metadata: { name: 'x', namespace: 'argocd' }, spec } as unknown as Parameters<typeof sets.service.preview.generate>[0];
  const made = await sets.service.preview.generate(set, { signal: AbortSignal.timeout(30_000) });
  return made.map(({ metadata }) => metadata.annotations?.['text'] ?? '');
}

describe('folders of a repository', () => {
  const every = [{ path: '*' }, { path: '*/*' }, { path: '*/*/*' }];

  it('are found as a walk meets them, but hidden ones', async () =>
    expect(await preview({ directories: every }, '{{path}}')).toEqual([
      'apps',
      'apps/My_App',
      'apps/My_App/sub',
      'apps/web',
      'env',
      'env/dev',
      'env/prod',
    ]));

  it.each([
    [[{ path: 'apps/*' }], ['apps/My_App', 'apps/web']],
    [[{ path: 'apps/**' }], ['apps/My_App', 'apps/web']],
    [[{ path: 'apps/*' }, { path: 'apps/web', exclude: true }], ['apps/My_App']],
    [
      [{ path: 'apps/w?b' }, { path: 'env/[a-d]*' }],
      ['apps/web', 'env/dev'],
    ],
    [[{ path: 'apps/{web,My_App}' }], []],
    [[{ path: 'env/[' }, { path: 'env/dev' }], ['env/dev']],
  ])('%j are %j', async (directories, found) => expect(await preview({ directories }, '{{path}}')).toEqual(found));

  it('may be hidden where that is set', async () => {
    const parameters = { 'reposerver.include.hidden.directories': 'true' };
    expect(await preview({ directories: [{ path: 'apps/.*' }] }, '{{path}}')).toEqual([]);
    expect(await preview({ directories: [{ path: 'apps/.*' }] }, '{{path}}', { parameters })).toEqual(['apps/.hidden']);
  });

  it('may be in submodules', async () => {
    const inner = await createGitRepository({ 'one/c.json': '{"n": 1}', 'two/c.json': '{"n": 2}' });
    const outer = await createGitRepository({ 'x.json': '{"n": 0}' });
    try {
      await outer.git('submodule', 'add', '--quiet', inner.url, 'modules/inner');
      await outer.commit({});
      const own = { repoURL: outer.url };
      expect(await preview({ ...own, directories: [{ path: 'modules/inner/*' }] }, '{{path}}')).toEqual([
        'modules/inner/one',
        'modules/inner/two',
      ]);
      // Git itself lists no files of theirs.
      expect(await preview({ ...own, files: [{ path: '*.json' }] }, '{{n}}')).toEqual(['0']);
      const parameters = { 'applicationsetcontroller.enable.new.git.file.globbing': 'true' };
      expect(await preview({ ...own, files: [{ path: '**/*.json' }] }, '{{n}}', { parameters })).toEqual(['1', '2', '0']);
    } finally {
      await inner.remove();
      await outer.remove();
    }
  });

  it('are described in every way', async () => {
    const text = '{{path}} {{path.basename}} {{path.basenameNormalized}} {{path[0]}} {{path[1]}} {{path[2]}}';
    expect(await preview({ directories: [{ path: 'apps/M*' }] }, text)).toEqual(['apps/My_App My_App my-app apps My_App {{path[2]}}']);
    const go = '{{.path.path}} {{.path.basename}} {{.path.basenameNormalized}} {{index .path.segments 1}} {{.path.segments}}';
    expect(await preview({ directories: [{ path: 'apps/M*' }] }, go, { goTemplate: true })).toEqual([
      'apps/My_App My_App my-app My_App [apps My_App]',
    ]);
  });

  it('have a prefix and values where asked for', async () => {
    const git = { directories: [{ path: 'apps/web' }], pathParamPrefix: 'p', values: { v: 'x-{{p.path.basename}}' } };
    expect(await preview(git, '{{p.path}} {{p.path[1]}} {{values.v}} {{path}}')).toEqual(['apps/web web x-web {{path}}']);
    const go = { ...git, values: { v: 'x-{{.p.path.basename}}' } };
    expect(await preview(go, '{{.p.path.path}} {{.values.v}}', { goTemplate: true })).toEqual(['apps/web x-web']);
  });
});

describe('files of a repository', () => {
  it('become parameters, flat, beside where they are', async () => {
    const text = '{{path}} {{path.filename}} {{path.filenameNormalized}} {{size}} {{n}} {{deep.a.b.1}} {{none}} {{empty}}';
    expect(await preview({ files: [{ path: 'apps/My_App/config.json' }] }, text)).toEqual([
      'apps/My_App config.json config.json large 1e+06 y <nil> {{empty}}',
    ]);
  });

  it('become parameters with their structure', async () => {
    const text = '{{.path.path}} {{.path.filename}} {{.size}} {{.n}} {{int .n}} {{index .deep.a.b 1}}';
    expect(await preview({ files: [{ path: 'apps/My_App/config.json' }] }, text, { goTemplate: true })).toEqual([
      'apps/My_App config.json large 1e+06 1000000 y',
    ]);
  });

  it('are one set for each object in a list, and one for nothing', async () => {
    expect(await preview({ files: [{ path: 'apps/My_App/sub/config.json' }] }, '{{size}}')).toEqual(['s1', 's2']);
    expect(await preview({ files: [{ path: 'env/*/config.yaml' }] }, '{{path.basename}} {{size}}')).toEqual(['dev small', 'prod {{size}}']);
    expect(await preview({ files: [{ path: 'top.json' }] }, '{{path}} {{path[0]}} {{size}}')).toEqual(['. . top']);
  });

  it('are found as git finds them: a star crosses folders, and a folder is all that is in it', async () => {
    expect(await preview({ files: [{ path: 'apps/*/config.json' }] }, '{{path}}')).toEqual([
      'apps/.hidden/x',
      'apps/My_App',
      'apps/My_App/sub',
      'apps/My_App/sub',
    ]);
    expect(await preview({ files: [{ path: 'apps/My_App' }, { path: '*/sub/*', exclude: true }] }, '{{path}}')).toEqual(['apps/My_App']);
  });

  it('are found in the newer way where that is set', async () => {
    const parameters = { 'applicationsetcontroller.enable.new.git.file.globbing': 'true' };
    expect(await preview({ files: [{ path: 'apps/*/config.json' }] }, '{{path}}', { parameters })).toEqual(['apps/My_App']);
    expect(await preview({ files: [{ path: '**/config.json' }] }, '{{path}}')).toHaveLength(4);
    expect(await preview({ files: [{ path: 'apps/**/sub/*.json' }] }, '{{path}}')).toEqual(['apps/My_App/sub', 'apps/My_App/sub']);
    expect(await preview({ files: [{ path: '{top,nope}.json' }] }, '{{size}}')).toEqual(['top']);
    expect(await preview({ files: [{ path: '{env/dev,env/none}/*.yaml' }] }, '{{size}}')).toEqual(['small']);
  });

  it.each([false, true])('are not guessed where a pattern cannot be read (newer way: %s)', async (isNew) => {
    const parameters = { 'applicationsetcontroller.enable.new.git.file.globbing': 'true' };
    const broken = [{ path: 'top.json' }, { path: 'apps/[', exclude: true }];
    await expect(preview({ files: broken }, 'x', isNew ? { parameters } : {})).rejects.toThrow('the pattern "apps/[" cannot be read');
  });

  it('are the same for each template, whatever another made of them', async () => {
    const git = { files: [{ path: 'apps/My_App/config.json' }] };
    const text = '{{ merge .deep (dict "side" .side) | toJson }}';
    for (let time = 0; time < 2; time++)
      expect(
        (await preview(git, text, { goTemplate: true, sides: ['l', 'r'] })).map((json) => (JSON.parse(json) as { side: string }).side),
      ).toEqual(['l', 'r']);
    expect(await preview(git, '{{ keys .deep }}', { goTemplate: true })).toEqual(['[a]']);
  });

  it('of which one cannot be read fail together', async () => {
    const message = `unable to process file 'README.md' from repository '${repository.url}': unable to parse file: `;
    await expect(preview({ files: [{ path: '*' }] }, 'x')).rejects.toThrow(`error generating params from git: ${message}`);
    await expect(preview({}, 'x')).rejects.toThrow('error generating params from git: ApplicationSet is empty');
  });
});

describe('a set that follows a repository', () => {
  it('changes with it when somebody asks for a refresh, and only what changed is written', async () => {
    const own = await createGitRepository({ 'a.json': '{"size": "1"}', 'b.json': '{"size": "1"}', 'c.json': '{"size": "1"}' });
    try {
      sets = await openApplicationSetPlane();
      sets.start();
      const generators = [{ git: { repoURL: own.url, revision: 'main', files: [{ path: '*.json' }], requeueAfterSeconds: 3_600 } }];
      const template = templateOf(
        'app-{{path.filenameNormalized}}',
        {},
        { annotations: { size: '{{size}}' }, finalizers: ['x.example.com/y'] },
      );
      await sets.create('files', { generators, template });
      await sets.waitFor('files', (set) => set.status?.resourcesCount === 3 && hasCondition(set, 'ResourcesUpToDate', 'True'));
      await own.commit({ 'b.json': '{"size": "2"}' });
      sets.plane.takeRequests();
      await sets.patch('files', { metadata: { annotations: { 'argocd.argoproj.io/application-set-refresh': 'true' } } });
      await sets.waitFor('files', ({ metadata }) => metadata.annotations?.['argocd.argoproj.io/application-set-refresh'] === undefined);
      expect(sets.applications().map(({ metadata }) => metadata.annotations?.['size'])).toEqual(['1', '2', '1']);
      const writes = sets.plane.takeRequests().filter((call) => /^(create|update|patch|delete) Application/.test(call));
      expect(writes).toEqual(['patch ApplicationSet files', 'patch Application app-b.json', 'patch ApplicationSet files']);
    } finally {
      await own.remove();
    }
  });

  it('is looked at again by the clock', async () => {
    const own = await createGitRepository({ 'a.json': '{}' });
    try {
      sets = await openApplicationSetPlane();
      sets.start();
      const generators = [{ git: { repoURL: own.url, revision: 'main', files: [{ path: '*.json' }], requeueAfterSeconds: 1 } }];
      await sets.create('clock', { generators, template: templateOf('app-{{path.filenameNormalized}}') });
      await sets.waitFor('clock', ({ status }) => status?.resourcesCount === 1);
      await own.commit({ 'b.json': '{}' });
      await sets.waitFor('clock', ({ status }) => status?.resourcesCount === 2);
    } finally {
      await own.remove();
    }
  });

  it('deletes nothing while the repository cannot be read', async () => {
    const own = await createGitRepository({ 'a.json': '{}', 'b.json': '{}' });
    sets = await openApplicationSetPlane();
    sets.start();
    const generators = [{ git: { repoURL: own.url, revision: 'main', files: [{ path: '*.json' }] } }];
    await sets.create('files', { generators, template: templateOf('app-{{path.filenameNormalized}}') });
    await sets.waitFor('files', ({ status }) => status?.resourcesCount === 2);
    await own.remove();
    await sets.patch('files', { metadata: { annotations: { 'argocd.argoproj.io/application-set-refresh': 'true' } } });
    const { status } = await sets.waitFor('files', (set) => hasCondition(set, 'ErrorOccurred', 'True'));
    expect(status?.conditions?.map(({ type, reason }) => [type, reason])).toEqual([
      ['ErrorOccurred', 'ApplicationGenerationFromParamsError'],
      ['ParametersGenerated', 'ErrorOccurred'],
      ['ResourcesUpToDate', 'ErrorOccurred'],
    ]);
    expect(status?.conditions?.[0]?.message).toMatch(/^error generating params from git: /);
    expect(sets.applications().filter(({ metadata }) => !metadata.deletionTimestamp)).toHaveLength(2);
    await waitUntil(() => sets?.get('files')?.status?.health?.status === 'Degraded');
  });
});
