import { describe, expect, it } from 'vitest';
import type { SyncWindow } from '../../../../contract/gen/types.ts';
import { readSchedule } from './read-schedule.ts';
import { describeNow, findFault, isKnownZone, openingsBetween, readDurationMs } from './window-times.ts';

const MONDAY = Date.parse('2026-03-02T00:00:00Z');
const WEEK_MS = 7 * 86_400_000;
const show = (window: SyncWindow, from = MONDAY, until = from + WEEK_MS): readonly string[] =>
  openingsBetween(window, from, until).map(({ startMs, endMs }) =>
    [startMs, endMs].map((ms) => new Date(ms).toISOString().slice(5, 16).replace('T', ' ')).join(' to '),
  );

describe('A week of a window', () => {
  it.each<[SyncWindow, readonly string[]]>([
    [{ schedule: '0 22 * * fri', duration: '8h' }, ['03-06 22:00 to 03-07 06:00']],
    [{ schedule: '30 9 3-4 * *', duration: '45m' }, ['03-03 09:30 to 03-03 10:15', '03-04 09:30 to 03-04 10:15']],
    [{ schedule: '0 0 13 * 5', duration: '1h' }, ['03-06 00:00 to 03-06 01:00']],
    [{ schedule: '0 12 * 4 *', duration: '1h' }, []],
    [{ schedule: '15 */12 4,15 * *', duration: '2h' }, ['03-04 00:15 to 03-04 02:15', '03-04 12:15 to 03-04 14:15']],
    [
      { schedule: '5/30 10 * mar sat', duration: '15m', timeZone: 'America/St_Johns' },
      ['03-07 13:35 to 03-07 13:50', '03-07 14:05 to 03-07 14:20'],
    ],
    [{ schedule: '@weekly', duration: '30h' }, ['03-01 00:00 to 03-02 06:00', '03-08 00:00 to 03-09 06:00']],
    [{ schedule: '0 9 * * mon', duration: '26h', timeZone: 'Asia/Tokyo' }, ['03-02 00:00 to 03-03 02:00']],
    [{ schedule: '0 9 * * 2', duration: '1h', timeZone: 'America/New_York' }, ['03-03 14:00 to 03-03 15:00']],
    [{ schedule: '0 3 * * 2', duration: '1h', timeZone: 'Asia/Kolkata' }, ['03-02 21:30 to 03-02 22:30']],
    [{ schedule: '0 3 * * 2', duration: '1h', timeZone: 'Nowhere/Else' }, ['03-03 03:00 to 03-03 04:00']],
  ])('%j', (window, expected) => expect(show(window)).toEqual(expected));

  it('is one block where openings run into one another, and begins before the week where the window does', () => {
    expect(show({ schedule: '0 * * * *', duration: '1h' })).toEqual(['03-02 00:00 to 03-09 00:00']);
    expect(show({ schedule: '0 20 * * sun', duration: '10h' })).toEqual(['03-01 20:00 to 03-02 06:00', '03-08 20:00 to 03-09 06:00']);
    expect(show({ schedule: '* * * * *', duration: '30s' }).length).toBeGreaterThan(100);
  });

  it('keeps the time of day when the clocks change', () => {
    const week = Date.parse('2026-03-26T00:00:00Z');
    const daily = show({ schedule: '0 6 * * *', duration: '1h', timeZone: 'Europe/Berlin' }, week);
    expect(daily[2]).toBe('03-28 05:00 to 03-28 06:00');
    expect(daily[3]).toBe('03-29 04:00 to 03-29 05:00');
  });
});

describe('Now', () => {
  const window = { schedule: '0 22 * * fri', duration: '8h' };
  it('says until when a window is open, and else when it opens', () => {
    expect(describeNow(window, Date.parse('2026-03-07T01:00:00Z'))).toEqual({
      isOpen: true,
      changesMs: Date.parse('2026-03-07T06:00:00Z'),
    });
    expect(describeNow(window, MONDAY)).toEqual({ isOpen: false, changesMs: Date.parse('2026-03-06T22:00:00Z') });
    expect(describeNow({ schedule: '0 0 1 1 *', duration: '1h' }, MONDAY)?.changesMs).toBe(Date.parse('2027-01-01T00:00:00Z'));
    expect(describeNow({ schedule: '0 0 31 2 *', duration: '1h' }, MONDAY)).toBeUndefined();
    expect(describeNow({ schedule: 'never', duration: '1h' }, MONDAY)).toBeUndefined();
  });
});

describe('What cannot be read', () => {
  it.each([
    ['', /five fields/],
    ['* * * *', /five fields/],
    ['60 * * * *', /minute is from 0 to 59/],
    ['* * 0 * *', /day of the month is from 1 to 31/],
    ['5-1 * * * *', /goes backwards/],
    ['*/0 * * * *', /never moves/],
    ['* * * * frida', /no weekday/],
    ['1-2-3 * * * *', /no minute/],
  ])('schedule %j', (text, fault) => expect(findFault(() => readSchedule(text))).toMatch(fault));

  it.each(['', 'long', '5', '1h x', '-1h'])('duration %j', (text) => expect(findFault(() => readDurationMs(text))).toMatch(/no duration/));

  it('durations and zones that can', () => {
    expect(['1h30m', '0', '1.5h', '90s'].map(readDurationMs)).toEqual([5_400_000, 0, 5_400_000, 90_000]);
    expect(['', 'UTC', 'Europe/Berlin', '+05:00', 'Mars/Base'].map(isKnownZone)).toEqual([true, true, true, false, false]);
  });
});
