import { fromBytes, toBytes } from './bytes.ts';

const ESCAPES = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
]);
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const SIMPLE: Record<string, string> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\\': '\\', "'": "'", '"': '"' };

export function isPrint(character: string): boolean {
  return PRINTABLE.test(character);
}

/** As `strconv.Quote`. */
export function quote(text: string, mark = '"', asciiOnly = false): string {
  let quoted = mark;
  for (const character of text) quoted += character === mark ? `\\${mark}` : escapeCharacter(character, asciiOnly);
  return quoted + mark;
}

function escapeCharacter(character: string, asciiOnly: boolean): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  const escape = ESCAPES.get(character);
  if (escape !== undefined) return escape;
  if (isPrint(character) && !(asciiOnly && code > 0x7e)) return character;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** As `strconv.Unquote`; undefined where the text is not a literal. */
export function unquote(literal: string): string | undefined {
  const mark = literal[0];
  if (literal.length < 2 || literal.at(-1) !== mark) return undefined;
  const inner = literal.slice(1, -1);
  if (mark === '`') return inner.includes('`') ? undefined : inner.replaceAll('\r', '');
  if (mark !== '"' && mark !== "'") return undefined;
  const bytes: number[] = [];
  let at = 0;
  let characters = 0;
  while (at < inner.length) {
    const next = unquoteCharacter(inner, at, mark);
    if (next === undefined) return undefined;
    bytes.push(...next.bytes);
    at = next.end;
    characters += 1;
  }
  if (mark === "'" && characters !== 1) return undefined;
  return fromBytes(Uint8Array.from(bytes));
}

interface Character {
  readonly bytes: Iterable<number>;
  readonly end: number;
}

function unquoteCharacter(text: string, at: number, mark: string): Character | undefined {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (character === mark || character === '\n') return undefined;
  if (character !== '\\') return { bytes: toBytes(character), end: at + character.length };
  const kind = text[at + 1] ?? '';
  const simple = Object.hasOwn(SIMPLE, kind) ? SIMPLE[kind] : undefined;
  if (simple !== undefined) {
    if ((kind === "'" || kind === '"') && kind !== mark) return undefined;
    return { bytes: toBytes(simple), end: at + 2 };
  }
  return unquoteNumber(text, at, kind);
}

function unquoteNumber(text: string, at: number, kind: string): Character | undefined {
  const octal = /^[0-7]{3}/.exec(text.slice(at + 1, at + 4))?.[0];
  if (octal !== undefined) return Number.parseInt(octal, 8) > 255 ? undefined : { bytes: [Number.parseInt(octal, 8)], end: at + 4 };
  const length = { x: 2, u: 4, U: 8 }[kind];
  if (length === undefined) return undefined;
  const digits = text.slice(at + 2, at + 2 + length);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) return undefined;
  const code = Number.parseInt(digits, 16);
  if (kind === 'x') return { bytes: [code], end: at + 4 };
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return undefined;
  return { bytes: toBytes(String.fromCodePoint(code)), end: at + 2 + length };
}
