import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sealed } from '../../src/settings/index.ts';
import { startGitHttpServer } from '../support/git-http-server.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { startPluginServers } from '../support/plugin-server.ts';
import type { PluginServers } from '../support/plugin-server.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

/** Writes its environment as a ConfigMap: a JSON text, so that any value comes through. */
const SHOW = [
  'node',
  '-e',
  `const data = {...process.env, files: require('fs').readdirSync('.').join(' '), above: require('fs').readdirSync('..').join(' ')};
   console.log(JSON.stringify({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'seen'}, data}))`,
];
const shell = (script: string): { command: string[]; args: string[] } => ({ command: ['sh', '-c'], args: [script] });

const PLUGINS = [
  { name: 'show', spec: { generate: { command: SHOW } } },
  { name: 'show-tagged', spec: { version: 'v1.0', generate: { command: SHOW } } },
  { name: 'finds', spec: { generate: shell('cat one.yaml; echo ---; cat two.yaml'), discover: { fileName: './two.yaml' } } },
  { name: 'fails', spec: { generate: shell('echo planted words >&2; exit 3') } },
  {
    name: 'offers',
    spec: {
      generate: shell('cat one.yaml'),
      parameters: {
        static: [{ name: 'size', title: 'Size', required: true, string: 'small' }],
        dynamic: shell(`echo '[{"name":"colours","collectionType":"array","array":["red","green"]}]'`),
      },
    },
  },
  { name: 'signs-in', spec: { generate: { command: SHOW }, provideGitCreds: true } },
];

