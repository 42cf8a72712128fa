import type { Arguments, Native } from './arguments.ts';
import { toNumber } from './numbers.ts';
import type { LuaTable } from './table.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** What of the system a script may know: what time it is. All times are in UTC. */
export function timeFunctions(nowMs: () => number): Readonly<Record<string, Native>> {
  return {
    time(args) {
      if (args.count === 0 || args.at(1) === undefined) return [Math.floor(nowMs() / 1000)];
      return [secondsOf(args.table(1))];
    },
    date(args) {
      const seconds = args.count < 2 ? nowMs() / 1000 : args.integer(2);
      const date = new Date(seconds * 1000);
      if (Number.isNaN(date.getTime())) throw args.refuse(2, 'not a time');
      const format = (args.at(1) === undefined ? '%c' : args.text(1)).replace(/^!/, '');
      return [format.startsWith('*t') ? describe(args, date) : formatDate(date, format)];
    },
  };
}

/** Beside the time, for scripts that are given all libraries. */
export function clockFunctions(): Readonly<Record<string, Native>> {
  return {
    clock: () => [0],
    difftime: (args) => [args.number(1) - args.number(2)],
    /** There is no environment. */
    getenv: (args) => {
      args.text(1);
      return [undefined];
    },
  };
}

/** Fields that are missing are those of 0, but for noon. */
function secondsOf(table: LuaTable): number {
  const field = (name: string, otherwise: number): number => Math.trunc(toNumber(table.get(name)) ?? otherwise);
  return Date.UTC(field('year', -1), field('month', -1) - 1, field('day', -1), field('hour', 12), field('min', 0), field('sec', 0)) / 1000;
}

function describe({ state }: Arguments, date: Date): LuaTable {
  const table = state.table();
  table.set('year', date.getUTCFullYear());
  table.set('month', date.getUTCMonth() + 1);
  table.set('day', date.getUTCDate());
  table.set('hour', date.getUTCHours());
  table.set('min', date.getUTCMinutes());
  table.set('sec', date.getUTCSeconds());
  table.set('wday', date.getUTCDay() + 1);
  // As in the original, where it is not filled.
  table.set('yday', 0);
  table.set('isdst', false);
  return table;
}

function formatDate(date: Date, format: string): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const [day, month] = [DAYS[date.getUTCDay()] ?? '', MONTHS[date.getUTCMonth()] ?? ''];
  const [hours, minutes, seconds] = [two(date.getUTCHours()), two(date.getUTCMinutes()), two(date.getUTCSeconds())];
  const [year, number, monthNumber] = [String(date.getUTCFullYear()), two(date.getUTCDate()), two(date.getUTCMonth() + 1)];
  const parts: Readonly<Record<string, string>> = {
    a: day.slice(0, 3),
    A: day,
    b: month.slice(0, 3),
    B: month,
    c: `${number} ${month.slice(0, 3)} ${year.slice(-2)} ${hours}:${minutes} UTC`,
    d: number,
    F: `${year}-${monthNumber}-${number}`,
    H: hours,
    I: two(date.getUTCHours() % 12 || 12),
    m: monthNumber,
    M: minutes,
    p: date.getUTCHours() < 12 ? 'AM' : 'PM',
    S: seconds,
    w: String(date.getUTCDay()),
    X: `${hours}:${minutes}:${seconds}`,
    y: year.slice(-2),
    Y: year,
    Z: 'UTC',
    z: '+0000',
    '%': '%',
  };
  return format.replaceAll(/%(.)/gs, (whole, letter: string) => (Object.hasOwn(parts, letter) ? (parts[letter] ?? whole) : whole));
}
