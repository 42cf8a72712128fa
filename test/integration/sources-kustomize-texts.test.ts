import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

describeWithTool('kustomize', 'texts and paths in a kustomization', (program) => {
  let test: TestSources;
  const closing: GitRepository[] = [];

  beforeAll(async () => {
    test = await openTestSources({ tools: { searchPath: process.env['PATH'] ?? '', kustomize: program() } });
  });
  afterAll(async () => {
    await test.close();
    await Promise.all(closing.map((each) => each.remove()));
  });

  const make = async (files: Parameters<typeof createGitRepository>[0]): Promise<GitRepository> => {
    const made = await createGitRepository(files);
    closing.push(made);
    return made;
  };

  it.each([
    ['generators', '"{apiVersion: builtin, kind: ConfigMapGenerator} # /../hostile"', 'app/hostile'],
    ['transformers', '"{apiVersion: builtin, kind: PrefixTransformer} # /../../hostile"', 'hostile'],
    ['validators', '"{kind: X}"', 'app/{kind: X}'],
    ['transformers', String.raw`'{apiVersion: v1, kind: X, a: "\x2f..\x2f..\x2fhostile\x2f"}'`, 'hostile/","metadata":{}}'],
  ])('KUST-01: a text in %s that Kustomize takes for a path leads to nothing: %s', async (field, text, folder) => {
    const hostile = await make({
      'app/kustomization.yaml': `resources: [a.yaml]\n${field}: [${text}]\n`,
      'app/a.yaml': configMap('a'),
      [`${folder}/kustomization.yaml`]: 'resources: [never-read.yaml]\n',
    });
    const failure = test.render({ repoURL: hostile.url, path: 'app' });
    await expect(failure).rejects.toThrow('failed exit status 1');
    await expect(failure).rejects.not.toThrow('never-read');
  });

  const unreadable = Buffer.from([0xff]);
  const hidden: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['base', { Kustomization: 'resources: [base]', 'real/kustomization.yaml': '{}', '\uFFFD/kustomization.yaml': '{}' }],
    ['plugin.yaml', { Kustomization: 'generators: [plugin.yaml]', real: configMap('a'), '\uFFFD': configMap('a') }],
    ['kustomization.yaml', { real: 'namePrefix: x-', '\uFFFD': 'namePrefix: x-' }],
  ];
  it.each(hidden)('PATH-06: %s that is a link to a name that is not UTF-8 is not taken for another', async (link, files) => {
    const made = await make(Object.fromEntries(Object.entries(files).map(([path, content]) => [`app/${path}`, content])));
    await rename(join(made.folder, 'app/real'), Buffer.concat([Buffer.from(join(made.folder, 'app/')), unreadable]));
    await symlink(unreadable, join(made.folder, 'app', link));
    await made.commit({});
    await expect(test.render({ repoURL: made.url, path: 'app' })).rejects.toThrow('whose name is not UTF-8');
  });

  it('PATH-06: a link to a name that is not UTF-8 leads nowhere else where the kustomization is changed', async () => {
    const made = await make({
      'app/kustomization.yaml': 'resources: [base]\n',
      'app/\uFFFD/kustomization.yaml': 'resources: [never-read.yaml]\n',
    });
    await symlink(unreadable, join(made.folder, 'app/base'));
    await made.commit({});
    const failure = test.render({ repoURL: made.url, path: 'app', kustomize: { namePrefix: 'x-' } });
    await expect(failure).rejects.toThrow('failed exit status 1');
    await expect(failure).rejects.not.toThrow('never-read');
  });

  it('DOS-07: entries that all go through a chain of long links are not followed without end', async () => {
    const detour = 'd/../'.repeat(800);
    const links = Object.fromEntries(Array.from({ length: 30 }, (_unused, at) => [`app/l${at}`, { link: `${detour}l${at + 1}` }]));
    const crds = Array.from({ length: 20_000 }, (_unused, at) => `l0/${at}`);
    const made = await make({
      ...links,
      'app/d/keep': '',
      'app/l30/keep': '',
      'app/kustomization.yaml': JSON.stringify({ resources: ['a.yaml'], crds }),
      'app/a.yaml': configMap('a'),
    });
    await expect(test.render({ repoURL: made.url, path: 'app' })).rejects.toThrow('take too many steps to follow');
  });

  it('DOS-07: a file of a plugin is read once, however often and in however many ways it is named', async () => {
    const literals = Array.from({ length: 10_000 }, (_unused, at) => `key-${at}=value`);
    const made = await make({
      'app/kustomization.yaml': JSON.stringify({ generators: Array.from({ length: 2_000 }, (_unused, at) => `x${at}/../plugin.yaml`) }),
      'app/plugin.yaml': JSON.stringify({ apiVersion: 'builtin', kind: 'ConfigMapGenerator', metadata: { name: 'g' }, literals }),
    });
    const startMs = performance.now();
    await expect(test.render({ repoURL: made.url, path: 'app' })).rejects.toThrow('failed exit status 1');
    expect(performance.now() - startMs).toBeLessThan(30_000);
  });

  it('takes a patch for what it says, also where there is a path in it', async () => {
    const patch = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {b: ../../../../x}\n';
    const made = await make({
      'app/kustomization.yaml': JSON.stringify({ resources: ['a.yaml'], patchesStrategicMerge: [patch] }),
      'app/a.yaml': configMap('a'),
    });
    const { objects } = await test.render({ repoURL: made.url, path: 'app' });
    expect(objects).toMatchObject([{ metadata: { name: 'a' }, data: { b: '../../../../x' } }]);
  });

  it('takes a plugin for what it says, also where there is a path in it', async () => {
    const metadata = '{name: x, annotations: {see: /../base}}';
    const prefix = `{apiVersion: builtin, kind: PrefixTransformer, metadata: ${metadata}, prefix: x-, fieldSpecs: [{path: metadata/name}]}`;
    const made = await make({
      'app/kustomization.yaml': `resources: [a.yaml]\ntransformers: ["${prefix}"]\n`,
      'app/a.yaml': configMap('a'),
    });
    expect(await test.names({ repoURL: made.url, path: 'app' })).toEqual(['x-a']);
  });

  it('uses plugins in the order of Kustomize, also where there is a path in one of them', async () => {
    const prefix = (text: string, see: string): string =>
      `{apiVersion: builtin, kind: PrefixTransformer, metadata: {name: ${text}, annotations: {see: ${see}}}, prefix: ${text}-, fieldSpecs: [{path: metadata/name}]}`;
    const made = await make({
      'app/kustomization.yaml': JSON.stringify({
        resources: ['a.yaml'],
        transformers: ['last.yaml', prefix('first', '../../x/../y'), prefix('second', 'z')],
      }),
      'app/a.yaml': configMap('a'),
      'app/last.yaml': prefix('last', 'z'),
    });
    expect(await test.names({ repoURL: made.url, path: 'app' })).toEqual(['last-second-first-a']);
  });

  it('adds a component that is named by way of a link, and is missing only where that leads to', async () => {
    const made = await make({
      'app/kustomization.yaml': 'resources: [a.yaml]\n',
      'app/a.yaml': configMap('a'),
      'app/link': { link: '../deep/folder' },
      'app/part/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: x-\n',
      'deep/folder/b.yaml': configMap('b'),
    });
    const kustomize = { components: ['link/../part', 'link/../nope'], ignoreMissingComponents: true };
    expect(await test.names({ repoURL: made.url, path: 'app', kustomize })).toEqual(['x-a']);
  });
});
