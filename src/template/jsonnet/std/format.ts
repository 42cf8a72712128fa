import { expectNumber } from '../expect.ts';
import { toText } from '../manifest-json.ts';
import { JsonnetObject } from '../object.ts';
import { modulo } from '../operators.ts';
import type { Runtime } from '../runtime.ts';
import { textLength } from '../text.ts';
import { force, JsonnetArray, typeOf } from '../value.ts';
import type { Value } from '../value.ts';
import { parseFormat } from './parse-format.ts';
import type { FormatCode } from './parse-format.ts';
import { renderFixed, renderInteger, renderScientific } from './render-number.ts';
import type { NumberLayout } from './render-number.ts';
import { charOf } from './text-of.ts';

const WIDTH_MAX = 1 << 20;

/** `%`: what is left of a division, or a text with values put into it. */
export function remainder(runtime: Runtime, left: Value, right: Value): Value {
  if (typeof left === 'string') return formatText(runtime, left, right);
  if (typeof left === 'number' && typeof right === 'number') return modulo(runtime, left, right);
  throw runtime.fail(`Operator % cannot be used on types ${typeOf(left)} and ${typeOf(right)}.`);
}

/** Puts values into a text as Python's `%` does. */
export function formatText(runtime: Runtime, text: string, values: Value): string {
  const parts = parseFormat(runtime, text);
  return values instanceof JsonnetObject
    ? formatFields(runtime, parts, values)
    : formatList(runtime, parts, values instanceof JsonnetArray ? values : new JsonnetArray([values]));
}

function formatList(runtime: Runtime, parts: readonly (string | FormatCode)[], { slots }: JsonnetArray): string {
  let used = 0;
  let result = '';
  const next = (wanted: string): Value => {
    const slot = slots[used];
    if (slot === undefined) throw runtime.fail(`Not enough values to format: ${slots.length}, expected ${wanted} ${used}`);
    used += 1;
    return force(slot);
  };
  for (const part of parts) {
    if (typeof part === 'string') {
      result += part;
      continue;
    }
    const width = part.width === '*' ? expectNumber(runtime, next('at least')) : part.width;
    const precision = part.precision === '*' ? expectNumber(runtime, next('at least')) : part.precision;
    const place = String(used);
    const shown = part.conversion === '%' ? '%' : convert(runtime, part, next('more than'), { width, precision, place });
    result += pad(runtime, shown, width, part.flags.left);
  }
  if (used < slots.length) throw runtime.fail(`Too many values to format: ${slots.length}, expected ${used}`);
  runtime.makeText(result.length);
  return result;
}

function formatFields(runtime: Runtime, parts: readonly (string | FormatCode)[], object: JsonnetObject): string {
  let result = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      result += part;
      continue;
    }
    const { key, width, precision } = part;
    if (part.conversion === '%') {
      result += pad(runtime, '%', width === '*' ? 0 : width, part.flags.left);
      continue;
    }
    if (key === undefined) throw runtime.fail('Mapping keys required.');
    if (width === '*') throw runtime.fail('Cannot use * field width with object.');
    if (precision === '*') throw runtime.fail('Cannot use * precision with object.');
    if (!object.has(key, true)) throw runtime.fail(`No such field: ${key}`);
    result += pad(runtime, convert(runtime, part, object.get(runtime, key), { width, precision, place: key }), width, part.flags.left);
  }
  runtime.makeText(result.length);
  return result;
}

function pad(runtime: Runtime, text: string, width: number, isLeft: boolean): string {
  const missing = Math.ceil(width - textLength(text));
  if (missing <= 0) return text;
  if (missing > WIDTH_MAX) runtime.makeText(Number.POSITIVE_INFINITY);
  return isLeft ? text + ' '.repeat(missing) : ' '.repeat(missing) + text;
}

interface Given {
  readonly width: number;
  readonly precision: number | undefined;
  /** As errors name the value. */
  readonly place: string;
}

function convert(runtime: Runtime, { conversion, flags, isUpper }: FormatCode, value: Value, { width, precision, place }: Given): string {
  if (conversion === 's') return toText(runtime, value);
  if (conversion === 'c') return convertCharacter(runtime, value);
  if (typeof value !== 'number') throw runtime.fail(`Format required number at ${place}, got ${typeOf(value)}`);
  if (width > WIDTH_MAX || (precision ?? 0) > WIDTH_MAX) runtime.makeText(Number.POSITIVE_INFINITY);
  const layout: NumberLayout = { ...flags, isUpper, zeros: flags.zero && !flags.left ? width : 0 };
  const digits = precision ?? 6;
  switch (conversion) {
    case 'd':
      return renderInteger(value, 10, precision ?? 0, layout);
    case 'o':
      return renderInteger(value, 8, precision ?? 0, layout);
    case 'x':
      return renderInteger(value, 16, precision ?? 0, layout);
    case 'f':
      return renderFixed(value, digits, true, layout);
    case 'e':
      return renderScientific(value, digits, true, layout);
    default: {
      const exponent = value === 0 ? 0 : Math.floor(Math.log(Math.abs(value)) / Math.log(10));
      if (exponent < -4 || exponent >= digits) return renderScientific(value, digits - 1, flags.alternate, layout);
      return renderFixed(value, digits - Math.max(1, exponent + 1), flags.alternate, layout);
    }
  }
}

function convertCharacter(runtime: Runtime, value: Value): string {
  if (typeof value === 'number') return charOf(runtime, value);
  if (typeof value !== 'string') throw runtime.fail(`%c expected number / string, got: ${typeOf(value)}`);
  if (textLength(value) !== 1) throw runtime.fail(`%c expected 1-sized string got: ${textLength(value)}`);
  return value;
}
