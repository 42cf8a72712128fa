import { describe, expect, it } from 'vitest';
import { parseFields } from './fields.ts';

const list = {
  metadata: { resourceVersion: '7' },
  items: [
    { metadata: { name: 'a', labels: { x: '1' } }, spec: { project: 'p', sources: [{ path: 'q', chart: 'c' }] } },
    { metadata: { name: 'b' }, spec: { project: 'r' } },
  ],
};

describe('parseFields', () => {
  it.each([
    ['a leaf below a list', 'items.metadata.name', { items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] }],
    ['everything below a name', 'metadata', { metadata: { resourceVersion: '7' } }],
    [
      'a parent and its child',
      'items.metadata,items.metadata.name',
      { items: [{ metadata: list.items[0]!.metadata }, { metadata: { name: 'b' } }] },
    ],
    ['lists within lists', 'items.spec.sources.path', { items: [{ spec: { sources: [{ path: 'q' }] } }, { spec: {} }] }],
    ['nothing that is not there', 'nope.x,__proto__.polluted', {}],
    [
      'everything except what is named',
      '-items.spec,items.metadata.labels',
      { metadata: { resourceVersion: '7' }, items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] },
    ],
  ])('selects %s', (_name, selection, expected) => {
    expect(parseFields(selection)!(list)).toEqual(expected);
  });

  it('adds what is always kept to a selection, and nothing to an exclusion', () => {
    expect(parseFields('items.x', ['metadata'])!(list)).toMatchObject({ metadata: { resourceVersion: '7' } });
    expect(parseFields('-items', ['metadata'])!(list)).toEqual({ metadata: { resourceVersion: '7' } });
  });

  it('is not a selection when it names nothing', () => {
    expect([parseFields(''), parseFields('-'), parseFields(',,')]).toEqual([undefined, undefined, undefined]);
  });

  it('keeps a key named __proto__ as a key', () => {
    const value = parseFields('labels')!(JSON.parse('{"labels":{"__proto__":{"polluted":"yes"}}}') as { labels: Record<string, string> });
    expect(JSON.stringify(value)).toBe('{"labels":{"__proto__":{"polluted":"yes"}}}');
    expect(JSON.stringify(parseFields('-x')!(JSON.parse('{"__proto__":1,"x":2}') as { x: number }))).toBe('{"__proto__":1}');
  });
});
