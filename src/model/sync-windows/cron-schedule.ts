/** Minutes, hours, days, months and weekdays at which something recurs; in UTC. */
export interface CronSchedule {
  /**
   * The first time after the given one, in milliseconds since the epoch; undefined where there is none in the next years. Whoever asks
   * only about the days until some time need not wait for a search of years.
   */
  next(afterMs: number, untilMs?: number): number | undefined;
}

/** A text that is no schedule; the message says what is wrong with it. */
export class CronError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CronError';
  }
}

interface FieldRule {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly words?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly FieldRule[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, words: MONTHS },
  { name: 'day of week', min: 0, max: 6, words: DAYS },
];
const NAMED: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The 29th of February comes at least once in this time. */
const DAYS_AHEAD_MAX = 366 * 8 + 2;

/** Reads a schedule of five fields, or a word such as `@daily`. Throws CronError. */
export function parseCronSchedule(text: string): CronSchedule {
  const named = Object.hasOwn(NAMED, text) ? NAMED[text] : undefined;
  const parts = (named ?? text).trim().split(/\s+/);
  if (parts.length !== FIELDS.length) throw new CronError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  const [minutes, hours, days, months, weekdays] = FIELDS.map((rule, index) => parseField(parts[index] ?? '', rule));
  // With both days of the month and of the week, either is enough; a star leaves it to the other.
  const isAnyDay = [parts[2], parts[4]].some((part) => part?.startsWith('*') === true || part === '?');
  const fitsDay = (date: Date): boolean => {
    const [ofMonth, ofWeek] = [days?.has(date.getUTCDate()) === true, weekdays?.has(date.getUTCDay()) === true];
    return months?.has(date.getUTCMonth() + 1) === true && (isAnyDay ? ofMonth && ofWeek : ofMonth || ofWeek);
  };
  const times = { fitsDay, hours: hours ?? new Set<number>(), minutes: minutes ?? new Set<number>() };
  return { next: (afterMs, untilMs = Infinity) => findNext(afterMs, untilMs, times) };
}

interface Times {
  readonly fitsDay: (date: Date) => boolean;
  readonly hours: ReadonlySet<number>;
  readonly minutes: ReadonlySet<number>;
}

function findNext(afterMs: number, untilMs: number, { fitsDay, hours, minutes }: Times): number | undefined {
  const first = (Math.floor(afterMs / MINUTE_MS) + 1) * MINUTE_MS;
  const firstDay = Math.floor(first / DAY_MS) * DAY_MS;
  for (let day = 0; day < DAYS_AHEAD_MAX; day++) {
    const start = firstDay + day * DAY_MS;
    if (start > untilMs) return undefined;
    if (!fitsDay(new Date(start))) continue;
    for (let hour = 0; hour < 24; hour++) {
      if (!hours.has(hour) || start + (hour + 1) * HOUR_MS <= first) continue;
      for (let minute = 0; minute < 60; minute++) {
        const time = start + hour * HOUR_MS + minute * MINUTE_MS;
        if (minutes.has(minute) && time >= first) return time;
      }
    }
  }
  return undefined;
}

function parseField(text: string, rule: FieldRule): ReadonlySet<number> {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step, ...rest] = part.split('/');
    if (rest.length > 0) throw new CronError(`too many slashes: ${part}`);
    const [low, high] = parseRange(range, rule, step !== undefined);
    const size = step === undefined ? 1 : parseNumber(step, rule);
    if (size === 0) throw new CronError(`step of range should be a positive number: ${part}`);
    if (low < rule.min) throw new CronError(`beginning of range (${low}) below minimum (${rule.min}): ${part}`);
    if (high > rule.max) throw new CronError(`end of range (${high}) above maximum (${rule.max}): ${part}`);
    if (low > high) throw new CronError(`beginning of range (${low}) beyond end of range (${high}): ${part}`);
    for (let value = low; value <= high; value += size) values.add(value);
  }
  return values;
}

function parseRange(text: string, rule: FieldRule, hasStep: boolean): readonly [low: number, high: number] {
  if (text === '*' || text === '?') return [rule.min, rule.max];
  const [from = '', to, ...rest] = text.split('-');
  if (rest.length > 0) throw new CronError(`too many hyphens: ${text}`);
  const low = parseNumber(from, rule);
  if (to !== undefined) return [low, parseNumber(to, rule)];
  // `5/10` goes on from 5 to the end.
  return [low, hasStep ? rule.max : low];
}

function parseNumber(text: string, { words = [], min, name }: FieldRule): number {
  const word = words.indexOf(text.toLowerCase());
  if (word >= 0) return word + min;
  if (!/^\d{1,4}$/.test(text)) throw new CronError(`failed to parse ${name} ${JSON.stringify(text)}`);
  return Number(text);
}
