import { compileGlob } from '../../model/index.ts';

export type MatchMode = 'glob' | 'regex';

/** A pattern of a policy, ready to be asked often. */
export interface Pattern {
  /** The only text that it matches; undefined where it may match several. */
  readonly exact: string | undefined;
  /** What every text begins with that it matches. */
  readonly prefix: string;
  matches(text: string): boolean;
}

/**
 * Undefined for a pattern that cannot be read. Globs take time by the length of the text; of regular expressions that is only so for those
 * that `isQuick`, and whoever may edit a project but not the policy of all cannot have others.
 */
export function compilePattern(pattern: string, mode: MatchMode, isTrusted: boolean): Pattern | undefined {
  return mode === 'glob' ? compileGlobPattern(pattern) : compileRegexPattern(pattern, isTrusted);
}

const repetitionsMax = 2;

/** Nothing is repeated within what is repeated, nor more often than twice, nor asked for again. */
function isQuick(pattern: string): boolean {
  const withoutSets = pattern.replaceAll(/\\.|\[\^?\]?(?:\\.|[^\]\\])*\]/g, (part) => (/^\\[1-9k]/.test(part) ? '\\1' : 'x'));
  if (/\\1|\)[*+?{]|\(\?[=!<]/.test(withoutSets)) return false;
  return (withoutSets.match(/[*+{]/g) ?? []).length <= repetitionsMax;
}

function compileGlobPattern(pattern: string): Pattern | undefined {
  const special = pattern.search(/[*?[{\\]/);
  if (special === -1) return { exact: pattern, prefix: pattern, matches: (text) => text === pattern };
  const prefix = pattern.slice(0, special);
  if (/[?[{\\]/.test(pattern)) {
    const matches = compileGlob(pattern);
    return matches && { exact: undefined, prefix, matches };
  }
  return { exact: undefined, prefix, matches: compileStars(pattern) };
}

/** `*` stands for any text, also across slashes. */
function compileStars(pattern: string): (text: string) => boolean {
  const [head = '', ...middles] = pattern.split(/\*+/);
  const tail = middles.pop() ?? '';
  if (head === '' && tail === '' && middles.length === 0) return () => true;
  const lengthMin = head.length + tail.length;
  if (middles.length === 0) return (text) => text.length >= lengthMin && text.startsWith(head) && text.endsWith(tail);
  return (text) => {
    if (text.length < lengthMin || !text.startsWith(head) || !text.endsWith(tail)) return false;
    const end = text.length - tail.length;
    let position = head.length;
    for (const middle of middles) {
      const found = text.indexOf(middle, position);
      if (found === -1 || found + middle.length > end) return false;
      position = found + middle.length;
    }
    return true;
  };
}

/** As elsewhere, a regular expression needs only to be found in the text, unless it is anchored. */
function compileRegexPattern(pattern: string, isTrusted: boolean): Pattern | undefined {
  if (!isTrusted && !isQuick(pattern)) return undefined;
  try {
    const expression = new RegExp(pattern, 'u');
    return { exact: undefined, prefix: '', matches: (text) => expression.test(text) };
  } catch {
    return undefined;
  }
}
