import { compileGlob } from '../../model/index.ts';
import { compilePattern as compileGoPattern, LimitError, TemplateError } from '../../template/index.ts';

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
 * Undefined for a pattern that cannot be read. `whenTooLong` is the answer of an expression that takes more steps than it may: globs and
 * nearly all expressions take time by the length of the text alone.
 */
export function compilePattern(pattern: string, mode: MatchMode, whenTooLong: boolean): Pattern | undefined {
  return mode === 'glob' ? compileGlobPattern(pattern) : compileRegexPattern(pattern, whenTooLong);
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

const repetitionsMax = 2;
/**
 * In how many ways choices one after the other may be made: where nothing fits, each of them is tried, for every place where a match may begin
 * and where each repeat may end. By how many such places are open: a list of teams in front of a star is no work.
 */
const waysMax = [100_000, 10_000, 500, 8] as const;
/**
 * An expression that is looked for anywhere, with two repeats in it, takes time by the cube of the length. Names are shorter than this;
 * what is longer is for the engine that counts its steps, whoever sends it.
 */
const quickTextLengthMax = 256;
/** Texts, sets, choices and repeats that mean the same in the expressions of Go and of JavaScript. */
const commonParts = /^(?:[\w\s/:@,;=~"'#%&<>!-]|\\[./\\*+?()[\]{}|^$]|\[\^?[\w./:@-]+\]|\((?!\?)|[)|^$.]|[*+?](?![*+?]))*$/;

/**
 * An expression that both engines read alike and that cannot take long with a short text: nothing is repeated within what is repeated, nor
 * more often than twice, and there are few choices. JavaScript's engine asks those about twenty times as fast as ours.
 */
function isPlain(pattern: string): boolean {
  if (!commonParts.test(pattern) || /\)[*+?]/.test(pattern)) return false;
  const bare = pattern.replaceAll(/\\.|\[[^\]]*\]/g, 'x');
  const repetitions = (bare.match(/[*+?]/g) ?? []).length;
  const { ways, hasBranches } = countChoices(bare);
  const isAnchored = bare.startsWith('^') && !hasBranches;
  return repetitions <= repetitionsMax && ways <= (waysMax[repetitions + (isAnchored ? 0 : 1)] ?? 0);
}

/** The product of the choices that its groups leave. Branches outside of groups are tried one after the other, each with what follows in it. */
function countChoices(bare: string): { readonly ways: number; readonly hasBranches: boolean } {
  const open: number[] = [];
  let ways = 1;
  let hasBranches = false;
  for (const [sign] of bare.matchAll(/[(|)]/g)) {
    if (sign === '(') open.push(1);
    else if (sign === ')') ways *= open.pop() ?? 1;
    else if (open.length > 0) open.push((open.pop() ?? 0) + 1);
    else hasBranches = true;
  }
  return { ways, hasBranches };
}

/** As elsewhere, a regular expression needs only to be found in the text, unless it is anchored. */
function compileRegexPattern(pattern: string, whenTooLong: boolean): Pattern | undefined {
  try {
    return {
      exact: undefined,
      prefix: '',
      matches: isPlain(pattern) ? quickTest(pattern, whenTooLong) : boundedTest(pattern, whenTooLong),
    };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TemplateError) return undefined;
    throw error;
  }
}

/** The quick engine for short texts, the other one for long ones, which hardly anybody asks about. */
function quickTest(pattern: string, whenTooLong: boolean): (text: string) => boolean {
  const quick = testOf(pattern);
  let bounded: ((text: string) => boolean) | undefined;
  return (text) => (text.length <= quickTextLengthMax ? quick(text) : (bounded ??= lateBoundedTest(pattern, whenTooLong))(text));
}

/** One that takes too many steps to be made ready, such as a very long one, is answered like one that takes too many to be asked. */
function lateBoundedTest(pattern: string, whenTooLong: boolean): (text: string) => boolean {
  try {
    return boundedTest(pattern, whenTooLong);
  } catch (error) {
    if (error instanceof TemplateError) return () => whenTooLong;
    throw error;
  }
}

function testOf(pattern: string): (text: string) => boolean {
  // A dot stands for all but the end of a line, of which JavaScript knows more kinds.
  const expression = new RegExp(
    pattern.replaceAll(/\\.|\[[^\]]*\]|\./g, (part) => (part === '.' ? String.raw`[^\n]` : part)),
    'u',
  );
  return (text) => expression.test(text);
}

function boundedTest(pattern: string, whenTooLong: boolean): (text: string) => boolean {
  const matches = compileGoPattern(pattern);
  return (text) => {
    try {
      return matches(text);
    } catch (error) {
      // The engine throws a RangeError where a text is too large for it.
      if (error instanceof LimitError || error instanceof RangeError) return whenTooLong;
      throw error;
    }
  };
}
