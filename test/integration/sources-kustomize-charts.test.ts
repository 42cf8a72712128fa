import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { startStubServer } from '../support/stub-server.ts';
import type { StubServer } from '../support/stub-server.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

const chartFile = (name: string): string => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`;
const enabled = { settings: { kustomizeBuildOptions: '--enable-helm' } };
const unrestricted = { settings: { kustomizeBuildOptions: '--enable-helm --load-restrictor=LoadRestrictionsNone' } };

describeWithTool('kustomize', 'charts in a kustomization', (program) => {
  let outside: string;
  let test: TestSources;
  let server: StubServer;
  const repositories: GitRepository[] = [];
  const make = async (files: Parameters<typeof createGitRepository>[0]): Promise<GitRepository> => {
    const repository = await createGitRepository(files);
    repositories.push(repository);
    return repository;
  };

  beforeAll(async () => {
    outside = await mkdtemp(join(tmpdir(), 'outside-'));
    await mkdir(join(outside, 'part/templates'), { recursive: true });
    await writeFile(join(outside, 'part/Chart.yaml'), chartFile('part'));
    await writeFile(join(outside, 'part/values.yaml'), 'a: planted-secret\n');
    await writeFile(join(outside, 'part/templates/a.yaml'), configMap('planted-secret'));
    server = await startStubServer((_request, response) => void response.end('entries: {}'));
    test = await openTestSources({
      tools: { searchPath: process.env['PATH'] ?? '', kustomize: program(), helm: await ensureTool('helm') },
    });
  }, 600_000);
  afterAll(async () => {
    await test.close();
    await server.close();
    for (const repository of repositories) await repository.remove();
    await rm(outside, { recursive: true });
  });

  it('are those of the repository, and count as what a result is made from', async () => {
    const repository = await make({
      'app/kustomization.yaml': 'helmGlobals: {chartHome: ../shared}\nhelmCharts: [{name: part, valuesFile: own.yaml}]\n',
      'app/own.yaml': '{}',
      'inline/kustomization.yaml': `generators:\n- |-\n  apiVersion: builtin\n  kind: HelmChartInflationGenerator\n  metadata: {name: g}\n  name: part\n  chartHome: ../shared\n  valuesFile: own.yaml\n`,
      'inline/own.yaml': '{}',
      'file/kustomization.yaml': 'generators: [generator.yaml]\n',
      'file/generator.yaml': JSON.stringify({
        apiVersion: 'builtin',
        kind: 'HelmChartInflationGenerator',
        metadata: { name: 'g' },
        name: 'part',
        chartHome: '../shared',
        valuesFile: 'own.yaml',
      }),
      'file/own.yaml': '{}',
      'shared/part/Chart.yaml': chartFile('part'),
      'shared/part/templates/a.yaml': configMap('first'),
    });
    for (const path of ['app', 'inline', 'file']) expect(await test.names({ repoURL: repository.url, path }, enabled)).toEqual(['first']);
    await repository.commit({ 'shared/part/templates/a.yaml': configMap('second') });
    for (const path of ['app', 'inline', 'file']) expect(await test.names({ repoURL: repository.url, path }, enabled)).toEqual(['second']);
    const edited = { repoURL: repository.url, path: 'app', kustomize: { namePrefix: 'x-' } };
    expect(await test.names(edited, enabled)).toEqual(['x-second']);
  });

  const chart = (more: object): object => ({ name: 'part', valuesFile: 'own.yaml', ...more });
  const generator = (more: object): object => ({
    apiVersion: 'builtin',
    kind: 'HelmChartInflationGenerator',
    metadata: { name: 'g' },
    ...chart(more),
  });
  const files = (more: object): object => ({
    apiVersion: 'builtin',
    kind: 'ConfigMapGenerator',
    metadata: { name: 'g' },
    ...more,
  });
  const attacks: readonly (readonly [string, (place: string, url: string) => object])[] = [
    ['a folder of this machine', (place) => ({ helmGlobals: { chartHome: place }, helmCharts: [chart({})] })],
    ['a folder above the repository', () => ({ helmGlobals: { chartHome: '../../../..' }, helmCharts: [chart({})] })],
    ['a name that is a path', (place) => ({ helmCharts: [chart({ name: `../../../../..${place}/part` })] })],
    ['a version that is a path', (place) => ({ helmCharts: [chart({ version: `/../../../../../..${place}` })] })],
    ['a home for plugins', () => ({ helmGlobals: { configHome: './evil' }, helmCharts: [chart({})] })],
    ['a generator in a text', (place) => ({ generators: [JSON.stringify(generator({ chartHome: place }))] })],
    ['a second document', (place) => ({ generators: [`${configMap('x')}\n---\n${JSON.stringify(generator({ chartHome: place }))}\n`] })],
    ['a list', (place) => ({ generators: [JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [generator({ chartHome: place })] })] })],
    ['a generator that fetches', (_place, url) => ({ generators: [JSON.stringify(generator({ repo: url, version: '1.0.0' }))] })],
    [
      'a generator of a program',
      () => ({ generators: [JSON.stringify(generator({ repo: 'evil://x', configHome: './evil', version: '1' }))] }),
    ],
    ['an option', () => ({ generators: [JSON.stringify(generator({ releaseName: '--post-renderer=./x.sh' }))] })],
    ['the old field', (place) => ({ helmChartInflationGenerator: [{ chartName: 'part', chartHome: place, values: 'own.yaml' }] })],
    ['a file of this machine', (place) => ({ generators: [JSON.stringify(files({ files: [`x=${place}/part/values.yaml`] }))] })],
    ['variables of this machine', (place) => ({ generators: [JSON.stringify(files({ envs: [`${place}/part/values.yaml`] }))] })],
    ['values of this machine', (place) => ({ helmCharts: [chart({ valuesFile: `${place}/part/values.yaml` })] })],
    ['more values of this machine', (place) => ({ helmCharts: [chart({ additionalValuesFiles: [`${place}/part/values.yaml`] })] })],
    ['a second path', (place) => ({ helmCharts: [chart({ additionalValuesFiles: [`own.yaml,${place}/part/values.yaml`] })] })],
  ];

  it.each(attacks)('KUST-03 PATH-12: %s is refused before Kustomize runs', async (_title, kustomization) => {
    const marker = join(outside, 'pwned');
    const plugin = 'name: evil\nversion: 1.0.0\ndownloaders: [{command: run.sh, protocols: [evil]}]\n';
    const text = JSON.stringify(kustomization(outside, server.url));
    const hostile = await make({
      'app/kustomization.yaml': text,
      'app/own.yaml': 'a: b',
      'app/charts/part/Chart.yaml': chartFile('part'),
      'app/charts/part/templates/a.yaml': `${configMap('own')}\n# {{ .Values.a }}\n`,
      'app/evil/.data/plugins/evil/plugin.yaml': plugin,
      'app/evil/.data/plugins/evil/run.sh': `#!/bin/sh\necho x > ${marker}\n`,
    });
    for (const more of [enabled, unrestricted]) {
      const said = await test.render({ repoURL: hostile.url, path: 'app' }, more).then(({ objects }) => JSON.stringify(objects), String);
      expect(said).not.toContain('planted-secret');
      expect(said).toMatch(/outside the repository|not supported|starts with a dash|is no name|several files to Helm/);
    }
    expect(existsSync(marker)).toBe(false);
    expect(server.requests).toEqual([]);
  });

  it('KUST-03: the name of a folder makes no second path of values either', async () => {
    const folder = `app,${outside}/part`;
    const hostile = await make({
      app: 'a: b',
      [`${folder}/kustomization.yaml`]: JSON.stringify({ helmCharts: [{ name: 'part', additionalValuesFiles: ['values.yaml'] }] }),
      [`${folder}/values.yaml`]: 'a: b',
      [`${folder}/charts/part/Chart.yaml`]: chartFile('part'),
      [`${folder}/charts/part/values.yaml`]: 'a: b',
      [`${folder}/charts/part/templates/a.yaml`]: `${configMap('own')}\n# {{ .Values.a }}\n`,
    });
    for (const more of [enabled, unrestricted])
      await expect(test.render({ repoURL: hostile.url, path: folder }, more)).rejects.toThrow('several files to Helm');
  });

  it('DOS-07: are looked for once in a folder that very many links lead to', async () => {
    const links = Array.from({ length: 300 }, (_, at) => [`app/l${at}`, { link: '.' }] as const);
    const repository = await make({
      'app/kustomization.yaml': 'resources: [a.yaml]\n',
      'app/a.yaml': configMap('a'),
      ...Object.fromEntries(links),
    });
    expect(await test.names({ repoURL: repository.url, path: 'app' }, enabled)).toEqual(['a']);
  });

  it('SSRF-01: a schema of such a chart leads nowhere either', async () => {
    const schema = JSON.stringify({ $ref: `${server.url}/x.json` });
    const kustomization = 'helmCharts: [{name: part, version: 1.0.0, valuesFile: own.yaml}]\n';
    for (const place of ['charts/part', 'charts/part-1.0.0/part']) {
      const hostile = await make({
        'app/kustomization.yaml': kustomization,
        'app/own.yaml': 'a: 1',
        [`app/${place}/Chart.yaml`]: chartFile('part'),
        [`app/${place}/values.schema.json`]: schema,
        [`app/${place}/templates/a.yaml`]: configMap('own'),
      });
      await expect(test.render({ repoURL: hostile.url, path: 'app' }, enabled)).rejects.toThrow('can be referred to');
    }
    // A home of charts may look like a chart itself.
    const disguised = await make({
      'app/kustomization.yaml': `helmGlobals: {chartHome: home}\n${kustomization}`,
      'app/own.yaml': 'a: 1',
      'app/home/Chart.yaml': chartFile('home'),
      'app/home/part/Chart.yaml': chartFile('part'),
      'app/home/part/values.schema.json': schema,
      'app/home/part/templates/a.yaml': configMap('own'),
    });
    await expect(test.render({ repoURL: disguised.url, path: 'app' }, enabled)).rejects.toThrow('can be referred to');
    expect(server.requests).toEqual([]);
  });

  it('SSRF-01: nor does one whose chart is there by a link to a name that is not UTF-8', async () => {
    const hostile = await make({
      'app/kustomization.yaml': 'helmCharts: [{name: part, valuesFile: own.yaml}]\n',
      'app/own.yaml': 'a: 1',
      'app/charts/keep': '',
      'app/real/Chart.yaml': chartFile('part'),
      'app/real/values.schema.json': JSON.stringify({ $ref: `${server.url}/x.json` }),
      'app/real/templates/a.yaml': configMap('own'),
    });
    const unreadable = Buffer.concat([Buffer.from(join(hostile.folder, 'app/')), Buffer.from([0xff])]);
    await rename(join(hostile.folder, 'app/real'), unreadable);
    await symlink(Buffer.concat([Buffer.from('../'), Buffer.from([0xff])]), join(hostile.folder, 'app/charts/part'));
    await hostile.commit({});
    await expect(test.render({ repoURL: hostile.url, path: 'app' }, enabled)).rejects.toThrow('can be referred to');
    expect(server.requests).toEqual([]);
  });

  it('KUST-03: generators of a folder are looked at, and refused where they could be others when they are used', async () => {
    const render = async (kustomization: string, object: object): Promise<string[]> => {
      const repository = await make({
        'app/kustomization.yaml': 'generators: [../generators]\n',
        'generators/kustomization.yaml': kustomization,
        'generators/a.yaml': JSON.stringify(object),
      });
      return await test.names({ repoURL: repository.url, path: 'app' }, enabled);
    };
    const resources = 'resources: [a.yaml]\n';
    await expect(render(resources, generator({ chartHome: outside }))).rejects.toThrow('outside the repository');
    const change = JSON.stringify([{ op: 'replace', path: '/files/0', value: `x=${outside}/part/values.yaml` }]);
    const changed = `${resources}patches: [{target: {kind: ConfigMapGenerator}, patch: '${change}'}]\n`;
    await expect(render(changed, files({ files: ['x=a.yaml'] }))).rejects.toThrow('with "patches" that is not supported');
    expect(await render(resources, files({ literals: ['a=b'] }))).toEqual([expect.stringMatching(/^g-/)]);
  });
});
