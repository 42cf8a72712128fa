import type { SyncWindow } from '../../../../contract/gen/types.ts';
import { readSchedule, type Day } from './read-schedule.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How far ahead the next opening is looked for, step by step: most windows open within a week. */
const AHEAD_DAYS: readonly number[] = [1, 8, 64, 400];
/** More than a week has minutes; a window that begins more often than that is looked at only so far. */
const STARTS_MAX = 20_000;
const UNIT_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: MINUTE_MS, h: 3_600_000 };

/** A time in which a window is open, in milliseconds since the epoch. */
export interface Opening {
  readonly startMs: number;
  readonly endMs: number;
}

/** A duration such as `1h30m`. Throws an Error in words for a person. */
export function readDurationMs(text: string): number {
  const parts = text.match(/(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h)/g) ?? [];
  if (text !== '0' && (parts.length === 0 || parts.join('') !== text))
    throw new Error(`“${text}” is no duration: write a number and a unit, such as 30m, 8h or 1h30m`);
  return parts.reduce((sum, part) => {
    const unit = /[a-zµ]+$/.exec(part)![0];
    return sum + Number(part.slice(0, -unit.length)) * UNIT_MS[unit]!;
  }, 0);
}

/** When a window is open between two times; what overlaps is one. Throws an Error where the window cannot be read. */
export function openingsBetween(window: SyncWindow, fromMs: number, untilMs: number): readonly Opening[] {
  const { schedule = '', duration = '', timeZone = '' } = window;
  const [times, lengthMs, zone] = [readSchedule(schedule), readDurationMs(duration), readZone(timeZone)];
  const openings: { startMs: number; endMs: number }[] = [];
  let count = 0;
  for (let at = fromMs - lengthMs - DAY_MS; at <= untilMs + DAY_MS && count < STARTS_MAX; at += DAY_MS) {
    const day = dayOf(at);
    for (const minute of times.minutesOn(day)) {
      count += 1;
      const startMs = zone.toInstant(Date.UTC(day.year, day.month - 1, day.day) + minute * MINUTE_MS);
      const endMs = startMs + lengthMs;
      if (endMs <= fromMs || startMs >= untilMs) continue;
      const last = openings.at(-1);
      if (last !== undefined && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
      else openings.push({ startMs, endMs });
    }
  }
  return openings;
}

/** Whether a window is open now and until when, or when it opens next; undefined where it never does, or cannot be read. */
export function describeNow(window: SyncWindow, nowMs: number): { readonly isOpen: boolean; readonly changesMs: number } | undefined {
  try {
    for (const days of AHEAD_DAYS) {
      const [first] = openingsBetween(window, nowMs, nowMs + days * DAY_MS);
      if (first !== undefined) return { isOpen: first.startMs <= nowMs, changesMs: first.startMs <= nowMs ? first.endMs : first.startMs };
    }
  } catch {
    // A window that cannot be read is never open; the list says so beside it.
  }
  return undefined;
}

/** What is wrong with a schedule or a duration; undefined where nothing is. */
export function findFault(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether browsers and the server know a zone by this name. An offset is none. */
export function isKnownZone(timeZone: string): boolean {
  if (timeZone === '') return true;
  if (/^[+-]/.test(timeZone)) return false;
  return findFault(() => new Intl.DateTimeFormat('en-US', { timeZone })) === undefined;
}

interface Zone {
  /** A wall time, written as if it were UTC, as a moment. */
  readonly toInstant: (wallMs: number) => number;
}

/** A zone that nobody knows is UTC, as on the server. */
function readZone(timeZone: string): Zone {
  if (timeZone === '' || timeZone === 'UTC' || !isKnownZone(timeZone)) return { toInstant: (wallMs) => wallMs };
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const offsetAt = (ms: number): number => {
    const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = /^GMT([+-])(\d+):(\d+)$/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  };
  // The offset at the wall time itself may be that of the other side of a change of the clocks; the second look is at the right side.
  return { toInstant: (wallMs) => wallMs - offsetAt(wallMs - offsetAt(wallMs)) };
}

function dayOf(ms: number): Day {
  const date = new Date(ms);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
