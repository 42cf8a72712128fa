import type { FidelityCase } from './fidelity-case.ts';

const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
type Directory = NonNullable<NonNullable<FidelityCase['source']>['directory']>;

function directory(name: string, files: FidelityCase['files'], expected: readonly string[], options?: Directory): FidelityCase {
  return {
    name: `directory-${name}`,
    files,
    ...(options && { source: { directory: options } }),
    byHand: { tool: 'directory', files: expected },
  };
}

const deep = {
  'z.yaml': map('z'),
  'a/b.yaml': map('b'),
  'a/.hidden/c.yml': map('c'),
  'a.yaml': map('a'),
  'env-x/d.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"d"}}',
};

export const directoryCases: readonly FidelityCase[] = [
  directory('one-file', { 'a.yaml': map('a') }, ['a.yaml']),
  directory('several-documents', { 'a.yaml': `---\n${map('a')}---\n---\n# nothing\n---\n${map('b')}` }, ['a.yaml']),
  directory(
    'all-forms',
    {
      'c.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"json"}}',
      'b.yml': map('yml'),
      'a.yaml': map('yaml'),
      'd.YAML': map('no'),
      'e.txt': map('no'),
    },
    ['a.yaml', 'b.yml', 'c.json'],
  ),
  directory('flat', deep, ['a.yaml', 'z.yaml']),
  directory('recursive', deep, ['a/.hidden/c.yml', 'a/b.yaml', 'a.yaml', 'env-x/d.json', 'z.yaml'], { recurse: true }),
  directory('included', deep, ['a/b.yaml', 'a.yaml', 'z.yaml'], { recurse: true, include: '*.yaml' }),
  directory('excluded', deep, ['a.yaml', 'z.yaml'], { recurse: true, exclude: '{a/*,env-x/*}' }),
  directory('excluded-first', deep, ['z.yaml'], { recurse: true, include: '{a.yaml,z.yaml}', exclude: 'a*' }),
  directory(
    'lists',
    {
      'l.yaml': `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}\n- {apiVersion: v1, kind: Secret, metadata: {name: two}}\n`,
      'm.yaml': 'apiVersion: v1\nkind: ConfigMapList\nitems: [{apiVersion: v1, kind: ConfigMap, metadata: {name: three}}]\n',
    },
    ['l.yaml', 'm.yaml'],
  ),
  directory('skipped-files', { 'a.yaml': map('a'), 'b.yaml': `# +argocd:skip-file-rendering\n${map('b')}` }, ['a.yaml']),
  directory('other-files', { 'a.yaml': map('a'), 'values.yaml': 'replicas: 3\nimage: {tag: x}\n' }, ['a.yaml']),
  directory(
    'anchors',
    { 'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: &l {x: why}}\ndata: {<<: *l, z: "1"}\n' },
    ['a.yaml'],
  ),
  directory('line-ends', { 'a.yaml': map('a').replaceAll('\n', '\r\n'), 'b.yaml': `\ufeff${map('b')}` }, ['a.yaml', 'b.yaml']),
  directory('links', { 'a.yaml': map('a'), 'b.yaml': { link: 'real/b.txt' }, 'real/b.txt': map('b'), 'c.yaml': { link: 'nowhere' } }, [
    'a.yaml',
    'real/b.txt',
  ]),
  directory(
    'scalars',
    {
      'a.yaml':
        'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: s}\nspec: {a: yes, b: "no", c: 0644, d: 0x1F, e: 1.50, f: ~, g: 2001-12-14, h: off, i: 1e3}\n',
    },
    ['a.yaml'],
  ),
  directory(
    'text-blocks',
    {
      'a.yaml':
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: t}\ndata:\n  a: |\n    one\n\n    two\n  b: >-\n    folded\n    text\n  c: \"quoted \\u00e9 \\n\"\n  d: 'it''s'\n",
    },
    ['a.yaml'],
  ),
];
