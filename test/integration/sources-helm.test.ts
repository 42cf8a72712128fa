import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { makeTarball } from '../support/make-archive.ts';
import { noteRuns } from '../support/noted-program.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { startStubServer } from '../support/stub-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

const chart = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n';
/** Shows all values, and what a chart knows of its surroundings. */
const template = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-values
data:
  namespace: {{ .Release.Namespace | quote }}
  kubeVersion: {{ .Capabilities.KubeVersion.Version | quote }}
  hasRoute: {{ .Capabilities.APIVersions.Has "route.example.com/v1" | quote }}
  values: {{ .Values | toJson | quote }}
`;

describeWithTool('helm', 'a chart in git', (program) => {
  let repository: GitRepository;
  let values: GitRepository;
  let test: TestSources;
  const closing: GitRepository[] = [];

  beforeAll(async () => {
    repository = await createGitRepository({
      'chart/Chart.yaml': chart,
      'chart/values.yaml': 'who: chart\nlist: [1]\n',
      'chart/templates/values.yaml': template,
      'chart/templates/tests/t.yaml': configMap('test-hook').replace('"name"', '"annotations":{"helm.sh/hook":"test"},"name"'),
      'chart/crds/c.yaml': 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: crd}\n',
      'chart/env-a.yaml': 'who: a\na: true\n',
      'chart/env-b.yaml': 'who: b\nb: true\n',
      'chart/text.txt': 'one,two',
      'shared.yaml': 'shared: yes\n',
      'elsewhere/x.yaml': configMap('x'),
    });
    values = await createGitRepository({
      'prod/values.yaml': 'who: referenced\n',
      'apps/web.yaml': 'who: named\n',
      'apps/web.txt': 'text',
    });
    test = await openTestSources({ tools: { searchPath: process.env['PATH'] ?? '', helm: program() } });
  });
  afterAll(async () => {
    await test.close();
    await Promise.all([repository, values, ...closing].map((each) => each.remove()));
  });

  const source = (helm?: object) => ({ repoURL: repository.url, path: 'chart', ...(helm && { helm }) });
  type More = Parameters<TestSources['render']>[1];
  const shown = async (helm?: object, more?: More): Promise<Record<string, string> & { parsed: unknown }> => {
    const { objects } = await test.render(source(helm), more);
    const data = objects.find(({ metadata }) => metadata.name?.endsWith('-values'))?.['data'] as Record<string, string>;
    return Object.assign(data === undefined ? {} : { ...data }, { parsed: JSON.parse(data?.['values'] ?? 'null') as unknown }) as never;
  };
  const make = async (files: Parameters<typeof createGitRepository>[0]): Promise<GitRepository> => {
    const made = await createGitRepository(files);
    closing.push(made);
    return made;
  };

  it('is found by its file and rendered as by the tool itself', async () => {
    const { objects, sourceType, commands } = await test.render(source(), {
      kubeVersion: 'v1.31.2+k3s1',
      apiVersions: ['route.example.com/v1'],
    });
    expect(sourceType).toBe('Helm');
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['crd', 'web-values', 'test-hook']);
    expect(commands).toEqual([
      'helm template . --name-template web --namespace prod --kube-version 1.31.2 <api versions removed> --include-crds',
    ]);
    const args = ['template', '.', '--name-template', 'web', '--namespace', 'prod', '--kube-version', '1.31.2'];
    const flags = ['--api-versions', 'route.example.com/v1', '--include-crds'];
    const { stdout } = await promisify(execFile)(program(), [...args, ...flags], { cwd: join(repository.folder, 'chart') });
    const data = (objects[1]?.['data'] ?? {}) as Record<string, string>;
    for (const line of [`kubeVersion: "${data['kubeVersion']}"`, `hasRoute: "${data['hasRoute']}"`, `namespace: "${data['namespace']}"`])
      expect(stdout).toContain(line);
    expect(data).toMatchObject({ kubeVersion: 'v1.31.2', hasRoute: 'true', namespace: 'prod' });
  });

  it('gets its values in the order of their strength', async () => {
    expect((await shown()).parsed).toMatchObject({ who: 'chart' });
    expect((await shown({ valueFiles: ['env-a.yaml', 'env-b.yaml'] })).parsed).toMatchObject({ who: 'b', a: true, b: true });
    expect((await shown({ valueFiles: ['env-*.yaml', '/shared.yaml'] })).parsed).toMatchObject({ who: 'b', shared: true });
    expect((await shown({ valueFiles: ['env-b.yaml'], values: 'who: inline\n' })).parsed).toMatchObject({ who: 'inline' });
    expect((await shown({ values: 'who: inline\nlost: 1\n', valuesObject: { who: 'object' } })).parsed).toEqual({
      who: 'object',
      list: [1],
    });
    const parameters = [
      { name: 'who', value: 'first' },
      { name: 'who', value: 'a,b $ARGOCD_APP_NAME' },
      { name: 'number', value: '7' },
      { name: 'text', value: '7', forceString: true },
      { name: 'list', value: '{x,y}' },
    ];
    expect((await shown({ valuesObject: { who: 'object' }, parameters })).parsed).toEqual({
      who: 'a,b web',
      number: 7,
      text: '7',
      list: ['x', 'y'],
    });
    expect((await shown({ fileParameters: [{ name: 'file', path: 'text.txt' }] })).parsed).toMatchObject({ file: 'one,two' });
    expect((await shown({ valueFiles: ['nope.yaml', 'env-a.yaml'], ignoreMissingValueFiles: true })).parsed).toMatchObject({ who: 'a' });
  });

  it('takes value files from another source', async () => {
    const references = new Map([
      ['$vals', { source: { repoURL: values.url, ref: 'vals' }, revision: await values.git('rev-parse', 'HEAD') }],
    ]);
    expect((await shown({ valueFiles: ['$vals/prod/values.yaml'] }, { references })).parsed).toMatchObject({ who: 'referenced' });
    const named = {
      valueFiles: ['$vals/apps/$ARGOCD_APP_NAME.yaml'],
      fileParameters: [{ name: 'file', path: '$vals/apps/${ARGOCD_APP_NAME}.txt' }],
    };
    expect((await shown(named, { references })).parsed).toMatchObject({ who: 'named', file: 'text' });
    await expect(shown({ valueFiles: ['$vals/../../etc/passwd'] }, { references })).rejects.toThrow('resolved to outside repository root');
    await expect(shown({ valueFiles: ['$vals/prod/values.yaml'] })).rejects.toThrow("no source has a 'ref' field defined");
    await expect(shown({ valueFiles: ['$other/prod/values.yaml'] }, { references })).rejects.toThrow(
      'source referenced "$other", which is not one of the available sources ($vals)',
    );
    const only = await test.render({ repoURL: values.url, ref: 'vals' });
    expect(only).toMatchObject({ sourceType: '', objects: [], revision: await values.git('rev-parse', 'HEAD') });
  });

  it('has the release name, namespace and options that the source says', async () => {
    const application = { name: 'team-a_shop', namespace: 'team-a', project: 'default' };
    expect((await test.render(source(), { application })).objects[1]?.metadata.name).toBe('shop-values');
    const { objects } = await test.render(
      source({ releaseName: 'r', skipCrds: true, skipTests: true, namespace: 'team', kubeVersion: '1.30' }),
    );
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['r-values']);
    expect(objects[0]?.['data']).toMatchObject({ namespace: 'team', kubeVersion: 'v1.30' });
    await expect(test.render(source({ version: 'v2' }))).rejects.toThrow("helm version 'v2' is not supported");
    await expect(test.render(source({ kubeVersion: 'new' }))).rejects.toThrow('could not parse kubernetes version new: ');
  });

  it('is found again where a commit touches neither it nor its values', async () => {
    const before = await test.render(source({ valueFiles: ['/shared.yaml'] }));
    await repository.commit({ 'elsewhere/x.yaml': configMap('y') });
    expect((await test.render(source({ valueFiles: ['/shared.yaml'] }))).objects).toBe(before.objects);
    await repository.commit({ 'shared.yaml': 'shared: changed\n' });
    expect((await shown({ valueFiles: ['/shared.yaml'] })).parsed).toMatchObject({ shared: 'changed' });
  });

  it('fails in the words of the tool, without paths of this machine', async () => {
    const broken = await make({ 'Chart.yaml': chart, 'templates/a.yaml': '{{ fail "no luck" }}' });
    const failure = test.render({ repoURL: broken.url, path: '' }, { kubeVersion: '1.31.0', apiVersions: ['v1'] });
    await expect(failure).rejects.toThrow(
      /^failed to execute helm template command: failed running helm: `helm template \. --name-template web --namespace prod --kube-version 1\.31\.0 <api versions removed> --include-crds` failed exit status 1: Error: .*no luck/s,
    );
    const missing = await test.render(source({ valueFiles: ['nope.yaml'] })).catch((error: unknown) => String(error));
    expect(missing).toMatch(/open <path to cached source>\/chart\/nope\.yaml: no such file or directory/);
    expect(missing).not.toContain(test.folder);
  });

  it.each(['../../../etc/passwd', '/../../x', 'file:///etc/passwd', 's3://x/y'])(
    'PATH-01 PATH-02: the value file %s is refused',
    async (path) => {
      await expect(test.render(source({ valueFiles: [path] }))).rejects.toThrow(/outside repository root|is not allowed/);
      await expect(test.render(source({ fileParameters: [{ name: 'x', path }] }))).rejects.toThrow(
        /outside repository root|is not allowed/,
      );
    },
  );

  it('PATH-08: a value file or the file of a parameter is one of the repository, whatever signs are in its name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'helm-'));
    const outside = join(folder, 'outside.yaml');
    await writeFile(outside, 'secret: planted-secret\n');
    for (const helm of [
      { fileParameters: [{ name: `x=${outside},y`, path: 'text.txt' }] },
      { fileParameters: [{ name: `x\\\\=${outside},y`, path: 'text.txt' }] },
      { fileParameters: [{ name: 'x', path: `${'..\\/'.repeat(20)}${outside.slice(1)}` }] },
      { fileParameters: [{ name: 'x', path: `text.txt\\\\,y=${outside}` }] },
      { valueFiles: [`env-a.yaml,${outside}`] },
      { valueFiles: [`env-a.yaml\n${outside}`, `env-a.yaml",${outside}`] },
    ]) {
      const said = await test.render(source(helm)).then(({ objects }) => JSON.stringify(objects), String);
      expect({ helm, said }).toEqual({ helm, said: expect.not.stringContaining('planted-secret') });
    }
    await rm(folder, { recursive: true });
    const odd = await make({ 'Chart.yaml': chart, 'templates/values.yaml': template, 'a, "b".yaml': 'who: odd\n', 'c,d.txt': 'text' });
    const helm = { valueFiles: ['a, "b".yaml'], fileParameters: [{ name: 'one\\.two', path: 'c,d.txt' }] };
    const { objects } = await test.render({ repoURL: odd.url, path: '.', helm });
    const data = (objects[0]?.['data'] ?? {}) as Record<string, string>;
    expect(JSON.parse(data['values'] ?? '')).toEqual({ who: 'odd', 'one.two': 'text' });
  });

  it('HELM-08: hostile names, versions and parameters are values of their flags, and nothing else', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'helm-'));
    const noted = await noteRuns(folder, 'helm', program());
    const watched = await openTestSources({ tools: { searchPath: process.env['PATH'] ?? '', helm: noted.file } });
    const marker = join(folder, 'pwned');
    try {
      for (const hostile of ['--post-renderer=/bin/sh', '--debug', `$(touch ${marker})`, '-x', 'a b\nc']) {
        const outcome = async (helm: object) => {
          const { objects } = await watched.render(source(helm));
          return (objects.find(({ kind }) => kind === 'ConfigMap') as unknown as { data: Record<string, string> }).data;
        };
        await expect(watched.render(source({ kubeVersion: hostile }))).rejects.toThrow(`could not parse kubernetes version ${hostile}`);
        expect(await outcome({ namespace: hostile })).toMatchObject({ namespace: hostile });
        expect(await outcome({ apiVersions: [hostile] })).toMatchObject({ hasRoute: 'false' });
        await expect(watched.render(source({ releaseName: hostile }))).rejects.toThrow('invalid release name');
        expect(await outcome({ parameters: [{ name: hostile, value: hostile }] })).toMatchObject({
          values: expect.stringContaining(JSON.stringify(hostile).slice(1, -1)) as string,
        });
      }
      const templates = (await noted.runs()).filter(([command]) => command === 'template');
      expect(templates).toHaveLength(20);
      const known = /^--(?:(?:name-template|namespace|set|api-versions)=[^]*|include-crds)$/;
      expect(templates.flatMap(([, ...args]) => args.filter((arg) => arg !== '.' && !known.test(arg)))).toEqual([]);
      expect(existsSync(marker)).toBe(false);
    } finally {
      await watched.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('HELM-06: parameters without bounds are refused, and a comma begins no other', async () => {
    for (const name of ['a[9999999999]', `${'a.'.repeat(10_000)}a`])
      await expect(test.render(source({ parameters: [{ name, value: '1' }] }))).rejects.toThrow('failed to execute helm');
    const parameters = [{ name: 'text', value: 'one,who=two\\,b' }];
    expect((await shown({ parameters })).parsed).toMatchObject({ text: 'one,who=two,b', who: 'chart' });
    expect((await shown({ parameters: [{ name: 'list', value: '{one,two}' }] })).parsed).toMatchObject({ list: ['one', 'two'] });
  });

  it('PATH-12 SSRF-01 HELM-07: a schema of values leads to no file and no address of this machine', async () => {
    const server = await startStubServer((_request, response) => void response.end('{}'));
    const outside = join(test.folder, 'outside.json');
    await writeFile(outside, '{"type": "planted-secret"}');
    try {
      const leads = [
        { $ref: `file://${outside}` },
        { $ref: outside },
        { $ref: `..${outside}` },
        { $ref: `${server.url}/x.json` },
        { $schema: `${server.url.replace('127.0.0.1', 'localhost')}/x.json` },
        { $id: `${server.url}/`, properties: { a: { $ref: 'x.json' } } },
        { properties: { a: { $dynamicRef: `${server.url}/x.json#a` } } },
      ];
      const places = (schema: string): readonly Parameters<typeof make>[0][] => [
        { 'values.schema.json': schema },
        { 'charts/part/Chart.yaml': chart, 'charts/part/values.schema.json': schema },
        { 'charts/part-1.0.0.tgz': makeTarball({ 'part/Chart.yaml': chart, 'part/values.schema.json': schema }) },
      ];
      for (const [index, lead] of leads.entries())
        for (const files of places(JSON.stringify(lead)).slice(0, index < 2 ? 3 : 1)) {
          const hostile = await make({ 'Chart.yaml': chart, 'templates/a.yaml': configMap('a'), 'values.yaml': 'a: 1\n', ...files });
          const said = await test.render({ repoURL: hostile.url, path: '.' }).then(({ objects }) => JSON.stringify(objects), String);
          expect({ lead, said }).toEqual({ lead, said: expect.stringContaining('only what is in the schema itself can be referred to') });
          expect(said).not.toContain('planted-secret');
        }
      expect(server.requests).toEqual([]);
    } finally {
      await server.close();
    }
    const usual = await make({
      'Chart.yaml': chart,
      'templates/a.yaml': configMap('a'),
      'values.yaml': 'a: 1\n',
      'values.schema.json': JSON.stringify({
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id: 'https://example.com/values.schema.json',
        properties: { a: { $ref: '#/definitions/count' } },
        definitions: { count: { type: 'integer' } },
      }),
    });
    expect(await test.names({ repoURL: usual.url, path: '.' })).toEqual(['a']);
    await expect(test.render({ repoURL: usual.url, path: '.', helm: { parameters: [{ name: 'a', value: 'x' }] } })).rejects.toThrow(
      "values don't meet the specifications of the schema",
    );
  });

  it('HELM-07: templates see neither the environment, the network nor other files, and are cut off', async () => {
    const curious = await make({
      'Chart.yaml': chart,
      'templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: seen}\ndata:\n  host: {{ getHostByName "localhost" | quote }}\n  file: {{ .Files.Get "/etc/passwd" | quote }}\n  secret: {{ lookup "v1" "Secret" "" "" | toJson | quote }}\n`,
      'env/Chart.yaml': chart,
      'env/templates/a.yaml': '{{ env "PATH" }}',
      'endless/Chart.yaml': chart,
      'endless/templates/a.yaml':
        '{{ define "again" }}{{ range until 1000 }}{{ include "again" . }}{{ end }}{{ end }}{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}',
      'greedy/Chart.yaml': chart,
      'greedy/templates/a.yaml': '{{ range until 2000000000 }}x{{ end }}',
      'deep/Chart.yaml': chart,
      'deep/templates/a.yaml': '{{ define "again" }}{{ include "again" . }}{{ end }}{{ include "again" . }}',
    });
    const { objects } = await test.render({ repoURL: curious.url, path: '' });
    expect(objects[0]?.['data']).toEqual({ host: '', file: '', secret: '{}' });
    await expect(test.render({ repoURL: curious.url, path: 'env' })).rejects.toThrow('function "env" not defined');
    const tools = { searchPath: process.env['PATH'] ?? '', helm: program() };
    for (const [path, limits, said] of [
      ['endless', { toolMs: 3_000 }, 'failed timeout after 3s'],
      ['greedy', { toolMemoryBytesMax: 700 << 20 }, 'needed more than 700 MB of memory'],
    ] as const) {
      const strict = await openTestSources({ tools, limits });
      await expect(strict.render({ repoURL: curious.url, path })).rejects.toThrow(said);
      await strict.close();
    }
    await expect(test.render({ repoURL: curious.url, path: 'deep' })).rejects.toThrow('failed to execute helm template command');
  });

  it('says what to do where the tool is not there', async () => {
    const without = await openTestSources({ tools: { searchPath: '/usr/bin', helm: '/nowhere/helm' } });
    await expect(without.render(source())).rejects.toThrow(/^the program helm is not there: install it with `fairway tools install`/);
    await without.close();
  });
});
