import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Application, SyncWindow } from '../../contract/index.ts';
import { CronError, parseCronSchedule } from './cron-schedule.ts';
import { canSync, checkSyncWindow, isWindowActive, windowsFor } from './sync-windows.ts';

const at = (text: string) => Date.parse(`2026-03-04T${text}:00Z`);
const window = (kind: string, schedule: string, more: SyncWindow = {}): SyncWindow => ({ kind, schedule, duration: '1h', ...more });

describe('A schedule', () => {
  const next = (schedule: string, after: string) => {
    const time = parseCronSchedule(schedule).next(Date.parse(after));
    return time === undefined ? undefined : new Date(time).toISOString().slice(0, 16);
  };

  it.each([
    ['0 22 * * *', '2026-03-04T21:59:59Z', '2026-03-04T22:00'],
    ['0 22 * * *', '2026-03-04T22:00:00Z', '2026-03-05T22:00'],
    ['*/15 * * * *', '2026-03-04T10:01:00Z', '2026-03-04T10:15'],
    ['5/20 * * * *', '2026-03-04T10:26:00Z', '2026-03-04T10:45'],
    ['0 9-17 * * mon-fri', '2026-03-07T00:00:00Z', '2026-03-09T09:00'],
    ['0 0 29 feb *', '2026-03-04T00:00:00Z', '2028-02-29T00:00'],
    ['0 0 13 * 5', '2026-03-04T00:00:00Z', '2026-03-06T00:00'],
    ['0 0 1,15 * *', '2026-03-04T00:00:00Z', '2026-03-15T00:00'],
    ['@hourly', '2026-03-04T10:01:00Z', '2026-03-04T11:00'],
    ['0 0 31 2 *', '2026-03-04T00:00:00Z', undefined],
  ])('%s after %s', (schedule, after, expected) => expect(next(schedule, after)).toBe(expected));

  it.each([
    '',
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '5-1 * * * *',
    '*/0 * * * *',
    '1-2-3 * * * *',
    '* * * * frida',
    '1/2/3 * * * *',
  ])('refuses %j', (schedule) => expect(() => parseCronSchedule(schedule)).toThrow(CronError));

  it('always comes later, and at a whole minute', () => {
    fc.assert(
      fc.property(fc.nat({ max: 59 }), fc.nat({ max: 23 }), fc.integer({ min: 0, max: 4e12 }), (minute, hour, after) => {
        const time = parseCronSchedule(`${minute} ${hour} * * *`).next(after) ?? 0;
        expect(time).toBeGreaterThan(after);
        expect(time - after).toBeLessThanOrEqual(86_400_000);
        expect([new Date(time).getUTCHours(), new Date(time).getUTCMinutes(), time % 60_000]).toEqual([hour, minute, 0]);
      }),
    );
  });
});

describe('Windows', () => {
  const [allow, deny] = [window('allow', '0 22 * * *'), window('deny', '0 12 * * *')];
  const manual = { manualSync: true };
  it.each<[string, readonly SyncWindow[], string, boolean, boolean]>([
    ['none', [], '12:30', true, true],
    ['a closed allow', [allow], '12:30', false, false],
    ['a closed allow that lets people', [{ ...allow, ...manual }], '12:30', false, true],
    ['an open allow', [allow], '22:30', true, true],
    ['an open deny', [deny], '12:30', false, false],
    ['a closed deny', [deny], '13:30', true, true],
    ['an open deny and an open allow', [deny, window('allow', '0 12 * * *')], '12:30', false, false],
    ['an open deny that lets people, and an open allow', [{ ...deny, ...manual }, window('allow', '0 12 * * *')], '12:30', false, true],
    ['two open denies of which one lets people', [deny, { ...deny, ...manual }], '12:30', false, false],
    ['a closed deny and a closed allow', [deny, allow], '14:00', false, false],
  ])('%s', (_what, windows, time, automated, byHand) => {
    expect(canSync(windows, { nowMs: at(time), isManual: false })).toBe(automated);
    expect(canSync(windows, { nowMs: at(time), isManual: true })).toBe(byHand);
  });

  it('let an operation go on that began in time, where they all say so', () => {
    const overrun = { ...deny, syncOverrun: true };
    expect(canSync([overrun], { nowMs: at('12:30'), isManual: false, startedAtMs: at('11:59') })).toBe(true);
    expect(canSync([overrun], { nowMs: at('12:30'), isManual: false, startedAtMs: at('12:10') })).toBe(false);
    expect(canSync([overrun, deny], { nowMs: at('12:30'), isManual: false, startedAtMs: at('11:59') })).toBe(false);
  });

  it('are open in their own time zone, and in UTC where nobody knows it', () => {
    expect(isWindowActive({ ...deny, timeZone: 'Asia/Tokyo' }, at('03:30'))).toBe(true);
    expect(isWindowActive({ ...deny, timeZone: 'Asia/Tokyo' }, at('12:30'))).toBe(false);
    expect(isWindowActive({ ...deny, timeZone: 'Nowhere/Else' }, at('12:30'))).toBe(true);
    expect(isWindowActive({ ...deny, timeZone: '+05:00' }, at('12:30'))).toBe(true);
    expect(isWindowActive({ ...deny, timeZone: 'America/St_Johns' }, at('15:45'))).toBe(true);
  });

  it('speak about applications by name, cluster or namespace', () => {
    const application: Application = {
      metadata: { name: 'web' },
      spec: { project: 'p', destination: { server: 'https://one', namespace: 'prod' } },
    };
    const names = (windows: readonly SyncWindow[]) => windowsFor(application, windows).length;
    expect(names([{ applications: ['w*'] }, { clusters: ['https://*'] }, { namespaces: ['pr?d'] }])).toBe(3);
    expect(names([{}, { applications: ['x'] }, { clusters: ['in-cluster'] }])).toBe(0);
    expect(names([{ applications: ['web'], namespaces: ['dev'] }])).toBe(1);
    expect(names([{ applications: ['web'], namespaces: ['dev'], andOperator: true }])).toBe(0);
  });

  it.each<[SyncWindow, string]>([
    [window('perhaps', '* * * * *'), "kind 'perhaps' mismatch: can only be allow or deny"],
    [window('allow', 'never'), "cannot parse schedule 'never': expected exactly 5 fields, found 1: [never]"],
    [window('allow', '* * * * *', { duration: 'long' }), `cannot parse duration 'long': time: invalid duration "long"`],
    [window('allow', '* * * * *', { description: 'x'.repeat(256) }), 'description must not exceed 255 characters'],
  ])('%j is refused', (bad, message) => expect(() => checkSyncWindow(bad)).toThrow(message));

  it('PROJ-09: one whose schedule is longer than any can be is refused, and never open', () => {
    const endless = window('allow', `${'*,'.repeat(500_000)}* * * * *`);
    expect(() => checkSyncWindow(endless)).toThrow("cannot parse schedule '*,*,");
    const refused = /^cannot parse schedule '.{50}…': it has more than 1000 characters$/;
    expect(() => canSync([endless], { nowMs: 0, isManual: false })).toThrow(refused);
    const minutes = Array.from({ length: 60 }, (_unused, minute) => minute).join(',');
    expect(() => checkSyncWindow(window('allow', `${minutes} * * * *`))).not.toThrow();
  });
});
