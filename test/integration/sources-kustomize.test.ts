import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { noteRuns } from '../support/noted-program.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

const deployment = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'web', image: 'nginx:1' }] } } },
});

describeWithTool('kustomize', 'a kustomization', (program) => {
  let repository: GitRepository;
  let test: TestSources;
  const closing: GitRepository[] = [];

  beforeAll(async () => {
    repository = await createGitRepository({
      'base/kustomization.yaml': 'resources: [deployment.yaml]\nconfigMapGenerator: [{name: settings, literals: [a=b]}]\n',
      'base/deployment.yaml': deployment,
      'overlays/prod/kustomization.yml': 'resources: [../../base]\nnamePrefix: prod-\n',
      'parts/extra/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [extra.yaml]\n`,
      'parts/extra/extra.yaml': configMap('extra'),
      'linked/kustomization.yaml': { link: '../base/kustomization.yaml' },
      'linked/deployment.yaml': deployment,
      'elsewhere/a.yaml': configMap('a'),
    });
    test = await openTestSources({ tools: { searchPath: process.env['PATH'] ?? '', kustomize: program() } });
  });
  afterAll(async () => {
    await test.close();
    await Promise.all([repository, ...closing].map((each) => each.remove()));
  });

  const source = (path: string, kustomize?: object) => ({ repoURL: repository.url, path, ...(kustomize && { kustomize }) });
  const make = async (files: Parameters<typeof createGitRepository>[0]): Promise<GitRepository> => {
    const made = await createGitRepository(files);
    closing.push(made);
    return made;
  };

  it('is found by its file and built as by the tool itself', async () => {
    const { objects, sourceType, commands } = await test.render(source('overlays/prod'));
    expect(sourceType).toBe('Kustomize');
    expect(commands).toEqual(['kustomize build ./overlays/prod']);
    const { stdout } = await promisify(execFile)(program(), ['build', join(repository.folder, 'overlays/prod')]);
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(
      [...stdout.matchAll(/^kind: (\S+)$[^]*?^ {2}name: (\S+)$/gm)].map(([, kind, name]) => `${kind} ${name}`),
    );
    expect(objects).toHaveLength(2);
  });

  it('is changed as the source says, without changing what is shared', async () => {
    const kustomize = {
      namePrefix: 'a-',
      nameSuffix: '-z',
      namespace: 'shop',
      images: ['nginx=registry.example.com/nginx:$ARGOCD_APP_NAME'],
      replicas: [{ name: 'web', count: '3' }],
      commonLabels: { team: '${ARGOCD_APP_PROJECT_NAME}' },
      commonAnnotations: { note: '$ARGOCD_APP_NAME' },
      patches: [{ target: { kind: 'Deployment' }, patch: '- {op: add, path: /spec/paused, value: true}' }],
      components: ['../../parts/extra'],
    };
    const { objects, commands } = await test.render(source('overlays/prod', kustomize));
    const web = objects.find(({ kind }) => kind === 'Deployment');
    expect(web).toMatchObject({
      metadata: { name: 'a-web-z', namespace: 'shop', labels: { team: 'default' }, annotations: { note: '$ARGOCD_APP_NAME' } },
      spec: {
        replicas: 3,
        paused: true,
        template: { spec: { containers: [{ image: 'registry.example.com/nginx:web' }] } },
      },
    });
    expect(objects.map(({ metadata }) => metadata.name)).toContain('a-extra-z');
    expect(commands.at(0)).toBe('kustomize edit set nameprefix -- a-');
    expect(commands.at(-1)).toBe('kustomize build ./overlays/prod');
    expect(await test.names(source('overlays/prod'))).toContain('prod-web');
  });

  it('that is a link is changed in a copy of its own', async () => {
    expect(await test.names(source('linked', { nameSuffix: '-x' }))).toContain('web-x');
    expect(await test.names(source('base'))).toContain('web');
  });

  it('is found again where a commit touches none of its folders', async () => {
    const before = await test.render(source('overlays/prod'));
    await repository.commit({ 'elsewhere/a.yaml': configMap('other') });
    expect((await test.render(source('overlays/prod'))).objects).toBe(before.objects);
    await repository.commit({ 'base/deployment.yaml': deployment.replace('nginx:1', 'nginx:2') });
    expect(JSON.stringify((await test.render(source('overlays/prod'))).objects)).toContain('nginx:2');
  });

  it('inflates charts of its own folder where the installation says so, for the version of the cluster', async () => {
    const chart = await make({
      'app/kustomization.yaml': 'helmCharts: [{name: web, releaseName: shop}]\n',
      'app/charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'app/charts/web/values.yaml': '{}\n',
      'app/charts/web/templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {kube: "{{ .Capabilities.KubeVersion.Version }}"}\n',
    });
    const tools = { searchPath: process.env['PATH'] ?? '', kustomize: program(), helm: await ensureTool('helm') };
    const withHelm = await openTestSources({ tools });
    const settings = { kustomizeBuildOptions: '--enable-helm' };
    const { objects, commands } = await withHelm.render(
      { repoURL: chart.url, path: 'app' },
      { settings, kubeVersion: '1.29.4', apiVersions: ['v1'] },
    );
    expect(objects[0]).toMatchObject({ metadata: { name: 'shop' }, data: { kube: 'v1.29.4' } });
    expect(commands[0]).toMatch(
      /^kustomize build \.\/app --enable-helm --helm-command=helm --helm-kube-version=1\.29\.4 --helm-api-versions=v1$/,
    );
    await expect(withHelm.render({ repoURL: chart.url, path: 'app' })).rejects.toThrow('must specify --enable-helm');
    await withHelm.close();
  }, 120_000);

  it('is built by the registered version that the source names, with what that version understands', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kustomize-versions-'));
    const register = async (version: string): Promise<[string, string]> => {
      const path = join(folder, version);
      const shown = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s"},"data":{"args":"%s"}}`;
      await writeFile(path, `#!/bin/sh\n[ "$1" = version ] && echo ${version} && exit\nprintf '${shown}' ${version} "$*"\n`, {
        mode: 0o755,
      });
      return [version, path];
    };
    const kustomizePaths = new Map([await register('v5.2.1'), await register('v5.3.0')]);
    const settings = { kustomizePaths, kustomizeBuildOptions: '--enable-helm  --load-restrictor LoadRestrictionsRootOnly' };
    const args = async (version: string): Promise<string> => {
      const { objects } = await test.render(source('base', { version }), { settings, kubeVersion: '1.29.4' });
      expect(objects[0]?.metadata.name).toBe(version);
      return (objects[0]?.['data'] as { args: string } | undefined)?.args ?? '';
    };
    expect(await args('v5.2.1')).toMatch(/^build \S+\/base --enable-helm --load-restrictor LoadRestrictionsRootOnly --helm-command=\S+$/);
    expect(await args('v5.3.0')).toMatch(/--helm-command=\S+ --helm-kube-version=1\.29\.4$/);
    await rm(folder, { recursive: true });
  });

  it('fails in the words of the tool, without paths of this machine', async () => {
    const broken = await make({ 'app/kustomization.yaml': 'resources: [missing.yaml]\n' });
    const failure = test.render({ repoURL: broken.url, path: 'app' });
    await expect(failure).rejects.toThrow(/^`kustomize build <path to cached source>\/app` failed exit status 1: Error: .*missing\.yaml/);
    await expect(failure).rejects.not.toThrow(test.folder);
    await expect(test.render(source('base', { version: 'v9' }))).rejects.toThrow(
      'error getting kustomize binary path: kustomize version v9 is not registered',
    );
    await expect(test.render(source('base', { replicas: [{ name: 'web', count: 'many' }] }))).rejects.toThrow(
      'expected integer value for count. Received: many',
    );
    await expect(test.render(source('elsewhere', { patches: [{ patch: 'x' }] }))).rejects.toThrow(
      'kustomization file not found in the path',
    );
  });

  it.each([
    'resources: [../../../../../../../../etc]',
    'resources: [/etc]',
    'resources: [../..]',
    'components: [../../..]',
    'configMapGenerator: [{name: x, files: [../../../../etc/passwd]}]',
    'patches: [{path: ../../x.yaml}]',
    'patches: [../../x.yaml]',
    // Kustomize does not mind the case of letters, nor some that only look like others.
    'Resources: [../..]',
    're\u017Fources: [../..]',
    'Components: [../../..]',
    'configMapGenerator: [{name: x, Files: [../../../../etc/passwd]}]',
    'patches: [{PATH: ../../x.yaml}]',
    'openapi: {Path: ../../x.yaml}',
    'generators: ["{apiVersion: builtin, kind: ConfigMapGenerator, metadata: {name: x}, files: [../../x]}"]',
    'transformers: ["{apiVersion: builtin, kind: PatchTransformer, metadata: {name: x}, path: ../../x}"]',
    // What is never a text itself is a path, whatever it looks like.
    'resources: ["x\\n/../../.."]',
    'components: ["[x]/../../.."]',
    'helmGlobals: {chartHome: "{x/../../.."}',
    'configMapGenerator: [{name: x, files: ["k=[x/../../../../etc/passwd"]}]',
    'secretGenerator: [{name: x, envs: ["x\\n/../../../../etc/passwd"]}]',
    'configurations: ["{x/../../.."]',
    // What may be a text is one only where no file can be meant.
    'patchesStrategicMerge: ["x\\n/../../../etc/passwd"]',
    'patchesStrategicMerge: ["/x\\n/../etc/passwd"]',
    'transformers: ["{apiVersion: builtin, kind: PatchStrategicMergeTransformer, metadata: {name: x}, paths: [../../x]}"]',
    // Readers of YAML do not agree on these.
    '<<: {resources: [../..]}',
    '!!binary cmVzb3VyY2Vz: [../..]',
    '? resources\n: [../..]',
    'x: &r resources\n*r : [../..]',
  ])('KUST-01: %s does not leave the repository', async (text) => {
    const hostile = await make({ 'app/kustomization.yaml': `${text}\n` });
    await expect(test.render({ repoURL: hostile.url, path: 'app' })).rejects.toThrow(/outside the repository/);
  });

  it.each([
    ['link/../hostile', 'app/hostile'],
    ['[hostile', 'app/[hostile'],
    ['{hostile', 'app/{hostile'],
    ['a\nb', 'app/a\nb'],
  ])('KUST-01: what Kustomize takes %j for was looked at', async (entry, folder) => {
    const hostile = await make({
      'app/kustomization.yaml': JSON.stringify({ resources: [entry] }),
      [`${folder}/kustomization.yaml`]: 'resources: [../../../outside]\n',
      'app/link': { link: '../deep/folder' },
      'deep/folder/kustomization.yaml': 'namePrefix: x-\n',
      'deep/hostile/kustomization.yaml': 'namePrefix: x-\n',
    });
    await expect(test.render({ repoURL: hostile.url, path: 'app' })).rejects.toThrow(/outside the repository/);
  });

  it('KUST-01: components that an application names by a pattern were looked at', async () => {
    const parts = await make({
      'app/kustomization.yaml': 'resources: [a.yaml]\n',
      'app/a.yaml': configMap('a'),
      'parts/one/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: x-\n',
    });
    const patterned = { repoURL: parts.url, path: 'app', kustomize: { components: ['../parts/*'] } };
    expect(await test.names(patterned)).toEqual(['x-a']);
    await parts.commit({ 'parts/two/kustomization.yaml': 'kind: Component\nresources: [../../../outside]\n' });
    await expect(test.render(patterned)).rejects.toThrow(/outside the repository/);
  });

  it.each(['#\u0085resources: [../../outside]', '#\u2028resources: [../../outside]', '--- {}\n---\nresources: [../../outside]'])(
    'KUST-01: Kustomize is given what was looked at, and not what it would read itself: %j',
    async (text) => {
      const hostile = await make({ 'app/kustomization.yaml': `${text}\n` });
      await expect(test.render({ repoURL: hostile.url, path: 'app' })).rejects.toThrow('kustomization.yaml is empty');
    },
  );

  it('KUST-01: Kustomize is given what was looked at also where its file is a link, and such a file is changed as others are', async () => {
    const linked = await make({
      'app/kustomization.yaml': { link: 'real.yaml' },
      'app/real.yaml': '#\u0085resources: [../../outside]\n',
      'fine/kustomization.yaml': { link: 'real.yaml' },
      'fine/real.yaml': 'resources: [a.yaml]\n',
      'fine/a.yaml': configMap('a'),
    });
    await expect(test.render({ repoURL: linked.url, path: 'app' })).rejects.toThrow('kustomization.yaml is empty');
    const patches = [{ target: { kind: 'ConfigMap' }, patch: '- {op: replace, path: /data/key, value: patched}' }];
    const { objects } = await test.render({ repoURL: linked.url, path: 'fine', kustomize: { patches } });
    expect(objects).toMatchObject([{ data: { key: 'patched' } }]);
  });

  it('takes fields whatever the case of their letters, inline patches, and transformers in folders, as Kustomize does', async () => {
    const odd = await make({
      'app/kustomization.yaml':
        'Resources: [a.yaml]\nTransformers: [../change]\npatches:\n- patch: |-\n    [{"op": "add", "path": "/data/more", "value": "é & *"}]\n  target: {kind: ConfigMap}\n',
      'app/a.yaml': configMap('a'),
      'change/kustomization.yaml': 'resources: [prefix.yaml]\n',
      'change/prefix.yaml':
        'apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: x}\nprefix: "be\\u0066ore-"\nfieldSpecs: [{path: metadata/name}]\n',
    });
    const { objects } = await test.render({ repoURL: odd.url, path: 'app' });
    expect(objects).toMatchObject([{ metadata: { name: 'before-a' }, data: { more: 'é & *' } }]);
    await expect(
      test
        .render({ repoURL: odd.url, path: 'app', kustomize: { namePrefix: 'x-' } })
        .then((rendered) => rendered.objects[0]?.metadata.name),
    ).resolves.toMatch(/x-a$/);
  });

  it('reads files beside its folders where the installation says so, however it is laid out', async () => {
    const prefix =
      'apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: x}\nprefix: "be\\u0066ore-"\nfieldSpecs: [{path: metadata/name}]\n';
    const beside = await make({
      'plain/kustomization.yaml': 'resources: [../shared/a.yaml]\n',
      'odd/kustomization.yaml': 'Resources: [../shared/a.yaml, ../linked.yaml, ../deep/base]\nTransformers: [../outside/prefix.yaml]\n',
      'deep/base/kustomization.yaml': 'resources: [../c.yaml]\n',
      'deep/c.yaml': configMap('c'),
      'shared/a.yaml': configMap('a'),
      'linked.yaml': { link: 'outside/b.yaml' },
      'outside/b.yaml': configMap('b'),
      'outside/prefix.yaml': prefix,
    });
    const settings = { kustomizeBuildOptions: '--load-restrictor LoadRestrictionsNone' };
    const names = async (path: string, kustomize?: object): Promise<string[]> =>
      (await test.names({ repoURL: beside.url, path, ...(kustomize && { kustomize }) }, { settings })).sort();
    expect(await names('plain')).toEqual(['a']);
    expect(await names('plain', { namePrefix: 'x-' })).toEqual(['x-a']);
    expect(await names('odd')).toEqual(['before-a', 'before-b', 'before-c']);
    expect(await names('odd', { nameSuffix: '-z' })).toEqual(['before-a-z', 'before-b-z', 'before-c-z']);
    // What others share is as it was.
    const trees = join(test.folder, 'trees');
    const kept = (await readdir(trees, { recursive: true })).filter((path) => path.endsWith('outside/prefix.yaml'));
    expect(kept).toHaveLength(1);
    expect(await readFile(join(trees, kept[0] ?? ''), 'utf8')).toBe(prefix);
    const failure = test.render({ repoURL: beside.url, path: 'plain', kustomize: { namePrefix: 'y-' } });
    await expect(failure).rejects.toThrow('is not in or below');
    await expect(failure).rejects.not.toThrow(test.folder);
  });

  it('KUST-02: what Kustomize would fetch is fetched by us, whatever is in the repository under that name', async () => {
    const hostile = await make({
      'app/kustomization.yaml': 'resources: ["http://169.254.169.254/x.yaml"]\n',
      'app/http:/169.254.169.254/x.yaml': configMap('decoy'),
    });
    await expect(test.render({ repoURL: hostile.url, path: 'app' })).rejects.toThrow('addresses of the local link are not allowed');
  });

  it.each([
    ['resources: ["http://169.254.169.254/x.yaml"]', 'addresses of the local link are not allowed'],
    ['resources: ["http://169.254.169.254/acme/shop//x"]', 'addresses of the local link are not allowed'],
    ['resources: ["git::ssh://-oProxyCommand=x/x"]', 'the repository URL is refused'],
    ['resources: ["https://example.com/acme/x?ref=--upload-pack=x"]', "unable to resolve '--upload-pack=x' to a commit SHA"],
    ['resources: ["https://user:pw@example.com/acme/x.git?ref=a..b"]', "unable to resolve 'a..b' to a commit SHA"],
    ['resources: ["git@--x:acme/shop"]', 'the repository URL is refused'],
    ['bases: ["ext::sh -c true"]', 'is no address of a repository'],
    ['components: ["fd::17"]', 'is no address of a repository'],
    ['patches: [{path: "http://169.254.169.254/x"}]', 'only resources, bases and components of its file may be'],
    ['configMapGenerator: [{name: x, files: ["k=https://example.com/x"]}]', 'only resources, bases and components of its file may be'],
    ['Resources: ["http://169.254.169.254/x.yaml"]', 'addresses of the local link are not allowed'],
    ['patches: [{Path: "http://169.254.169.254/x"}]', 'only resources, bases and components of its file may be'],
    [
      'generators: ["{apiVersion: builtin, kind: ConfigMapGenerator, metadata: {name: x}, files: [k=http://169.254.169.254/x]}"]',
      'only resources, bases and components of its file may be',
    ],
    ['generators: ["https://example.com/x.yaml"]', 'only resources, bases and components of its file may be'],
  ])('KUST-02: %s is refused before the tool runs', async (text, failure) => {
    const hostile = await make({ 'app/kustomization.yaml': `${text}\n` });
    await expect(test.render({ repoURL: hostile.url, path: 'app' })).rejects.toThrow(failure);
  });

  it('KUST-03: charts are refused whose names are options', async () => {
    const hostile = await make({ 'app/kustomization.yaml': 'helmCharts: [{name: x, releaseName: --post-renderer=./x.sh}]\n' });
    await expect(
      test.render({ repoURL: hostile.url, path: 'app' }, { settings: { kustomizeBuildOptions: '--enable-helm' } }),
    ).rejects.toThrow('starts with a dash');
  });

  it('KUST-05: circles end', async () => {
    const circle = await make({ 'a/kustomization.yaml': 'resources: [../b]\n', 'b/kustomization.yaml': 'resources: [../a]\n' });
    await expect(test.render({ repoURL: circle.url, path: 'a' })).rejects.toThrow(/cycle|already/i);
  });

  it('KUST-06: overrides are never read as options or by a shell', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kustomize-'));
    const noted = await noteRuns(folder, 'kustomize', program());
    const watched = await openTestSources({ tools: { searchPath: process.env['PATH'] ?? '', kustomize: noted.file } });
    const marker = join(folder, 'pwned');
    const hostile = ['--help', '-x', `$(touch ${marker})`, `x;touch ${marker}`, 'a\nb'];
    const render = (kustomize: object) => watched.render(source('base', kustomize));
    try {
      for (const text of hostile) {
        const pair = { [text]: text };
        const { objects } = await render({ namePrefix: text, namespace: text, commonLabels: pair, commonAnnotations: pair });
        expect(objects.map(({ metadata: { name, namespace, labels, annotations } }) => ({ name, namespace, labels, annotations }))).toEqual(
          ['settings-4h2mbtbbt6', 'web'].map((name) => ({ name: `${text}${name}`, namespace: text, labels: pair, annotations: pair })),
        );
        await expect(render({ images: [text] })).rejects.toThrow('invalid format of image');
        await expect(render({ components: [text] })).rejects.toThrow(`${text} has no match`);
        await expect(render({ patches: [{ patch: text }] })).rejects.toThrow('unable to parse SM or JSON patch from');
        await expect(render({ patches: [{ path: text }] })).rejects.toThrow(`failed to get the patch file from path(${text})`);
      }
      const edits = (await noted.runs()).filter(([command]) => command === 'edit');
      for (const text of hostile) expect(edits.filter((args) => args.some((arg) => arg.includes(text))).length).toBeGreaterThanOrEqual(6);
      const options = edits.flatMap((args) => args.slice(0, args.indexOf('--')));
      expect(new Set(options)).toEqual(
        new Set(['edit', 'set', 'add', 'nameprefix', 'namespace', 'image', 'label', 'annotation', 'component']),
      );
      expect(existsSync(marker)).toBe(false);
    } finally {
      await watched.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('says what to do where the tool is not there', async () => {
    const without = await openTestSources({ tools: { searchPath: '/usr/bin', kustomize: '/nowhere/kustomize' } });
    await expect(without.render(source('base'))).rejects.toThrow(
      /^the program kustomize is not there: install it with `fairway tools install`/,
    );
    await without.close();
  });

  it('is built while git waits for a server that does not answer', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const alone = await openTestSources({
      tools: { searchPath: process.env['PATH'] ?? '', kustomize: program() },
      limits: { toolsMax: 1 },
    });
    const leaving = new AbortController();
    try {
      await alone.names(source('base'));
      const { revision } = await alone.sources.resolve(source('base'), { project: 'default' });
      const called = once(silent, 'connection');
      const elsewhere = { repoURL: `ssh://git@127.0.0.1:${port}/a.git`, path: '.' };
      let isWaiting = true;
      const asking = alone.sources.resolve(elsewhere, { project: 'default', signal: leaving.signal }).catch(() => (isWaiting = false));
      await called;
      const application = { name: 'web', namespace: 'argocd', project: 'default' };
      const wanted = { source: source('base', { namePrefix: 'late-' }), revision, application, destinationNamespace: 'prod' };
      const { objects } = await alone.sources.render(wanted);
      expect(objects.map(({ metadata }) => metadata.name)).toContain('late-web');
      expect(isWaiting).toBe(true);
      leaving.abort();
      expect(await asking).toBe(false);
    } finally {
      leaving.abort();
      silent.close();
      await alone.close();
    }
  });

  it('waits for its turn where as many are built as may be at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'turns-'));
    const diary = join(folder, 'diary');
    const slow = join(folder, 'kustomize');
    await writeFile(slow, `#!/bin/sh\necho in >> ${diary}\nsleep 0.2\n"${program()}" "$@"\necho out >> ${diary}\n`, { mode: 0o755 });
    const narrow = await openTestSources({
      tools: { searchPath: process.env['PATH'] ?? '', kustomize: slow },
      limits: { renderersMax: 1 },
    });
    try {
      await Promise.all(['a-', 'b-', 'c-'].map((namePrefix) => narrow.names(source('base', { namePrefix }))));
      const turns = (await readFile(diary, 'utf8')).trim().split('\n');
      expect(turns.length).toBeGreaterThanOrEqual(6);
      expect(turns).toEqual(turns.map((_, index) => (index % 2 === 0 ? 'in' : 'out')));
    } finally {
      await narrow.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
