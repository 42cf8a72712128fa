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

/** Undefined for a pattern that cannot be read. */
export function compilePattern(pattern: string, mode: MatchMode): Pattern | undefined {
  return mode === 'glob' ? compileGlobPattern(pattern) : compileRegexPattern(pattern);
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
function compileRegexPattern(pattern: string): Pattern | undefined {
  try {
    const expression = new RegExp(pattern, 'u');
    return { exact: undefined, prefix: '', matches: (text) => expression.test(text) };
  } catch {
    return undefined;
  }
}
