import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';

describe('a directory of plain manifests in git', () => {
  let repository: GitRepository;
  let test: TestSources;
  const closing: GitRepository[] = [];

  beforeAll(async () => {
    repository = await createGitRepository({
      'web/b.yaml': `# first\n---\n${configMap('b1')}\n---\n${configMap('b2')}\n---\n`,
      'web/a.yml': configMap('a'),
      'web/c.json': configMap('c'),
      'web/notes.txt': 'not a manifest',
      'web/values.yaml': 'replicas: 3\nimage: x\n',
      'web/list.yaml': `apiVersion: v1\nkind: List\nitems:\n- ${configMap('l1')}\n- ${configMap('l2')}\n`,
      'web/empty-list.yaml': 'apiVersion: v1\nkind: ConfigMapList\nitems: null\n',
      'web/skipped.yaml': `# +argocd:skip-file-rendering\n${configMap('skipped')}`,
      'web/deep/.hidden/d.yaml': configMap('d'),
      'web/deep/e.yaml': configMap('e'),
      'web/utf16.yaml': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(configMap('wide'), 'utf16le')]),
      'web/bom.json': `\ufeff${configMap('marked')}`,
      'shared/s.yaml': configMap('shared'),
      'linked/inside.yaml': { link: '../shared/s.yaml' },
      'linked/dangling.yaml': { link: 'nowhere.yaml' },
      'other/x.yaml': configMap('x'),
    });
    test = await openTestSources();
  });
  afterAll(async () => {
    await test.close();
    await Promise.all([repository, ...closing].map((each) => each.remove()));
  });

  const source = (path: string, directory?: object) => ({ repoURL: repository.url, path, ...(directory && { directory }) });
  const make = async (files: Parameters<typeof createGitRepository>[0]): Promise<GitRepository> => {
    const made = await createGitRepository(files);
    closing.push(made);
    return made;
  };

  it('gives its objects in the order of its files, lists as their items', async () => {
    const { objects, sourceType, revision } = await test.render(source('web'));
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['a', 'b1', 'b2', 'marked', 'c', 'l1', 'l2', 'wide']);
    expect(sourceType).toBe('Directory');
    expect(revision).toBe(await repository.git('rev-parse', 'HEAD'));
    expect(objects[0]).toEqual(JSON.parse(configMap('a')));
  });

  it('descends only when told to', async () => {
    expect(await test.names(source('web', { recurse: true, include: '*deep*' }))).toEqual(['d', 'e']);
  });

  it('takes what is included and not excluded', async () => {
    expect(await test.names(source('web', { include: '{a,c}.*' }))).toEqual(['a', 'c']);
    expect(await test.names(source('web', { exclude: '{b,list,bom,utf16}.*' }))).toEqual(['a', 'c']);
    expect(await test.names(source('web', { include: '{' }))).toEqual([]);
  });

  it('follows links within the revision and passes over dangling ones', async () => {
    expect(await test.names(source('linked'))).toEqual(['shared']);
  });

  it.each([
    ['nope', 'nope: app path does not exist'],
    ['/etc', '/etc: app path is absolute'],
    ['../x', '../x: app path outside root'],
    ['web/../../x', 'web/../../x: app path outside root'],
    ['web/a.yml', 'web/a.yml: app path is not a directory'],
  ])('PATH-10: the path %s is refused', async (path, message) => {
    await expect(test.render(source(path))).rejects.toMatchObject({ code: 2, message });
  });

  it.each([
    ['/etc/passwd', 'x/l.yaml'],
    ['../../elsewhere', 'x/l.yaml'],
    ['../../x/a.yaml', 'x/l.yaml'],
  ])('PATH-05 PATH-06: a link to %s refuses the whole repository', async (link, file) => {
    const hostile = await make({ 'x/l.yaml': { link }, 'y/a.yaml': configMap('a') });
    await expect(test.render({ repoURL: hostile.url, path: 'y' })).rejects.toThrow(
      `repository contains out-of-bounds symlinks. file: ${file}`,
    );
  });

  it('PATH-07: where links that lead out are left out, nothing of where they lead is read', async () => {
    let leavesOut = true;
    const lenient = await openTestSources({ leavesOutLinks: () => leavesOut });
    try {
      const hostile = await make({
        'app/a.yaml': configMap('a'),
        'app/l.yaml': { link: join(lenient.folder, 'outside.yaml') },
        'app/values.yaml': { link: '../../../outside.yaml' },
        lib: { link: '/' },
      });
      await writeFile(join(lenient.folder, 'outside.yaml'), configMap('planted-secret'));
      const app = { repoURL: hostile.url, path: 'app' };
      expect(await lenient.names(app)).toEqual(['a']);
      const trees = await readdir(join(lenient.folder, 'trees'), { recursive: true });
      expect(trees.filter((name) => /(?:l\.yaml|values\.yaml|lib)$/.test(name))).toEqual([]);
      leavesOut = false;
      await expect(lenient.render(app)).rejects.toThrow('repository contains out-of-bounds symlinks. file: app/l.yaml');
    } finally {
      await lenient.close();
    }
  });

  it.each([
    ['a.yaml', `${configMap('ok')}\n---\nkind: [`, /^Failed to unmarshal "a.yaml": failed to unmarshal manifest: error converting YAML/],
    ['a.yaml', 'apiVersion: v1\nkind: {x\nmetadata: {}\n', /^Failed to unmarshal "a.yaml": failed to unmarshal manifest: /],
    ['a.yaml', 'apiVersion: v1\nkind: \nmetadata: {}\n', /Object 'Kind' is missing$/],
    ['a.yaml', 'apiVersion: v1\nkind: X\nmetadata: text\n', /metadata is not an object$/],
    ['a.yaml', 'apiVersion: v1\nkind: X\nmetadata: {name: x, labels: {a: 5}}\n', /metadata.labels: the value of "a" is not a text$/],
    ['a.json', '{', /^Failed to unmarshal "a.json": it is not JSON$/],
    ['a.json', '{"a": 1}', /^Failed to unmarshal "a.json": Object 'Kind' is missing$/],
    ['a.json', '{"a": "}{"} {"b": 2}', /^Found multiple objects in "a.json". Only single objects are allowed in JSON files.$/],
  ])('YAML-05: names the file that it cannot read: %s %j', async (name, text, message) => {
    const broken = await make({ [`x/${name}`]: text });
    await expect(test.render({ repoURL: broken.url, path: 'x' })).rejects.toThrow(message);
  });

  it('passes over files that are no manifests', async () => {
    const mixed = await make({
      'a.yaml': 'just: values\n',
      'b.yaml': '[broken',
      'c.yaml': configMap('c'),
      'd.json': '{"schemaVersion":2,"layers":[]}',
    });
    expect(await test.names({ repoURL: mixed.url, path: '.' })).toEqual(['c']);
  });

  it('YAML-02: is bounded in size and in objects', async () => {
    const large = await make({ 'a.yaml': `# ${'x'.repeat(11_000_000)}`, 'many/b.yaml': `${configMap('b')}\n---\n`.repeat(10_001) });
    await expect(test.render({ repoURL: large.url, path: '' })).rejects.toThrow(
      'failed to get potentially valid manifests: exceeded max combined manifest file size',
    );
    await expect(test.render({ repoURL: large.url, path: 'many' })).rejects.toThrow('there are more than 10000 objects');
  });

  it('YAML-03: carries keys that JavaScript treats specially', async () => {
    const odd = await make({ 'a.yaml': `${configMap('a').replace('"key"', '"__proto__"')}\n` });
    const { objects } = await test.render({ repoURL: odd.url, path: '' });
    expect(JSON.stringify(objects[0])).toContain('"data":{"__proto__":"value"}');
  });

  it('survives manifests that keep a parser busy, and the next one is read as ever', async () => {
    const bombs = await make({
      'alias/a.yaml': `kind: A\na0: &a0 [x]\n${Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n},*a${n}]`).join('\n')}\napiVersion: v1\nmetadata: {}\n`,
      'deep/a.yaml': `apiVersion: v1\nkind: X\nmetadata: {}\na: ${'['.repeat(500_000)}`,
      'slow/a.yaml': `apiVersion: v1\nkind: X\nmetadata: {}\na:\n${Array.from({ length: 3000 }, (_, n) => `${' '.repeat(n)}- `).join('\n')}`,
      'good/a.yaml': configMap('good'),
    });
    const limited = await openTestSources({ limits: { parseMs: 2_000 } });
    for (const path of ['alias', 'deep', 'slow'])
      await expect(limited.render({ repoURL: bombs.url, path })).rejects.toThrow(/aliases repeat|deep|took longer than 2s|line/);
    expect(await limited.names({ repoURL: bombs.url, path: 'good' })).toEqual(['good']);
    await limited.close();
  });

  it('is what the source says it is, whatever its files look like', async () => {
    const helm = await make({ 'Chart.yaml': 'name: x\nversion: 1.0.0\n', 'a.yaml': configMap('a') });
    await expect(test.render({ repoURL: helm.url, path: '', plugin: {}, directory: {} })).rejects.toThrow(
      'error getting app source type: multiple application sources defined: Directory,Plugin',
    );
    expect(await test.names({ repoURL: helm.url, path: '', directory: {} }, {})).toEqual(['a']);
    expect(await test.names({ repoURL: helm.url, path: '' }, { settings: { helmEnabled: false } })).toEqual(['a']);
  });

  it('is changed by override files, but not where it comes from', async () => {
    const overridden = await make({
      'app/.argocd-source.yaml': 'path: other\nrepoURL: https://evil.example.com\ndirectory: {include: a.yaml}\n',
      'app/.argocd-source-web.yaml': 'directory: {include: b.yaml}\n',
      'app/a.yaml': configMap('a'),
      'app/b.yaml': configMap('b'),
    });
    const application = { name: 'other', namespace: 'argocd', project: 'default' };
    expect(await test.names({ repoURL: overridden.url, path: 'app' })).toEqual(['b']);
    expect(await test.names({ repoURL: overridden.url, path: 'app' }, { application })).toEqual(['a']);
    const broken = await make({ '.argocd-source.yaml': '[oops' });
    await expect(test.render({ repoURL: broken.url, path: '' })).rejects.toThrow('error while parsing source parameters: ');
  });

  it('is found again where a commit does not touch it, and objects cannot be changed', async () => {
    const before = await test.render(source('web'));
    await repository.commit({ 'other/x.yaml': configMap('x2') });
    const after = await test.render(source('web'));
    expect(after.revision).not.toBe(before.revision);
    expect(after.objects).toBe(before.objects);
    expect(Object.isFrozen(after.objects[0]?.metadata)).toBe(true);
    expect((await test.render(source('other'))).objects[0]?.metadata.name).toBe('x2');
  });

  it('is checked out anew where the cache is damaged', async () => {
    const fresh = await make({ 'a.yaml': configMap('first'), 'b/b.yaml': configMap('second') });
    expect(await test.names({ repoURL: fresh.url, path: '' })).toEqual(['first']);
    const tree = await fresh.git('rev-parse', 'HEAD^{tree}');
    await rm(join(test.folder, 'trees', tree.slice(0, 2), tree, 'b'), { recursive: true });
    expect(await test.names({ repoURL: fresh.url, path: 'b' })).toEqual(['second']);
  });
});
