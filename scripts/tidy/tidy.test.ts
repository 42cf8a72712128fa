import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findViolations, rules } from './find-violations.ts';
import { readTree } from './read-tree.ts';
import type { Tree } from './rule.ts';
import { parseSourceFile } from './source-file.ts';

interface Planted {
  rule: string;
  what: string;
  files: Record<string, string>;
  says: RegExp;
}

const DOOR = '/** What a room is for. */\n';

/** For each rule, trees that break it and nothing else. */
const PLANTED: readonly Planted[] = [
  { rule: 'arrows', what: 'a room that imports one above it', files: { 'src/base/a.ts': `import '../engine/index.ts';` }, says: /engine/ },
  {
    rule: 'arrows',
    what: 'an export from a room above',
    files: { 'src/model/a.ts': `export { a } from '../kube/index.ts';` },
    says: /kube/,
  },
  {
    rule: 'arrows',
    what: 'a type from a room above',
    files: { 'src/base/a.ts': `import type { A } from '../main/index.ts';` },
    says: /main/,
  },
  { rule: 'arrows', what: 'a late import', files: { 'src/kube/a.ts': `await import('../server/index.ts');` }, says: /server/ },
  { rule: 'arrows', what: 'controllers → server', files: { 'src/controllers/a.ts': `import '../server/index.ts';` }, says: /each other/ },
  {
    rule: 'arrows',
    what: 'server → controllers',
    files: { 'src/server/b/a.ts': `import '../../controllers/index.ts';` },
    says: /each other/,
  },
  { rule: 'arrows', what: 'ui → objects', files: { 'src/ui/a.ts': `import '../objects/index.ts';` }, says: /only contract and model/ },
  {
    rule: 'arrows',
    what: 'a type of a page from a room above',
    files: { 'src/ui/pages/a.tsx': `import type { A } from '../../server/index.ts';` },
    says: /only contract and model/,
  },
  { rule: 'doors', what: 'ui → codec', files: { 'src/ui/a.ts': `import '../contract/gen/schema.ts';` }, says: /behind the door/ },
  { rule: 'arrows', what: 'main → ui', files: { 'src/main/a.ts': `import '../ui/index.ts';` }, says: /must not import ui/ },
  { rule: 'arrows', what: 'a room of no storey', files: { 'src/attic/a.ts': '' }, says: /not a room/ },
  { rule: 'arrows', what: 'code in no room', files: { 'src/a.ts': '' }, says: /belongs to a room/ },
  {
    rule: 'arrows',
    what: 'a circle in one storey',
    files: {
      'src/kube/a.ts': `import '../settings/index.ts';`,
      'src/settings/a.ts': `import '../access/index.ts';`,
      'src/access/a.ts': `import '../kube/index.ts';`,
    },
    says: /circle: kube → settings → access → kube/,
  },
  { rule: 'doors', what: 'a way in beside the door', files: { 'src/server/a.ts': `import '../base/errors.ts';` }, says: /behind the door/ },
  {
    rule: 'doors',
    what: 'a test that climbs in',
    files: { 'test/integration/a.test.ts': `import '../../src/base/log.ts';` },
    says: /behind/,
  },
  {
    rule: 'doors',
    what: 'a test that climbs in',
    files: { 'test/support/a.ts': `import '../../src/contract/codec/a.ts';` },
    says: /behind/,
  },
  { rule: 'doors', what: 'a door without its sentence', files: { 'src/base/index.ts': `export { a } from './a.ts';` }, says: /sentence/ },
  { rule: 'doors', what: 'export * in a door', files: { 'src/base/index.ts': `${DOOR}export * from './a.ts';` }, says: /by name/ },
  { rule: 'doors', what: 'code in a door', files: { 'src/base/index.ts': `${DOOR}export const a = 1;` }, says: /only re-exports/ },
  { rule: 'doors', what: 'a default export', files: { 'src/base/a.ts': 'export default 1;' }, says: /default/ },
  {
    rule: 'doors',
    what: 'a default export by name',
    files: { 'src/base/a.ts': 'const a = 1;\nexport { a as default };' },
    says: /default/,
  },
  { rule: 'names', what: 'camelCase', files: { 'src/base/readThing.ts': '' }, says: /kebab-case/ },
  { rule: 'names', what: 'a folder with a capital', files: { 'src/base/Log/write.ts': '' }, says: /kebab-case/ },
  ...['utils', 'string-helpers', 'common', 'session-manager'].map((name) => ({
    rule: 'names',
    what: name,
    files: { [`src/base/${name}.ts`]: '' },
    says: /says nothing/,
  })),
  { rule: 'lengths', what: '451 lines', files: { 'src/base/long.ts': '\n'.repeat(451) }, says: /451 lines/ },
  { rule: 'generated headers', what: 'no header', files: { 'src/contract/gen/a.ts': 'export const a = 1;' }, says: /starts with/ },
  { rule: 'generated headers', what: 'a header elsewhere', files: { 'src/base/a.ts': '// Generated from x. Do not edit.' }, says: /gen\// },
  { rule: 'types', what: 'as any', files: { 'src/base/a.ts': 'export const a = 1 as any;' }, says: /no `any`/ },
  { rule: 'types', what: ': any', files: { 'test/support/a.ts': 'export function a(b: any): void { b; }' }, says: /no `any`/ },
  { rule: 'types', what: 'any inside a type', files: { 'src/base/a.ts': 'export type A = Record<string, any[]>;' }, says: /no `any`/ },
  ...['ignore', 'nocheck', 'expect-error'].map((word) => ({
    rule: 'types',
    what: `ts-${word}`,
    files: { 'src/base/a.ts': `// @ts-${word}\nexport const a = 1;` },
    says: /silencing/,
  })),
  ...['it.only', 'it.skip', 'it.todo', 'describe.only', 'test.concurrent.skip', 'it.each([1]).only'].map((call) => ({
    rule: 'tests',
    what: call,
    files: { 'src/base/a.test.ts': `${call}('a', () => {});` },
    says: /runs or is not there/,
  })),
  { rule: 'tests', what: 'xit', files: { 'src/base/a.test.ts': `xit('a', () => {});` }, says: /no xit/ },
  { rule: 'notes', what: 'TODO', files: { 'src/base/a.ts': '/* TODO later */' }, says: /notes/ },
  { rule: 'notes', what: 'FIXME', files: { 'bin/a.mjs': '// FIXME' }, says: /notes/ },
  { rule: 'inputs', what: 'process.env', files: { 'src/server/a.ts': 'export const a = process.env.HOME;' }, says: /process\.env/ },
  { rule: 'inputs', what: 'process.argv', files: { 'src/cli/a.ts': 'export const a = process.argv;' }, says: /process\.argv/ },
  { rule: 'inputs', what: 'env taken out', files: { 'src/base/a.ts': 'export const { env } = process;' }, says: /takes process apart/ },
  { rule: 'inputs', what: 'env imported', files: { 'src/base/a.ts': `import { env } from 'node:process';` }, says: /imports process/ },
  ...['fs', 'fs/promises', 'net', 'child_process', 'timers/promises', 'sqlite'].map((module) => ({
    rule: 'purity',
    what: module,
    files: { 'src/engine/a.ts': `import 'node:${module}';` },
    says: /is pure/,
  })),
  ...['Date.now()', 'Math.random()', 'new Date()', 'performance.now()', 'setTimeout(a, 1)', 'crypto.randomUUID()'].map((call) => ({
    rule: 'purity',
    what: call,
    files: { 'src/model/a.ts': `export const a = () => ${call};` },
    says: /is pure/,
  })),
];

/** Each is close to a violation and is none. */
const INNOCENT: Record<string, string> = {
  'src/base/index.ts': `${DOOR}export { a } from './a.ts';\nexport type { B } from './a.ts';\n`,
  'src/base/a.ts': `export const a = 'it.only TODO: any process.env'; export type B = 'default';\n`,
  'src/base/many.ts': `// Anything goes: any word in a comment.\nexport const many = 'as any';\n${'\n'.repeat(440)}`,
  'src/contract/gen/types.ts': `// Generated from proto/. Do not edit.\n${'\n'.repeat(1000)}`,
  'src/clusters/a.ts': `import '../kube/index.ts';\nimport '../base/index.ts';`,
  'src/kube/a.ts': `import '../settings/index.ts';\nimport { setTimeout } from 'node:timers/promises';\nexport const now = Date.now;`,
  'src/engine/a.ts': `import { createHash } from 'node:crypto';\nexport const a = (time: string) => new Date(time);`,
  'src/engine/a.test.ts': `import { readFileSync } from 'node:fs';`,
  'src/main/fairway.ts': `import '../server/index.ts';\nexport const a = [process.env, process.argv];`,
  'src/ui/a.ts': `import '../contract/index.ts';\nimport '../model/index.ts';`,
  'src/ui/b.tsx': `import type { A } from '../contract/gen/types.ts';\nimport '../contract/gen/rest-routes.ts';\nexport const b = <a />;`,
  'test/conformance/a.test.ts': `describe.skipIf(true)('a', () => {}); items.only(); import '../../src/base/index.ts';`,
  'scripts/generate/a.ts': `import '../../src/contract/schema.ts';\nexport const a = process.argv;`,
  'test/support/b.ts': `import '../../src/contract/gen/schema.ts';\nimport '../../src/contract/schema.ts';`,
  'vitest.config.ts': 'export default {};',
};

describe('the tidy test', () => {
  it.each(PLANTED)('sees a violation of $rule: $what', ({ rule, files, says }) => {
    const violations = findViolations(plantTree(files));
    expect(violations).toHaveLength(1);
    expect(violations[0]).toContain(`(${rule})`);
    expect(violations[0]).toMatch(says);
  });

  it('sees dependencies without a reason, and reasons without a dependency', () => {
    const page = '| `jose` | Tokens. |\n| `gone` | It was good. |\n| `empty` |  |\n';
    const tree = { ...plantTree({}), packageJson: { dependencies: { jose: '1.0.0', new: '1.0.0' }, devDependencies: { empty: '1.0.0' } } };
    expect(findViolations({ ...tree, dependenciesPage: page })).toEqual([
      'docs/dependencies.md (dependencies) new has no line saying why it is there',
      'docs/dependencies.md (dependencies) empty has no line saying why it is there',
      'docs/dependencies.md (dependencies) gone is not a dependency any more',
    ]);
  });

  it('sees a symbolic link that is part of the repository', () => {
    expect(findViolations({ ...plantTree({}), links: ['node_modules'] })).toEqual([
      'node_modules (links) a symbolic link does not belong in the repository',
    ]);
  });

  it('has a planted violation for each rule', () => {
    const planted = new Set([...PLANTED.map(({ rule }) => rule), 'dependencies', 'links']);
    expect(rules.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
  });

  it('leaves the innocent alone', () => {
    expect(findViolations(plantTree(INNOCENT))).toEqual([]);
  });

  it('fails when it looked at nothing', () => {
    const tree: Tree = { files: [], packageJson: {}, dependenciesPage: '', links: [] };
    expect(() => findViolations(tree)).toThrow(/looks in the wrong place/);
  });

  it('finds this repository tidy', () => {
    const tree = readTree(fileURLToPath(new URL('../..', import.meta.url)));
    expect(findViolations(tree)).toEqual([]);
    expect(new Set(tree.files.map(({ path }) => path.split('/')[0]))).toEqual(new Set(['src', 'test', 'bench', 'scripts', 'bin']));
  });
});

/** A tree with the given files, and one that is always there so that there is something to look at. */
function plantTree(files: Record<string, string>): Tree {
  const all = { 'src/base/innocent.ts': '', ...files };
  return {
    files: Object.entries(all).map(([path, text]) => parseSourceFile(path, text)),
    packageJson: {},
    dependenciesPage: '',
    links: [],
  };
}
