import { fromBytes, runes, toBytes } from './bytes.ts';
import { formatFloat } from './format-number.ts';
import { isPrint, quote } from './quote.ts';
import { GoInt, GoList, GoMap, GoStruct, sortedKeys, typeOf } from './value.ts';
import type { GoAny, GoFunction } from './value.ts';

/** The flags between `%` and its verb. */
export interface Flags {
  readonly plus?: boolean;
  readonly minus?: boolean;
  readonly sharp?: boolean;
  readonly space?: boolean;
  readonly zero?: boolean;
  readonly width?: number;
  readonly precision?: number;
}

/** A value as `%v` prints it. */
export function formatValue(value: GoAny): string {
  return formatVerb(value, 'v', {});
}

/** As `fmt.Sprint`: a space goes between two values of which neither is a text. */
export function sprint(values: readonly GoAny[]): string {
  let text = '';
  for (const [index, value] of values.entries()) {
    if (index > 0 && typeof value !== 'string' && typeof values[index - 1] !== 'string') text += ' ';
    text += formatValue(value);
  }
  return text;
}

/** As `fmt.Sprintln`. */
export function sprintln(values: readonly GoAny[]): string {
  return `${values.map(formatValue).join(' ')}\n`;
}

/** A value printed by one verb. */
export function formatVerb(value: GoAny, verb: string, flags: Flags): string {
  if (verb === 'T') return pad(typeOf(value), flags);
  // With %v a plus asks for the names of fields, which maps show anyway.
  if (verb === 'v' && flags.plus === true) return formatVerb(value, verb, { ...flags, plus: false });
  if (value === null) return verb === 'v' ? pad('<nil>', flags) : `%!${verb}(<nil>)`;
  if (typeof value === 'boolean') return verb === 't' || verb === 'v' ? pad(String(value), flags) : badVerb(value, verb, flags);
  if (typeof value === 'string') return formatText(value, verb, flags);
  if (typeof value === 'number') return formatFloatVerb(value, verb, flags);
  if (value instanceof GoInt) return formatInt(value, verb, flags);
  if (value instanceof GoList) return formatList(value, verb, flags);
  if (value instanceof GoMap) return formatMap(value, verb, flags);
  return formatOther(value, verb, flags);
}

function formatOther(value: GoStruct | GoFunction, verb: string, flags: Flags): string {
  if (value instanceof GoStruct)
    return 'vsxXq'.includes(verb) ? formatText(value.text(), verb === 'v' ? 's' : verb, flags) : badVerb(value, verb, flags);
  return `%!${verb}(func)`;
}

/** The value is shown with the flags that were meant for the verb. */
function badVerb(value: GoAny, verb: string, flags: Flags): string {
  return `%!${verb}(${typeOf(value)}=${formatVerb(value, 'v', flags)})`;
}

