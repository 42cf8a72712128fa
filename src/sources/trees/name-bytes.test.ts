import { describe, expect, it } from 'vitest';
import { decodeName, encodeName } from './name-bytes.ts';

describe('the name of a file', () => {
  it.each(['a', 'ordner ä/😀', '\uFFFD', ''])('is the text %j where it is UTF-8', (name) => {
    expect(decodeName(Buffer.from(name))).toBe(name);
    expect(encodeName(name).toString('hex')).toBe(Buffer.from(name).toString('hex'));
  });

  it('PATH-06: is a text of its own where it is not UTF-8', () => {
    const short = ['ff', 'fe', 'efbfbd', '61ff', 'c3a4ff', 'e282', 'edb3bf', 'ff2fc3', 'c0af', 'e28261'];
    const names = [...short, 'e0809f', 'f08fbfbf', 'f4908080', 'f48fbfbfff', 'f09f9880ff', 'f09f9861'];
    const texts = names.map((name) => decodeName(Buffer.from(name, 'hex')));
    expect(new Set(texts).size).toBe(names.length);
    expect(texts[4]?.startsWith('ä')).toBe(true);
    expect(texts[7]?.split('/')).toHaveLength(2);
    expect(texts.map((text) => encodeName(text).toString('hex'))).toEqual(names);
  });

  it('DOS-01: takes little time also where nothing of it can be read', () => {
    const name = Buffer.alloc(200, 0xff);
    const startMs = performance.now();
    let length = 0;
    for (let count = 0; count < 50_000; count += 1) length += decodeName(name).length;
    expect(length).toBe(10_000_000);
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });
});
