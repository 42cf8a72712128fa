import { perlSet, posixSet, rangeSet, unicodeSet, withFolding } from './character-set.ts';
import { RegexpError } from './node.ts';
import type { CharacterTest, ParsedRegexp, RegexpNode } from './node.ts';

const REPEAT_MAX = 1000;
const DEPTH_MAX = 200;
/** Parts of a set that take no time to speak of. */
const FEW = 8;
const ESCAPES: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

interface Flags {
  readonly foldCase: boolean;
  readonly dotAll: boolean;
  readonly multiLine: boolean;
  readonly ungreedy: boolean;
}

interface Parser {
  readonly text: string;
  at: number;
  flags: Flags;
  depth: number;
  readonly names: (string | undefined)[];
}

/** Reads a regular expression in the syntax of RE2, as Go has it: nothing in it needs to look back. */
export function parseRegexp(text: string): ParsedRegexp {
  const flags = { foldCase: false, dotAll: false, multiLine: false, ungreedy: false };
  const parser: Parser = { text, at: 0, flags, depth: 0, names: [undefined] };
  const node = parseChoice(parser);
  if (parser.at < text.length) throw new RegexpError('unexpected )', text);
  return { node, names: parser.names };
}

function parseChoice(parser: Parser): RegexpNode {
  const branches: RegexpNode[] = [parseSequence(parser)];
  while (parser.text[parser.at] === '|') {
    parser.at += 1;
    branches.push(parseSequence(parser));
  }
  return branches.length === 1 ? (branches[0] ?? { type: 'empty' }) : { type: 'choice', nodes: branches };
}

function parseSequence(parser: Parser): RegexpNode {
  const nodes: RegexpNode[] = [];
  while (parser.at < parser.text.length && !'|)'.includes(parser.text[parser.at] ?? '')) {
    const start = parser.at;
    if (parser.text.startsWith('\\Q', parser.at)) {
      nodes.push(...parseLiteralRun(parser));
      continue;
    }
    const atom = parseAtom(parser);
    nodes.push(parseRepeats(parser, atom, start));
  }
  return { type: 'sequence', nodes };
}

function parseLiteralRun(parser: Parser): RegexpNode[] {
  const end = parser.text.indexOf('\\E', parser.at + 2);
  const literal = parser.text.slice(parser.at + 2, end < 0 ? undefined : end);
  parser.at = end < 0 ? parser.text.length : end + 2;
  return Array.from(literal, (character) => literalNode(parser, character.codePointAt(0) ?? 0));
}

function literalNode(parser: Parser, code: number): RegexpNode {
  return { type: 'set', has: rangeSet(code, code, parser.flags.foldCase) };
}

function parseAtom(parser: Parser): RegexpNode {
  const { text, at, flags } = parser;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  parser.at += character.length;
  switch (character) {
    case '(':
      return parseGroup(parser, at);
    case '[':
      return parseClass(parser, at);
    case '.':
      return { type: 'set', has: flags.dotAll ? () => true : (code) => code !== 10 };
    case '^':
      return { type: 'assert', kind: flags.multiLine ? 'lineStart' : 'textStart' };
    case '$':
      return { type: 'assert', kind: flags.multiLine ? 'lineEnd' : 'textEnd' };
    case '*':
    case '+':
    case '?':
      throw new RegexpError('missing argument to repetition operator', character);
    case '\\':
      return parseEscape(parser, at);
    default:
      return literalNode(parser, character.codePointAt(0) ?? 0);
  }
}

function parseRepeats(parser: Parser, atom: RegexpNode, start: number): RegexpNode {
  let node = atom;
  let last: string | undefined;
  for (;;) {
    const before = parser.at;
    const bounds = readBounds(parser);
    if (bounds === undefined) return node;
    let greedy = !parser.flags.ungreedy;
    if (parser.text[parser.at] === '?') {
      parser.at += 1;
      greedy = !greedy;
    }
    const operator = parser.text.slice(before, parser.at);
    if (last !== undefined) throw new RegexpError('invalid nested repetition operator', last + operator);
    if (atom.type === 'empty') throw new RegexpError('missing argument to repetition operator', operator);
    if (bounds.min > REPEAT_MAX || (bounds.max !== Infinity && bounds.max > REPEAT_MAX) || bounds.min > bounds.max)
      throw new RegexpError('invalid repeat count', operator);
    last = operator;
    node = { type: 'repeat', node, ...bounds, greedy };
    if (repetitions(node) > REPEAT_MAX) throw new RegexpError('invalid repeat count', parser.text.slice(start, parser.at));
  }
}

