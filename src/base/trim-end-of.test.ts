import { expect, it } from 'vitest';
import { trimEndOf } from './trim-end-of.ts';

it.each([
  ['https://a/b///', '/', 'https://a/b'],
  ['https://a//b', '/', 'https://a//b'],
  ['///', '/', ''],
  ['', '/', ''],
  ['text \t\n', ' \t\r\n', 'text'],
  [' text', ' \t\r\n', ' text'],
])('takes off the end of %j what is in %j', (text, characters, trimmed) => expect(trimEndOf(text, characters)).toBe(trimmed));

it('DOS-01: takes time by the length of the text, wherever in it the characters stand', () => {
  const text = `${'/'.repeat(2_000_000)}x`;
  const startMs = performance.now();
  expect(trimEndOf(text, '/')).toBe(text);
  expect(performance.now() - startMs).toBeLessThan(1_000);
});
