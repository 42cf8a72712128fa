/** One step of a pattern: a character, a set of characters, or a star. */
export type Step =
  | { readonly type: 'one'; readonly fits: (character: string) => boolean }
  | { readonly type: 'star'; readonly crosses: boolean };

interface GlobOptions {
  /** A character that `*` and `?` do not match; `**` does. */
  readonly separator?: string;
}

/** Alternatives are written out; a pattern that asks for more than this is a mistake or an attack and matches nothing. */
const ALTERNATIVES_MAX = 256;
const PATTERN_LENGTH_MAX = 4_096;

/**
 * Whether a text fits a pattern with `*`, `**`, `?`, `[a-z]`, `[!a]`, `{one,two}` and `\` before a character that is meant itself. A
 * pattern that cannot be read matches nothing. The time is bounded by the product of both lengths, whatever the pattern.
 */
export function matchesGlob(pattern: string, text: string, options: GlobOptions = {}): boolean {
  return compileGlob(pattern, options)?.(text) ?? false;
}

/** The same for a pattern that is asked often; undefined for one that cannot be read. */
export function compileGlob(pattern: string, { separator }: GlobOptions = {}): ((text: string) => boolean) | undefined {
  const alternatives = expandAlternatives(pattern).map((alternative) => parseSteps(alternative, separator));
  const readable = alternatives.filter((steps) => steps !== undefined);
  if (readable.length === 0 || readable.length < alternatives.length) return undefined;
  return (text) => {
    // Only where a character takes two places must they be told apart first.
    const characters = /[\uD800-\uDBFF]/.test(text) ? Array.from(text) : text;
    for (const steps of readable) if (matchesSteps(steps, characters, separator)) return true;
    return false;
  };
}

/** As matchesGlob, where a pattern with `!` in front matches what the rest of it does not. */
export function matchesGlobOrNegation(pattern: string, text: string, options: GlobOptions = {}): boolean {
  if (isNegation(pattern)) return !matchesGlob(pattern.slice(1), text, options);
  return pattern === '*' || matchesGlob(pattern, text, options);
}

export function isNegation(pattern: string): boolean {
  return pattern.startsWith('!');
}

type Characters = string | readonly string[];

function matchesSteps(steps: readonly Step[], characters: Characters, separator: string | undefined): boolean {
  return separator === undefined ? matchesByLastStar(steps, characters) : matchesByStates(steps, characters, separator);
}

/** Where every star takes anything, what stands before the last one is best matched as early as it can be: only that one is tried anew. */
export function matchesByLastStar(steps: readonly Step[], characters: Characters): boolean {
  let [step, at, star, starEnd] = [0, 0, -1, 0];
  while (at < characters.length) {
    const current = steps[step];
    if (current?.type === 'star') {
      [star, starEnd] = [step, at];
      step += 1;
    } else if (current?.fits(characters[at] ?? '') === true) {
      step += 1;
      at += 1;
    } else if (star === -1) {
      return false;
    } else {
      starEnd += 1;
      [step, at] = [star + 1, starEnd];
    }
  }
  while (steps[step]?.type === 'star') step += 1;
  return step === steps.length;
}

function matchesByStates(steps: readonly Step[], characters: Characters, separator: string): boolean {
  // The set of steps that may come next; a star may also be passed over.
  let states = passStars(steps, new Set([0]));
  for (const character of characters) {
    const next = new Set<number>();
    for (const index of states) {
      const step = steps[index];
      if (step?.type === 'one' && step.fits(character)) next.add(index + 1);
      if (step?.type === 'star' && (step.crosses || character !== separator)) next.add(index);
    }
    if (next.size === 0) return false;
    states = passStars(steps, next);
  }
  return states.has(steps.length);
}

function passStars(steps: readonly Step[], states: Set<number>): Set<number> {
  // A set grows while it is walked, so that stars in a row are passed too.
  for (const index of states) if (steps[index]?.type === 'star') states.add(index + 1);
  return states;
}

function parseSteps(pattern: string, separator: string | undefined): readonly Step[] | undefined {
  const characters = Array.from(pattern);
  const steps: Step[] = [];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? '';
    if (character === '*') {
      const crosses = characters[index + 1] === '*';
      if (crosses) index++;
      steps.push({ type: 'star', crosses: crosses || separator === undefined });
    } else if (character === '?') {
      steps.push({ type: 'one', fits: (other) => other !== separator });
    } else if (character === '[') {
      const set = parseSet(characters, index + 1);
      if (set === undefined) return undefined;
      steps.push({ type: 'one', fits: set.fits });
      index = set.end;
    } else {
      if (character === '\\') index++;
      const literal = characters[index];
      if (literal === undefined) return undefined;
      steps.push({ type: 'one', fits: (other) => other === literal });
    }
  }
  return steps;
}

/** A set in brackets; `end` is where its closing bracket stands. */
function parseSet(
  characters: readonly string[],
  start: number,
): { readonly fits: (character: string) => boolean; readonly end: number } | undefined {
  const isNegated = characters[start] === '!' || characters[start] === '^';
  const ranges: [string, string][] = [];
  let index = isNegated ? start + 1 : start;
  while (characters[index] !== ']') {
    if (characters[index] === '\\') index++;
    const low = characters[index];
    if (low === undefined) return undefined;
    const isRange = characters[index + 1] === '-' && characters[index + 2] !== undefined && characters[index + 2] !== ']';
    ranges.push([low, isRange ? (characters[index + 2] ?? low) : low]);
    index += isRange ? 3 : 1;
  }
  if (ranges.length === 0) return undefined;
  return { fits: (character) => ranges.some(([low, high]) => character >= low && character <= high) !== isNegated, end: index };
}

/** The pattern once for each choice that its braces leave; none for one that is too long, or whose braces do not close. */
export function expandAlternatives(pattern: string): readonly string[] {
  if (pattern.length > PATTERN_LENGTH_MAX) return [];
  const finished: string[] = [];
  const open = [pattern];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const braces = findBraces(one);
    if (braces === undefined) finished.push(one);
    else if (braces === 'unclosed') return [];
    else for (const choice of braces.choices) open.push(one.slice(0, braces.start) + choice + one.slice(braces.end + 1));
    if (finished.length + open.length > ALTERNATIVES_MAX) return [];
  }
  return finished;
}

interface Braces {
  readonly start: number;
  readonly end: number;
  readonly choices: readonly string[];
}

function findBraces(pattern: string): Braces | 'unclosed' | undefined {
  let start = -1;
  let depth = 0;
  let from = 0;
  const choices: string[] = [];
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === '\\') index++;
    else if (character === '{') {
      depth++;
      if (depth === 1) [start, from] = [index, index + 1];
    } else if (depth > 0 && ((character === ',' && depth === 1) || character === '}')) {
      if (character === '}') depth--;
      if (depth > 0 && character === '}') continue;
      choices.push(pattern.slice(from, index));
      from = index + 1;
      if (character === '}') return { start, end: index, choices };
    }
  }
  return depth > 0 ? 'unclosed' : undefined;
}
