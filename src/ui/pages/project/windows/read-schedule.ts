/** A schedule in the wall time of its zone: whether it begins something at a minute of a day. */
export interface Schedule {
  /** Minutes after midnight at which it begins on a day; none where the day is not one of its days. */
  readonly minutesOn: (day: Day) => readonly number[];
}

/** A day of the calendar, whatever the zone. */
export interface Day {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

interface FieldRange {
  readonly title: string;
  readonly min: number;
  readonly max: number;
  readonly words?: string;
}

const FIELDS = [
  { title: 'minute', min: 0, max: 59 },
  { title: 'hour', min: 0, max: 23 },
  { title: 'day of the month', min: 1, max: 31 },
  { title: 'month', min: 1, max: 12, words: 'jan feb mar apr may jun jul aug sep oct nov dec' },
  { title: 'weekday', min: 0, max: 6, words: 'sun mon tue wed thu fri sat' },
] as const satisfies readonly FieldRange[];

const SHORT = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** Reads five fields, or a word such as `@daily`. Throws an Error that says what is wrong, in words for a person. */
export function readSchedule(text: string): Schedule {
  const parts = (SHORT.get(text.trim()) ?? text.trim()).split(/\s+/);
  if (parts.length !== FIELDS.length || parts[0] === '')
    throw new Error('A schedule has five fields: minute, hour, day of the month, month, weekday');
  const [minutes, hours, days, months, weekdays] = FIELDS.map((range, index) => readField(parts[index]!, range)) as [
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
  ];
  const isOpen = (part: string): boolean => part.startsWith('*') || part === '?';
  const needsBoth = isOpen(parts[2]!) || isOpen(parts[4]!);
  const starts = [...hours].flatMap((hour) => [...minutes].map((minute) => hour * 60 + minute)).toSorted((one, other) => one - other);
  return {
    minutesOn: ({ year, month, day }) => {
      if (!months.has(month)) return [];
      const ofMonth = days.has(day);
      const ofWeek = weekdays.has(new Date(Date.UTC(year, month - 1, day)).getUTCDay());
      // Where both kinds of days are named, one of them is enough.
      return (needsBoth ? ofMonth && ofWeek : ofMonth || ofWeek) ? starts : [];
    },
  };
}

function readField(text: string, range: FieldRange): ReadonlySet<number> {
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(?:[*?]|([^-/]+)(?:-([^-/]+))?)(?:\/(\d+))?$/.exec(part);
    if (match === null) throw new Error(`“${part}” is no ${range.title}`);
    const [, first, last, step] = match;
    const low = first === undefined ? range.min : readNumber(first, range);
    const high = last !== undefined ? readNumber(last, range) : first === undefined || step !== undefined ? range.max : low;
    const by = step === undefined ? 1 : Number(step);
    if (low > high) throw new Error(`“${part}” goes backwards: the ${range.title} ends before it begins`);
    if (by === 0) throw new Error(`“${part}” never moves: a step is at least 1`);
    for (let value = low; value <= high; value += by) found.add(value);
  }
  return found;
}

function readNumber(text: string, { title, min, max, words = '' }: FieldRange): number {
  const word = words.split(' ').indexOf(text.toLowerCase());
  const value = word >= 0 && words !== '' ? word + min : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw new Error(`“${text}” is no ${title}`);
  if (value < min || value > max) throw new Error(`The ${title} is from ${min} to ${max}, not ${text}`);
  return value;
}
