import { TemplateError } from '../template-error.ts';

export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

/** Longest first, so that `<=` is not read as `<`. */
const SIGNS = ['..', '??', '?.', '**', '==', '!=', '<=', '>=', '&&', '||', ...'()[]{}.,:?|<>!+-*/%^#'.split('')];
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b', f: '\f', v: '\v' };

export function lexExpression(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const space = /^(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)/.exec(rest)?.[0];
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const [token, length] = readToken(rest, at);
    tokens.push(token);
    at += length;
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }];
}

function readToken(rest: string, at: number): readonly [Token, number] {
  const number = /^(?:0x[0-9a-f_]+|0b[01_]+|0o[0-7_]+|(?:\d[\d_]*)?\.?\d[\d_]*(?:e[+-]?\d+)?)/i.exec(rest)?.[0];
  // `1..3` is a range and not a number with a dot.
  const whole = number !== undefined && rest.slice(/^\d+/.exec(rest)?.[0].length).startsWith('..') ? /^\d+/.exec(rest)?.[0] : number;
  if (whole !== undefined) return [{ kind: 'number', text: whole.replaceAll('_', ''), at }, whole.length];
  const name = /^[A-Za-z_$][\w$]*/.exec(rest)?.[0];
  if (name !== undefined) return [{ kind: 'name', text: name, at }, name.length];
  const quote = rest[0];
  if (quote === '"' || quote === "'" || quote === '`') {
    const [value, length] = readText(rest, quote, at);
    return [{ kind: 'text', text: value, at }, length];
  }
  const sign = SIGNS.find((one) => rest.startsWith(one));
  if (sign === undefined) throw new TemplateError(`unexpected character ${JSON.stringify(rest[0])} at ${at + 1}`);
  return [{ kind: 'sign', text: sign, at }, sign.length];
}

function readText(rest: string, quote: string, at: number): readonly [string, number] {
  let value = '';
  for (let index = 1; index < rest.length; index++) {
    const character = rest[index] ?? '';
    if (character === quote) return [value, index + 1];
    if (character !== '\\' || quote === '`') {
      value += character;
      continue;
    }
    index += 1;
    const escaped = rest[index] ?? '';
    const code = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/i.exec(rest.slice(index));
    if (code !== null) {
      value += String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? '', 16));
      index += code[0].length - 1;
    } else {
      value += ESCAPES[escaped] ?? escaped;
    }
  }
  throw new TemplateError(`a text that begins at ${at + 1} does not end`);
}
