import { goDuration } from './duration.ts';
import { define } from './go-function.ts';
import { DAYS, formatTime, MONTHS, yearDay } from './time-layout.ts';
import type { TimeParts } from './time-layout.ts';
import { GoInt, GoStruct, int, int64 } from './value.ts';

/** A moment and the zone that it is shown in. */
export interface Moment {
  readonly epochMs: number;
  /** Nanoseconds within the second. */
  readonly nanosecond: number;
  /** A name of the time zone database, or a fixed distance from UTC. */
  readonly zone: string | number;
}

const STRING_LAYOUT = '2006-01-02 15:04:05.999999999 -0700 MST';
const RFC3339_LAYOUT = '2006-01-02T15:04:05.999999999Z07:00';
const ZERO_SECONDS = -62_135_596_800;

/** The moment that Go's zero value stands for. */
export const ZERO_MOMENT: Moment = { epochMs: ZERO_SECONDS * 1000, nanosecond: 0, zone: 'UTC' };

export function moment(epochMs: number, zone: string | number = 'UTC'): Moment {
  const whole = Math.floor(epochMs / 1000) * 1000;
  return { epochMs: whole, nanosecond: Math.round((epochMs - whole) * 1_000_000), zone };
}

export function addNanoseconds(time: Moment, nanoseconds: bigint): Moment {
  const total = BigInt(time.epochMs / 1000) * 1_000_000_000n + BigInt(time.nanosecond) + nanoseconds;
  const nanosecond = ((total % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return { epochMs: Number((total - nanosecond) / 1_000_000n), nanosecond: Number(nanosecond), zone: time.zone };
}

export function nanosecondsBetween(later: Moment, earlier: Moment): bigint {
  return BigInt((later.epochMs - earlier.epochMs) / 1000) * 1_000_000_000n + BigInt(later.nanosecond - earlier.nanosecond);
}

export function formatMoment(time: Moment, layout: string): string {
  return formatTime(partsOf(time), layout);
}

/** Whether the time zone database knows a zone; Go's `Local` is UTC here, as in the containers that it usually runs in. */
export function knownZone(name: string): string | undefined {
  if (name === '' || name === 'UTC' || name === 'Local') return 'UTC';
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone === '' ? undefined : name;
  } catch {
    return undefined;
  }
}

function partsOf(time: Moment): TimeParts {
  const { offsetSeconds, zoneName } = zoneAt(time);
  const shifted = new Date(time.epochMs + offsetSeconds * 1000);
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds(),
    nanosecond: time.nanosecond,
    weekday: shifted.getUTCDay(),
    offsetSeconds,
    zoneName,
  };
}

function zoneAt({ epochMs, zone }: Moment): { offsetSeconds: number; zoneName: string } {
  if (zone === 'UTC' || zone === 0) return { offsetSeconds: 0, zoneName: 'UTC' };
  if (typeof zone === 'number') return { offsetSeconds: zone, zoneName: '' };
  const read = (style: 'longOffset' | 'short'): string =>
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: style })
      .formatToParts(epochMs)
      .find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
  const [, sign, hours = '0', minutes = '0'] = /GMT([-+])(\d+):(\d+)/.exec(read('longOffset')) ?? [];
  const offsetSeconds = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
  const short = read('short');
  return { offsetSeconds, zoneName: short.startsWith('GMT') ? formatNumericZone(offsetSeconds) : short };
}

function formatNumericZone(seconds: number): string {
  const size = Math.abs(seconds);
  const minutes = Math.floor(size / 60) % 60;
  return `${seconds < 0 ? '-' : '+'}${String(Math.floor(size / 3600)).padStart(2, '0')}${minutes === 0 ? '' : String(minutes).padStart(2, '0')}`;
}

/** A `time.Time` with the methods that templates use. */
export function goTime(time: Moment): GoStruct {
  const parts = (): TimeParts => partsOf(time);
  const zoned = (zone: string) => define('', () => goTime({ ...time, zone }));
  const number = (read: (parts: TimeParts) => number) => define('', () => int(read(parts())));
  return new GoStruct({
    type: 'time.Time',
    inner: time,
    text: () => formatMoment(time, STRING_LAYOUT),
    jsonText: () => formatMoment(time, RFC3339_LAYOUT),
    methods: new Map([
      ['Format', define('string', (layout: string) => formatMoment(time, layout))],
      ['String', define('', () => formatMoment(time, STRING_LAYOUT))],
      ['Unix', define('', () => int64(Math.floor(time.epochMs / 1000)))],
      ['UnixMilli', define('', () => int64(time.epochMs + Math.floor(time.nanosecond / 1_000_000)))],
      ['UnixNano', define('', () => int64(BigInt(time.epochMs) * 1_000_000n + BigInt(time.nanosecond)))],
      ['UTC', zoned('UTC')],
      ['Local', zoned('UTC')],
      ['IsZero', define('', () => time.epochMs === ZERO_MOMENT.epochMs && time.nanosecond === 0)],
      ['Year', number(({ year }) => year)],
      ['Month', define('', () => new GoInt(BigInt(parts().month), 'time.Month', (value) => MONTHS[Number(value) - 1] ?? ''))],
      ['Day', number(({ day }) => day)],
      ['Hour', number(({ hour }) => hour)],
      ['Minute', number(({ minute }) => minute)],
      ['Second', number(({ second }) => second)],
      ['Nanosecond', number(({ nanosecond }) => nanosecond)],
      ['YearDay', number(yearDay)],
      ['Weekday', define('', () => new GoInt(BigInt(parts().weekday), 'time.Weekday', (value) => DAYS[Number(value)] ?? ''))],
      ['Add', define('time.Duration', (duration: GoInt) => goTime(addNanoseconds(time, duration.value)))],
      [
        'AddDate',
        define('int, int, int', (years: GoInt, months: GoInt, days: GoInt) =>
          goTime(addDate(time, Number(years.value), Number(months.value), Number(days.value))),
        ),
      ],
      ['Sub', define('time.Time', (other: GoStruct) => goDuration(nanosecondsBetween(time, momentOf(other) ?? time)))],
      ['Before', define('time.Time', (other: GoStruct) => nanosecondsBetween(time, momentOf(other) ?? time) < 0n)],
      ['After', define('time.Time', (other: GoStruct) => nanosecondsBetween(time, momentOf(other) ?? time) > 0n)],
      ['Equal', define('time.Time', (other: GoStruct) => nanosecondsBetween(time, momentOf(other) ?? time) === 0n)],
    ]),
  });
}

function addDate(time: Moment, years: number, months: number, days: number): Moment {
  const date = new Date(time.epochMs);
  date.setUTCFullYear(date.getUTCFullYear() + years, date.getUTCMonth() + months, date.getUTCDate() + days);
  return { ...time, epochMs: date.getTime() };
}

export function momentOf(value: unknown): Moment | undefined {
  return value instanceof GoStruct && value.type === 'time.Time' ? (value.inner as Moment) : undefined;
}
