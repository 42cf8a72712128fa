import { compileRegexp, expandTemplate, LruMap, RegexpError, replaceMatches } from '../../base/index.ts';
import type { Regexp } from '../../base/index.ts';
import { runes } from '../go/bytes.ts';
import { define, GoError } from '../go/go-function.ts';
import { strings } from '../go/value.ts';
import type { GoFunction, GoInt, GoList } from '../go/value.ts';
import type { FunctionContext, NamedFunctions } from './environment.ts';

/** Expressions that are kept for the next time. */
const PATTERNS_MAX = 100;

export function regexFunctions({ budget }: FunctionContext): NamedFunctions {
  const known = new LruMap<string, Regexp>(PATTERNS_MAX);
  const compile = (pattern: string): Regexp => {
    const found = known.get(pattern) ?? compileRegexp(pattern, budget);
    known.set(pattern, found);
    return found;
  };
  /** Each exists twice: one panics where the other answers with an error. */
  const both = (name: string, types: string, call: (regexp: Regexp, ...args: never[]) => boolean | string | GoList): NamedFunctions => {
    const make = (panics: boolean): GoFunction =>
      define(types, (pattern: string, ...args: never[]) => {
        try {
          return call(compile(pattern), ...args);
        } catch (error) {
          if (!(error instanceof RegexpError)) throw error;
          if (panics && name === 'regexMatch') return false;
          throw new GoError(panics ? `regexp: Compile(${quotePattern(pattern)}): ${error.message}` : error.message);
        }
      });
    return [
      [name, make(true)],
      [`mustR${name.slice(1)}`, make(false)],
    ];
  };
  const measured = (text: string): string => {
    budget.make(text.length);
    return text;
  };
  return [
    ...both('regexMatch', 'string, string', (regexp, text: string) => regexp.find(runes(text), 0) !== undefined),
    ...both('regexFind', 'string, string', (regexp, text: string) => findText(regexp, text)),
    ...both('regexFindAll', 'string, string, int', (regexp, text: string, count: GoInt) => findTexts(regexp, text, Number(count.value))),
    ...both('regexReplaceAll', 'string, string, string', (regexp, text: string, template: string) => {
      const characters = runes(text);
      return measured(replaceMatches(regexp, characters, (match) => measured(expandTemplate(template, regexp, characters, match))));
    }),
    ...both('regexReplaceAllLiteral', 'string, string, string', (regexp, text: string, by: string) =>
      measured(replaceMatches(regexp, runes(text), () => measured(by))),
    ),
    ...both('regexSplit', 'string, string, int', (regexp, text: string, count: GoInt) => splitText(regexp, text, Number(count.value))),
    ['regexQuoteMeta', define('string', (text: string) => text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`))],
  ];
}

function quotePattern(pattern: string): string {
  return pattern.includes('`') ? JSON.stringify(pattern) : `\`${pattern}\``;
}

function findText(regexp: Regexp, text: string): string {
  const characters = runes(text);
  const match = regexp.find(characters, 0);
  return match === undefined ? '' : characters.slice(match[0], match[1]).join('');
}

function findTexts(regexp: Regexp, text: string, count: number): GoList {
  const characters = runes(text);
  const found = regexp.findAll(characters, count);
  return strings(
    found.map(([start, end]) => characters.slice(start, end).join('')),
    found.length === 0,
  );
}

function splitText(regexp: Regexp, text: string, count: number): GoList {
  if (count === 0) return strings([], true);
  if (text === '') return strings(['']);
  const characters = runes(text);
  const parts: string[] = [];
  let begin = 0;
  let end = 0;
  for (const match of regexp.findAll(characters, count)) {
    if (count > 0 && parts.length === count - 1) break;
    end = match[0] ?? 0;
    if (match[1] !== 0) parts.push(characters.slice(begin, end).join(''));
    begin = match[1] ?? 0;
  }
  if (end !== characters.length) parts.push(characters.slice(begin).join(''));
  return strings(parts);
}
