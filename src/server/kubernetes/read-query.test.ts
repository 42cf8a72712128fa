import { describe, expect, it } from 'vitest';
import { readWatchOptions } from './read-query.ts';

describe('how long a watch lasts', () => {
  it.each([
    ['timeoutSeconds=5', 5],
    ['timeoutSeconds=0', 3_600],
    ['', 3_600],
  ])('%j: %i seconds', (query, expected) => {
    expect(readWatchOptions(new URLSearchParams(query), undefined).timeoutSeconds).toBe(expected);
  });
});
