import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { extendSearchPath } from '../../src/sources/index.ts';
import { runFairway } from '../support/fairway.ts';
import type { FairwayResult } from '../support/fairway.ts';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import { describeWithTool } from '../support/tools/describe-with-tool.ts';

/** What Go keeps of the test tool of the same name makes this a matter of seconds. */
const slow = { timeout: 10 * 60_000 };

describeWithTool('kustomize', 'the command that gets the programs which render', () => {
  let cache: string;
  beforeAll(async () => {
    cache = await mkdtemp(join(tmpdir(), 'tools-install-'));
  });
  afterAll(() => rm(cache, { recursive: true, force: true }));

  const install = (path: string | undefined, ...names: string[]): Promise<FairwayResult> => {
    const { PATH, HOME, GOPROXY, GOMODCACHE, GOCACHE } = process.env;
    const known = Object.entries({ PATH: path ?? PATH, HOME, GOPROXY, GOMODCACHE, GOCACHE });
    const env = Object.fromEntries(known.filter((entry): entry is [string, string] => entry[1] !== undefined));
    return runFairway(['tools', 'install', ...names], { ...env, FAIRWAY_CACHE: cache });
  };

  it('builds one that says its version, once, and rendering finds it', slow, async () => {
    const program = join(cache, 'programs', 'kustomize-v5.8.1', 'kustomize');
    const first = await install(undefined, 'kustomize');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(`kustomize v5.8.1: ${program}\n`);
    expect(await install(undefined, 'kustomize')).toMatchObject({ code: 0, stdout: `kustomize v5.8.1 is there: ${program}\n` });
    expect(await readdir(join(cache, 'programs'))).toEqual(['kustomize-v5.8.1']);

    const repository = await createGitRepository({
      'kustomization.yaml': 'resources: [a.yaml]\nnamePrefix: x-\n',
      'a.yaml': configMap('a'),
    });
    const test = await openTestSources({ tools: { searchPath: extendSearchPath('/usr/bin:/bin', cache) } });
    expect(await test.names({ repoURL: repository.url, path: '.' })).toEqual(['x-a']);
    await test.close();
    await repository.remove();
  });

  it('says what to do without Go, and which tools there are', async () => {
    const without = await install(dirname(process.execPath), 'helm');
    expect(without).toMatchObject({ code: 1 });
    expect(without.stderr).toBe(
      'fairway: Go is not installed, which helm is built with: install helm v4.2.1 where it is found on the PATH instead\n',
    );
    // What it says of its work is not what it is for: a reader that goes away does not end it.
    const env = { PATH: dirname(process.execPath), FAIRWAY_CACHE: cache };
    const unread = await runFairway(['tools', 'install', 'helm'], env, { onStart: (child) => child.stdout?.destroy() });
    expect(unread).toMatchObject({ code: 1, stderr: without.stderr });
    const file = join(cache, 'file');
    await writeFile(file, '');
    expect(await runFairway(['tools', 'install', 'helm'], { FAIRWAY_CACHE: join(file, 'cache') })).toMatchObject({
      code: 1,
      stderr: `fairway: cannot keep tools in ${join(file, 'cache')}: a part of the path is not a folder\n`,
    });
    expect((await install(undefined, 'nope')).stderr).toBe('fairway: there is no tool nope; there are helm, kustomize\n');
  });
});
