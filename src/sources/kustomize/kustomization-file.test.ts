import { expect, it } from 'vitest';
import { foldCase, isPlainYaml } from './kustomization-file.ts';

it.each(['resources: [a.yaml]\n', '---\n# words\nresources:\n- "a"\n- \'b\'\nnamePrefix: x-\n', ''])(
  '%j reads the same everywhere',
  (text) => expect(isPlainYaml(Buffer.from(text))).toBe(true),
);

it.each([
  'a: &x b',
  'a: *x',
  '!!binary a: b',
  '%YAML 1.1\n---\n',
  'a: "\\u0061"',
  '<<: {}',
  'a: |-\n  b',
  'a: >\n  b',
  '? a\n: b',
  'a:\tb',
  'a: b\r\n',
  'a: é',
  '#\u0085a: b',
  '#\u2028a: b',
  '\ufeffa: b',
  'a: b\n---\nc: d',
  'a: b\n...\n',
])('%j may not', (text) => expect(isPlainYaml(Buffer.from(text))).toBe(false));

it('takes letters for one another that some take for one another', () => {
  expect(['Resources', 'RESOURCES', 're\u017Fource\u017F'].map(foldCase)).toEqual(['resources', 'resources', 'resources']);
  expect(foldCase('\u212Aind')).toBe('kind');
});
