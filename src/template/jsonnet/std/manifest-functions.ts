import { expectBoolean, expectObject, expectText } from '../expect.ts';
import { formatNumber } from '../format-number.ts';
import { manifestJson, quoteText, toText } from '../manifest-json.ts';
import type { JsonLayout } from '../manifest-json.ts';
import { JsonnetObject } from '../object.ts';
import type { Runtime } from '../runtime.ts';
import { force, JsonnetArray, JsonnetFunction, typeOf } from '../value.ts';
import type { Value } from '../value.ts';
import { manifestToml } from './manifest-toml.ts';
import { manifestYaml } from './manifest-yaml.ts';
import { native } from './native.ts';
import type { Native } from './native.ts';

export const manifestFunctions: readonly Native[] = [
  native('manifestJsonEx', 'value, indent, newline?, key_val_sep?', (runtime, value, indent, newline?: Value, colon?: Value) =>
    manifestJson(
      runtime,
      value,
      jsonLayout(expectText(runtime, indent), expectText(runtime, newline ?? '\n'), expectText(runtime, colon ?? ': ')),
    ),
  ),
  native('manifestJson', 'value', (runtime, value) => manifestJson(runtime, value, jsonLayout('    ', '\n', ': '))),
  native('manifestJsonMinified', 'value', (runtime, value) => manifestJson(runtime, value, jsonLayout('', '', ':'))),
  native('manifestYamlDoc', 'value, indent_array_in_object?, quote_keys?', (runtime, value, indents?: Value, quotes?: Value) =>
    manifestYaml(runtime, value, {
      indentsLists: expectBoolean(runtime, indents ?? false),
      quotesKeys: expectBoolean(runtime, quotes ?? true),
    }),
  ),
  native('manifestYamlStream', 'value, indent_array_in_object?, c_document_end?, quote_keys?', manifestYamlStream),
  native('manifestToml', 'value', (runtime, value) => manifestToml(runtime, value, '  ')),
  native('manifestTomlEx', 'value, indent', (runtime, value, indent) => manifestToml(runtime, value, expectText(runtime, indent))),
  native('manifestIni', 'ini', manifestIni),
  native('manifestPython', 'v', manifestPython),
  native('manifestPythonVars', 'conf', (runtime, value) => {
    const object = expectObject(runtime, value);
    return object
      .names(false)
      .map((name) => `${name} = ${manifestPython(runtime, object.get(runtime, name))}\n`)
      .join('');
  }),
  native('manifestXmlJsonml', 'value', (runtime, value) => {
    if (!(value instanceof JsonnetArray)) throw runtime.fail(`Expected a JSONML value (an array), got ${typeOf(value)}`);
    return manifestXml(runtime, value);
  }),
];

function jsonLayout(indent: string, newline: string, colon: string): JsonLayout {
  const comma = `,${newline}`;
  return { indent, newline, colon, comma, isPlain: true };
}

function manifestYamlStream(runtime: Runtime, value: Value, indents?: Value, ends?: Value, quotes?: Value): string {
  if (!(value instanceof JsonnetArray)) throw runtime.fail(`manifestYamlStream only takes arrays, got ${typeOf(value)}`);
  const layout = { indentsLists: expectBoolean(runtime, indents ?? false), quotesKeys: expectBoolean(runtime, quotes ?? true) };
  const documents = value.slots.map((slot) => manifestYaml(runtime, force(slot), layout));
  return `---\n${documents.join('\n---\n')}${expectBoolean(runtime, ends ?? true) ? '\n...\n' : '\n'}`;
}

function manifestIni(runtime: Runtime, value: Value): string {
  const ini = expectObject(runtime, value);
  const linesOf = (body: Value): string[] => {
    const object = expectObject(runtime, body);
    return object.names(false).flatMap((name) => {
      const held = object.get(runtime, name);
      const items = held instanceof JsonnetArray ? held.slots.map(force) : [held];
      return items.map((item) => `${name} = ${toText(runtime, item)}`);
    });
  };
  const main = ini.has('main', false) ? linesOf(ini.get(runtime, 'main')) : [];
  const sections = expectObject(runtime, ini.get(runtime, 'sections'));
  const lines = sections.names(false).flatMap((name) => [`[${name}]`, ...linesOf(sections.get(runtime, name))]);
  return [...main, ...lines, ''].join('\n');
}

function manifestPython(runtime: Runtime, value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string') return quoteText(value);
  if (value instanceof JsonnetFunction) throw runtime.fail('cannot manifest function');
  runtime.enter();
  const text =
    value instanceof JsonnetObject
      ? `{${value
          .names(false)
          .map((name) => `${quoteText(name)}: ${manifestPython(runtime, value.get(runtime, name))}`)
          .join(', ')}}`
      : `[${value.slots.map((slot) => manifestPython(runtime, force(slot))).join(', ')}]`;
  runtime.leave();
  runtime.makeText(text.length);
  return text;
}

function manifestXml(runtime: Runtime, value: Value): string {
  if (typeof value === 'string') return value;
  if (!(value instanceof JsonnetArray)) throw runtime.fail(`Unexpected type ${typeOf(value)}, expected array`);
  runtime.enter();
  const [tagSlot, second, ...rest] = value.slots;
  if (tagSlot === undefined) throw runtime.fail('Index 0 out of bounds, not within [0, 0)');
  const tag = deepText(runtime, force(tagSlot));
  const attributes = second === undefined ? undefined : force(second);
  const hasAttributes = attributes instanceof JsonnetObject;
  const shown = hasAttributes ? attributes.names(false).map((name) => ` ${name}="${toText(runtime, attributes.get(runtime, name))}"`) : [];
  const children = hasAttributes || second === undefined ? rest : [second, ...rest];
  const text = `<${tag}${shown.join('')}>${children.map((child) => manifestXml(runtime, force(child))).join('')}</${tag}>`;
  runtime.leave();
  runtime.makeText(text.length);
  return text;
}

function deepText(runtime: Runtime, value: Value): string {
  if (typeof value === 'string') return value;
  if (!(value instanceof JsonnetArray)) throw runtime.fail(`Expected string or array, got ${typeOf(value)}`);
  return value.slots.map((slot) => deepText(runtime, force(slot))).join('');
}
