import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';
import { waitUntil } from '../support/wait-until.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function make(files: Parameters<typeof createGitRepository>[0]): Promise<GitRepository> {
  const repository = await createGitRepository(files);
  closing.push(() => repository.remove());
  return repository;
}

async function open(options: Parameters<typeof openTestSources>[0] = {}): Promise<TestSources> {
  const test = await openTestSources(options);
  closing.push(() => test.close());
  return test;
}

describe('the cache of sources', () => {
  it('is thrown away and made anew where a mirror is damaged', async () => {
    const repository = await make({ 'a/a.yaml': configMap('a'), 'b/b.yaml': configMap('b'), 'c/c.yaml': configMap('c') });
    const test = await open();
    const source = (path: string) => ({ repoURL: repository.url, path });
    expect(await test.names(source('a'))).toEqual(['a']);
    const mirror = async (): Promise<string> => {
      const [name = ''] = await readdir(join(test.folder, 'mirrors'));
      return join(test.folder, 'mirrors', name);
    };
    await rm(join(await mirror(), 'objects'), { recursive: true });
    await rm(join(test.folder, 'trees'), { recursive: true });
    const second = await open({ folder: test.folder });
    expect(await second.names(source('b'))).toEqual(['b']);
    await writeFile(join(await mirror(), 'config'), '[broken');
    await writeFile(join(await mirror(), 'HEAD'), '');
    const third = await open({ folder: test.folder });
    expect(await third.names(source('c'))).toEqual(['c']);
  });

  it('is made anew also for who only looks at the files of a repository, as generators do', async () => {
    const repository = await make({ 'a.yaml': configMap('a') });
    const test = await open();
    const look = () => test.sources.files({ repoURL: repository.url, targetRevision: 'HEAD' }, { project: 'default' });
    const files = await look();
    const [name = ''] = await readdir(join(test.folder, 'mirrors'));
    await rm(join(test.folder, 'mirrors', name, 'objects', 'pack'), { recursive: true });
    await expect(files.read(['a.yaml'])).rejects.toThrow('the mirror of the repository cannot be read: an object is missing');
    expect(await (await look()).read(['a.yaml'])).toEqual(new Map([['a.yaml', configMap('a')]]));
  });

  it('stays as it is where the repository itself has a file that git cannot read', async () => {
    const repository = await make({ 'a.yaml': configMap('a'), '.gitmodules': '[broken\n' });
    await repository.git('update-index', '--add', '--cacheinfo', `160000,${await repository.git('rev-parse', 'HEAD')},lib`);
    await repository.git('commit', '--quiet', '--message', 'a submodule');
    const test = await open();
    const mirrors = join(test.folder, 'mirrors');
    const inodes = async () => Promise.all((await readdir(mirrors)).map(async (name) => (await stat(join(mirrors, name))).ino));
    const render = () => test.render({ repoURL: repository.url, path: '.' });
    await expect(render()).rejects.toThrow('the file .gitmodules of the repository cannot be read');
    const before = await inodes();
    await expect(render()).rejects.toThrow('the file .gitmodules of the repository cannot be read');
    expect(await inodes()).toEqual(before);
  });

  it('is looked through by the next process: a machine that lost its power may have left files empty or cut short', async () => {
    const repository = await make({ 'a/a.yaml': configMap('a'), 'b/b.yaml': configMap('b'), 'b/c.yaml': configMap('c') });
    const first = await open();
    const source = (path: string) => ({ repoURL: repository.url, path });
    expect(await first.names(source('a'))).toEqual(['a']);
    const tree = await repository.git('rev-parse', 'HEAD^{tree}');
    await writeFile(join(first.folder, 'trees', tree.slice(0, 2), tree, 'b', 'c.yaml'), '');
    const second = await open({ folder: first.folder });
    expect((await second.names(source('b'))).sort()).toEqual(['b', 'c']);
    expect(second.logged()).toContain('a cached revision is not whole');
  });

  it('is rid of what a killed process left in private folders', async () => {
    const test = await open();
    const left = join(test.folder, 'private', 'run-left');
    await mkdir(left, { recursive: true });
    await writeFile(join(left, 'identity'), 'a key');
    await utimes(left, new Date(0), new Date(0));
    await open({ folder: test.folder });
    await waitUntil(() => !existsSync(left));
  });

  it('is shared by several, and evicts what was used longest ago but not what is in use', async () => {
    const repositories = await Promise.all(
      [1, 2, 3, 4].map((n) => make({ 'a.yaml': `# ${String(n).repeat(50_000)}\n${configMap(`a${n}`)}` })),
    );
    let nowMs = Date.now();
    const limits = { treesBytesMax: 120_000, inUseMs: 60_000 };
    const first = await open({ limits, clock: { nowMs: () => nowMs } });
    const second = await open({ limits, clock: { nowMs: () => nowMs }, folder: first.folder });
    const stored = async (): Promise<number> => {
      const folders = await readdir(join(first.folder, 'trees'), { recursive: true });
      return folders.filter((name) => /^..\/[0-9a-f]{40}$/.test(name)).length;
    };
    await Promise.all(repositories.flatMap(({ url }) => [first, second].map((test) => test.names({ repoURL: url, path: '' }))));
    expect(await stored()).toBe(4);
    nowMs += 120_000;
    const last = await make({ 'a.yaml': configMap('last') });
    expect(await first.names({ repoURL: last.url, path: '' })).toEqual(['last']);
    await expect.poll(stored).toBeLessThanOrEqual(3);
    for (const [index, { url }] of repositories.entries())
      expect(await second.names({ repoURL: url, path: '' })).toEqual([`a${index + 1}`]);
  });

  it('removes mirrors that nobody used for long where they take too much, and puts packs together', async () => {
    const [one, other] = [await make({ 'a.yaml': configMap('one') }), await make({ 'a.yaml': configMap('other') })];
    const test = await open({ limits: { mirrorsBytesMax: 1, inUseMs: 60_000 } });
    const folder = join(test.folder, 'mirrors');
    const mirrors = async (): Promise<string[]> => (await readdir(folder)).filter((name) => !name.startsWith('unfinished'));
    await test.names({ repoURL: one.url, path: '' });
    const [old = ''] = await mirrors();
    const longAgo = new Date(Date.now() - 120_000);
    await utimes(join(folder, old), longAgo, longAgo);
    let commits = 0;
    const commit = async (): Promise<void> => {
      commits += 1;
      await other.commit({ 'a.yaml': configMap(`other-${commits}`) });
      expect(await test.names({ repoURL: other.url, path: '' })).toEqual([`other-${commits}`]);
    };
    while (commits < 20) await commit();
    await expect.poll(mirrors).not.toContain(old);
    const [name = ''] = await mirrors();
    const packs = async (): Promise<number> =>
      (await readdir(join(folder, name, 'objects', 'pack'))).filter((file) => file.endsWith('.pack')).length;
    // Nobody waits for what is put together, and it waits for what is tidied at that moment.
    const packsAfterCommit = async (): Promise<number> => {
      await commit();
      return packs();
    };
    await expect.poll(packsAfterCommit, { timeout: 30_000 }).toBeLessThan(15);
    expect(await test.names({ repoURL: one.url, path: '' })).toEqual(['one']);
  });

  it('reads what several have in common from the mirror of who asks, whatever became of the others', async () => {
    const repository = await make({ 'a/a.yaml': configMap('a'), 'b/b.yaml': configMap('b') });
    const test = await open({ credentialsFor: (url, project) => ({ url, type: 'git', owner: project }) });
    const source = { repoURL: repository.url, path: 'b' };
    const filesFor = (project: string) => test.sources.files(source, { project });
    const mirrors = join(test.folder, 'mirrors');
    await filesFor('one');
    const [first = ''] = await readdir(mirrors);
    await filesFor('two');
    await rm(join(mirrors, first), { recursive: true });
    const inodes = async () => Promise.all((await readdir(mirrors)).map(async (name) => (await stat(join(mirrors, name))).ino));
    const before = await inodes();
    expect(before).toHaveLength(1);
    expect((await (await filesFor('two')).read(['a/a.yaml'])).get('a/a.yaml')).toBe(configMap('a'));
    const application = { name: 'web', namespace: 'argocd', project: 'two' };
    expect(await test.names(source, { application })).toEqual(['b']);
    // Nothing was wrong with the mirror that is left.
    expect(await inodes()).toEqual(before);
  });

  it('does not take revisions for new because the clock was set back since', async () => {
    const repository = await make({ 'a.yaml': configMap('a') });
    let nowMs = Date.now() + 3_600_000;
    const test = await open({ clock: { nowMs: () => nowMs } });
    const source = { repoURL: repository.url, targetRevision: 'main' };
    const { revision } = await test.sources.resolve(source, { project: 'default' });
    const commit = await repository.commit({ 'a.yaml': configMap('b') });
    expect(await test.sources.resolve(source, { project: 'default' })).toEqual({ revision });
    nowMs -= 3_600_000;
    expect(await test.sources.resolve(source, { project: 'default' })).toEqual({ revision: commit });
  });

  it('fetches only as much history as the repository says', async () => {
    const repository = await make({ 'a.yaml': configMap('a') });
    for (let n = 0; n < 5; n += 1) await repository.commit({ 'a.yaml': configMap(`a${n}`) });
    const test = await open({ access: [{ url: repository.url, type: 'git', owner: 'x', depth: 2 }] });
    expect(await test.names({ repoURL: repository.url, path: '' })).toEqual(['a4']);
    const [name = ''] = await readdir(join(test.folder, 'mirrors'));
    const { stdout } = await promisify(execFile)('git', ['--git-dir', join(test.folder, 'mirrors', name), 'rev-list', '--all', '--count']);
    expect(stdout.trim()).toBe('2');
    // A fetch that was killed has left its lock, and a part of what it got.
    const mirror = join(test.folder, 'mirrors', name);
    const left = [join(mirror, 'shallow.lock'), join(mirror, 'objects', 'pack', 'tmp_pack_left')];
    const longAgo = new Date(Date.now() - 3_600_000);
    for (const path of left) {
      await writeFile(path, '');
      await utimes(path, longAgo, longAgo);
    }
    await repository.commit({ 'a.yaml': configMap('a5') });
    expect(await test.names({ repoURL: repository.url, path: '' })).toEqual(['a5']);
    expect(left.filter((path) => existsSync(path))).toEqual([]);
  });
});

