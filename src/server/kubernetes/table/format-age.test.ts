import { describe, expect, it } from 'vitest';
import { formatAge } from './format-age.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('an age', () => {
  it.each([
    [-5 * SECOND, '<invalid>'],
    [-SECOND, '0s'],
    [0, '0s'],
    [119 * SECOND, '119s'],
    [2 * MINUTE, '2m'],
    [9 * MINUTE + 59 * SECOND, '9m59s'],
    [10 * MINUTE + 30 * SECOND, '10m'],
    [3 * HOUR, '3h'],
    [7 * HOUR + 59 * MINUTE, '7h59m'],
    [47 * HOUR, '47h'],
    [2 * DAY + 3 * HOUR, '2d3h'],
    [8 * DAY, '8d'],
    [729 * DAY, '729d'],
    [3 * 365 * DAY + 2 * DAY, '3y2d'],
    [9 * 365 * DAY, '9y'],
  ])('of %d ms is %s', (milliseconds, text) => {
    expect(formatAge(milliseconds)).toBe(text);
  });
});
