import { formatValue, formatVerb } from './format-value.ts';
import type { Flags } from './format-value.ts';
import { GoInt, typeOf } from './value.ts';
import type { GoAny } from './value.ts';

/** The longest that a width or precision makes a value; Go takes larger ones for none. */
const WIDTH_MAX = 1_000_000;

interface Reader {
  readonly format: string;
  readonly values: readonly GoAny[];
  at: number;
  next: number;
  reordered: boolean;
  goodIndex: boolean;
}

/** As `fmt.Sprintf`, with its way of writing mistakes into the text. */
export function sprintf(format: string, values: readonly GoAny[]): string {
  const reader: Reader = { format, values, at: 0, next: 0, reordered: false, goodIndex: true };
  let text = '';
  while (reader.at < format.length) {
    const percent = format.indexOf('%', reader.at);
    if (percent < 0) {
      text += format.slice(reader.at);
      break;
    }
    text += format.slice(reader.at, percent);
    reader.at = percent + 1;
    text += readVerb(reader);
  }
  if (!reader.reordered && reader.next < values.length) {
    const extra = values.slice(reader.next).map((value) => (value === null ? '<nil>' : `${typeOf(value)}=${formatValue(value)}`));
    text += `%!(EXTRA ${extra.join(', ')})`;
  }
  return text;
}

function readVerb(reader: Reader): string {
  const flags: { -readonly [Key in keyof Flags]: Flags[Key] } = readFlags(reader);
  let problems = '';
  let afterIndex = readIndex(reader);
  if (peek(reader) === '*') {
    reader.at += 1;
    const width = takeNumber(reader);
    if (width === undefined) problems += '%!(BADWIDTH)';
    else if (width < 0) Object.assign(flags, { minus: true, zero: false, width: -width });
    else flags.width = width;
    afterIndex = false;
  } else {
    const width = readNumber(reader);
    if (width !== undefined) {
      flags.width = width;
      if (afterIndex) reader.goodIndex = false;
    }
  }
  if (peek(reader) === '.') problems += readPrecision(reader, flags, afterIndex);
  if (!afterIndex) afterIndex = readIndex(reader);
  if (reader.at >= reader.format.length) return `${problems}%!(NOVERB)`;
  const verb = String.fromCodePoint(reader.format.codePointAt(reader.at) ?? 0);
  reader.at += verb.length;
  if (verb === '%') return `${problems}%`;
  if (!reader.goodIndex) return `${problems}%!${verb}(BADINDEX)`;
  if (reader.next >= reader.values.length) return `${problems}%!${verb}(MISSING)`;
  const value = reader.values[reader.next] ?? null;
  reader.next += 1;
  return problems + formatVerb(value, verb === 'w' ? 'w' : verb, flags);
}

function readPrecision(reader: Reader, flags: { precision?: number }, wasIndex: boolean): string {
  reader.at += 1;
  if (wasIndex) reader.goodIndex = false;
  readIndex(reader);
  if (peek(reader) !== '*') {
    flags.precision = readNumber(reader) ?? 0;
    return '';
  }
  reader.at += 1;
  const precision = takeNumber(reader);
  if (precision === undefined || precision < 0) return '%!(BADPREC)';
  flags.precision = precision;
  return '';
}

function readFlags(reader: Reader): Flags {
  const names = { '+': 'plus', '-': 'minus', '#': 'sharp', ' ': 'space', '0': 'zero' } as const;
  const flags: Record<string, boolean> = {};
  reader.goodIndex = true;
  for (; reader.at < reader.format.length; reader.at += 1) {
    const mark = peek(reader);
    if (!Object.hasOwn(names, mark)) break;
    flags[names[mark as keyof typeof names]] = true;
  }
  return flags;
}

/** `[n]` chooses the value that comes next. */
function readIndex(reader: Reader): boolean {
  if (peek(reader) !== '[') return false;
  reader.reordered = true;
  const index = /^\[(\d+)\]/.exec(reader.format.slice(reader.at, reader.at + 12));
  const chosen = Number(index?.[1] ?? 0);
  if (index === null) {
    reader.goodIndex = false;
    const end = reader.format.indexOf(']', reader.at);
    reader.at = end < 0 ? reader.at + 1 : end + 1;
    return false;
  }
  reader.at += index[0].length;
  if (chosen < 1 || chosen > reader.values.length) reader.goodIndex = false;
  else reader.next = chosen - 1;
  return true;
}

function takeNumber(reader: Reader): number | undefined {
  const value = reader.values[reader.next] ?? null;
  if (reader.next >= reader.values.length) return undefined;
  reader.next += 1;
  if (!(value instanceof GoInt)) return undefined;
  const number = Number(value.value);
  return Math.abs(number) > WIDTH_MAX ? undefined : number;
}

function readNumber(reader: Reader): number | undefined {
  const digits = /^\d+/.exec(reader.format.slice(reader.at, reader.at + 20))?.[0];
  if (digits === undefined) return undefined;
  reader.at += digits.length;
  return Number(digits) > WIDTH_MAX ? undefined : Number(digits);
}

function peek(reader: Reader): string {
  return reader.format[reader.at] ?? '';
}
