import { expect, it } from 'vitest';
import { heapInUse } from '../../test/support/heap-in-use.ts';
import { ownText } from './own-text.ts';

it('is the same text', () => {
  for (const text of ['', 'short', 'a longer one with ä, € and 🚀 in it']) expect(ownText(text)).toBe(text);
});

it('does not keep what it was cut from', () => {
  const long = Buffer.alloc(1 << 20, 'some text ');
  const before = heapInUse();
  const kept = Array.from({ length: 20 }, () => ownText(long.toString('latin1').slice(1_000, 1_040)));
  expect(heapInUse() - before).toBeLessThan(4 << 20);
  expect(new Set(kept).size).toBe(1);
});
