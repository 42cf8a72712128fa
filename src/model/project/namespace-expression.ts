import { compileRegexp, LruMap, RegexpError, type Regexp } from '../../base/index.ts';

/** A namespace is short: this many repetitions in a row take no noticeable time to try. */
const repetitionsMax = 4;
const lengthMax = 256;
/** Of reading an expression, and of each time that a namespace is held against it. */
const stepsMax = 200_000;
const expressionsMax = 500;

/** The regular expression between the slashes of a pattern; undefined for a pattern without slashes. */
export function expressionOf(pattern: string): string | undefined {
  return /^\/(.*)\/$/.exec(pattern)?.[1];
}

/**
 * Whether an expression can be read and takes bounded time, whatever it is held against: nothing is repeated within what is repeated,
 * nothing looks ahead or back. Whoever may edit a project cannot hold up everyone else with it.
 */
export function isQuickExpression(expression: string): boolean {
  if (expression.length > lengthMax || compile(expression) === 'unreadable') return false;
  const plain = expression.replaceAll(/\\.|\[\^?\]?(?:\\.|[^\]\\])*\]/g, (part) => (/^\\[1-9k]/.test(part) ? '\\1' : 'x'));
  if (/\\1|\)[*+{]|\(\?[=!<]/.test(plain)) return false;
  return (plain.match(/[*+{]/g) ?? []).length <= repetitionsMax;
}

/**
 * Whether a namespace has a match of an expression that whoever edits a project wrote, by an engine that never goes back: what may be left
 * out, and choices, can be as slow as what is repeated. What takes too long, or is not quick, allows nobody.
 */
export function matchesQuickly(expression: string, namespace: string): boolean {
  if (!isQuickExpression(expression)) return false;
  const compiled = compile(expression);
  return compiled !== 'unreadable' && compiled(namespace);
}

type Test = (namespace: string) => boolean;

const known = new LruMap<string, Test | 'unreadable'>(expressionsMax);

function compile(expression: string): Test | 'unreadable' {
  const found = known.get(expression);
  if (found !== undefined) return found;
  let left = stepsMax;
  const step = (count = 1): void => {
    left -= count;
    if (left < 0) throw new RangeError('the regular expression takes too long');
  };
  const regexp = read(expression, step);
  const test: Test | 'unreadable' =
    regexp === undefined
      ? 'unreadable'
      : (namespace) => {
          left = stepsMax;
          return has(regexp, namespace);
        };
  known.set(expression, test);
  return test;
}

function read(expression: string, step: (count?: number) => void): Regexp | undefined {
  try {
    return compileRegexp(expression, { step });
  } catch (error) {
    if (error instanceof RegexpError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function has(regexp: Regexp, namespace: string): boolean {
  try {
    return regexp.find(Array.from(namespace), 0) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
