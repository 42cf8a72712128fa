const POSIX_CLASSES: Record<string, string> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

const PATTERNS_MAX = 1_000;
const compiled = new Map<string, RegExp | Error>();

/**
 * A pattern of a schema as a regular expression. Patterns are written for Go's engine; what this one writes otherwise (flags at the start,
 * `\A`, `\z`, classes like `[[:alpha:]]`) is translated. An Error where it cannot be one.
 */
export function compilePattern(pattern: string): RegExp | Error {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const result = translate(pattern);
  if (compiled.size >= PATTERNS_MAX) compiled.clear();
  compiled.set(pattern, result);
  return result;
}

function translate(pattern: string): RegExp | Error {
  const [, flags = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const body = pattern
    .slice(flags === '' ? 0 : flags.length + 3)
    .replaceAll(/\[:(\^?)(\w+):\]/g, (whole, negated: string, name: string) => (negated === '' ? (POSIX_CLASSES[name] ?? whole) : whole))
    .replaceAll('\\A', '^')
    .replaceAll('\\z', '$');
  try {
    return new RegExp(body, `u${flags}`);
  } catch {
    return withoutUnicode(body, flags);
  }
}

/** Some escapes that Go allows, such as `\-`, are refused in Unicode mode only. */
function withoutUnicode(body: string, flags: string): RegExp | Error {
  try {
    return new RegExp(body, flags);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
