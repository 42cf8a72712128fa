import { describe, expect, it } from 'vitest';
import { splitJsonObjects } from './json-objects.ts';

const split = (text: string): string[] => splitJsonObjects(Buffer.from(text)).map(String);

describe('splitJsonObjects', () => {
  it.each([
    ['', []],
    [' \n\t', []],
    ['{}', ['{}']],
    ['{}{"a":[1,{"b":2}]}\n {}', ['{}', '{"a":[1,{"b":2}]}', '{}']],
    ['{"a":"}{\\"\\\\"}{}', ['{"a":"}{\\"\\\\"}', '{}']],
  ])('splits %j', (text, objects) => {
    expect(split(text)).toEqual(objects);
  });

  it.each(['[]', '{} x', '{"a":', '{"a":"', '}'])('refuses %j', (text) => {
    expect(() => split(text)).toThrow(/malformed JSON/);
  });
});
