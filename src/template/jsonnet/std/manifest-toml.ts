import { formatNumber } from '../format-number.ts';
import { quoteText } from '../manifest-json.ts';
import { JsonnetObject } from '../object.ts';
import type { Runtime } from '../runtime.ts';
import { force, JsonnetArray, JsonnetFunction, typeOf } from '../value.ts';
import type { Value } from '../value.ts';

const BARE = /^[A-Za-z0-9_-]+$/;

export function manifestToml(runtime: Runtime, root: Value, indent: string): string {
  if (!(root instanceof JsonnetObject)) throw runtime.fail(`TOML body must be an object. Got ${typeOf(root)}`);

  /** `at` is where errors say the value is. */
  function renderValue(value: Value, at: readonly string[], isInline: boolean, margin: string): string {
    if (typeof value === 'string') return quoteText(value);
    if (typeof value === 'number') return formatNumber(value);
    if (typeof value === 'boolean') return String(value);
    if (value === null) throw runtime.fail(`Tried to manifest "null" at [${at.join(' ')}]`);
    if (value instanceof JsonnetFunction) throw runtime.fail(`Tried to manifest function at [${at.join(' ')}]`);
    runtime.enter();
    const text = value instanceof JsonnetArray ? renderList(value, at, isInline, margin) : renderInline(value, at);
    runtime.leave();
    return text;
  }

  function renderList({ slots }: JsonnetArray, at: readonly string[], isInline: boolean, margin: string): string {
    if (slots.length === 0) return '[]';
    const separator = isInline ? ' ' : '\n';
    const inner = isInline ? '' : margin + indent;
    const items = slots.map((slot, index) => inner + renderValue(force(slot), [...at, String(index)], true, ''));
    return `[${separator}${items.join(`,${separator}`)}${separator}${isInline ? '' : margin}]`;
  }

  function renderInline(object: JsonnetObject, at: readonly string[]): string {
    const fields = object.names(false).map((name) => `${keyOf(name)} = ${renderValue(object.get(runtime, name), [...at, name], true, '')}`);
    return `{ ${fields.join(', ')} }`;
  }

  function renderTable(object: JsonnetObject, path: readonly string[], at: readonly string[], margin: string): string {
    runtime.enter();
    const plain: string[] = [];
    const sections: string[] = [];
    for (const name of object.names(false)) {
      const value = object.get(runtime, name);
      const [inPath, inAt] = [
        [...path, name],
        [...at, name],
      ];
      if (value instanceof JsonnetObject) sections.push(renderSection(value, inPath, inAt, margin));
      else if (value instanceof JsonnetArray && isTableList(value))
        sections.push(...value.slots.map((slot, index) => renderSection(force(slot), inPath, [...inAt, String(index)], margin, true)));
      else plain.push(`${margin}${keyOf(name)} = ${renderValue(value, inAt, false, margin)}`);
    }
    runtime.leave();
    return [plain.join('\n'), ...sections].join('\n\n');
  }

  function renderSection(value: Value, path: readonly string[], at: readonly string[], margin: string, isListed = false): string {
    if (!(value instanceof JsonnetObject)) throw runtime.fail(`invalid type for section: ${typeOf(value)}`);
    const [open, close] = isListed ? ['[[', ']]'] : ['[', ']'];
    const newline = value.names(false).length === 0 ? '' : '\n';
    return `${margin}${open}${path.map(keyOf).join('.')}${close}${newline}${renderTable(value, path, at, margin + indent)}`;
  }

  const text = renderTable(root, [], [], '');
  runtime.makeText(text.length);
  return text;
}

function isTableList({ slots }: JsonnetArray): boolean {
  return slots.length > 0 && slots.every((slot) => force(slot) instanceof JsonnetObject);
}

function keyOf(name: string): string {
  if (name === '') return "''";
  return BARE.test(name) ? name : quoteText(name);
}
