import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SyncWindow } from '../../contract/index.ts';
import { canSync, isWindowActive } from './sync-windows.ts';

const window = (schedule: string, duration: string, more: SyncWindow = {}): SyncWindow => ({ kind: 'deny', schedule, duration, ...more });
const isOpen = (given: SyncWindow, time: string): boolean => isWindowActive(given, Date.parse(time));

/** The minutes from `from` to `to` in which a window is open, as ranges of times of day in UTC. */
function openTimes(given: SyncWindow, from: string, to: string): readonly string[] {
  const ranges: string[] = [];
  let begun: number | undefined;
  const text = (ms: number): string => new Date(ms).toISOString().slice(5, 16).replace('T', ' ');
  // Half a minute past: the moment at which a window opens or shuts belongs to neither side.
  for (let ms = Date.parse(from) + 30_000; ms <= Date.parse(to); ms += 60_000) {
    const open = isWindowActive(given, ms);
    if (open) begun ??= ms - 30_000;
    else if (begun !== undefined) {
      ranges.push(`${text(begun)}–${text(ms - 30_000)}`);
      begun = undefined;
    }
  }
  return begun === undefined ? ranges : [...ranges, `${text(begun)}–`];
}

describe('A window is open', () => {
  it('from its time for as long as it says', () => {
    expect(openTimes(window('0 22 * * *', '90m'), '2026-03-04T20:00Z', '2026-03-05T02:00Z')).toEqual(['03-04 22:00–03-04 23:30']);
    expect(isOpen(window('0 22 * * *', '1h'), '2026-03-04T22:00:00Z')).toBe(false);
    expect(isOpen(window('0 22 * * *', '1h'), '2026-03-04T22:00:00.001Z')).toBe(true);
    expect(isOpen(window('0 22 * * *', '1h'), '2026-03-04T22:59:59.999Z')).toBe(true);
  });

  it('across midnight, the end of a month and the end of a year', () => {
    expect(openTimes(window('0 23 * * *', '2h'), '2026-03-04T22:00Z', '2026-03-05T03:00Z')).toEqual(['03-04 23:00–03-05 01:00']);
    expect(openTimes(window('30 23 31 * *', '1h'), '2026-03-31T22:00Z', '2026-04-01T03:00Z')).toEqual(['03-31 23:30–04-01 00:30']);
    expect(openTimes(window('0 22 31 12 *', '4h'), '2026-12-31T20:00Z', '2027-01-01T04:00Z')).toEqual(['12-31 22:00–01-01 02:00']);
  });

  it('on the day of the week on which it began, also where it ends on the next', () => {
    const friday = window('0 22 * * 5', '4h');
    expect(isOpen(friday, '2026-03-06T23:00Z')).toBe(true);
    expect(isOpen(friday, '2026-03-07T01:00Z')).toBe(true);
    expect(isOpen(friday, '2026-03-07T23:00Z')).toBe(false);
  });

  it('in its own zone, where midnight is at another time', () => {
    const tokyo = window('0 23 * * *', '2h', { timeZone: 'Asia/Tokyo' });
    expect(openTimes(tokyo, '2026-03-04T10:00Z', '2026-03-04T20:00Z')).toEqual(['03-04 14:00–03-04 16:00']);
    const sundayInAuckland = window('0 6 * * 0', '1h', { timeZone: 'Pacific/Auckland' });
    expect(openTimes(sundayInAuckland, '2026-07-04T00:00Z', '2026-07-06T00:00Z')).toEqual(['07-04 18:00–07-04 19:00']);
    const kathmandu = window('0 12 * * *', '1h', { timeZone: 'Asia/Kathmandu' });
    expect(openTimes(kathmandu, '2026-03-04T00:00Z', '2026-03-05T00:00Z')).toEqual(['03-04 06:15–03-04 07:15']);
  });

  it('on a leap day in leap years only', () => {
    const leapDay = window('0 0 29 2 *', '24h');
    expect(openTimes(leapDay, '2028-02-28T12:00Z', '2028-03-01T12:00Z')).toEqual(['02-29 00:00–03-01 00:00']);
    expect(openTimes(leapDay, '2026-02-27T12:00Z', '2026-03-02T12:00Z')).toEqual([]);
    expect(openTimes(leapDay, '2100-02-27T12:00Z', '2100-03-02T12:00Z')).toEqual([]);
    expect(openTimes(window('0 0 28 2 *', '48h'), '2028-02-27T12:00Z', '2028-03-02T12:00Z')).toEqual(['02-28 00:00–03-01 00:00']);
    expect(openTimes(window('0 0 28 2 *', '48h'), '2027-02-27T12:00Z', '2027-03-03T12:00Z')).toEqual(['02-28 00:00–03-02 00:00']);
  });

  it('never, where its day never comes or it lasts no time', () => {
    expect(openTimes(window('0 0 31 2 *', '24h'), '2026-02-27T00:00Z', '2026-03-04T00:00Z')).toEqual([]);
    expect(openTimes(window('* * * * *', '0'), '2026-03-04T00:00Z', '2026-03-04T01:00Z')).toEqual([]);
  });

  it('always, where it opens before it shuts', () => {
    expect(openTimes(window('0 * * * *', '2h'), '2026-03-04T00:00Z', '2026-03-04T12:00Z')).toEqual(['03-04 00:00–']);
  });
});