function formatText(value: string, verb: string, flags: Flags): string {
  if (verb === 'v' && flags.sharp === true) return pad(quote(value), flags);
  if (verb === 'v' || verb === 's') return pad(truncate(value, flags), flags);
  if (verb === 'q') {
    const shown = truncate(value, flags);
    if (flags.sharp === true && !/[`\p{Cc}\ufeff]/u.test(shown.replaceAll('\t', ''))) return pad(`\`${shown}\``, flags);
    return pad(quote(shown, '"', flags.plus === true), flags);
  }
  if (verb === 'x' || verb === 'X') {
    const bytes = toBytes(value).subarray(0, flags.precision);
    return pad(formatHex(bytes, verb, flags), flags);
  }
  return badVerb(value, verb, flags);
}

function formatHex(bytes: Uint8Array, verb: string, flags: Flags): string {
  const pairs = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const prefix = flags.sharp === true ? '0x' : '';
  const text = flags.space === true ? pairs.map((pair) => prefix + pair).join(' ') : pairs.length === 0 ? '' : prefix + pairs.join('');
  return verb === 'X' ? text.toUpperCase() : text;
}

function truncate(value: string, flags: Flags): string {
  return flags.precision === undefined ? value : runes(value).slice(0, flags.precision).join('');
}

function formatFloatVerb(value: number, verb: string, flags: Flags): string {
  const kind = { v: 'g', e: 'e', E: 'e', f: 'f', F: 'f', g: 'g', G: 'g' }[verb] as 'e' | 'f' | 'g' | undefined;
  if (kind === undefined) return badVerb(value, verb, flags);
  const precision = flags.precision ?? (verb === 'v' || kind === 'g' ? -1 : 6);
  let text = formatFloat(value, kind, precision);
  if (flags.sharp === true && verb !== 'v' && Number.isFinite(value)) text = keepZeros(text, kind, flags.precision);
  if (verb === 'E' || verb === 'G') text = text.toUpperCase().replace('INF', 'Inf').replace('NAN', 'NaN');
  return padNumber(withSign(text, flags), Number.isFinite(value) ? flags : { ...flags, zero: false });
}

/** `%#g` keeps the zeros that `%g` leaves out. */
function keepZeros(text: string, kind: string, precision: number | undefined): string {
  const [mantissa = '', exponent] = text.split('e');
  const point = mantissa.includes('.') ? mantissa : `${mantissa}.`;
  const tail = exponent === undefined ? '' : `e${exponent}`;
  if (kind !== 'g') return point + tail;
  const digits = point.replace(/^-?0*\.?0*/, '').replace('.', '').length;
  return point + '0'.repeat(Math.max(0, (precision ?? 6) - digits)) + tail;
}

function withSign(text: string, flags: Flags): string {
  if (/^[-+]/.test(text)) return text.startsWith('+') && flags.plus !== true && flags.space === true ? ` ${text.slice(1)}` : text;
  return flags.plus === true ? `+${text}` : flags.space === true ? ` ${text}` : text;
}

function formatInt(value: GoInt, verb: string, flags: Flags): string {
  if (value.text !== undefined && 'vs'.includes(verb)) return pad(value.text(value.value), flags);
  const number = value.value;
  if (verb === 'c') return pad(character(number), flags);
  if (verb === 'q') return pad(quote(character(number), "'", flags.plus === true), flags);
  if (verb === 'U') return pad(formatUnicode(number, flags), flags);
  const base = { v: 10, d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 }[verb];
  if (base === undefined) return badVerb(value, verb, flags);
  let digits = (number < 0n ? -number : number).toString(base);
  if (flags.precision === 0 && number === 0n) return pad('', { ...flags, zero: false });
  if (flags.precision !== undefined) digits = digits.padStart(flags.precision, '0');
  else if (flags.zero === true && flags.minus !== true && flags.width !== undefined)
    digits = digits.padStart(flags.width - (number < 0n || flags.plus === true || flags.space === true ? 1 : 0), '0');
  const prefix =
    verb === 'O' ? '0o' : flags.sharp === true ? ({ 2: '0b', 8: digits.startsWith('0') ? '' : '0', 16: '0x' }[base] ?? '') : '';
  const text = withSign((number < 0n ? '-' : '') + prefix + digits, flags);
  return pad(verb === 'X' ? text.toUpperCase() : text, { ...flags, zero: false });
}

function character(code: bigint): string {
  return code < 0n || code > 0x10ffffn || (code >= 0xd800n && code < 0xe000n) ? '\ufffd' : String.fromCodePoint(Number(code));
}

function formatUnicode(code: bigint, flags: Flags): string {
  const text = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return flags.sharp === true && isPrint(character(code)) ? `${text} '${character(code)}'` : text;
}

function formatList(list: GoList, verb: string, flags: Flags): string {
  if (list.element === 'uint8' && 'sqxX'.includes(verb)) return formatText(fromBytes(bytesOf(list)), verb, flags);
  if (flags.sharp === true && verb === 'v') {
    if (list.isNil) return `${typeOf(list)}(nil)`;
    return `${typeOf(list)}{${list.items.map((item) => goSyntax(item, flags)).join(', ')}}`;
  }
  return `[${list.items.map((item) => formatInner(item, verb, flags)).join(' ')}]`;
}

function formatMap(map: GoMap, verb: string, flags: Flags): string {
  const keys = sortedKeys(map);
  if (flags.sharp === true && verb === 'v') {
    if (map.isNil) return `${typeOf(map)}(nil)`;
    return `${typeOf(map)}{${keys.map((key) => `${quote(key)}:${goSyntax(map.entries.get(key) ?? null, flags)}`).join(', ')}}`;
  }
  return `map[${keys.map((key) => `${formatVerb(key, verb, flags)}:${formatInner(map.entries.get(key) ?? null, verb, flags)}`).join(' ')}]`;
}

function formatInner(value: GoAny, verb: string, flags: Flags): string {
  return value === null ? '<nil>' : formatVerb(value, verb, flags);
}

function goSyntax(value: GoAny, flags: Flags): string {
  return value === null ? 'interface {}(nil)' : formatVerb(value, 'v', flags);
}

/** The bytes of a `[]byte`. */
export function bytesOf(list: GoList): Uint8Array {
  return Uint8Array.from(list.items, (item) => (item instanceof GoInt ? Number(item.value) : 0));
}

function padNumber(text: string, flags: Flags): string {
  if (flags.zero !== true || flags.minus === true || flags.width === undefined) return pad(text, { ...flags, zero: false });
  const sign = /^[-+ ]/.exec(text)?.[0] ?? '';
  return sign + text.slice(sign.length).padStart(flags.width - sign.length, '0');
}

function pad(text: string, flags: Flags): string {
  if (flags.width === undefined) return text;
  const missing = flags.width - runes(text).length;
  if (missing <= 0) return text;
  if (flags.minus === true) return text + ' '.repeat(missing);
  return (flags.zero === true ? '0' : ' ').repeat(missing) + text;
}
