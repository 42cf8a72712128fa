/** Reads plain values into types as Go's JSON does: unknown fields are left out, null is the empty value, a wrong type is an error. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../objects/index.ts';
import { BadValue, type Parse } from './bad-value.ts';
import { notNegative, parseGoDuration } from './parse-duration.ts';
import { parseYaml } from './parse-yaml.ts';

/** `at` is the place for the reason, such as `[2].title`. */
export type Decode<Value> = (value: JsonValue | undefined, at: string) => Value;

type Fields = Readonly<Record<string, Decode<unknown>>>;
export type Decoded<Shape extends Fields> = { readonly [Name in keyof Shape]: ReturnType<Shape[Name]> };

/** Where a text is wanted, YAML's numbers and booleans become one: `title: 5` is as good as `title: "5"`. */
export const decodeText: Decode<string> = (value, at) => {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') throw wrongType(at, 'a text');
  return value;
};

export const decodeNeededText: Decode<string> = (value, at) => {
  const text = decodeText(value, at);
  if (text === '') throw new BadValue(`${place(at)} is missing`);
  return text;
};

export const decodeTextOrNone: Decode<string | undefined> = (value, at) =>
  value === undefined || value === null ? undefined : decodeText(value, at);

export function decodeBoolean(fallback: boolean): Decode<boolean> {
  return (value, at) => {
    if (value === undefined || value === null) return fallback;
    if (typeof value !== 'boolean') throw wrongType(at, 'true or false');
    return value;
  };
}

/** A duration as Go writes it, in milliseconds. */
export function decodeDurationMs(fallbackMs: number): Decode<number> {
  const parse = notNegative(parseGoDuration);
  return (value, at) => {
    const text = decodeText(value, at);
    if (text === '') return fallbackMs;
    try {
      return parse(text);
    } catch {
      throw wrongType(at, 'a duration such as 90s or 1h30m');
    }
  };
}

export function decodeList<Item>(decodeItem: Decode<Item>): Decode<readonly Item[]> {
  return (value, at) => {
    if (value === undefined || value === null) return [];
    if (!isJsonArray(value)) throw wrongType(at, 'a list');
    return value.map((item, index) => decodeItem(item, `${at}[${index}]`));
  };
}

export const decodeTextList: Decode<readonly string[]> = decodeList(decodeText);

export function decodeListOrNone<Item>(decodeItem: Decode<Item>): Decode<readonly Item[] | undefined> {
  const decode = decodeList(decodeItem);
  return (value, at) => (value === undefined || value === null ? undefined : decode(value, at));
}

export const decodeObject: Decode<JsonObject> = (value, at) => {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value)) throw wrongType(at, 'a map');
  return value;
};

export function decodeFields<Shape extends Fields>(shape: Shape): Decode<Decoded<Shape>> {
  return (value, at) => {
    const object = decodeObject(value, at);
    const entries = Object.entries(shape).map(([name, decode]) => {
      const field = Object.hasOwn(object, name) ? object[name] : undefined;
      return [name, decode(field, at === '' ? name : `${at}.${name}`)] as const;
    });
    return Object.fromEntries(entries) as Decoded<Shape>;
  };
}

export function decodeMap<Value>(decodeValue: Decode<Value>): Decode<ReadonlyMap<string, Value>> {
  return (value, at) => {
    const object = decodeObject(value, at);
    return new Map(Object.entries(object).map(([key, entry]) => [key, decodeValue(entry, `${at}[${JSON.stringify(key)}]`)]));
  };
}

/** A key whose text is YAML of this shape. */
export function parseYamlAs<Value>(decode: Decode<Value>): Parse<Value> {
  return (text, note) => decode(parseYaml(text, note), '');
}

function wrongType(at: string, wanted: string): BadValue {
  return new BadValue(`${place(at)} is not ${wanted}`);
}

function place(at: string): string {
  return at === '' ? 'the value' : at;
}