describe('When the clocks change, PROJ-09: a window keeps to the clock on the wall', () => {
  const berlin = { timeZone: 'Europe/Berlin' };
  const newYork = { timeZone: 'America/New_York' };

  it('forward: the evening window comes an hour earlier by UTC from that day on', () => {
    const evening = window('0 22 * * *', '1h', berlin);
    expect(openTimes(evening, '2026-03-28T12:00Z', '2026-03-30T12:00Z')).toEqual(['03-28 21:00–03-28 22:00', '03-29 20:00–03-29 21:00']);
  });

  it('back: and an hour later', () => {
    const evening = window('0 22 * * *', '1h', berlin);
    expect(openTimes(evening, '2026-10-24T12:00Z', '2026-10-26T12:00Z')).toEqual(['10-24 20:00–10-24 21:00', '10-25 21:00–10-25 22:00']);
  });

  it('forward in the middle of it: it shuts at its time on the wall, an hour short', () => {
    // 00:00 to 06:00 on the wall, of which 02:00 to 03:00 is left out.
    const night = window('0 0 * * *', '6h', berlin);
    expect(openTimes(night, '2026-03-28T20:00Z', '2026-03-29T12:00Z')).toEqual(['03-28 23:00–03-29 04:00']);
  });

  it('back in the middle of it: it shuts at its time on the wall, an hour longer', () => {
    const night = window('0 0 * * *', '6h', berlin);
    expect(openTimes(night, '2026-10-24T20:00Z', '2026-10-25T12:00Z')).toEqual(['10-24 22:00–10-25 05:00']);
  });

  it('forward over its beginning: what would have begun in the hour that is left out is open for the rest of it', () => {
    // 02:30 does not come on that day; at 03:00 the window of 02:30 to 03:30 is open.
    const left = window('30 2 * * *', '1h', newYork);
    expect(openTimes(left, '2026-03-08T05:00Z', '2026-03-08T12:00Z')).toEqual(['03-08 07:00–03-08 07:30']);
  });

  it('back over its beginning: what begins in the hour that comes twice is open in both', () => {
    // 01:30 to 02:00 on the wall, before and after the clocks go back at 06:00 UTC.
    const twice = window('30 1 * * *', '30m', newYork);
    expect(openTimes(twice, '2026-11-01T04:00Z', '2026-11-01T12:00Z')).toEqual(['11-01 05:30–11-01 06:00', '11-01 06:30–11-01 07:00']);
  });

  it('by half an hour, where they do so', () => {
    const lordHowe = window('0 12 * * *', '1h', { timeZone: 'Australia/Lord_Howe' });
    expect(openTimes(lordHowe, '2026-04-04T00:00Z', '2026-04-04T12:00Z')).toEqual(['04-04 01:00–04-04 02:00']);
    expect(openTimes(lordHowe, '2026-04-05T00:00Z', '2026-04-05T12:00Z')).toEqual(['04-05 01:30–04-05 02:30']);
  });

  it('a window of every minute is open throughout', () => {
    const always = window('* * * * *', '2m', berlin);
    expect(openTimes(always, '2026-03-29T00:00Z', '2026-03-29T03:00Z')).toEqual(['03-29 00:00–']);
    expect(openTimes(always, '2026-10-25T00:00Z', '2026-10-25T03:00Z')).toEqual(['10-25 00:00–']);
  });

  it('the same window in every zone is open for its length on a day without a change', () => {
    const zones = Intl.supportedValuesOf('timeZone').filter((_, index) => index % 7 === 0);
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.nat({ max: 23 }), (timeZone, hour) => {
        const given = window(`0 ${hour} * * *`, '1h', { timeZone });
        // A week in June in which no zone changes its clocks: one hour in 24.
        let open = 0;
        for (let ms = Date.parse('2026-06-15T00:00:30Z'); ms < Date.parse('2026-06-16T00:00:30Z'); ms += 5 * 60_000)
          open += isWindowActive(given, ms) ? 5 : 0;
        expect(open).toBe(60);
      }),
      { numRuns: 60 },
    );
  });
});

