type Step = { readonly kind: 'literal'; readonly text: string } | { readonly kind: 'one' | 'many' } | CharacterClass;

interface CharacterClass {
  readonly kind: 'class';
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [string, string])[];
}

const ALTERNATIVES_MAX = 1000;
const LENGTH_MAX = 4096;

/**
 * Whether a text matches a glob in which `*` also matches slashes: `*`, `?`, `[a-z]`, `[!a]`, `{one,other}` and backslash. A pattern
 * that does not compile matches nothing.
 */
export function createGlob(pattern: string): (text: string) => boolean {
  const alternatives = pattern.length > LENGTH_MAX ? undefined : expandBraces(pattern);
  const compiled = alternatives?.map(compile);
  if (compiled === undefined || compiled.includes(undefined)) return () => false;
  return (text) => compiled.some((steps) => steps !== undefined && matches(steps, text));
}

/** `a{b,c{d,e}}` as all of its readings; undefined where braces do not close or there are too many. */
function expandBraces(pattern: string): string[] | undefined {
  const open = findUnescaped(pattern, '{', 0);
  if (open < 0) return findUnescaped(pattern, '}', 0) < 0 ? [pattern] : undefined;
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === ',' && depth === 1) {
      parts.push(pattern.slice(from, at));
      from = at + 1;
    } else if (character === '}' && --depth === 0) {
      parts.push(pattern.slice(from, at));
      return combine(pattern.slice(0, open), parts, pattern.slice(at + 1));
    }
  }
  return undefined;
}

function combine(head: string, parts: readonly string[], tail: string): string[] | undefined {
  const tails = expandBraces(tail);
  const all: string[] = [];
  for (const part of parts) {
    for (const middle of expandBraces(part) ?? []) for (const end of tails ?? []) all.push(`${head}${middle}${end}`);
    if (all.length > ALTERNATIVES_MAX) return undefined;
  }
  return tails === undefined || all.length === 0 ? undefined : all;
}

function findUnescaped(text: string, wanted: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === wanted) return at;
  }
  return -1;
}

function compile(pattern: string): Step[] | undefined {
  const steps: Step[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    if (character === '*') {
      if (steps.at(-1)?.kind !== 'many') steps.push({ kind: 'many' });
    } else if (character === '?') steps.push({ kind: 'one' });
    else if (character === '[') {
      const end = findUnescaped(pattern, ']', at + 1);
      const found = end < 0 ? undefined : compileClass(pattern.slice(at + 1, end));
      if (found === undefined) return undefined;
      steps.push(found);
      at = end;
    } else if (character === '\\') {
      at += 1;
      if (at >= pattern.length) return undefined;
      steps.push({ kind: 'literal', text: pattern[at] ?? '' });
    } else steps.push({ kind: 'literal', text: character });
  }
  return steps;
}

function compileClass(body: string): CharacterClass | undefined {
  const isNegated = body.startsWith('!');
  const characters = body
    .slice(isNegated ? 1 : 0)
    .replaceAll('\\', '')
    .split('');
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const first = characters[at] ?? '';
    if (characters[at + 1] === '-' && at + 2 < characters.length) {
      ranges.push([first, characters[at + 2] ?? first]);
      at += 2;
    } else ranges.push([first, first]);
  }
  return ranges.length === 0 ? undefined : { kind: 'class', isNegated, ranges };
}

/** Goes back only to the last star, so that no pattern takes longer than its length times that of the text. */
function matches(steps: readonly Step[], text: string): boolean {
  let [step, at, star, starAt] = [0, 0, -1, 0];
  while (at < text.length) {
    const current = steps[step];
    if (current?.kind === 'many') {
      star = step++;
      starAt = at;
    } else if (current !== undefined && matchesOne(current, text[at] ?? '')) {
      step += 1;
      at += 1;
    } else if (star >= 0) {
      step = star + 1;
      starAt += 1;
      at = starAt;
    } else return false;
  }
  return steps.slice(step).every(({ kind }) => kind === 'many');
}

function matchesOne(step: Step, character: string): boolean {
  if (step.kind === 'literal') return step.text === character;
  if (step.kind !== 'class') return true;
  return step.ranges.some(([first, last]) => first <= character && character <= last) !== step.isNegated;
}
