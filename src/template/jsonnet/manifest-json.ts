import { formatDecimal, formatNumber } from './format-number.ts';
import type { Runtime } from './runtime.ts';
import { force, JsonnetArray, JsonnetFunction } from './value.ts';
import type { Value } from './value.ts';

/** How JSON is laid out. */
export interface JsonLayout {
  readonly indent: string;
  readonly newline: string;
  /** Between a name and its value. */
  readonly colon: string;
  readonly comma: string;
  /** Laid out by a function of the program: what is empty is not special, not even its assertions, and numbers have no exponent. */
  readonly isPlain: boolean;
}

/** On many lines, as programs are printed. */
export const printedLayout: JsonLayout = {
  indent: '   ',
  newline: '\n',
  colon: ': ',
  comma: ',\n',
  isPlain: false,
};

/** On one line, as values become part of a text. */
const inlineLayout: JsonLayout = { indent: '', newline: '', colon: ': ', comma: ', ', isPlain: false };

/** Quotes, backslashes, and what no printer shows. */
const ESCAPED = /["\\\p{Cc}]/u;
const EACH_ESCAPED = /["\\\p{Cc}]/gu;
const SHORT: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

export function quoteText(text: string): string {
  if (!ESCAPED.test(text)) return `"${text}"`;
  const escaped = text.replace(
    EACH_ESCAPED,
    (character) => SHORT.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}

/** As Go's own JSON is written: what ends a line elsewhere is escaped, what only looks odd is not. */
function quotePlain(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

/** What a value is as part of a text. */
export function toText(runtime: Runtime, value: Value): string {
  return typeof value === 'string' ? value : manifestJson(runtime, value, inlineLayout);
}

/** A value as JSON; fields that are hidden are left out. */
export function manifestJson(runtime: Runtime, value: Value, layout: JsonLayout): string {
  let characters = 0;
  const parts: string[] = [];
  const write = (part: string): void => {
    characters += part.length;
    if (characters > runtime.limits.outputCharactersMax) runtime.makeText(Number.POSITIVE_INFINITY);
    parts.push(part);
  };

  const visit = (item: Value, margin: string): void => {
    if (typeof item === 'string') return write(layout.isPlain ? quotePlain(item) : quoteText(item));
    if (typeof item === 'number') return write(layout.isPlain ? formatDecimal(item) : formatNumber(item));
    if (item === null || typeof item === 'boolean') return write(String(item));
    if (item instanceof JsonnetFunction) throw runtime.fail("couldn't manifest function as JSON");
    runtime.enter();
    const isArray = item instanceof JsonnetArray;
    if (!isArray && !layout.isPlain) item.check(runtime);
    const names = isArray ? [] : item.names(false);
    const size = isArray ? item.slots.length : names.length;
    if (size === 0 && !layout.isPlain) write(isArray ? '[ ]' : '{ }');
    else {
      const inner = margin + layout.indent;
      write((isArray ? '[' : '{') + layout.newline);
      for (let at = 0; at < size; at += 1) {
        if (at > 0) write(layout.comma);
        const name = names[at] ?? '';
        write(isArray ? inner : `${inner}${layout.isPlain ? quotePlain(name) : quoteText(name)}${layout.colon}`);
        visit(isArray ? force(item.slots[at] ?? null) : item.get(runtime, name), inner);
      }
      write(`${layout.newline}${margin}${isArray ? ']' : '}'}`);
    }
    runtime.leave();
  };

  visit(value, '');
  runtime.makeText(characters);
  return parts.join('');
}
