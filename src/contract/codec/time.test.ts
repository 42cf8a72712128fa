import { describe, expect, it } from 'vitest';
import { formatMicroseconds, formatSeconds, parseSeconds, parseTime } from './time.ts';

describe('times', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0, 0],
    ['2024-02-29T23:59:59Z', 1_709_251_199, 0],
    ['2000-02-29T00:00:00Z', 951_782_400, 0],
    ['0001-01-01T00:00:00Z', -62_135_596_800, 0],
    ['9999-12-31T23:59:59Z', 253_402_300_799, 0],
    ['2024-01-02T03:04:05.6Z', 1_704_164_645, 600_000_000],
    ['2024-01-02T03:04:05.123456789123Z', 1_704_164_645, 123_456_789],
    ['2024-01-02T05:04:05+02:00', 1_704_164_645, 0],
    ['2024-01-01T21:34:05.5-05:30', 1_704_164_645, 500_000_000],
    ['2024-01-02t03:04:05z', 1_704_164_645, 0],
  ])('reads %s', (text, seconds, nanos) => {
    expect(parseTime(text)).toEqual({ seconds, nanos });
    expect(parseSeconds(text)).toBe(seconds);
  });

  it.each([
    '',
    'now',
    '2024-01-02',
    '2024-01-02T03:04:05',
    '2024-01-02 03:04:05Z',
    '2024-1-2T03:04:05Z',
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-00-01T00:00:00Z',
    '2024-01-32T00:00:00Z',
    '2024-01-00T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:60:00Z',
    '2024-01-01T00:00:60Z',
    '2024-01-01T00:00:0xZ',
    '2024/01/02T03:04:05Z',
    '2024-01-01T00:00:00+24:00',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '12024-01-01T00:00:00Z',
    '2024-01-02T03:04:05.Z',
  ])('refuses %j', (text) => {
    expect(parseTime(text)).toBeUndefined();
    expect(parseSeconds(text)).toBeNaN();
  });

  it('writes and reads the turning days of every year as the calendar has them', () => {
    const wrong: string[] = [];
    for (let year = 1; year <= 9999; year++) {
      // The days on both sides of a leap day and of the turn of the year.
      for (const [month, day] of [
        [0, 1],
        [1, 28],
        [1, 29],
        [2, 1],
        [11, 31],
      ] as const) {
        const date = new Date(Date.UTC(2000, month, day, year % 24, year % 60, (year + day) % 60));
        date.setUTCFullYear(year);
        const expected = date.toISOString().replace('.000Z', 'Z');
        const seconds = date.getTime() / 1000;
        if (formatSeconds(seconds) !== expected || parseSeconds(expected) !== seconds) wrong.push(expected);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('writes microseconds with six digits, cutting off what is finer', () => {
    expect(formatMicroseconds({ seconds: 0, nanos: 0 })).toBe('1970-01-01T00:00:00.000000Z');
    expect(formatMicroseconds({ seconds: -1, nanos: 1_999 })).toBe('1969-12-31T23:59:59.000001Z');
  });
});
