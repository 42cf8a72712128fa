import { RegexpError } from './node.ts';
import type { CharacterTest } from './node.ts';

const POSIX: Readonly<Record<string, RegExp>> = {
  alnum: /^[0-9A-Za-z]$/,
  alpha: /^[A-Za-z]$/,
  ascii: new RegExp(String.raw`^[\0-\x7f]$`),
  blank: /^[\t ]$/,
  cntrl: new RegExp(String.raw`^[\0-\x1f\x7f]$`),
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[\t\n\v\f\r ]$/,
  upper: /^[A-Z]$/,
  word: /^[0-9A-Za-z_]$/,
  xdigit: /^[0-9A-Fa-f]$/,
};

export function perlSet(letter: string): CharacterTest | undefined {
  const kind = letter.toLowerCase();
  const has =
    kind === 'd'
      ? isDigit
      : kind === 'w'
        ? isWordCode
        : kind === 's'
          ? (code: number) => (code >= 9 && code <= 13 && code !== 11) || code === 32
          : undefined;
  return has === undefined || letter === kind ? has : (code) => !has(code);
}

export function posixSet(name: string, negated: boolean): CharacterTest | undefined {
  const pattern = Object.hasOwn(POSIX, name) ? POSIX[name] : undefined;
  if (pattern === undefined) return undefined;
  return (code) => pattern.test(String.fromCodePoint(code)) !== negated;
}

/** `\p{…}`: a category or a script. */
export function unicodeSet(name: string, negated: boolean, part: string): CharacterTest {
  if (!/^[A-Za-z_]+$/.test(name)) throw new RegexpError('invalid character class range', part);
  if (name === 'Any') return () => !negated;
  for (const property of [name, `Script=${name}`]) {
    try {
      const pattern = new RegExp(`^\\p{${property}}$`, 'u');
      return (code) => pattern.test(String.fromCodePoint(code)) !== negated;
    } catch {
      // Not a name of that kind: the next one is tried.
    }
  }
  throw new RegexpError('invalid character class range', part);
}

export function rangeSet(low: number, high: number, foldCase: boolean): CharacterTest {
  const has: CharacterTest = (code) => code >= low && code <= high;
  return foldCase ? withFolding(has) : has;
}

export function withFolding(has: CharacterTest): CharacterTest {
  return (code) => {
    if (has(code)) return true;
    const character = String.fromCodePoint(code);
    return [character.toLowerCase(), character.toUpperCase()].some((other) => other !== character && has(other.codePointAt(0) ?? 0));
  };
}

export function isWordCode(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
