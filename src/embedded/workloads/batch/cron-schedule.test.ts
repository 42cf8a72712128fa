import { describe, expect, it } from 'vitest';
import { parseCron } from './cron-schedule.ts';
import { lastCronTime, nextCronTime } from './cron-times.ts';

const next = (text: string, after: string, timeZone = 'UTC'): string | undefined => {
  const schedule = parseCron(text);
  const timeMs = schedule && nextCronTime(schedule, Date.parse(after), timeZone);
  return timeMs === undefined ? undefined : new Date(timeMs).toISOString().slice(0, 16);
};

describe('a schedule', () => {
  it.each([
    ['* * * * *', '2026-01-02T03:04:05Z', '2026-01-02T03:05'],
    ['*/15 * * * *', '2026-01-02T03:45:00Z', '2026-01-02T04:00'],
    ['5,35 8-10/2 * * *', '2026-01-02T08:35:00Z', '2026-01-02T10:05'],
    ['0 0 29 2 *', '2026-01-02T00:00:00Z', '2028-02-29T00:00'],
    ['0 12 * * MON-FRI', '2026-01-02T12:00:00Z', '2026-01-05T12:00'],
    ['0 0 1 JAN ?', '2026-01-02T00:00:00Z', '2027-01-01T00:00'],
    ['0 0 13 * 5', '2026-01-02T00:00:00Z', '2026-01-09T00:00'],
    ['0 0 13 * *', '2026-01-02T00:00:00Z', '2026-01-13T00:00'],
    ['@weekly', '2026-01-02T00:00:00Z', '2026-01-04T00:00'],
    ['@every 1h30m', '2026-01-02T00:00:00Z', '2026-01-02T01:30'],
    ['0 0 31 2 *', '2026-01-02T00:00:00Z', undefined],
  ])('%s after %s comes at %s', (text, after, expected) => {
    expect(next(text, after)).toBe(expected);
  });

  it.each([
    '',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 7',
    '5-1 * * * *',
    '*/0 * * * *',
    '@every 1x',
    'a b c d e',
  ])('is nothing that reads %j', (text) => {
    expect(parseCron(text)).toBeUndefined();
  });

  it('keeps the wall clock of its zone, and leaves out what the clocks skip', () => {
    expect(next('30 9 * * *', '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T07:30');
    expect(next('30 9 * * *', '2026-03-27T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-28T08:30');
    expect(next('30 2 * * *', '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-30T00:30');
  });

  it('knows the last time that was missed', () => {
    const schedule = parseCron('0 * * * *');
    const last = (afterMs: string, untilMs: string): number | undefined =>
      schedule && lastCronTime(schedule, { afterMs: Date.parse(afterMs), untilMs: Date.parse(untilMs) }, 'UTC');
    expect(last('2026-01-01T00:00:00Z', '2026-01-02T03:04:05Z')).toBe(Date.parse('2026-01-02T03:00:00Z'));
    expect(last('2026-01-01T00:00:00Z', '2026-01-02T03:00:00Z')).toBe(Date.parse('2026-01-02T03:00:00Z'));
    expect(last('2026-01-02T03:00:00Z', '2026-01-02T03:04:05Z')).toBeUndefined();
  });
});