describe('a hostile repository', () => {
  it.each(['.git', '.GIT', 'git~1', '..', '.'])('GIT-09: with the name %s in a tree is refused', async (name) => {
    const hostile = await make({ 'a.yaml': configMap('a') });
    const blob = await hostile.git('rev-parse', 'HEAD:a.yaml');
    await writeFile(join(hostile.folder, 'raw'), Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]));
    const tree = await hostile.git('hash-object', '-t', 'tree', '-w', '--literally', 'raw');
    const commit = await hostile.git('commit-tree', tree, '-m', 'x');
    await hostile.git('update-ref', 'refs/heads/hostile', commit);
    const test = await open();
    await expect(test.render({ repoURL: hostile.url, path: '', targetRevision: 'hostile' })).rejects.toThrow(/malformed: /);
  });

  it('GIT-05: runs nothing of its hooks, filters and attributes', async () => {
    const hostile = await make({ 'seed.txt': '' });
    const marker = join(hostile.folder, 'pwned');
    await hostile.commit({
      '.gitattributes': '*.yaml filter=evil diff=evil\n',
      'a.yaml': configMap('a'),
      '.githooks/post-checkout': `#!/bin/sh\ntouch ${marker}\n`,
      '.gitconfig': `[core]\n\thooksPath = .githooks\n[filter "evil"]\n\tsmudge = touch ${marker}\n`,
    });
    const test = await open();
    expect(await test.names({ repoURL: hostile.url, path: '' })).toEqual(['a']);
    expect(existsSync(marker)).toBe(false);
  });

  it('GIT-12: replaces no objects', async () => {
    const hostile = await make({ 'a.yaml': configMap('true') });
    const real = await hostile.git('rev-parse', 'HEAD');
    const other = await hostile.commit({ 'a.yaml': configMap('replaced') });
    await hostile.git('replace', real, other);
    const test = await open();
    expect(await test.names({ repoURL: hostile.url, path: '', targetRevision: real })).toEqual(['true']);
  });
});

