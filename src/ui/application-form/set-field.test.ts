import { describe, expect, it } from 'vitest';
import { setField, setPart } from './set-field.ts';

interface Thing {
  readonly text?: string;
  readonly list?: readonly string[];
  readonly isOn?: boolean;
  readonly part?: { readonly deep?: string };
}

describe('a field', () => {
  it.each<[keyof Thing, Thing[keyof Thing], Thing]>([
    ['text', 'new', { text: 'new', isOn: true }],
    ['text', '', { isOn: true }],
    ['list', ['a'], { text: 'old', isOn: true, list: ['a'] }],
    ['list', [], { text: 'old', isOn: true }],
    ['isOn', false, { text: 'old' }],
    ['part', {}, { text: 'old', isOn: true, part: {} }],
  ])('%s set to %j', (key, value, expected) => {
    const before: Thing = Object.freeze({ text: 'old', isOn: true });
    expect(setField(before, key, value)).toEqual(expected);
  });

  it('that is a part goes with its last field', () => {
    expect(setPart<Thing, 'part'>({ part: { deep: 'x' } }, 'part', setField({ deep: 'x' }, 'deep', ''))).toEqual({});
    expect(setPart<Thing, 'part'>({}, 'part', { deep: 'x' })).toEqual({ part: { deep: 'x' } });
  });
});
