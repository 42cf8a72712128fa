import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, createGitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { openTestSources } from '../support/sources.ts';
import type { TestSources } from '../support/sources.ts';

type Files = Parameters<typeof createGitRepository>[0];

const object = (value: string): string => `{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { value: ${value} } }`;

describe('Jsonnet that nobody means well with', () => {
  let test: TestSources;
  let outside: string;
  const closing: GitRepository[] = [];

  beforeAll(async () => {
    test = await openTestSources();
    outside = await mkdtemp(join(tmpdir(), 'outside-'));
    await writeFile(join(outside, 'secret.txt'), 'hunter2');
  });
  afterAll(async () => {
    await test.close();
    await Promise.all([rm(outside, { recursive: true }), ...closing.map((each) => each.remove())]);
  });

  const make = async (files: Files): Promise<GitRepository> => {
    const made = await createGitRepository(files);
    closing.push(made);
    return made;
  };
  const failureOf = async (files: Files, jsonnet: object = {}, sources: TestSources = test): Promise<string> => {
    const { url } = await make(files);
    const failed: unknown = await sources.render({ repoURL: url, path: 'app', directory: { jsonnet } }).then(
      () => new Error('it was rendered'),
      (error: unknown) => error,
    );
    return failed instanceof Error ? failed.message : String(failed);
  };

  it.each([
    "importstr '/etc/passwd'",
    "importbin '/dev/zero'",
    "importstr '/proc/self/environ'",
    "import '/etc/hosts'",
    "importstr '../../../../../../../../etc/passwd'",
    "importstr '../../../etc/passwd'",
    "importstr 'nested/../../../etc/passwd'",
    "importstr '//etc/passwd'",
    "importstr '/'",
    "import '..' + ''",
    "importstr '..'",
  ])('JSNT-01: %s reads nothing', async (program) => {
    const message = await failureOf({ 'app/a.jsonnet': object(program), 'app/nested/x': '' });
    expect(message).toMatch(
      /^Failed to evaluate jsonnet "a.jsonnet": .*(?:resolves outside repository root|is not a regular file|Computed imports)/s,
    );
    expect(message).not.toContain('root:');
  });

  it('JSNT-01: a path to a file that exists on this machine is as unknown as any other', async () => {
    const message = await failureOf({ 'app/a.jsonnet': object(`importstr '${outside}/secret.txt'`) });
    expect(message).toContain('resolves outside repository root');
    const climbing = `${'../'.repeat(12)}${outside.slice(1)}/secret.txt`;
    const climbed = await failureOf({ 'app/a.jsonnet': object(`importstr '${climbing}'`) });
    expect(climbed).toContain('resolves outside repository root');
    expect(message + climbed).not.toContain('hunter2');
  });

  it('JSNT-01: links that lead out refuse the repository; links within it are followed', async () => {
    expect(await failureOf({ 'app/a.jsonnet': object("importstr 'link'"), 'app/link': { link: `${outside}/secret.txt` } })).toBe(
      'repository contains out-of-bounds symlinks. file: app/link',
    );
    const { url } = await make({
      'app/a.jsonnet': object("(import 'link/lib.libsonnet').text"),
      'app/link': { link: '../vendor' },
      'vendor/lib.libsonnet': "{ text: importstr 'text.txt' }",
      'vendor/text.txt': 'inside',
    });
    const { objects } = await test.render({ repoURL: url, path: 'app' });
    expect(objects[0]).toMatchObject({ data: { value: 'inside' } });
  });

  it.each(['../x', '..', 'lib/../../x', '/../x', 'a\0b', '../app/../../x'])(
    'JSNT-01 PATH-07: the library %j is refused',
    async (library) => {
      const message = await failureOf({ 'app/a.jsonnet': object("'x'"), 'lib/x': '' }, { libs: [library] });
      expect(message).toBe(`file '${library}' resolved to outside repository root`);
    },
  );

  it('JSNT-01: code in the source of an application reaches no further', async () => {
    const files = { 'app/a.jsonnet': object("std.extVar('stolen')") };
    const stealing = (value: string) => ({ extVars: [{ name: 'stolen', value, code: true }] });
    expect(await failureOf(files, stealing("importstr '/etc/passwd'"))).toContain('resolves outside repository root');
    expect(await failureOf(files, stealing("importstr '../../../etc/passwd'"))).toContain('resolves outside repository root');
    expect(await failureOf(files, stealing("importstr 'package.json'"))).toContain("couldn't open import");
    expect(await failureOf(files, stealing("importstr '.git/config'"))).toContain("couldn't open import");
  });

  it('JSNT-01: names of files are not taken for something else', async () => {
    const { url } = await make({
      'app/a.jsonnet': object("std.length(importstr '__proto__') + (import 'constructor').x"),
      'app/__proto__': 'abc',
      'app/constructor': '{ x: 1 }',
    });
    expect((await test.render({ repoURL: url, path: 'app' })).objects[0]).toMatchObject({ data: { value: 4 } });
  });

  it.each([
    ['local f(x) = f(x + 1); f(0)', 'max stack frames exceeded'],
    ["std.repeat('x', 1000000000)", 'a text has more than'],
    [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'nested too deeply'],
    ['local x = [x]; x', 'max stack frames exceeded'],
    ["import 'a.jsonnet'", 'max stack frames exceeded'],
  ])('JSNT-02: %.60s ends in an error of the application', async (program, reason) => {
    const message = await failureOf({ 'app/a.jsonnet': program });
    expect(message).toContain('Failed to evaluate jsonnet "a.jsonnet": ');
    expect(message).toContain(reason);
  });

  it('JSNT-02: one that never ends is ended, holds up nobody meanwhile, and the next is rendered as ever', async () => {
    const limited = await openTestSources({ limits: { parseMs: 3_000 } });
    const good = await make({ 'app/a.yaml': configMap('good'), 'jsonnet/a.jsonnet': object("'good'") });
    const endless = failureOf({ 'app/a.jsonnet': 'local f(x) = f(x + 1) tailstrict; f(0)' }, {}, limited);
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 50);
    expect(await limited.names({ repoURL: good.url, path: 'app' })).toEqual(['good']);
    expect(await endless).toMatch(/took longer than 3s|it takes too long/);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
    expect(await limited.names({ repoURL: good.url, path: 'jsonnet' })).toEqual(['x']);
    await limited.close();
  });

  it('JSNT-02: one that wants all memory gets what a thread may have, and the server goes on', async () => {
    const limited = await openTestSources({ limits: { parseMegabytesMax: 64 } });
    const hungry = "std.length(std.toString([{ ['k' + j]: 'v' + j + i for j in std.range(1, 1000) } for i in std.range(1, 2000)]))";
    const message = await failureOf({ 'app/a.jsonnet': object(hungry) }, {}, limited);
    expect(message).toBe('reading the manifests took too much memory');
    const good = await make({ 'app/a.jsonnet': object("'good'") });
    expect(await limited.names({ repoURL: good.url, path: 'app' })).toEqual(['x']);
    await limited.close();
  });

  it('INFO-03: failures name files of the repository, and no folder of this machine', async () => {
    const message = await failureOf({
      'app/a.jsonnet': "(import 'lib/b.libsonnet').x",
      'app/lib/b.libsonnet': '{ x: error std.thisFile }',
    });
    expect(message).toBe('Failed to evaluate jsonnet "a.jsonnet": RUNTIME ERROR: app/lib/b.libsonnet\n\tapp/lib/b.libsonnet:1:6');
    expect(message).not.toContain(test.folder);
  });
});