describeWithTool('cmp-server', 'a configuration management plugin', (program) => {
  let repository: GitRepository;
  let servers: PluginServers;
  let test: TestSources;

  beforeAll(async () => {
    repository = await createGitRepository({
      'app/one.yaml': configMap('one'),
      'both/one.yaml': configMap('one'),
      'both/two.yaml': configMap('two'),
      'both/Chart.yaml': 'name: not a chart for Helm to render\n',
      'shared/values.txt': 'x',
      'big/blob.bin': Buffer.alloc(3 << 20, 7),
      [`${'long/'.repeat(40)}näme.txt`]: 'x',
      'link.txt': { link: 'shared/values.txt' },
    });
    servers = await startPluginServers(program(), PLUGINS);
    const { socketFolder } = servers;
    test = await openTestSources({ plugins: { socketFolder, excluded: () => ['big', '*/nope'], usesGeneratePaths: () => true } });
  });
  afterAll(async () => {
    await test.close();
    await servers.close();
    await repository.remove();
  });

  const source = (path: string, plugin?: object) => ({ repoURL: repository.url, path, ...(plugin && { plugin }) });
  const seen = async (plugin: object, more: Parameters<TestSources['render']>[1] = {}): Promise<Record<string, string>> => {
    const { objects } = await test.render(source('app', plugin), more);
    return objects[0]?.['data'] as Record<string, string>;
  };

  it('that is named makes the manifests, with the variables of the build', async () => {
    const { objects, sourceType, revision } = await test.render(source('app', { name: 'show' }), {
      kubeVersion: '1.36.3',
      apiVersions: ['apps/v1', 'v1'],
    });
    expect(sourceType).toBe('Plugin');
    expect(objects[0]?.['data']).toMatchObject({
      files: 'one.yaml',
      ARGOCD_APP_NAME: 'web',
      ARGOCD_APP_NAMESPACE: 'prod',
      ARGOCD_APP_PROJECT_NAME: 'default',
      ARGOCD_APP_REVISION: revision,
      ARGOCD_APP_REVISION_SHORT: revision.slice(0, 7),
      ARGOCD_APP_SOURCE_PATH: 'app',
      ARGOCD_APP_SOURCE_REPO_URL: repository.url,
      KUBE_VERSION: '1.36.3',
      KUBE_API_VERSIONS: 'apps/v1,v1',
    });
  });

  it('with a version is named with it', async () => {
    expect(await test.names(source('app', { name: 'show-tagged-v1.0' }))).toEqual(['seen']);
    await expect(test.render(source('app', { name: 'show-tagged' }))).rejects.toThrow(
      'CMP processing failed for application "web": could not find cmp-server plugin with name "show-tagged" supporting the given repository',
    );
  });

  it('gets parameters as variables', async () => {
    const parameters = [
      { name: 'replica-count', string: '3' },
      { name: 'hosts', array: ['a', 'b'] },
      { name: 'labels', map: { 'app.kubernetes.io/name': 'x' } },
    ];
    expect(await seen({ name: 'show', parameters })).toMatchObject({
      PARAM_REPLICA_COUNT: '3',
      PARAM_HOSTS_0: 'a',
      PARAM_HOSTS_1: 'b',
      PARAM_LABELS_APP_KUBERNETES_IO_NAME: 'x',
      ARGOCD_APP_PARAMETERS: JSON.stringify(parameters),
    });
  });

  it('CMP-01: variables of the application never replace those that programs heed', async () => {
    const env = ['PATH', 'LD_PRELOAD', 'HOME', 'ARGOCD_APP_NAME', 'A'].map((name) => ({ name, value: `planted-$ARGOCD_APP_NAME` }));
    const variables = await seen({ name: 'show', env });
    expect(variables).toMatchObject({
      ARGOCD_ENV_PATH: 'planted-web',
      ARGOCD_ENV_LD_PRELOAD: 'planted-web',
      ARGOCD_ENV_HOME: 'planted-web',
      ARGOCD_ENV_ARGOCD_APP_NAME: 'planted-web',
      ARGOCD_ENV_A: 'planted-web',
      ARGOCD_APP_NAME: 'web',
    });
    expect(variables['LD_PRELOAD']).toBeUndefined();
    expect(variables['PATH']).not.toContain('planted');
    expect(variables['HOME']).not.toContain('planted');
  });

  it('CMP-02: values with shell characters and line breaks arrive as they are, and what no program can be started with is refused', async () => {
    const value = '`id` $$(id); "\'\n| > /x é';
    expect(await seen({ name: 'show', env: [{ name: 'X', value }], parameters: [{ name: 'y', string: value }] })).toMatchObject({
      ARGOCD_ENV_X: value.replace('$$', '$'),
      PARAM_Y: value,
    });
    for (const env of [
      [{ name: 'X', value: 'x'.repeat(1 << 20) }],
      [{ name: 'X', value: 'a\0b' }],
      [{ name: 'X=Y', value: 'a' }],
      Array.from({ length: 20 }, (_, index) => ({ name: `X${index}`, value: 'x'.repeat(100_000) })),
    ])
      await expect(test.render(source('app', { name: 'show', env }))).rejects.toThrow(/the plugin's variables? /);
  });

  it('is found by what it recognises, before charts and kustomizations are looked for', async () => {
    const { objects, sourceType } = await test.render(source('both'));
    expect(sourceType).toBe('Plugin');
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['one', 'two']);
    expect(await test.names(source('both', {}))).toEqual(['one', 'two']);
    expect((await test.render(source('app'))).sourceType).toBe('Directory');
  });

  it('that is named must recognise the folder too, if it recognises any', async () => {
    await expect(test.render(source('app', { name: 'finds' }))).rejects.toThrow(
      'could not find cmp-server plugin with name "finds" supporting the given repository',
    );
    await expect(test.render(source('app', {}))).rejects.toThrow('could not find plugin supporting the given repository');
  });

  it.each(['../sockets/show', '.', '..', 'nope', 'a\0b'])('named %j is not there', async (name) => {
    await expect(test.render(source('app', { name }))).rejects.toThrow('could not find cmp-server plugin with name');
  });

  it('that fails says why', async () => {
    await expect(test.render(source('app', { name: 'fails' }))).rejects.toThrow(
      /^CMP processing failed for application "web": error generating manifests in cmp: rpc error: code = Unknown desc = error generating manifests: .*exit status 3: planted words/,
    );
  });

  it('is sent the whole revision but what is excluded, or only what the application is made from', async () => {
    expect((await seen({ name: 'show' }))['above']).toBe('app both link.txt long shared');
    expect((await seen({ name: 'show' }, { manifestGeneratePaths: '.;/shared' }))['above']).toBe('app both link.txt long shared');
    expect((await seen({ name: 'show' }, { manifestGeneratePaths: '.' }))['files']).toBe('one.yaml');
    expect((await seen({ name: 'show' }, { manifestGeneratePaths: '.' }))['above']).not.toContain('shared');
  });

  it('is given the password of the repository only if it was set up so, and never a key', async () => {
    const authorization = `Basic ${Buffer.from('ada:planted-password').toString('base64')}`;
    const server = await startGitHttpServer({ root: dirname(repository.folder), authorization });
    const url = `${server.url}/${basename(repository.folder)}/.git`;
    const access = { url, type: 'git', owner: 'ada', username: new Sealed('ada'), password: new Sealed('planted-password') } as const;
    const { socketFolder } = servers;
    const plugins = { socketFolder, excluded: () => [], usesGeneratePaths: () => false };
    const own = await openTestSources({ access: [access], plugins });
    try {
      const variables = async (name: string): Promise<unknown> =>
        (await own.render({ repoURL: url, path: 'app', plugin: { name } })).objects[0]?.['data'];
      expect(JSON.stringify(await variables('show'))).not.toContain(authorization);
      expect(await variables('signs-in')).toMatchObject({
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: `http.${server.url}/.extraHeader`,
        GIT_CONFIG_VALUE_0: `Authorization: ${authorization}`,
      });
    } finally {
      await own.close();
      await server.close();
    }
    const keyed = await openTestSources({
      access: [{ url: repository.url, type: 'git', owner: 'key', sshPrivateKey: new Sealed('planted-key') }],
      plugins,
    });
    const refused = keyed.render(source('app', { name: 'signs-in' }));
    await expect(refused).rejects.toThrow('the plugin wants the credentials of the repository (provideGitCreds): keys and client');
    await keyed.close();
  });

  it('announces its parameters', async () => {
    const options = { project: 'default', applicationName: 'web' };
    expect(await test.sources.details(source('app', { name: 'offers' }), options)).toEqual({
      type: 'Plugin',
      plugin: {
        parametersAnnouncement: [
          { name: 'colours', collectionType: 'array', array: ['red', 'green'] },
          { name: 'size', title: 'Size', required: true, string: 'small' },
        ],
      },
    });
  });

  it('is asked once for the same files and variables, and anew on a hard refresh', async () => {
    const count = (): number => servers.logged().split('GenerateManifest').length;
    await seen({ name: 'show', env: [{ name: 'ONCE', value: '1' }] });
    const before = count();
    await seen({ name: 'show', env: [{ name: 'ONCE', value: '1' }] });
    expect(count()).toBe(before);
    await seen({ name: 'show', env: [{ name: 'ONCE', value: '2' }] });
    expect(count()).toBeGreaterThan(before);
    const then = count();
    await seen({ name: 'show', env: [{ name: 'ONCE', value: '2' }] }, { hard: true });
    expect(count()).toBeGreaterThan(then);
  });

  it('is not asked anew for commits that touch nothing of what the application says it is made from', async () => {
    const own = await createGitRepository({
      'app/one.yaml': configMap('one'),
      'lib/a.yaml': '1',
      'elsewhere.txt': '1',
      link: { link: 'lib' },
    });
    const plugins = { socketFolder: servers.socketFolder, excluded: () => [], usesGeneratePaths: () => false };
    const from: string[] = [];
    const known = await openTestSources({ plugins, onResult: (origin: string) => void from.push(origin) });
    const render = async (more: Parameters<TestSources['render']>[1] = { manifestGeneratePaths: '.;/lib/*.yaml' }) => {
      const shown = { repoURL: own.url, path: 'app', plugin: { name: 'show' } };
      const { objects, revision, beginGeneration } = await known.render(shown, more);
      beginGeneration?.();
      const data = objects[0]?.['data'] as Record<string, string> | undefined;
      return { revision, made: data?.['ARGOCD_APP_REVISION'] };
    };
    const { revision: first } = await render();
    const second = await own.commit({ 'elsewhere.txt': '2' });
    expect(await render()).toEqual({ revision: second, made: first });
    expect(from).toEqual(['render', 'memory']);
    expect(await render({})).toEqual({ revision: second, made: second });
    const third = await own.commit({ 'lib/a.yaml': '2' });
    expect(await render()).toEqual({ revision: third, made: third });
    const fourth = await own.commit({ 'elsewhere.txt': '3' });
    expect(await render()).toEqual({ revision: fourth, made: third });
    expect(await render({ manifestGeneratePaths: '.;/lib', hard: true })).toEqual({ revision: fourth, made: fourth });
    expect(await render({ manifestGeneratePaths: '.;/lib/*.yaml' })).toEqual({ revision: fourth, made: fourth });
    const linked = { manifestGeneratePaths: '/link' };
    await render(linked);
    const fifth = await own.commit({ 'lib/a.yaml': '3' });
    expect(await render(linked)).toEqual({ revision: fifth, made: fifth });
    await known.close();
    await own.remove();
  });

  it('is asked once a day for the same, also by a process that is started anew, and what it made cannot be read from the disk', async () => {
    let nowMs = Date.now();
    const from: string[] = [];
    const plugins = { socketFolder: servers.socketFolder, excluded: () => [], usesGeneratePaths: () => false };
    const options = { plugins, clock: { nowMs: () => nowMs }, onResult: (origin: string) => void from.push(origin) };
    const first = await openTestSources(options);
    const second = await openTestSources({ ...options, folder: first.folder });
    try {
      const shows = source('app', { name: 'show', env: [{ name: 'TOKEN', value: 'planted-secret' }] });
      expect(await first.names(shows)).toEqual(['seen']);
      expect(await second.names(shows)).toEqual(['seen']);
      const results = join(first.folder, 'results');
      const files = (await readdir(results, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
      expect(files.map((entry) => entry.parentPath.slice(results.length).split('/')[1])).toEqual(['brief']);
      for (const file of files) expect((await readFile(join(file.parentPath, file.name))).includes('planted')).toBe(false);
      nowMs += 23 * 3_600_000;
      await second.names(shows);
      nowMs += 2 * 3_600_000;
      await second.names(shows);
      expect(from).toEqual(['render', 'disk', 'memory', 'render']);
    } finally {
      await second.close();
      await first.close();
    }
  });
});
