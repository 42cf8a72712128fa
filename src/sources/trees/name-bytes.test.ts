import { describe, expect, it } from 'vitest';
import { decodeName, encodeName } from './name-bytes.ts';

describe('the name of a file', () => {
  it.each(['a', 'ordner ä/😀', '\uFFFD', ''])('is the text %j where it is UTF-8', (name) => {
    expect(decodeName(Buffer.from(name))).toBe(name);
    expect(encodeName(name).toString('hex')).toBe(Buffer.from(name).toString('hex'));
  });

  it('PATH-06: is a text of its own where it is not UTF-8', () => {
    const names = ['ff', 'fe', 'efbfbd', '61ff', 'c3a4ff', 'e282', 'edb3bf', 'ff2fc3'];
    const texts = names.map((name) => decodeName(Buffer.from(name, 'hex')));
    expect(new Set(texts).size).toBe(names.length);
    expect(texts[4]?.startsWith('ä')).toBe(true);
    expect(texts[7]?.split('/')).toHaveLength(2);
    expect(texts.map((text) => encodeName(text).toString('hex'))).toEqual(names);
  });
});
