import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonValue } from '../../src/objects/index.ts';
import { parseYamlDocuments } from '../../src/template/yaml/index.ts';
import { createArgocdUser } from '../support/argocd.ts';
import { Stage } from '../support/argocd-stage.ts';
import { startFairway } from '../support/fairway.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import { createKubectlUser } from '../support/kubectl.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';
import { ensureTool } from '../support/tools/ensure-tool.ts';

const slow = { timeout: 60_000 };

const map = (name: string, value = "'v'"): string =>
  `{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: ${name} }, data: { value: ${value} } }`;

/** Folders of one repository, and how the stock client is told to read them. */
const SOURCES: Readonly<Record<string, { readonly files: Record<string, string>; readonly flags?: readonly string[] }>> = {
  single: { files: { 'a.jsonnet': map("'single'") } },
  several: {
    files: { 'b.jsonnet': `[${map("'b2'")}, ${map("'b1'")}]`, 'a.jsonnet': map("'a'"), 'c.yaml': configMap('c'), 'd.json': configMap('d') },
  },
  lists: { files: { 'a.jsonnet': `[{ apiVersion: 'v1', kind: 'List', items: [${map("'l1'")}, ${map("'l2'")}] }, ${map("'l3'")}]` } },
  'one-list': { files: { 'a.jsonnet': `{ apiVersion: 'v1', kind: 'ConfigMapList', items: [${map("'x'")}] }` } },
  nothing: { files: { 'a.jsonnet': '[]', 'b.yaml': configMap('b') } },
  numbers: {
    files: {
      'a.jsonnet': `${map("'n'")} + { data:: {}, spec: { whole: 3, half: 0.1 + 0.2, large: 1e15, small: 1e-7, negative: -0.5, third: 1 / 3, text: '5' } }`,
    },
  },
  recursive: {
    files: {
      'a.jsonnet': map("'top'"),
      'deep/.hidden/b.jsonnet': map("'deep'"),
      'deep/c.txt': 'no',
      'deep/d.libsonnet': 'error "a library"',
    },
    flags: ['--directory-recurse', '--directory-exclude', '{*.txt,nothing}'],
  },
  included: {
    files: { 'a.jsonnet': map("'a'"), 'b.jsonnet': 'error "left out"' },
    flags: ['--directory-include', 'a.*'],
  },
  arguments: {
    files: {
      'a.jsonnet': `function(name, count=1, suffix='') [${map("name + i + suffix + std.extVar('who')", "std.toString(std.extVar('data'))")} for i in std.range(1, count)]`,
    },
    flags: [
      '--jsonnet-tla-str',
      'name=$ARGOCD_APP_NAME-',
      '--jsonnet-tla-code',
      'count=1 + 2',
      '--jsonnet-tla-str',
      'suffix=${NONE}-x',
      '--jsonnet-ext-var-str',
      'who=-me',
      '--jsonnet-ext-var-code',
      'data={ a: [1, std.length("abc")] }',
    ],
  },
  libraries: {
    files: {
      'a.jsonnet': map("(import 'lib.libsonnet').name", "importstr 'text.txt'"),
      'text.txt': 'of the folder',
      'sub/ignored.jsonnet': 'error "not rendered"',
    },
    flags: ['--jsonnet-libs', 'vendor', '--jsonnet-libs', 'other-vendor'],
  },
  inheritance: {
    files: {
      'a.jsonnet': `local base = { name:: error 'a name is needed', apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: $.name, labels: { app: $.name } }, data+: {} };
[base { name: 'one', metadata+: { labels+: { extra: 'yes' } }, data+: { key: std.manifestYamlDoc({ a: [1, { b: 2 }] }) } }, base { name: 'two' }]`,
    },
  },
  text: { files: { 'a.jsonnet': map("'text'", "|||\n  first\n    second %s\n||| % ['é😀<>&']") } },
  skipped: { files: { 'a.jsonnet': `// +argocd:skip-file-rendering\nerror 'not rendered'`, 'b.yaml': configMap('b') } },
};

