import { describe, expect, it } from 'vitest';
import { BadValue } from './parsing/bad-value.ts';
import { readTable, type TableReading } from './read-table.ts';
import { setting, settingFamily } from './setting-table.ts';

const parsed: string[] = [];
const parse = (text: string): { readonly text: string } => {
  parsed.push(text);
  if (text.startsWith('bad')) throw new BadValue('it is bad');
  return { text };
};
const table = {
  one: setting('one', { parse, fallback: { text: 'default' }, doc: 'One.' }),
  many: settingFamily('many.<name>.x', { parse, names: /^[a-z]+$/, doc: 'Many.' }),
};
const read = (data: Readonly<Record<string, string>>, previous?: TableReading<typeof table>) =>
  readTable({ table, object: 'object', data: new Map(Object.entries(data)), previous });

describe('reading a table', () => {
  it('does not parse again what did not change', () => {
    parsed.length = 0;
    const first = read({ one: 'a', 'many.b.x': 'b', 'many.c.x': 'bad' });
    const second = read({ one: 'a', 'many.b.x': 'b', 'many.c.x': 'bad', other: '' }, first);
    expect(parsed).toEqual(['a', 'b', 'bad']);
    expect(second.values).toBe(first.values);
    expect(second.warnings.map(({ key }) => key)).toEqual(['many.c.x', 'other']);
  });

  it('keeps the last good value through any number of bad ones, and the default after an absence', () => {
    let reading = read({ one: 'good', 'many.a.x': 'fine' });
    for (const text of ['bad1', 'bad2', 'bad3']) reading = read({ one: text, 'many.a.x': text }, reading);
    expect(reading.values.one).toEqual({ text: 'good' });
    expect(reading.values.many).toEqual(new Map([['a', { text: 'fine' }]]));
    reading = read({ one: 'bad4' }, read({}, reading));
    expect(reading.values.one).toBe(table.one.fallback);
    expect(reading.values.many.size).toBe(0);
  });

  it('takes only names that belong to the family', () => {
    const { values, warnings } = read({
      'many.a.x': '1',
      'many.A.x': '2',
      'many..x': '3',
      'many.x': '4',
      'many.a.b.x': '5',
      'many.a.y': '6',
    });
    expect([...values.many.keys()]).toEqual(['a']);
    expect(warnings.map(({ key }) => key)).toEqual(['many.A.x', 'many..x', 'many.x', 'many.a.b.x', 'many.a.y']);
  });

  it('does not hide a fault of a parser', () => {
    const broken = { one: setting('one', { parse: () => JSON.parse('{') as string, fallback: '', doc: 'One.' }) };
    expect(() => readTable({ table: broken, object: 'o', data: new Map([['one', '']]), previous: undefined })).toThrow(SyntaxError);
  });
});