describe('submodules', () => {
  it('are in their places, also relative and nested ones, and count as what a result is made from', async () => {
    const inner = await make({ 'i.yaml': configMap('inner') });
    const middle = await make({ 'm.yaml': configMap('middle') });
    await middle.git('submodule', 'add', '--quiet', inner.url, 'deep/inner');
    await middle.commit({});
    const outer = await make({ 'app/o.yaml': configMap('outer') });
    await outer.git('submodule', 'add', '--quiet', middle.url, 'app/vendor/middle');
    await outer.commit({});
    const test = await open();
    const source = { repoURL: outer.url, path: 'app', directory: { recurse: true } };
    expect(await test.names(source)).toEqual(['outer', 'inner', 'middle']);
    expect(await test.names({ repoURL: outer.url, path: 'app/vendor/middle/deep/inner' })).toEqual(['inner']);
    const commit = await middle.commit({ 'm.yaml': configMap('changed') });
    await outer.git('-C', 'app/vendor/middle', 'fetch', '--quiet');
    await outer.git('-C', 'app/vendor/middle', 'checkout', '--quiet', commit);
    await outer.commit({});
    expect(await test.names(source)).toEqual(['outer', 'inner', 'changed']);
  });

  it('PATH-06: lead no link out of the repository that names them', async () => {
    const inner = await make({ 'd/e/top': { link: '../..' }, 'i.yaml': configMap('inner') });
    const outer = await make({ 'app/o.yaml': configMap('outer') });
    await outer.git('submodule', 'add', '--quiet', inner.url, 'app/sub');
    const hostile = { 'app/stolen.yaml': { link: 'sub/d/e/top/../../../secret.yaml' }, 'app/fine.yaml': { link: 'sub/d/e/top/i.yaml' } };
    await outer.commit(hostile);
    const source = { repoURL: outer.url, path: 'app' };
    const strict = await open();
    const message = 'repository contains out-of-bounds symlinks. file: app/stolen.yaml';
    await expect(strict.render(source)).rejects.toMatchObject({ message });
    const lenient = await open({ leavesOutLinks: () => true });
    expect(await lenient.names(source)).toEqual(['inner', 'outer']);
    const trees = join(lenient.folder, 'trees');
    const files = (await readdir(trees, { recursive: true })).filter((path) => /\/app\/[a-z]+\.yaml$/.test(path));
    expect(files.map((path) => basename(path)).sort()).toEqual(['fine.yaml', 'o.yaml']);
  });

  it.each(['ext::sh -c true', '--upload-pack=x', '/etc', 'file://host/x', '../../../../../../x'])(
    'GIT-07: with the URL %s are refused',
    async (url) => {
      const hostile = await make({ 'a/a.yaml': configMap('a'), '.gitmodules': `[submodule "x"]\n\tpath = a/x\n\turl = "${url}"\n` });
      await hostile.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},a/x`);
      await hostile.git('commit', '--quiet', '--message', 'x');
      const test = await open();
      await expect(test.render({ repoURL: hostile.url, path: 'a' })).rejects.toThrow(
        /refused|not allowed|leaves its server|malformed: gitmodulesUrl/,
      );
    },
  );

  it.each<[string, Attack, RegExp]>([
    ['the name ../foo', { modules: { '../foo': 'a/x' } }, /malformed: gitmodulesName/],
    ['the name foo/../bar', { modules: { 'foo/../bar': 'a/x' } }, /malformed: gitmodulesName/],
    ['a path that is an option', { modules: { x: '-a' } }, /malformed: gitmodulesPath/],
    ['a .gitmodules that is a link', { modules: { x: 'a/x' }, writtenTo: 'real-modules' }, /malformed: gitmodulesSymlink/],
  ])('GIT-04: with %s are refused, and nothing of theirs is run', async (_what, attack, refusal) => {
    const { repository, marker } = await makeAttack(attack);
    const test = await open();
    await expect(test.render({ repoURL: repository.url, path: 'a', directory: { recurse: true } })).rejects.toThrow(refusal);
    expect(existsSync(marker)).toBe(false);
    expect(await findHooks(test.folder)).toEqual([]);
  });

  it.each<[string, Attack]>([
    ['whose names are within each other', { modules: { hippo: 'a/hippo', 'hippo/hooks': 'a/hooks' } }],
    ['whose path ends in CR, beside a link to hooks', { modules: { x: 'a/x\r' }, link: ['a/x', '../.git/modules/x/hooks'] }],
  ])('GIT-04: %s are files in their places, and nothing of theirs is run', async (_what, attack) => {
    const { repository, marker } = await makeAttack(attack);
    const test = await open();
    const names = await test.names({ repoURL: repository.url, path: 'a', directory: { recurse: true } });
    expect(names).toEqual(['a', ...Object.keys(attack.modules).map(() => 'library')]);
    expect(existsSync(marker)).toBe(false);
    expect(await findHooks(test.folder)).toEqual([]);
  });

  it('that nothing is known of are not passed over', async () => {
    const odd = await make({ 'a/a.yaml': configMap('a') });
    await odd.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},a/x`);
    await odd.git('commit', '--quiet', '--message', 'x');
    const test = await open();
    const source = { repoURL: odd.url, path: 'a', directory: { recurse: true } };
    await expect(test.render(source)).rejects.toThrow('a/x: the submodule has no URL in .gitmodules');
  });
});

