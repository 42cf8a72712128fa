import { TemplateError } from '../template-error.ts';

export interface JqToken {
  readonly kind: 'name' | 'field' | 'variable' | 'format' | 'number' | 'text' | 'mark' | 'end';
  readonly text: string;
  /** The pieces of a text: what is written, and what stands in `\(…)`. */
  readonly parts?: readonly (string | readonly JqToken[])[];
}

const SKIPPED = /(?:[ \t\r\n]+|#[^\n]*)*/y;
const TOKEN =
  /(?<name>[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)|(?<field>\.[A-Za-z_]\w*)|(?<variable>\$[A-Za-z_]\w*(?:::\w+)?)|(?<format>@[A-Za-z]\w*)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?<mark>\?\/\/=?|\/\/=|\.\.|\|=|\+=|-=|\*=|\/=|%=|==|!=|<=|>=|\/\/|[-+*/%=<>|,.:;?()[\]{}])/y;
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const DEPTH_MAX = 50;

/** All tokens of a query, the last being the end. */
export function lexJq(text: string): JqToken[] {
  return lexUntil(text, 0, false, 0).tokens;
}

/** Up to the end, or up to the bracket that closes `\(`. */
function lexUntil(text: string, start: number, inText: boolean, depth: number): { tokens: JqToken[]; at: number } {
  if (depth > DEPTH_MAX) throw new TemplateError('the query nests too deeply');
  const tokens: JqToken[] = [];
  let at = start;
  let brackets = 0;
  for (;;) {
    SKIPPED.lastIndex = at;
    at += SKIPPED.exec(text)?.[0].length ?? 0;
    if (at >= text.length) break;
    if (text[at] === '"') {
      const read = lexText(text, at + 1, depth);
      tokens.push(read.token);
      at = read.at;
      continue;
    }
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) throw new TemplateError(`unexpected token ${JSON.stringify(text[at])}`);
    const kind = Object.entries(found.groups ?? {}).find(([, value]) => value !== undefined)?.[0] as JqToken['kind'];
    if (found[0] === '(') brackets += 1;
    if (found[0] === ')' && inText && brackets === 0) return { tokens: [...tokens, { kind: 'end', text: '' }], at: at + 1 };
    if (found[0] === ')') brackets -= 1;
    tokens.push({ kind, text: found[0] });
    at += found[0].length;
  }
  if (inText) throw new TemplateError('unterminated string literal');
  return { tokens: [...tokens, { kind: 'end', text: '' }], at };
}

function lexText(text: string, start: number, depth: number): { token: JqToken; at: number } {
  const parts: (string | readonly JqToken[])[] = [];
  let literal = '';
  for (let at = start; at < text.length;) {
    const character = text[at] ?? '';
    if (character === '"') return { token: { kind: 'text', text: literal, parts: [...parts, literal] }, at: at + 1 };
    if (character !== '\\') {
      literal += character;
      at += 1;
      continue;
    }
    const escape = text[at + 1] ?? '';
    if (escape === '(') {
      const inner = lexUntil(text, at + 2, true, depth + 1);
      parts.push(literal, inner.tokens);
      literal = '';
      at = inner.at;
    } else if (escape === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) {
      literal += String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16));
      at += 6;
    } else {
      const plain = Object.hasOwn(ESCAPES, escape) ? ESCAPES[escape] : undefined;
      if (plain === undefined) throw new TemplateError(`invalid escape sequence "\\${escape}" in string literal`);
      literal += plain;
      at += 2;
    }
  }
  throw new TemplateError('unterminated string literal');
}