/** How often counted repeats within each other write out what they repeat. */
function repetitions(node: RegexpNode): number {
  if (node.type === 'sequence' || node.type === 'choice') return Math.max(1, ...node.nodes.map(repetitions));
  if (node.type === 'group') return repetitions(node.node);
  if (node.type !== 'repeat') return 1;
  return Math.max(1, node.max === Infinity ? node.min : node.max) * repetitions(node.node);
}

function readBounds(parser: Parser): { min: number; max: number } | undefined {
  const mark = parser.text[parser.at] ?? '';
  const simple = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[mark];
  if (simple !== undefined) {
    parser.at += 1;
    return { min: simple[0] ?? 0, max: simple[1] ?? Infinity };
  }
  const counted = /^\{(\d+)(?:(,)(\d*))?\}/.exec(parser.text.slice(parser.at, parser.at + 40));
  if (counted === null) return undefined;
  parser.at += counted[0].length;
  const min = Number(counted[1]);
  return { min, max: counted[2] === undefined ? min : counted[3] === '' ? Infinity : Number(counted[3]) };
}

function parseGroup(parser: Parser, start: number): RegexpNode {
  const outer = parser.flags;
  let index: number | undefined;
  if (parser.text[parser.at] !== '?') {
    index = parser.names.push(undefined) - 1;
  } else {
    const isNamed = /^\?P?</.test(parser.text.slice(parser.at, parser.at + 3));
    if (isNamed) {
      const named = /^\?P?<(\w+)>/.exec(parser.text.slice(parser.at));
      const end = parser.text.indexOf('>', parser.at);
      if (named === null) throw new RegexpError('invalid named capture', parser.text.slice(start, end < 0 ? undefined : end + 1));
      index = parser.names.push(named[1]) - 1;
      parser.at += named[0].length;
    } else if (!readFlags(parser, start)) {
      return { type: 'empty' };
    }
  }
  parser.depth += 1;
  if (parser.depth > DEPTH_MAX) throw new RegexpError('expression nests too deeply', parser.text);
  const node = parseChoice(parser);
  parser.depth -= 1;
  if (parser.text[parser.at] !== ')') throw new RegexpError('missing closing )', parser.text);
  parser.at += 1;
  parser.flags = outer;
  return index === undefined ? { type: 'sequence', nodes: [node] } : { type: 'group', node, index };
}