interface Attack {
  /** The paths of submodules by their names. */
  readonly modules: Readonly<Record<string, string>>;
  /** Where they are written down, if `.gitmodules` only leads there. */
  readonly writtenTo?: string;
  readonly link?: readonly [path: string, target: string];
}

/** A repository with submodules that would touch the marker if a file of theirs came to be a hook. */
async function makeAttack({ modules, writtenTo, link }: Attack): Promise<{ repository: GitRepository; marker: string }> {
  const library = await make({ 'l.yaml': configMap('library') });
  const marker = join(library.folder, 'pwned');
  await writeFile(join(library.folder, 'post-checkout'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
  const commit = await library.commit({});
  const sections = Object.entries(modules).map(([name, path]) => `[submodule "${name}"]\n\tpath = "${path}"\n\turl = ${library.url}\n`);
  const repository = await make({
    'a/a.yaml': configMap('a'),
    [writtenTo ?? '.gitmodules']: sections.join(''),
    ...(link !== undefined && { [link[0]]: { link: link[1] } }),
  });
  for (const path of Object.values(modules)) await repository.git('update-index', '--add', '--cacheinfo', `160000,${commit},${path}`);
  await repository.git('commit', '--quiet', '--message', 'submodules');
  if (writtenTo !== undefined) await plantLink(repository, '.gitmodules', writtenTo);
  return { repository, marker };
}

/** Puts a link first into the root of the repository, also where git does not let a link have that name. */
async function plantLink(repository: GitRepository, name: string, target: string): Promise<void> {
  const file = join(repository.folder, '.git', 'planted');
  await writeFile(file, target);
  const link = `120000 blob ${await repository.git('hash-object', '-w', file)}\t${name}`;
  const entries = [link, ...(await repository.git('ls-tree', 'HEAD')).split('\n')].map((line) => {
    const [, mode = '', id = '', path = ''] = /^0?(\d+) \w+ (\w+)\t(.*)$/.exec(line) ?? [];
    return Buffer.concat([Buffer.from(`${mode} ${path}\0`), Buffer.from(id, 'hex')]);
  });
  await writeFile(file, Buffer.concat(entries));
  const tree = await repository.git('hash-object', '-t', 'tree', '-w', '--literally', file);
  await repository.git('update-ref', 'refs/heads/main', await repository.git('commit-tree', tree, '-m', 'a link'));
}

/** What of a submodule has got to where git looks for its hooks. */
async function findHooks(folder: string): Promise<string[]> {
  const found = await readdir(join(folder, 'mirrors'), { recursive: true });
  return found.filter((name) => name.endsWith('post-checkout'));
}
