const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

interface Field {
  readonly values: ReadonlySet<number>;
  /** Everything is allowed: matters for the two fields of days, of which one is enough where both are restricted. */
  readonly isAny: boolean;
}

export type CronSchedule =
  | { readonly type: 'every'; readonly everyMs: number }
  | {
      readonly type: 'calendar';
      readonly minutes: Field;
      readonly hours: Field;
      readonly daysOfMonth: Field;
      readonly months: Field;
      readonly daysOfWeek: Field;
    };

/** A schedule in the five fields of cron, a name such as `@daily`, or `@every 1h30m`; undefined where it makes no sense. */
export function parseCron(text: string): CronSchedule | undefined {
  const trimmed = text.trim();
  const every = /^@every\s+((?:\d+[hms])+)$/.exec(trimmed)?.[1];
  if (every !== undefined) {
    const everyMs = [...every.matchAll(/(\d+)([hms])/g)].reduce(
      (total, [, number = '0', unit = '']) => total + Number(number) * (UNIT_MS[unit] ?? 0),
      0,
    );
    return everyMs >= 1_000 ? { type: 'every', everyMs } : undefined;
  }
  const fields = (MACROS[trimmed] ?? trimmed).split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  const minutes = parseField(minute, 0, 59);
  const hours = parseField(hour, 0, 23);
  const daysOfMonth = parseField(day, 1, 31);
  const months = parseField(month, 1, 12, MONTHS);
  const daysOfWeek = parseField(weekday, 0, 6, DAYS);
  if (!minutes || !hours || !daysOfMonth || !months || !daysOfWeek) return undefined;
  return { type: 'calendar', minutes, hours, daysOfMonth, months, daysOfWeek };
}

function parseField(text: string, min: number, max: number, names: readonly string[] = []): Field | undefined {
  const values = new Set<number>();
  let isAny = false;
  for (const part of text.split(',')) {
    const match = /^(\*|\?|[A-Za-z0-9]+)(?:-([A-Za-z0-9]+))?(?:\/(\d+))?$/.exec(part);
    if (match === null) return undefined;
    const [, start = '', end, step] = match;
    const isStar = start === '*' || start === '?';
    const first = isStar ? min : numberOf(start, min, names);
    const last = isStar ? max : end !== undefined ? numberOf(end, min, names) : step !== undefined ? max : first;
    const stride = step === undefined ? 1 : Number(step);
    if (first === undefined || last === undefined || first < min || last > max || first > last || stride < 1) return undefined;
    if (isStar && end !== undefined) return undefined;
    isAny ||= isStar && stride === 1;
    for (let value = first; value <= last; value += stride) values.add(value);
  }
  return { values, isAny };
}

function numberOf(text: string, min: number, names: readonly string[]): number | undefined {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const index = names.indexOf(text.toUpperCase());
  return index < 0 ? undefined : index + min;
}