const BROKEN: Readonly<Record<string, { readonly program: string; readonly says: string }>> = {
  failing: { program: "error 'on purpose'", says: 'Failed to evaluate jsonnet "a.jsonnet": RUNTIME ERROR: on purpose' },
  unfinished: { program: '{ a: ', says: 'Failed to evaluate jsonnet "a.jsonnet": ' },
  'no-object': { program: '[[]]', says: 'Failed to unmarshal generated json "a.jsonnet": ' },
  'no-kind': { program: '{ a: 1 }', says: 'Failed to unmarshal generated json "a.jsonnet": ' },
  climbing: {
    program: "importstr '../../../../../../etc/passwd'",
    says: 'jsonnet import "../../../../../../etc/passwd" resolves outside repository root',
  },
  absolute: { program: "importstr '/etc/passwd'", says: 'jsonnet import "/etc/passwd" resolves outside repository root' },
  missing: {
    program: "import 'nowhere.libsonnet'",
    says: 'couldn\'t open import "nowhere.libsonnet": no match locally or in the Jsonnet library paths',
  },
};

describeWithTool('argocd', 'Jsonnet, with the stock client', (argocd) => {
  let stage: Stage;

  beforeAll(async () => {
    const fairway = await startFairway();
    const user = await createArgocdUser(argocd());
    const kubectl = await createKubectlUser(await ensureTool('kubectl'), fairway);
    const files: Record<string, string> = {
      'vendor/lib.libsonnet': "{ name: 'first ' + import 'name.libsonnet' }",
      'vendor/name.libsonnet': "error 'beside the library that is not used'",
      'other-vendor/lib.libsonnet': "{ name: 'second-' + import 'name.libsonnet' }",
      'other-vendor/name.libsonnet': "'name'",
    };
    for (const [folder, source] of Object.entries(SOURCES))
      for (const [file, text] of Object.entries(source.files)) files[`${folder}/${file}`] = text;
    for (const [folder, { program }] of Object.entries(BROKEN)) files[`${folder}/a.jsonnet`] = program;
    const repository = await createGitRepository(files);
    await kubectl.run('create', 'namespace', 'shop');
    stage = new Stage({
      fairway,
      user,
      kubectl: (...args) => kubectl.run(...args),
      kubeconfig: join(fairway.dataDir, 'kubeconfig'),
      repository,
      repositoryUrl: repository.url,
      controlNamespace: 'argocd',
      namespace: 'shop',
      async close() {
        await user[Symbol.asyncDispose]();
        await kubectl[Symbol.asyncDispose]();
        await fairway.stop();
        await repository.remove();
      },
    });
    await stage.signIn();
  }, 240_000);
  afterAll(async () => {
    await stage?.parts.close();
  });

  /** By name: the server shows objects in the order of its own. */
  const objectsOf = (text: string): JsonValue[] => {
    const documents = [...parseYamlDocuments(text, { depthMax: 100, aliasedCharactersMax: 0 })].filter((document) => document !== null);
    return documents.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  };
  const local = (name: string): string[] => {
    const { folder } = stage.parts.repository;
    return ['app', 'manifests', name, '--local', join(folder, name), '--local-repo-root', folder];
  };

  it.each(Object.keys(SOURCES))('gives what the client renders by itself: %s', slow, async (name) => {
    await stage.create(name, name, ...(SOURCES[name]?.flags ?? []));
    // The server says to which namespace objects go; the client by itself leaves that open.
    const rendered = objectsOf((await stage.argocd('app', 'manifests', name)).replaceAll(/^ {2}namespace: shop\n/gm, ''));
    const expected = objectsOf(await stage.argocd(...local(name)));
    expect(expected.length).toBeGreaterThan(0);
    expect(rendered).toEqual(expected);
  });

  it.each(Object.keys(BROKEN))('fails where the client fails: %s', slow, async (name) => {
    const said = await stage.argocdFails(20, ...stage.createArguments(name, name));
    expect(said).toContain(BROKEN[name]?.says);
    await stage.create(name, name, '--validate=false');
    const theirs = await stage.argocdFails(20, ...local(name));
    expect(theirs).toMatch(/Failed to (?:evaluate|unmarshal generated) json/);
  });

  it('is synced, and what the command line set is kept', slow, async () => {
    await stage.argocd('app', 'sync', 'arguments');
    await stage.waitForState('arguments', 'Synced Healthy');
    expect(await stage.live('configmap')).toEqual(expect.arrayContaining([1, 2, 3].map((number) => `configmap/arguments-${number}-x-me`)));
    expect((await stage.get('arguments')).spec.source?.directory?.jsonnet?.tlas).toContainEqual({
      name: 'count',
      value: '1 + 2',
      code: true,
    });
    await stage.argocd('app', 'set', 'arguments', '--jsonnet-tla-code', 'count=1');
    await stage.argocd('app', 'diff', 'arguments', '--exit-code=false');
    expect(objectsOf(await stage.argocd('app', 'manifests', 'arguments'))).toHaveLength(1);
  });
});