/** `(?flags)` changes what follows; `(?flags:` begins a group. */
function readFlags(parser: Parser, start: number): boolean {
  const found = /^\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(parser.text.slice(parser.at));
  if (found === null) {
    const shown = /^\(\?[imsU-]*[^]?/.exec(parser.text.slice(start))?.[0] ?? '(?';
    throw parser.text.length === start + 2 || !/[^]/.test(parser.text.slice(start + shown.length - 1))
      ? new RegexpError('missing argument to repetition operator', '?')
      : new RegexpError('invalid or unsupported Perl syntax', shown);
  }
  const [whole, on = '', off = '', end] = found;
  const set = (letter: string, current: boolean): boolean => (on.includes(letter) || current) && !off.includes(letter);
  const { foldCase, multiLine, dotAll, ungreedy } = parser.flags;
  parser.flags = { foldCase: set('i', foldCase), multiLine: set('m', multiLine), dotAll: set('s', dotAll), ungreedy: set('U', ungreedy) };
  parser.at += whole.length;
  return end === ':';
}

function parseEscape(parser: Parser, start: number): RegexpNode {
  const letter = parser.text[parser.at] ?? '';
  const assertion = ({ A: 'textStart', z: 'textEnd', b: 'word', B: 'notWord' } as const)[letter];
  if (assertion !== undefined) {
    parser.at += 1;
    return { type: 'assert', kind: assertion };
  }
  const has = readSetEscape(parser, start);
  if (has !== undefined) return { type: 'set', has: parser.flags.foldCase ? withFolding(has) : has };
  return literalNode(parser, readCodeEscape(parser, start));
}

/** `\d`, `\pN`, `\p{Greek}` and their opposites, after the backslash. */
function readSetEscape(parser: Parser, start: number): CharacterTest | undefined {
  const letter = parser.text[parser.at] ?? '';
  const perl = perlSet(letter);
  if (perl !== undefined) {
    parser.at += 1;
    return perl;
  }
  if (letter !== 'p' && letter !== 'P') return undefined;
  const found = /^[pP](?:\{(\^?)([^}]*)\}|([^{]))/u.exec(parser.text.slice(parser.at));
  if (found === null) throw new RegexpError('invalid character class range', parser.text.slice(start));
  parser.at += found[0].length;
  return unicodeSet(found[2] ?? found[3] ?? '', (letter === 'P') !== (found[1] === '^'), `\\${found[0]}`);
}

function readCodeEscape(parser: Parser, start: number): number {
  const rest = parser.text.slice(parser.at, parser.at + 12);
  if (rest === '') throw new RegexpError('trailing backslash at end of expression', '');
  const hexadecimal = /^x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))/.exec(rest);
  const octal = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest);
  const letter = rest[0] ?? '';
  if (hexadecimal !== null) {
    parser.at += hexadecimal[0].length;
    const code = Number.parseInt(hexadecimal[1] ?? hexadecimal[2] ?? '', 16);
    if (code <= 0x10ffff) return code;
  } else if (octal !== null) {
    parser.at += octal[0].length;
    return Number.parseInt(octal[0], 8);
  } else if (Object.hasOwn(ESCAPES, letter)) {
    parser.at += 1;
    return ESCAPES[letter] ?? 0;
  } else if (/^[!-/:-@[-`{-~]$/.test(letter)) {
    parser.at += 1;
    return letter.charCodeAt(0);
  }
  throw new RegexpError('invalid escape sequence', parser.text.slice(start, Math.max(parser.at, start + 2)));
}

function parseClass(parser: Parser, start: number): RegexpNode {
  const negated = parser.text[parser.at] === '^';
  if (negated) parser.at += 1;
  const tests: CharacterTest[] = [];
  for (let first = true; first || parser.text[parser.at] !== ']'; first = false) {
    if (parser.at >= parser.text.length) throw new RegexpError('missing closing ]', parser.text.slice(start));
    tests.push(parseClassItem(parser));
  }
  parser.at += 1;
  return { type: 'set', has: (code) => tests.some((test) => test(code)) !== negated, ...(tests.length > FEW && { size: tests.length }) };
}

function parseClassItem(parser: Parser): CharacterTest {
  const { text, flags } = parser;
  const posix = /^\[:(\^?)(\w*):\]/.exec(text.slice(parser.at));
  if (posix !== null) {
    const has = posixSet(posix[2] ?? '', posix[1] === '^');
    if (has === undefined) throw new RegexpError('invalid character class range', posix[0]);
    parser.at += posix[0].length;
    return flags.foldCase ? withFolding(has) : has;
  }
  const start = parser.at;
  if (text[start] === '\\') {
    parser.at += 1;
    const has = readSetEscape(parser, start);
    if (has !== undefined) return has;
    parser.at = start;
  }
  const low = readClassCode(parser);
  if (text[parser.at] !== '-' || text[parser.at + 1] === ']' || parser.at + 1 >= text.length) return rangeSet(low, low, flags.foldCase);
  parser.at += 1;
  const high = readClassCode(parser);
  if (high < low) throw new RegexpError('invalid character class range', text.slice(start, parser.at));
  return rangeSet(low, high, flags.foldCase);
}

function readClassCode(parser: Parser): number {
  const start = parser.at;
  const character = String.fromCodePoint(parser.text.codePointAt(start) ?? 0);
  parser.at += character.length;
  return character === '\\' ? readCodeEscape(parser, start) : (character.codePointAt(0) ?? 0);
}
