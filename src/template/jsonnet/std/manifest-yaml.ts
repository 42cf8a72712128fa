import { formatDecimal } from '../format-number.ts';
import { quoteText } from '../manifest-json.ts';
import { JsonnetObject } from '../object.ts';
import type { Runtime } from '../runtime.ts';
import { force, JsonnetArray, JsonnetFunction } from '../value.ts';
import type { Value } from '../value.ts';

export interface YamlLayout {
  /** Whether lists in an object are indented. */
  readonly indentsLists: boolean;
  readonly quotesKeys: boolean;
}

const INDENT = '  ';
const RESERVED: ReadonlySet<string> = new Set([
  'true',
  'false',
  'yes',
  'no',
  'on',
  'off',
  'y',
  'n',
  '.nan',
  '-.inf',
  '+.inf',
  '.inf',
  'null',
  '-',
  '---',
]);
const BARE = /^[A-Za-z0-9_\-/.]+$/;
const LIKE_DATE = /^(?:[0-9]*-){2}[0-9]*$/;
const LIKE_BITS = /^[-+]?0b[01_]+$|[-+]?0x[0-9a-fA-F_]+/;
const LIKE_NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$|^[-+]?(?:inf|infinity|nan)$/i;

export function manifestYaml(runtime: Runtime, root: Value, layout: YamlLayout): string {
  let text = '';
  const write = (part: string): void => {
    text += part;
    if (text.length > runtime.limits.outputCharactersMax) runtime.makeText(Number.POSITIVE_INFINITY);
  };

  function visit(value: Value, margin: string): void {
    runtime.enter();
    if (value instanceof JsonnetArray) visitList(value, margin);
    else if (value instanceof JsonnetObject) visitObject(value, margin);
    else if (typeof value === 'string') write(textOf(value, margin));
    else if (typeof value === 'number') write(formatDecimal(value));
    else if (!(value instanceof JsonnetFunction)) write(String(value));
    runtime.leave();
  }

  function visitList({ slots }: JsonnetArray, margin: string): void {
    if (slots.length === 0) return write('[]');
    for (const [at, slot] of slots.entries()) {
      if (at > 0) write(`\n${margin}`);
      const value = force(slot);
      const isNested = value instanceof JsonnetArray || value instanceof JsonnetObject;
      write(value instanceof JsonnetArray && value.slots.length > 0 ? `-\n${margin}${INDENT}` : '- ');
      visit(value, isNested ? margin + INDENT : margin);
    }
  }

  function visitObject(object: JsonnetObject, margin: string): void {
    const names = object.names(false);
    if (names.length === 0) return write('{}');
    for (const [at, name] of names.entries()) {
      const value = object.get(runtime, name);
      if (at > 0) write(`\n${margin}`);
      write(`${layout.quotesKeys || !isBareSafe(name) ? quoteText(name) : name}:`);
      const isList = value instanceof JsonnetArray && value.slots.length > 0;
      const isObject = value instanceof JsonnetObject && value.names(false).length > 0;
      const inner = isObject || (isList && layout.indentsLists) ? margin + INDENT : margin;
      write(isObject || isList ? `\n${inner}` : ' ');
      visit(value, inner);
    }
  }

  visit(root, '');
  runtime.makeText(text.length);
  return text;
}

function textOf(text: string, margin: string): string {
  if (text === '') return '""';
  if (!text.endsWith('\n')) return quoteText(text);
  const lines = text.slice(0, -1).split('\n');
  return `|${lines.map((line) => `\n${margin}${INDENT}${line}`).join('')}`;
}

/** Whether a key is read back as the text that it is, without quotes. */
function isBareSafe(key: string): boolean {
  return BARE.test(key) && !RESERVED.has(key.toLowerCase()) && !LIKE_DATE.test(key) && !LIKE_BITS.test(key) && !LIKE_NUMBER.test(key);
}
