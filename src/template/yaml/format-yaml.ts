import { formatFloat } from '../go/format-number.ts';
import { bytesOf } from '../go/format-value.ts';
import { GoError } from '../go/go-function.ts';
import { compareTexts, GoInt, GoList, GoMap, GoStruct, typeOf } from '../go/value.ts';
import type { GoAny } from '../go/value.ts';
import { chooseStyle } from './scalar-style.ts';

/** Lines are broken at the first space after this column. */
const WIDTH = 80;
const KEY_LENGTH_MAX = 128;
const DEPTH_MAX = 500;
const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\x85': '\\N',
  '\xa0': '\\_',
  '\u2028': '\\L',
  '\u2029': '\\P',
};
const ESCAPED = /[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]|["\\\u2028\u2029]/u;

/** YAML as Kubernetes' tools write it: keys sorted, lists not indented, texts quoted only where they must be. */
export function formatYaml(value: GoAny): string {
  return `${writeNode(value, { indent: 0, textIndent: 2, column: 0 }, 0)}\n`;
}

interface Place {
  /** Where further lines of a map or list begin. */
  readonly indent: number;
  /** Where further lines of a text begin. */
  readonly textIndent: number;
  /** Where the value itself begins. */
  readonly column: number;
}

function writeNode(value: GoAny, { indent, textIndent, column }: Place, depth: number): string {
  if (depth > DEPTH_MAX) throw new GoError(`YAML of more than ${DEPTH_MAX} levels`);
  if (value === null) return 'null';
  if (typeof value === 'string') return writeText(value, textIndent, column, false);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatNumber(value);
  if (value instanceof GoInt) return value.value.toString();
  if (value instanceof GoStruct) return writeText(value.jsonText?.() ?? value.text(), textIndent, column, false);
  if (value instanceof GoList) return writeList(value, indent, depth);
  if (value instanceof GoMap) return writeMap(value, indent, depth);
  throw new GoError(`json: unsupported type: ${typeOf(value)}`);
}

function formatNumber(value: number): string {
  if (!Number.isFinite(value)) throw new GoError('json: unsupported value');
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return Object.is(value, -0) ? '-0' : BigInt(value).toString();
  return formatFloat(value, 'g', -1);
}

function writeList(list: GoList, indent: number, depth: number): string {
  if (list.isNil) return 'null';
  if (list.element === 'uint8') return writeText(Buffer.from(bytesOf(list)).toString('base64'), indent + 2, indent, false);
  if (list.items.length === 0) return '[]';
  return list.items
    .map((item) => `- ${writeNode(item, { indent: indent + 2, textIndent: indent + 2, column: indent + 2 }, depth + 1)}`)
    .join(`\n${' '.repeat(indent)}`);
}

function writeMap(map: GoMap, indent: number, depth: number): string {
  if (map.isNil) return 'null';
  if (map.entries.size === 0) return '{}';
  const lines = [...map.entries.keys()].sort(compareKeys).map((key) => writeEntry(key, map.entries.get(key) ?? null, indent, depth));
  return lines.join(`\n${' '.repeat(indent)}`);
}

function writeEntry(key: string, value: GoAny, indent: number, depth: number): string {
  const isSimple = !/[\n\r\x85\u2028\u2029]/.test(key) && key.length <= KEY_LENGTH_MAX;
  const written = isSimple
    ? writeText(key, indent + 2, indent, true)
    : `? ${writeText(key, indent + 2, indent + 2, false)}\n${' '.repeat(indent)}`;
  const isBlock =
    (value instanceof GoMap && value.entries.size > 0) || (value instanceof GoList && value.items.length > 0 && value.element !== 'uint8');
  if (!isBlock)
    return `${written}: ${writeNode(value, { indent, textIndent: indent + 2, column: indent + Array.from(written).length + 2 }, depth + 1)}`;
  const inner = value instanceof GoMap ? indent + 2 : indent;
  return `${written}:\n${' '.repeat(inner)}${writeNode(value, { indent: inner, textIndent: inner + 2, column: inner }, depth + 1)}`;
}

function writeText(text: string, indent: number, column: number, isKey: boolean): string {
  switch (chooseStyle(text, isKey)) {
    case 'plain':
      return fold(text, indent, column, { open: '', write: (character) => character, foldsAt: (_, next) => next !== ' ', isKey });
    case 'single':
      return fold(text, indent, column, {
        open: "'",
        write: (character) => (character === "'" ? "''" : character),
        foldsAt: (at, next) => at > 0 && next !== '' && next !== ' ',
        isKey,
      });
    case 'double':
      return fold(text, indent, column, { open: '"', write: escapeCharacter, foldsAt: (at, next) => at > 0 && next !== '', isKey });
    case 'literal':
      return writeLiteral(text, indent);
  }
}

interface FoldRules {
  readonly open: string;
  readonly write: (character: string) => string;
  /** Whether a line may end at the space there. */
  readonly foldsAt: (at: number, next: string) => boolean;
  readonly isKey: boolean;
}

function fold(text: string, indent: number, start: number, { open, write, foldsAt, isKey }: FoldRules): string {
  const characters = Array.from(text);
  let written = open;
  let column = start + open.length;
  let afterSpace = false;
  for (const [at, character] of characters.entries()) {
    const next = characters[at + 1] ?? '';
    if (character === ' ' && !isKey && !afterSpace && column > WIDTH && foldsAt(at, next)) {
      written += `\n${' '.repeat(indent)}`;
      column = indent;
      if (open === '"' && next === ' ') {
        written += '\\';
        column += 1;
      }
    } else {
      const part = write(character);
      written += part;
      column += Array.from(part).length;
    }
    afterSpace = character === ' ';
  }
  return written + open;
}

function escapeCharacter(character: string): string {
  if (!ESCAPED.test(character)) return character;
  const named = NAMED_ESCAPES[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16).toUpperCase();
  return code <= 0xff
    ? `\\x${digits.padStart(2, '0')}`
    : code <= 0xffff
      ? `\\u${digits.padStart(4, '0')}`
      : `\\U${digits.padStart(8, '0')}`;
}

function writeLiteral(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const body = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (line === '' ? '' : ' '.repeat(indent) + line));
  return `|${hint}${chomp}\n${body.join('\n')}`;
}

/** Numbers within keys count by their value, and letters come after what is none. */
function compareKeys(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const [one = '', other = ''] = [a[at], b[at]];
    if (one === other) continue;
    const [oneLetter, otherLetter] = [/\p{L}/u.test(one), /\p{L}/u.test(other)];
    if (oneLetter && otherLetter) return compareTexts(one, other);
    if (oneLetter || otherLetter) return otherLetter ? -1 : 1;
    return compareNumbersAt(a, b, at) || compareTexts(one, other);
  }
  return a.length - b.length;
}

function compareNumbersAt(a: readonly string[], b: readonly string[], at: number): number {
  const digitsBefore = /[1-9]\d*$/.test(a.slice(0, at).join(''));
  const head = (a[at] === '0' || b[at] === '0') && digitsBefore ? '1' : '';
  const [one, other] = [a, b].map((characters) => /^\d*/.exec(characters.slice(at).join(''))?.[0] ?? '');
  const difference = BigInt(`${head}${one ?? ''}` || '0') - BigInt(`${head}${other ?? ''}` || '0');
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return (one ?? '').length - (other ?? '').length;
}
