import { compileGlob } from '../../../model/index.ts';

/** Undefined for a pattern that cannot be read. */
export type MatchPath = (path: string) => boolean;

/** One pattern for one path, where `*` and `?` stay within a segment and two stars are no more than one. */
export function compileShellPattern(pattern: string): MatchPath | undefined {
  return compileGlob(withoutBraces(pattern.replaceAll(/\*+/g, '*')), { separator: '/' });
}

/** As git reads patterns of paths: stars cross segments, and a folder means everything below it. */
export function compilePathspec(pattern: string): MatchPath | undefined {
  const trimmed = pattern.replace(/^\.\//, '').replace(/\/+$/, '');
  const matches = compileGlob(withoutBraces(trimmed.replaceAll(/\*+/g, '*')));
  if (matches === undefined) return undefined;
  if (trimmed === '' || trimmed === '.') return () => true;
  return (path) => matches(path) || path.startsWith(`${trimmed}/`);
}

/** A star stays within a segment, and a segment of two stars is any number of them. */
export function compileDoubleStar(pattern: string): MatchPath | undefined {
  const segments = pattern
    .replace(/^\.?\//, '')
    .split('/')
    .map((segment) => (segment === '**' ? '**' : compileGlob(segment.replaceAll(/\*+/g, '*'), { separator: '/' })));
  if (segments.includes(undefined)) return undefined;
  return (path) => matchSegments(segments as readonly (MatchPath | '**')[], path.split('/'));
}

/** The positions in the pattern that may come next, one segment of the path after the other: never more work than both lengths together. */
function matchSegments(pattern: readonly (MatchPath | '**')[], path: readonly string[]): boolean {
  let states = passStars(pattern, new Set([0]));
  for (const segment of path) {
    const next = new Set<number>();
    for (const index of states) {
      const step = pattern[index];
      if (step === '**') next.add(index);
      else if (step?.(segment) === true) next.add(index + 1);
    }
    if (next.size === 0) return false;
    states = passStars(pattern, next);
  }
  return states.has(pattern.length);
}

function passStars(pattern: readonly (MatchPath | '**')[], states: Set<number>): Set<number> {
  for (const index of states) if (pattern[index] === '**') states.add(index + 1);
  return states;
}

/** Braces are ordinary characters to a shell pattern of this kind. */
function withoutBraces(pattern: string): string {
  return pattern.replaceAll(/(\\.)|([{}])/g, (_all, escaped: string | undefined, brace: string | undefined) => escaped ?? `\\${brace}`);
}
