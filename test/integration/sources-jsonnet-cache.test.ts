import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';

const PROGRAM = `local lib = import 'lib.libsonnet'; {
  apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: lib.name }, data: { text: importstr 'text.txt' },
}`;

describe('what Jsonnet gave is found again', () => {
  let test: TestSources;
  let repository: GitRepository;

  beforeAll(async () => {
    repository = await createGitRepository({
      'app/a.jsonnet': PROGRAM,
      'app/text.txt': 'one',
      'libs/lib.libsonnet': "{ name: (import 'deep/name.libsonnet') }",
      'libs/deep/name.libsonnet': "'first'",
      'other/x.yaml': 'x',
    });
    test = await openTestSources();
  });
  afterAll(async () => {
    await test.close();
    await repository.remove();
  });

  const render = async (jsonnet: object = { libs: ['libs'] }, more: Parameters<TestSources['render']>[1] = {}) =>
    (await test.render({ repoURL: repository.url, path: 'app', directory: { jsonnet } }, more)).objects;

  it('where a commit touches nothing that it may read', async () => {
    const before = await render();
    await repository.commit({ 'other/x.yaml': 'y', 'libs/unused.libsonnet': '{}' });
    expect(await render()).toBe(before);
  });

  it.each([
    ['a text that it reads', 'app/text.txt', 'two', { data: { text: 'two' } }],
    ['a library of a library', 'libs/deep/name.libsonnet', "'second'", { metadata: { name: 'second' } }],
    ['the library', 'libs/lib.libsonnet', "{ name: 'third' }", { metadata: { name: 'third' } }],
    ['a file that now stands before the library', 'app/lib.libsonnet', "{ name: 'fourth' }", { metadata: { name: 'fourth' } }],
  ])('but not where a commit changes %s', async (_, path, text, expected) => {
    const before = await render();
    await repository.commit({ [path]: text });
    const after = await render();
    expect(after).not.toBe(before);
    expect(after[0]).toMatchObject(expected);
  });

  it('and not for other variables, or for another application where the variables name it', async () => {
    const program = "function(name) { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: name } }";
    await repository.commit({ 'app/a.jsonnet': program });
    const given = (value: string, code = false) => ({ tlas: [{ name: 'name', value, code }] });
    const nameOf = async (jsonnet: object, name = 'web'): Promise<unknown> =>
      (await render(jsonnet, { application: { name, namespace: 'argocd', project: 'default' } }))[0]?.metadata.name;
    expect(await nameOf(given("'a' + 'b'"))).toBe("'a' + 'b'");
    expect(await nameOf(given("'a' + 'b'", true))).toBe('ab');
    expect(await nameOf(given('c'))).toBe('c');
    expect(await nameOf(given('$ARGOCD_APP_NAME'), 'one')).toBe('one');
    expect(await nameOf(given('$ARGOCD_APP_NAME'), 'two')).toBe('two');
    expect(await render(given('c'))).toBe(await render(given('c')));
  });

  it('a file that is missing from the cache is checked out again', async () => {
    await repository.commit({ 'app/a.jsonnet': PROGRAM, 'app/lib.libsonnet': "{ name: 'again' }", 'app/text.txt': 'fresh' });
    expect((await render())[0]).toMatchObject({ metadata: { name: 'again' }, data: { text: 'fresh' } });
  });
});
