/** A moment taken apart for one zone. */
export interface TimeParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
  readonly weekday: number;
  readonly offsetSeconds: number;
  readonly zoneName: string;
}

export const MONTHS: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
export const DAYS: readonly string[] = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const ELEMENT =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|002|0[1-6]|15|1|2006|2|__2|_2(?!006)|3|4|5|PM|pm|[-Z]07:00:00|[-Z]070000|[-Z]07:00|[-Z]0700|[-Z]07|[.,](?:0+|9+)(?!\d)/g;

/** As `Time.Format`: the layout shows how one certain moment would be written. */
export function formatTime(parts: TimeParts, layout: string): string {
  return layout.replaceAll(ELEMENT, (element) => formatElement(parts, element));
}

function formatElement(parts: TimeParts, element: string): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const hour12 = parts.hour % 12 === 0 ? 12 : parts.hour % 12;
  switch (element) {
    case 'January':
      return MONTHS[parts.month - 1] ?? '';
    case 'Jan':
      return (MONTHS[parts.month - 1] ?? '').slice(0, 3);
    case 'Monday':
      return DAYS[parts.weekday] ?? '';
    case 'Mon':
      return (DAYS[parts.weekday] ?? '').slice(0, 3);
    case 'MST':
      return parts.zoneName;
    case '1':
      return String(parts.month);
    case '01':
      return two(parts.month);
    case '2':
      return String(parts.day);
    case '_2':
      return String(parts.day).padStart(2, ' ');
    case '02':
      return two(parts.day);
    case '002':
      return String(yearDay(parts)).padStart(3, '0');
    case '__2':
      return String(yearDay(parts)).padStart(3, ' ');
    case '2006':
      return String(parts.year).padStart(4, '0');
    case '06':
      return two(parts.year % 100);
    case '15':
      return two(parts.hour);
    case '3':
      return String(hour12);
    case '03':
      return two(hour12);
    case '4':
      return String(parts.minute);
    case '04':
      return two(parts.minute);
    case '5':
      return String(parts.second);
    case '05':
      return two(parts.second);
    case 'PM':
      return parts.hour < 12 ? 'AM' : 'PM';
    case 'pm':
      return parts.hour < 12 ? 'am' : 'pm';
    default:
      return /^[.,]/.test(element) ? formatFraction(parts.nanosecond, element) : formatOffset(parts.offsetSeconds, element);
  }
}

export function yearDay({ year, month, day }: Pick<TimeParts, 'year' | 'month' | 'day'>): number {
  return (Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 1)) / 86_400_000 + 1;
}

function formatFraction(nanosecond: number, element: string): string {
  const digits = String(nanosecond)
    .padStart(9, '0')
    .slice(0, element.length - 1);
  if (element[1] === '0') return (element[0] ?? '') + digits;
  const shown = digits.replace(/0+$/, '');
  return shown === '' ? '' : (element[0] ?? '') + shown;
}

function formatOffset(seconds: number, element: string): string {
  if (element.startsWith('Z') && seconds === 0) return 'Z';
  const size = Math.abs(seconds);
  const pairs = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60].map((value) => String(value).padStart(2, '0'));
  const count = { 3: 1, 5: 2, 6: 2, 7: 3, 9: 3 }[element.length] ?? 2;
  return (seconds < 0 ? '-' : '+') + pairs.slice(0, count).join(element.includes(':') ? ':' : '');
}

/** No text fits a layout that is longer. */
const LAYOUT_CHARACTERS_MAX = 1_000;

