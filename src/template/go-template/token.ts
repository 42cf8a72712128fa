import { runes } from '../go/bytes.ts';
import { quote } from '../go/quote.ts';

export type TokenKind =
  | 'error'
  | 'bool'
  | 'char'
  | 'charConstant'
  | 'complex'
  | 'assign'
  | 'declare'
  | 'EOF'
  | 'field'
  | 'identifier'
  | 'leftDelim'
  | 'leftParen'
  | 'number'
  | 'pipe'
  | 'rawString'
  | 'rightDelim'
  | 'rightParen'
  | 'space'
  | 'string'
  | 'text'
  | 'variable'
  | 'dot'
  | Keyword;

export type Keyword = 'block' | 'break' | 'continue' | 'define' | 'else' | 'end' | 'if' | 'nil' | 'range' | 'template' | 'with';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly pos: number;
  readonly line: number;
}

const KEYWORDS: readonly string[] = ['block', 'break', 'continue', 'define', 'else', 'end', 'if', 'nil', 'range', 'template', 'with'];

export function isKeyword(word: string): word is Keyword {
  return KEYWORDS.includes(word);
}

/** A token as error messages show it. */
export function describeToken({ kind, text }: Token): string {
  if (kind === 'EOF') return 'EOF';
  if (kind === 'error') return text;
  if (kind === 'dot' || isKeyword(kind)) return `<${text}>`;
  return runes(text).length > 10 ? `${quote(runes(text).slice(0, 10).join(''))}...` : quote(text);
}
