import type { CronSchedule } from './cron-schedule.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A schedule that does not come up in this time never does: 29 February may be eight years away. */
const DAYS_MAX = 366 * 9;

/** The wall-clock time of a zone as if it were UTC, in milliseconds. */
type ToLocal = (timeMs: number) => number;

/** The first time of a schedule after a moment; undefined where there is none. */
export function nextCronTime(schedule: CronSchedule, afterMs: number, timeZone: string): number | undefined {
  if (schedule.type === 'every') return Math.floor(afterMs / 1_000) * 1_000 + schedule.everyMs;
  return search(schedule, afterMs, timeZone, 1);
}

/** The last time of a schedule up to a moment and after another; undefined where there is none. */
export function lastCronTime(schedule: CronSchedule, span: { afterMs: number; untilMs: number }, timeZone: string): number | undefined {
  const { afterMs, untilMs } = span;
  if (schedule.type === 'every') {
    const count = Math.floor((untilMs - afterMs) / schedule.everyMs);
    return count < 1 ? undefined : afterMs + count * schedule.everyMs;
  }
  const found = search(schedule, untilMs + 1, timeZone, -1);
  return found !== undefined && found > afterMs ? found : undefined;
}

/** Day by day from a moment on, in one direction or the other. */
function search(
  schedule: Extract<CronSchedule, { type: 'calendar' }>,
  fromMs: number,
  timeZone: string,
  direction: 1 | -1,
): number | undefined {
  const toLocal = localClock(timeZone);
  const firstDay = Math.floor(toLocal(fromMs) / DAY_MS);
  const sort = (values: ReadonlySet<number>): readonly number[] => [...values].toSorted((left, right) => (left - right) * direction);
  const [hours, minutes] = [sort(schedule.hours.values), sort(schedule.minutes.values)];
  for (let day = firstDay, tried = 0; tried <= DAYS_MAX; day += direction, tried += 1) {
    if (!isDayOf(schedule, day)) continue;
    for (const hour of hours)
      for (const minute of minutes) {
        const timeMs = toUtc(day * DAY_MS + hour * 60 * MINUTE_MS + minute * MINUTE_MS, toLocal);
        if (timeMs !== undefined && (direction === 1 ? timeMs > fromMs : timeMs < fromMs)) return timeMs;
      }
  }
  return undefined;
}

function isDayOf({ months, daysOfMonth, daysOfWeek }: Extract<CronSchedule, { type: 'calendar' }>, day: number): boolean {
  const date = new Date(day * DAY_MS);
  if (!months.values.has(date.getUTCMonth() + 1)) return false;
  const isMonthDay = daysOfMonth.values.has(date.getUTCDate());
  const isWeekday = daysOfWeek.values.has(date.getUTCDay());
  return daysOfMonth.isAny || daysOfWeek.isAny ? isMonthDay && isWeekday : isMonthDay || isWeekday;
}

/** The moment of a wall-clock time; undefined for one that the zone leaves out when its clocks go forward. */
function toUtc(localMs: number, toLocal: ToLocal): number | undefined {
  const guess = localMs - (toLocal(localMs) - localMs);
  const corrected = localMs - (toLocal(guess) - guess);
  return toLocal(corrected) === localMs ? corrected : undefined;
}

export function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).format(0) !== '';
  } catch {
    return false;
  }
}

function localClock(timeZone: string): ToLocal {
  if (timeZone === 'UTC' || timeZone === '') return (timeMs) => timeMs;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (timeMs) => {
    const parts = new Map(format.formatToParts(timeMs).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return local + (((timeMs % 1_000) + 1_000) % 1_000);
  };
}
