import { describe, expect, it } from 'vitest';
import { addEntries, formatLines, NO_LINES, splitMatches } from './log-lines.ts';

function entry(content: string, last = false) {
  return { content, timeStamp: null, timeStampStr: '2026-01-02T03:04:05Z', podName: 'web-1', last };
}

describe('lines of a log', () => {
  it('are counted, and the mark at the end is none', () => {
    const { lines } = addEntries(addEntries(NO_LINES, [entry('a')]), [entry('b'), entry('', true)]);
    expect(lines.map(({ number, text }) => [number, text])).toEqual([
      [0, 'a'],
      [1, 'b'],
    ]);
    expect(formatLines(lines, true)).toBe('2026-01-02T03:04:05Z web-1 a\n2026-01-02T03:04:05Z web-1 b\n');
  });

  it('stay within bounds: the oldest go', () => {
    const many = Array.from({ length: 60_000 }, (_, index) => entry(`line ${index}`));
    const { lines, dropped, next } = addEntries(addEntries(NO_LINES, many), many);
    expect(lines.length).toBeLessThanOrEqual(100_000);
    expect([dropped + lines.length, next]).toEqual([120_000, 120_000]);
    expect(lines.at(-1)).toMatchObject({ number: 119_999, text: 'line 59999' });
  });
});

describe('a search', () => {
  it.each([
    ['Hello hello', 'hello', ['', 'Hello', ' ', 'hello', '']],
    ['nothing', 'x', ['nothing']],
    ['nothing', '', ['nothing']],
    // Its lower case is longer than itself.
    ['İİ end', 'end', ['İİ ', 'end', '']],
  ])('of %j for %j finds every place', (text, wanted, parts) => {
    expect(splitMatches(text, wanted)).toEqual(parts);
  });
});