/** What a layout reads from a text, as UTC; undefined where the text does not fit. */
export function parseTime(layout: string, text: string): { epochMs: number; nanosecond: number; offsetSeconds: number } | undefined {
  if (layout.length > LAYOUT_CHARACTERS_MAX) return undefined;
  const names: string[] = [];
  // As in Go, an element keeps what it took: with a row of them that may take one digit or two, all ways to share out the digits would be tried.
  const take = (name: string, element: string): string => `(?=(${element}))\\${names.push(name)}`;
  const pattern = layout.split(ELEMENT).map((literal) => literal.replaceAll(/[\\.+*?()|[\]{}^$/-]/g, String.raw`\$&`));
  const elements = layout.match(ELEMENT) ?? [];
  let source = `^${pattern[0] ?? ''}`;
  for (const [at, element] of elements.entries()) {
    source += take(element, elementPattern(element));
    // Seconds may have a fraction that the layout does not show.
    if (/^0?5$/.test(element) && !(pattern[at + 1] === '' && /^[.,]/.test(elements[at + 1] ?? ''))) {
      source += take('.9', String.raw`(?:[.,]\d{1,9})?`);
    }
    source += `(?:)${pattern[at + 1] ?? ''}`;
  }
  const found = new RegExp(`${source}$`, 'i').exec(text);
  return found === null ? undefined : assemble(names, found.slice(1));
}

function elementPattern(element: string): string {
  switch (element) {
    case 'January':
      return MONTHS.join('|');
    case 'Jan':
      return MONTHS.map((month) => month.slice(0, 3)).join('|');
    case 'Monday':
      return DAYS.join('|');
    case 'Mon':
      return DAYS.map((day) => day.slice(0, 3)).join('|');
    case 'MST':
      return String.raw`[A-Z]{3,5}|[-+]\d\d(?:\d\d)?`;
    case '2006':
      return String.raw`\d{4}`;
    case '002':
    case '__2':
      return String.raw`[ \d]{2}\d`;
    case 'PM':
    case 'pm':
      return 'AM|PM';
    case '_2':
      return String.raw` ?\d{1,2}`;
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
      return String.raw`\d{1,2}`;
    default:
      if (/^[.,]/.test(element)) return element[1] === '0' ? String.raw`[.,]\d{${element.length - 1}}` : String.raw`(?:[.,]\d{1,9})?`;
      if (/^[-Z]/.test(element)) {
        const digits = element.slice(1).replaceAll(/\d/g, String.raw`\d`);
        return element.startsWith('Z') ? `Z|[-+]${digits}` : `[-+]${digits}`;
      }
      return String.raw`\d{2}`;
  }
}

function assemble(
  names: readonly string[],
  values: readonly string[],
): { epochMs: number; nanosecond: number; offsetSeconds: number } | undefined {
  const read = (...wanted: string[]): string | undefined => values[names.findIndex((name) => wanted.includes(name))];
  const monthName = read('January', 'Jan')?.toLowerCase().slice(0, 3);
  const month =
    monthName === undefined ? Number(read('01', '1') ?? 1) : MONTHS.findIndex((name) => name.toLowerCase().startsWith(monthName)) + 1;
  const short = read('06');
  const year = short === undefined ? Number(read('2006') ?? 0) : Number(short) + (Number(short) >= 69 ? 1900 : 2000);
  const day = Number(read('02', '2', '_2') ?? 1);
  const isAfternoon = read('PM', 'pm')?.toUpperCase();
  const hour12 = Number(read('03', '3') ?? 0);
  const hour =
    read('15') === undefined
      ? isAfternoon === 'PM' && hour12 < 12
        ? hour12 + 12
        : isAfternoon === 'AM' && hour12 === 12
          ? 0
          : hour12
      : Number(read('15'));
  const [minute, second] = [Number(read('04', '4') ?? 0), Number(read('05', '5') ?? 0)];
  const lengthOfMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lengthOfMonth || hour > 23 || minute > 59 || second > 59) return undefined;
  const at = names.findIndex((name) => /^[.,]/.test(name));
  const offset = values[names.findIndex((name) => /^[-Z]07/.test(name))];
  const offsetSeconds = offset === undefined || /^z$/i.test(offset) ? 0 : parseOffset(offset);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return { epochMs: date.getTime() - offsetSeconds * 1000, nanosecond: Number((values[at] ?? '').slice(1).padEnd(9, '0')), offsetSeconds };
}

function parseOffset(text: string): number {
  const [hours = '0', minutes = '0', seconds = '0'] = text.slice(1).replaceAll(':', '').match(/../g) ?? [];
  return (text.startsWith('-') ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}
