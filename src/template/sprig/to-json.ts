import { bytesOf } from '../go/format-value.ts';
import { GoError } from '../go/go-function.ts';
import { GoInt, GoList, GoMap, GoStruct, sortedKeys, typeOf } from '../go/value.ts';
import type { GoAny } from '../go/value.ts';

export interface JsonStyle {
  readonly escapeHtml: boolean;
  readonly indent: string;
}

const ESCAPED = new RegExp(
  String.raw`["\\\0-\x1f\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]`,
  'g',
);
const HTML = /[<>&]/g;
const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** JSON as `encoding/json` writes it; throws a GoError for what has none. */
export function toJson(value: GoAny, style: JsonStyle, margin = '\n'): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quoteJson(value, style);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatJsonNumber(value);
  if (value instanceof GoInt) return value.value.toString();
  if (value instanceof GoStruct) return quoteJson(value.jsonText?.() ?? value.text(), style);
  if (value instanceof GoList) return listJson(value, style, margin);
  if (value instanceof GoMap) return mapJson(value, style, margin);
  throw new GoError(`json: unsupported type: ${typeOf(value)}`);
}

function listJson(list: GoList, style: JsonStyle, margin: string): string {
  if (list.isNil) return 'null';
  if (list.element === 'uint8') return quoteJson(Buffer.from(bytesOf(list)).toString('base64'), style);
  const inner = style.indent === '' ? '' : margin + style.indent;
  const items = list.items.map((item) => inner + toJson(item, style, margin + style.indent));
  return items.length === 0 ? '[]' : `[${items.join(',')}${style.indent === '' ? '' : margin}]`;
}

function mapJson(map: GoMap, style: JsonStyle, margin: string): string {
  if (map.isNil) return 'null';
  const inner = style.indent === '' ? '' : margin + style.indent;
  const entries = sortedKeys(map).map((key) => {
    const value = toJson(map.entries.get(key) ?? null, style, margin + style.indent);
    return `${inner}${quoteJson(key, style)}:${style.indent === '' ? '' : ' '}${value}`;
  });
  return entries.length === 0 ? '{}' : `{${entries.join(',')}${style.indent === '' ? '' : margin}}`;
}

function quoteJson(text: string, { escapeHtml }: JsonStyle): string {
  const escaped = text.replaceAll(ESCAPED, (mark) => {
    const code = mark.charCodeAt(0);
    return SHORT[mark] ?? (code >= 0xd800 && code < 0xe000 ? '\\ufffd' : `\\u${code.toString(16).padStart(4, '0')}`);
  });
  return `"${escapeHtml ? escaped.replaceAll(HTML, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`) : escaped}"`;
}

/** JavaScript and Go write numbers in JSON alike, but for the plus of an exponent. */
export function formatJsonNumber(value: number): string {
  if (!Number.isFinite(value)) throw new GoError(`json: unsupported value: ${value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN'}`);
  return Object.is(value, -0) ? '-0' : String(value);
}
