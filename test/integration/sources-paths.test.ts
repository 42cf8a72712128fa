import { mkdtemp, readdir, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';

const SECRET = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: stolen}\n';

describe('paths that lead elsewhere', () => {
  let test: TestSources;
  let outside: string;
  const closing: GitRepository[] = [];

  beforeAll(async () => {
    test = await openTestSources();
    outside = await mkdtemp(join(tmpdir(), 'outside-'));
    await writeFile(join(outside, 'secret.yaml'), SECRET);
  });
  afterAll(async () => {
    await test.close();
    await Promise.all([rm(outside, { recursive: true }), ...closing.map((each) => each.remove())]);
  });

  const make = async (files: Parameters<typeof createGitRepository>[0]): Promise<GitRepository> => {
    const made = await createGitRepository(files);
    closing.push(made);
    return made;
  };
  const details = (source: Parameters<TestSources['render']>[0]) =>
    test.sources.details(source, { project: 'default', applicationName: 'web', fresh: true });
  const treeFolder = async (repository: GitRepository): Promise<string> => {
    const tree = await repository.git('rev-parse', 'HEAD^{tree}');
    return join(test.folder, 'trees', tree.slice(0, 2), tree);
  };

  it('PATH-03: values that are a link within the repository are read, and links that lead out refuse all of it', async () => {
    const chart = { 'chart/Chart.yaml': 'apiVersion: v2\nname: x\nversion: 1.0.0\n', 'shared/values.yaml': 'who: inside\n' };
    const within = await make({ ...chart, 'chart/values.yaml': { link: '../shared/values.yaml' } });
    expect(await details({ repoURL: within.url, path: 'chart' })).toMatchObject({ type: 'Helm', helm: { values: 'who: inside\n' } });
    for (const link of [join(outside, 'secret.yaml'), '../../outside.yaml']) {
      const leading = await make({ ...chart, 'chart/values.yaml': { link } });
      const refused = { message: 'repository contains out-of-bounds symlinks. file: chart/values.yaml' };
      await expect(details({ repoURL: leading.url, path: 'chart' })).rejects.toMatchObject(refused);
      await expect(test.render({ repoURL: leading.url, path: 'chart' })).rejects.toMatchObject(refused);
    }
  });

  it('PATH-06: a link leads where the system takes it, which is up to the first NUL', async () => {
    const repository = await make({ 'a.yaml': configMap('a') });
    await commitTree(repository, [
      ['100644', Buffer.from('Chart.yaml'), 'apiVersion: v2\nname: x\nversion: 1.0.0\n'],
      ['120000', Buffer.from('up'), '..\0z'],
      ['120000', Buffer.from('upper'), 'up/..\0z'],
    ]);
    const refused = { message: 'repository contains out-of-bounds symlinks. file: up' };
    await expect(test.render({ repoURL: repository.url, path: '' })).rejects.toMatchObject(refused);
  });

  it('PATH-06: links are found whose names read like those of files, since neither is UTF-8', async () => {
    const repository = await make({ 'a.yaml': configMap('a') });
    await commitTree(repository, [
      ['100644', Buffer.from('a.yaml'), configMap('a')],
      ['120000', Buffer.from('stolen-\xfe', 'latin1'), outside],
      ['100644', Buffer.from('stolen-\xff', 'latin1'), 'harmless'],
    ]);
    const source = { repoURL: repository.url, path: '' };
    await expect(test.render(source)).rejects.toThrow('repository contains out-of-bounds symlinks. file: stolen-');
    const lenient = await openTestSources({ leavesOutLinks: () => true });
    try {
      expect(await lenient.names(source)).toEqual(['a']);
      const tree = await repository.git('rev-parse', 'HEAD^{tree}');
      const names = await readdir(join(lenient.folder, 'trees', tree.slice(0, 2), tree), { encoding: 'latin1' });
      expect(names.sort()).toEqual(['a.yaml', 'stolen-\xff']);
    } finally {
      await lenient.close();
    }
  });

  it.each([
    ['../x', '../x: app path outside root'],
    ['/etc', '/etc: app path is absolute'],
    ['chart/../../x', 'chart/../../x: app path outside root'],
    ['chart/Chart.yaml', 'chart/Chart.yaml: app path is not a directory'],
    ['chart\0', 'chart\0: app path does not exist'],
  ])('PATH-11: the details of %j are refused', async (path, message) => {
    const repository = await make({ 'chart/Chart.yaml': 'apiVersion: v2\nname: x\nversion: 1.0.0\n' });
    await expect(details({ repoURL: repository.url, path })).rejects.toMatchObject({ message });
  });

  it.each(['../../secret.yaml', '/../secret.yaml', '../../../../../../etc/passwd'])(
    'PATH-11: details that name the value file %s are refused, and show nothing',
    async (file) => {
      const repository = await make({ 'chart/Chart.yaml': 'apiVersion: v2\nname: x\nversion: 1.0.0\n', 'chart/values.yaml': 'a: 1\n' });
      const asked = details({ repoURL: repository.url, path: 'chart', helm: { valueFiles: [file] } });
      await expect(asked).rejects.toMatchObject({ message: `file '${file}' resolved to outside repository root` });
    },
  );

  it('PATH-13: a file that became a link since it was checked out is not followed, but checked out again', async () => {
    const repository = await make({
      'a/a.yaml': configMap('first'),
      'b/b.yaml': configMap('second'),
      'c/c.jsonnet': "import 'd'",
      'c/d': configMap('third'),
    });
    expect(await test.names({ repoURL: repository.url, path: 'a' })).toEqual(['first']);
    const folder = await treeFolder(repository);
    for (const file of ['b/b.yaml', 'c/d']) {
      await unlink(join(folder, file));
      await symlink(join(outside, 'secret.yaml'), join(folder, file));
    }
    expect(await test.names({ repoURL: repository.url, path: 'b' })).toEqual(['second']);
    expect(await test.names({ repoURL: repository.url, path: 'c' })).toEqual(['third']);
  });

  it('PATH-13: a repository that changes its mind while it is rendered never gets what is outside', { timeout: 120_000 }, async () => {
    const repository = await make({ 'app/a.yaml': configMap('0') });
    const seen = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const link = round % 2 === 0 ? { link: join(outside, 'secret.yaml') } : configMap(String(round));
      const results = await Promise.allSettled([
        repository.commit({ 'app/a.yaml': link }),
        ...Array.from({ length: 4 }, () => test.names({ repoURL: repository.url, path: 'app' })),
      ]);
      for (const result of results.slice(1))
        seen.add(result.status === 'fulfilled' ? String(result.value) : String((result.reason as Error).message));
    }
    expect([...seen].filter((each) => !/^\d+$/.test(each) && !each.startsWith('repository contains out-of-bounds symlinks'))).toEqual([]);
    expect(seen.size).toBeGreaterThan(2);
  });

  it('YAML-02: the size of all manifests together is a setting', async () => {
    const repository = await make({ 'a.yaml': configMap('a'), 'b.yaml': configMap('b'), 'large.jsonnet': `// ${'x'.repeat(5000)}\n[]` });
    const source = { repoURL: repository.url, path: '' };
    const tooLarge = 'failed to get potentially valid manifests: exceeded max combined manifest file size';
    await expect(test.render(source, { settings: { directorySizeMax: '100' } })).rejects.toThrow(tooLarge);
    for (const directorySizeMax of ['1k', '0', 'nonsense'])
      expect(await test.names(source, { settings: { directorySizeMax } })).toEqual(['a', 'b']);
  });
});

/** A commit that holds just these entries, with names as they are; they must be in the order of their bytes. */
async function commitTree(
  repository: GitRepository,
  entries: readonly (readonly [mode: string, name: Buffer, content: string])[],
): Promise<void> {
  const file = join(repository.folder, '.git', 'planted');
  const records: Buffer[] = [];
  for (const [mode, name, content] of entries) {
    await writeFile(file, content);
    const id = await repository.git('hash-object', '-w', file);
    records.push(Buffer.concat([Buffer.from(`${mode} `), name, Buffer.alloc(1), Buffer.from(id, 'hex')]));
  }
  await writeFile(file, Buffer.concat(records));
  const tree = await repository.git('hash-object', '-t', 'tree', '-w', file);
  await repository.git('update-ref', 'refs/heads/main', await repository.git('commit-tree', tree, '-m', 'planted'));
}
