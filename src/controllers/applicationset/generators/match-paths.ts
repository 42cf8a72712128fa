import { trimEndOf } from '../../../base/index.ts';
import { compileGlob } from '../../../model/index.ts';

/** Undefined for a pattern that cannot be read. */
export type MatchPath = (path: string) => boolean;

/** One pattern for one path, where `*` and `?` stay within a segment and two stars are no more than one. */
export function compileShellPattern(pattern: string): MatchPath | undefined {
  return compileGlob(withoutBraces(pattern.replaceAll(/\*+/g, '*')), { separator: '/' });
}

/** As git reads patterns of paths: stars cross segments, and a folder means everything below it. */
export function compilePathspec(pattern: string): MatchPath | undefined {
  const trimmed = trimEndOf(pattern.replace(/^\.\//, ''), '/');
  const matches = compileGlob(withoutBraces(trimmed.replaceAll(/\*+/g, '*')));
  if (matches === undefined) return undefined;
  if (trimmed === '' || trimmed === '.') return () => true;
  return (path) => matches(path) || path.startsWith(`${trimmed}/`);
}

/** Braces are ordinary characters to a shell pattern of this kind. */
function withoutBraces(pattern: string): string {
  return pattern.replaceAll(/(\\.)|([{}])/g, (_all, escaped: string | undefined, brace: string | undefined) => escaped ?? `\\${brace}`);
}