describe('Windows that overlap', () => {
  const deny = window('0 12 * * *', '2h');
  const allow = window('0 11 * * *', '2h', { kind: 'allow' });
  const can = (windows: readonly SyncWindow[], time: string, isManual = false): boolean =>
    canSync(windows, { nowMs: Date.parse(`2026-03-04T${time}Z`), isManual });

  it.each([
    ['10:30', false],
    ['11:30', true],
    ['12:30', false],
    ['13:30', false],
    ['14:30', false],
  ])('allow from 11 and deny from 12: at %s it is %s', (time, expected) => expect(can([allow, deny], time)).toBe(expected));

  it('of two allows, one that is open is enough', () => {
    const late = window('0 20 * * *', '1h', { kind: 'allow' });
    expect([can([allow, late], '11:30'), can([allow, late], '20:30'), can([allow, late], '15:00')]).toEqual([true, true, false]);
  });

  it('of two denies, both are in the way of somebody', () => {
    const lenient = { ...window('0 13 * * *', '2h'), manualSync: true };
    expect(can([deny, lenient], '12:30', true)).toBe(false);
    expect(can([deny, lenient], '13:30', true)).toBe(false);
    expect(can([deny, lenient], '14:30', true)).toBe(true);
    expect(can([deny, lenient], '14:30')).toBe(false);
  });

  it('are judged the same in any order', () => {
    const times = fc.integer({ min: 0, max: 24 * 60 - 1 });
    const anyWindow = fc.record({
      kind: fc.constantFrom('allow', 'deny'),
      schedule: fc.nat({ max: 23 }).map((hour) => `0 ${hour} * * *`),
      duration: fc.constantFrom('30m', '2h', '13h'),
      manualSync: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyWindow, { maxLength: 5 }), times, fc.boolean(), (windows, minute, isManual) => {
        const time = { nowMs: Date.parse('2026-03-04T00:00:30Z') + minute * 60_000, isManual };
        expect(canSync(windows.toReversed(), time)).toBe(canSync(windows, time));
        // Somebody may do whatever automation may.
        if (canSync(windows, { ...time, isManual: false })) expect(canSync(windows, { ...time, isManual: true })).toBe(true);
      }),
    );
  });
});
