import { JSON_DEPTH_MAX } from './json-value.ts';

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SPACE = /[ \t\n\r]*/y;

/** Thrown and caught within this file only. */
class Problem extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/**
 * What is wrong with a JSON text, with line and column; undefined if nothing is. Slow and exact: it is only asked about
 * a text that was already refused. No part of the text is repeated in the answer except a key's name.
 */
export function locateJsonProblem(text: string): string | undefined {
  try {
    const end = skipSpace(text, scanValue(text, skipSpace(text, 0), 0));
    if (end < text.length) throw new Problem(end, 'expected the end of the text');
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return `${error.message} at ${placeOf(text, error.at)}`;
  }
}

function placeOf(text: string, at: number): string {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', start)) {
    line++;
    start = next + 1;
  }
  return `line ${line}, column ${at - start + 1}`;
}

/** Returns the place after the value. */
function scanValue(text: string, at: number, depth: number): number {
  const first = text[at];
  if (first === '{' || first === '[') {
    if (depth >= JSON_DEPTH_MAX) throw new Problem(at, `nested more than ${JSON_DEPTH_MAX} deep`);
    return first === '{' ? scanObject(text, at, depth) : scanArray(text, at, depth);
  }
  if (first === '"') return scanString(text, at);
  const end = scan(NUMBER, text, at) ?? scan(WORD, text, at);
  if (end === undefined) throw new Problem(at, first === undefined ? 'the text ends where a value is expected' : 'expected a value');
  return end;
}

function scanArray(text: string, open: number, depth: number): number {
  let at = skipSpace(text, open + 1);
  if (text[at] === ']') return at + 1;
  for (;;) {
    at = skipSpace(text, scanValue(text, at, depth + 1));
    if (text[at] === ']') return at + 1;
    at = skipSpace(text, expect(text, at, ',', '"," or "]"'));
  }
}

function scanObject(text: string, open: number, depth: number): number {
  const keys = new Set<string>();
  let at = skipSpace(text, open + 1);
  if (text[at] === '}') return at + 1;
  for (;;) {
    if (text[at] !== '"') throw new Problem(at, 'expected a key in quotes');
    const end = scanString(text, at);
    const key = JSON.parse(text.slice(at, end)) as string;
    if (keys.has(key)) throw new Problem(at, `the key ${JSON.stringify(shorten(key))} is there twice`);
    keys.add(key);
    at = skipSpace(text, expect(text, skipSpace(text, end), ':', '":"'));
    at = skipSpace(text, scanValue(text, at, depth + 1));
    if (text[at] === '}') return at + 1;
    at = skipSpace(text, expect(text, at, ',', '"," or "}"'));
  }
}

function scanString(text: string, open: number): number {
  let at = open + 1;
  for (;;) {
    while (at < text.length && text[at] !== '"' && text[at] !== '\\' && text[at]! >= ' ') at++;
    const next = text[at];
    if (next === '"') return at + 1;
    if (next === undefined) throw new Problem(at, 'the text ends within a string');
    const end = next === '\\' ? scan(ESCAPE, text, at) : undefined;
    if (end === undefined) throw new Problem(at, next === '\\' ? 'an unknown escape' : 'a control character within a string');
    at = end;
  }
}

function expect(text: string, at: number, mark: string, expected: string): number {
  if (text[at] !== mark) throw new Problem(at, at < text.length ? `expected ${expected}` : `the text ends where ${expected} is expected`);
  return at + 1;
}

function skipSpace(text: string, at: number): number {
  return scan(SPACE, text, at)!;
}

function scan(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function shorten(key: string): string {
  return key.length > 100 ? `${key.slice(0, 100)}…` : key;
}
