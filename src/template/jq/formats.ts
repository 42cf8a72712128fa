import { isJsonArray } from '../../objects/index.ts';
import type { JsonValue } from '../../objects/index.ts';
import { fromBytes, toBytes, toWellFormed } from '../go/bytes.ts';
import { describe, JqError, sortedFields } from './values.ts';

/** `tojson`: fields sorted. */
export function toJqJson(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(toJqJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : (JSON.stringify(value) ?? 'null');
  return `{${sortedFields(value)
    .map((key) => `${JSON.stringify(key)}:${toJqJson(value[key] ?? null)}`)
    .join(',')}}`;
}

export function toJqText(value: JsonValue): string {
  return typeof value === 'string' ? value : toJqJson(value);
}

/** What `@name` makes of a value. */
export function formatText(name: string, value: JsonValue): string {
  switch (name) {
    case 'text':
      return toJqText(value);
    case 'json':
      return toJqJson(value);
    case 'html':
      return toJqText(value).replaceAll(
        /[<>&'"]/g,
        (mark) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&#39;', '"': '&quot;' })[mark] ?? mark,
      );
    case 'uri':
      return Array.from(toBytes(toJqText(value)), escapeByte).join('');
    case 'base64':
      return toBytes(toJqText(value)).toString('base64');
    case 'base64d':
      return toWellFormed(fromBytes(Buffer.from(toJqText(value), 'base64')));
    case 'csv':
      return row(value, ',', (text) => `"${text.replaceAll('"', '""')}"`);
    case 'tsv':
      return row(value, '\t', (text) =>
        text.replaceAll(/[\\\t\n\r]/g, (mark) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[mark] ?? mark),
      );
    case 'sh':
      return (isJsonArray(value) ? value : [value]).map(shellWord).join(' ');
    default:
      throw new JqError(`format not defined: @${name}`);
  }
}

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[A-Za-z0-9\-_.~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

function row(value: JsonValue, separator: string, quote: (text: string) => string): string {
  if (!isJsonArray(value)) throw new JqError(`cannot format: ${describe(value)}`);
  return value
    .map((cell) => {
      if (typeof cell === 'object' && cell !== null) throw new JqError(`cannot format: ${describe(cell)}`);
      return cell === null ? '' : typeof cell === 'string' ? quote(cell) : String(cell);
    })
    .join(separator);
}

function shellWord(value: JsonValue): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", String.raw`'\''`)}'`;
  if (typeof value === 'object' && value !== null) throw new JqError(`cannot escape for shell: ${describe(value)}`);
  return toJqJson(value);
}
