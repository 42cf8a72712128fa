/** A namespace is short: this many repetitions in a row take no noticeable time to try. */
const repetitionsMax = 4;
const lengthMax = 256;

/** The regular expression between the slashes of a pattern; undefined for a pattern without slashes. */
export function expressionOf(pattern: string): string | undefined {
  return /^\/(.*)\/$/.exec(pattern)?.[1];
}

/**
 * Whether an expression can be read and takes bounded time, whatever it is held against: nothing is repeated within what is repeated,
 * nothing looks ahead or back. Whoever may edit a project cannot hold up everyone else with it.
 */
export function isQuickExpression(expression: string): boolean {
  if (expression.length > lengthMax || !isReadable(expression)) return false;
  const plain = expression.replaceAll(/\\.|\[\^?\]?(?:\\.|[^\]\\])*\]/g, (part) => (/^\\[1-9k]/.test(part) ? '\\1' : 'x'));
  if (/\\1|\)[*+{]|\(\?[=!<]/.test(plain)) return false;
  return (plain.match(/[*+{]/g) ?? []).length <= repetitionsMax;
}

function isReadable(expression: string): boolean {
  try {
    return new RegExp(expression) instanceof RegExp;
  } catch {
    return false;
  }
}
