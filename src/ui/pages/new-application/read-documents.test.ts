import { describe, expect, it } from 'vitest';
import { readDocuments } from './read-documents.ts';

const application = (name: string, kind = 'Application'): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec:\n  project: default\n`;

describe('a pasted text', () => {
  it('has its applications in their order, and where they begin', () => {
    const read = readDocuments(`# two\n${application('a')}---\n${application('b')}---\n# nothing\n`);
    expect(read.map(({ title, line, problem }) => [title, line, problem])).toEqual([
      ['a', 2, undefined],
      ['b', 9, undefined],
    ]);
  });

  it('may be a list', () => {
    const items = ['a', 'b'].map((name) => ({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name }, spec: {} }));
    expect(readDocuments(JSON.stringify({ kind: 'List', items })).map(({ title }) => title)).toEqual(['a', 'b']);
  });

  it.each([
    [application('a', 'AppProject'), /Its kind is AppProject/],
    ['kind: Application\nmetadata: {name: a}', /Its apiVersion is missing/],
    ['apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: {}', /no name/],
    ['apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}', /no spec/],
    ['only text', /no object/],
    ['a: [', /./],
  ])('%j is wrong', (text, problem) => {
    const [read] = readDocuments(text);
    expect(read?.application).toBeUndefined();
    expect(read?.problem).toMatch(problem);
  });

  it('that is empty has none', () => expect(readDocuments('')).toEqual([]));
});
