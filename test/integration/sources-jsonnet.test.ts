import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';

const named = (name: string): string => `{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: ${name} } }`;

describe('Jsonnet in a directory', () => {
  let test: TestSources;
  const closing: GitRepository[] = [];

  beforeAll(async () => {
    test = await openTestSources();
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
  const namesOf = async (files: Parameters<typeof createGitRepository>[0], jsonnet: object = {}): Promise<string[]> =>
    await test.names({ repoURL: (await make(files)).url, path: 'app', directory: { jsonnet } });

  it('is rendered among the other manifests, in the order of their names', async () => {
    expect(
      await namesOf({
        'app/a.yaml': configMap('yaml'),
        'app/b.jsonnet': named("'one' + 1"),
        'app/c.jsonnet': `[${named("'two'")}, ${named("'three'")}]`,
        'app/d.json': configMap('json'),
        'app/e.libsonnet': 'error "a library is not rendered"',
        'app/sub/f.jsonnet': 'error "only when told to descend"',
      }),
    ).toEqual(['yaml', 'one1', 'two', 'three', 'json']);
  });

  it('gives one object, a list of them, a list of Kubernetes, or nothing', async () => {
    expect(await namesOf({ 'app/a.jsonnet': `{ apiVersion: 'v1', kind: 'List', items: [${named("'x'")}, ${named("'y'")}] }` })).toEqual([
      'x',
      'y',
    ]);
    expect(await namesOf({ 'app/a.jsonnet': `[{ apiVersion: 'v1', kind: 'List', items: [${named("'x'")}] }, null]` })).toEqual(['x']);
    expect(await namesOf({ 'app/a.jsonnet': 'null', 'app/b.jsonnet': '[]' })).toEqual([]);
  });

  it.each([
    ['[[]]', 'it is not an object'],
    ['{}', "Object 'Kind' is missing"],
    ['{ a: 1 }', "Object 'Kind' is missing"],
    ["'text'", 'it is not an object'],
    ["{ apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, large: 9007199254740993 }", 'an integer is too large to be carried exactly'],
  ])('YAML-05: names the file that gives no objects: %s', async (program, reason) => {
    const promise = namesOf({ 'app/broken.jsonnet': program });
    await expect(promise).rejects.toMatchObject({ code: 9, message: `Failed to unmarshal generated json "broken.jsonnet": ${reason}` });
  });

  it.each([
    ["error 'no ' + 5", 'RUNTIME ERROR: no 5\n\tapp/broken.jsonnet:1:1'],
    ['{ a: ', 'app/broken.jsonnet:1:6 Unexpected end of file'],
    ['function(x) x', 'RUNTIME ERROR: Missing argument: x'],
    ["std.extVar('none')", 'RUNTIME ERROR: Undefined external variable: none\n\tapp/broken.jsonnet:1:11'],
  ])('says what is wrong with a program, and where: %s', async (program, reason) => {
    const promise = namesOf({ 'app/broken.jsonnet': program });
    await expect(promise).rejects.toMatchObject({ code: 9, message: `Failed to evaluate jsonnet "broken.jsonnet": ${reason}` });
  });

  it('gets variables and arguments, as texts and as code, with the build environment put into them', async () => {
    const files = {
      'app/a.jsonnet': `function(name, count=1, more={}) [${named("name + '-' + i + std.extVar('text') + std.extVar('code').x")} for i in std.range(1, count)]`,
    };
    const jsonnet = {
      tlas: [
        { name: 'name', value: '${ARGOCD_APP_NAME}' },
        { name: 'count', value: '1 + 1', code: true },
      ],
      extVars: [
        { name: 'text', value: '$$1+1' },
        { name: 'code', value: "{ x: '-' + std.length('abc') }", code: true },
      ],
    };
    expect(await namesOf(files, jsonnet)).toEqual(['web-1$1+1-3', 'web-2$1+1-3']);
    await expect(namesOf(files, { tlas: [{ name: 'other', value: 'x' }] })).rejects.toThrow('function has no parameter other');
  });

  it('imports from its own folder, then the libraries, the last one first, then the folder of the application', async () => {
    const files = {
      'app/main.jsonnet': `[${named("(import 'one.libsonnet').name")}, ${named("(import 'two.libsonnet').name")}, ${named("(import 'nested/three.libsonnet').name")}]`,
      'app/nested/three.libsonnet': "{ name: (import 'beside.libsonnet') + (import 'four.libsonnet') + importstr 'five.txt' }",
      'app/nested/beside.libsonnet': "'beside'",
      'app/four.libsonnet': "'-four'",
      'app/nested/five.txt': '-five',
      'first/one.libsonnet': "{ name: 'first' }",
      'first/two.libsonnet': "{ name: 'two-of-first' }",
      'second/one.libsonnet': "{ name: 'second' }",
    };
    expect(await namesOf(files, { libs: ['second', 'first'] })).toEqual(['first', 'two-of-first', 'beside-four-five']);
    expect(await namesOf(files, { libs: ['/first/', './second'] })).toEqual(['second', 'two-of-first', 'beside-four-five']);
    const inLibrary = { ...files, 'second/four.libsonnet': "'-library'" };
    expect((await namesOf(inLibrary, { libs: ['second', 'first'] })).at(-1)).toBe('beside-library-five');
    await expect(namesOf(files)).rejects.toThrow('couldn\'t open import "one.libsonnet": no match locally or in the Jsonnet library paths');
  });

  it('reads only what it uses, and files of any kind', async () => {
    expect(
      await namesOf({
        'app/a.jsonnet': named(
          "local unused = import 'nowhere.libsonnet'; std.md5(importstr '../data.txt') + std.length(importbin '../data.txt')",
        ),
        'data.txt': 'é',
      }),
    ).toEqual([`${createHash('md5').update('é').digest('hex')}2`]);
  });

  it('lets code in the source import what the programs may import', async () => {
    const files = {
      'app/a.jsonnet': named("std.extVar('given').name"),
      'app/own.libsonnet': "{ name: 'own' }",
      'libs/lib.libsonnet': "{ name: 'of-' + import 'beside.libsonnet' }",
      'libs/beside.libsonnet': "'the-library'",
    };
    const given = (value: string) => ({ libs: ['libs'], extVars: [{ name: 'given', value, code: true }] });
    expect(await namesOf(files, given("import 'lib.libsonnet'"))).toEqual(['of-the-library']);
    expect(await namesOf(files, given("import 'own.libsonnet'"))).toEqual(['own']);
    await expect(namesOf(files, given("import 'other.libsonnet'"))).rejects.toThrow(
      'couldn\'t open import "other.libsonnet": no match locally or in the Jsonnet library paths\n\t<extvar:given>:1:1',
    );
  });

  it('is a directory to whoever asks what a source is, also where a program fails', async () => {
    const { url } = await make({ 'app/a.jsonnet': "error 'not evaluated'" });
    const asked = { project: 'default', applicationName: 'web' };
    expect(await test.sources.details({ repoURL: url, path: 'app', directory: { jsonnet: { libs: ['x'] } } }, asked)).toMatchObject({
      type: 'Directory',
    });
    expect(await test.sources.details({ repoURL: url, path: 'app' }, asked)).toMatchObject({ type: 'Directory' });
  });

  it('is left out where Jsonnet is off', async () => {
    const { url } = await make({ 'app/a.jsonnet': 'error "x"', 'app/b.yaml': configMap('b') });
    expect(await test.names({ repoURL: url, path: 'app' }, { settings: { jsonnetEnabled: false } })).toEqual(['b']);
  });
});
