import { ApiError, Code } from '../base/index.ts';
import { compareStrings } from './apply/compare-json.ts';
import { describeFieldErrors, invalidValue } from './field-error.ts';
import { checkRequirement, createLabelSelector } from './label-selector.ts';
import type { LabelOperator, LabelRequirement, LabelSelector } from './label-selector.ts';
import { validateQualifiedName } from './names.ts';

interface Token {
  readonly type: 'symbol' | 'word' | 'end';
  readonly text: string;
}

const SYMBOLS = new Set([')', ',', '!', '==', '=', '>', '<', '!=', '(']);
const BINARY_OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);

/** Reads `a=b,c!=d,e in (x,y),!f,g`; throws ApiError in the words of an API server. */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = createTokens(text);
  const requirements: LabelRequirement[] = [];
  while (tokens.peek().type !== 'end') {
    if (!startsRequirement(tokens.peek())) throw unexpected(tokens.peek(), "!, identifier, or 'end of string'");
    requirements.push(parseRequirement(tokens));
    const next = tokens.take();
    if (next.type === 'end') break;
    if (!isSymbol(next, ',')) throw unexpected(next, "',' or 'end of string'");
    if (!startsRequirement(tokens.peek())) throw unexpected(tokens.peek(), "identifier after ','");
  }
  return createLabelSelector(requirements);
}

interface Tokens {
  peek: () => Token;
  take: () => Token;
}

function createTokens(text: string): Tokens {
  const tokens = tokenize(text);
  const end: Token = { type: 'end', text: '' };
  let position = 0;
  return { peek: () => tokens[position] ?? end, take: () => tokens[position++] ?? end };
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [run] of text.matchAll(/[=!(),><]+|[^=!(),>< \t\r\n]+/g)) {
    if (/^[=!(),><]/.test(run)) tokens.push(...splitSymbols(run));
    else tokens.push({ type: 'word', text: run });
  }
  return tokens;
}

/** The longest symbols from the left. */
function splitSymbols(run: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let rest = run; rest !== '';) {
    const text = [rest.slice(0, 2), rest.slice(0, 1)].find((candidate) => SYMBOLS.has(candidate)) ?? rest;
    tokens.push({ type: 'symbol', text });
    rest = rest.slice(text.length);
  }
  return tokens;
}

function startsRequirement(token: Token): boolean {
  return token.type === 'word' || isSymbol(token, '!');
}

function isSymbol(token: Token, text: string): boolean {
  return token.type === 'symbol' && token.text === text;
}

function unexpected(token: Token, expected: string): ApiError {
  return new ApiError(Code.InvalidArgument, `found '${token.text}', expected: ${expected}`);
}

function parseRequirement(tokens: Tokens): LabelRequirement {
  try {
    return checkRequirement(parseTerm(tokens));
  } catch (error) {
    if (error instanceof ApiError) throw new ApiError(error.code, `unable to parse requirement: ${error.message}`);
    throw error;
  }
}

function parseTerm(tokens: Tokens): LabelRequirement {
  const isNegated = isSymbol(tokens.peek(), '!');
  if (isNegated) tokens.take();
  const word = tokens.take();
  if (word.type !== 'word') throw unexpected(word, 'identifier');
  const key = word.text;
  const wrong = validateQualifiedName(key);
  if (wrong.length > 0) throw new ApiError(Code.InvalidArgument, describeFieldErrors([invalidValue('<nil>', key, wrong.join('; '))]));
  const next = tokens.peek();
  if (isNegated) return { key, operator: '!', values: [] };
  if (next.type === 'end' || isSymbol(next, ',')) return { key, operator: 'exists', values: [] };
  const sign = tokens.take();
  const operator = BINARY_OPERATORS.get(sign.text);
  if (operator === undefined) throw unexpected(sign, 'in, notin, =, ==, !=, gt, lt');
  const values = operator === 'in' || operator === 'notin' ? parseValues(tokens) : [parseValue(tokens)];
  return { key, operator, values: [...new Set(values)].sort(compareStrings) };
}

/** A missing value is the empty text. */
function parseValue(tokens: Tokens): string {
  if (tokens.peek().type === 'end' || isSymbol(tokens.peek(), ',')) return '';
  const value = tokens.take();
  if (value.type !== 'word') throw unexpected(value, 'identifier');
  return value.text;
}

/** `(a,b)`; what is missing between commas and parentheses is the empty text. */
function parseValues(tokens: Tokens): readonly string[] {
  const open = tokens.take();
  if (!isSymbol(open, '(')) throw new ApiError(Code.InvalidArgument, `found '${open.text}' expected: '('`);
  const values: string[] = [];
  for (let expectsValue = true; ;) {
    const token = tokens.take();
    if (token.type === 'word' && expectsValue) {
      values.push(token.text);
      expectsValue = false;
    } else if (isSymbol(token, ',')) {
      if (expectsValue) values.push('');
      expectsValue = true;
    } else if (isSymbol(token, ')')) {
      return expectsValue ? [...values, ''] : values;
    } else {
      throw unexpected(token, expectsValue ? "',', ')' or identifier" : "',' or ')'");
    }
  }
}
