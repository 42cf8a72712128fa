import { isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import type { Alias, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { JsonObject, JsonValue } from '../../objects/index.ts';
import { resolvePlainScalar, ScalarError } from './resolve-scalar.ts';

export interface YamlLimits {
  readonly depthMax: number;
  /** How many characters aliases may repeat in all. */
  readonly aliasedCharactersMax: number;
  /** Integers that a number cannot hold exactly are refused, unless they are to be rounded as Go's float64 is. */
  readonly roundsIntegers?: boolean;
}

interface Converted {
  readonly value: JsonValue;
  /** About as many characters as its JSON has. */
  readonly weight: number;
}

const CORE = 'tag:yaml.org,2002:';

/** A document of the YAML library as plain values. Anchors are followed by ourselves: the library looks each of them up anew. */
export function toJson(root: unknown, limits: YamlLimits): JsonValue {
  const anchors = new Map<string, Converted | 'open'>();
  let aliasedCharacters = 0;

  function convert(node: unknown, depth: number): Converted {
    if (depth > limits.depthMax) throw new ScalarError(`it is more than ${limits.depthMax} levels deep`);
    if (isAlias(node)) return repeat(node);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) anchors.set(anchor, 'open');
    const converted = convertNode(node, depth);
    if (anchor !== undefined) anchors.set(anchor, converted);
    return converted;
  }

  function convertNode(node: unknown, depth: number): Converted {
    if (node === null || node === undefined) return { value: null, weight: 4 };
    if (isScalar(node)) return convertScalar(node, limits.roundsIntegers === true);
    if (isSeq(node)) return convertSequence(node, depth);
    if (isMap(node)) return convertMap(node, depth);
    throw new ScalarError('a value is of a type that JSON does not have');
  }

  function repeat(alias: Alias): Converted {
    const converted = anchors.get(alias.source);
    if (converted === undefined) throw new ScalarError('an alias has no anchor');
    if (converted === 'open') throw new ScalarError('an alias is inside its own anchor');
    aliasedCharacters += converted.weight;
    if (aliasedCharacters > limits.aliasedCharactersMax) throw new ScalarError('aliases repeat too much');
    return converted;
  }

  function convertSequence(node: YAMLSeq, depth: number): Converted {
    const values: JsonValue[] = [];
    let weight = 2;
    for (const item of node.items) {
      // A pair in a list is a map with one entry.
      const converted = isPair(item) ? convertPairs([item], depth + 1) : convert(item, depth + 1);
      values.push(converted.value);
      weight += converted.weight + 1;
    }
    return { value: values, weight };
  }

  const convertMap = (node: YAMLMap, depth: number): Converted => convertPairs(node.items, depth);

  function convertPairs(items: YAMLMap['items'], depth: number): Converted {
    const own = new Map<string, JsonValue>();
    const merged = new Map<string, JsonValue>();
    let weight = 2;
    for (const { key, value } of items) {
      const converted = convert(key, depth + 1);
      const entry = convert(value, depth + 1);
      weight += converted.weight + entry.weight + 2;
      if (isMergeKey(key)) merge(merged, entry.value);
      else own.set(keyText(converted.value), entry.value);
    }
    for (const name of own.keys()) merged.delete(name);
    return { value: Object.fromEntries([...merged, ...own]), weight };
  }

  return convert(root, 0).value;
}

function convertScalar(node: Scalar, isRounded: boolean): Converted {
  const text = typeof node.value === 'string' ? node.value : '';
  if (!text.isWellFormed()) throw new ScalarError('found invalid Unicode character escape code');
  const value = scalarValue(node, text, isRounded);
  return { value, weight: text.length + 2 };
}

function scalarValue(node: Scalar, text: string, isRounded: boolean): JsonValue {
  const isPlain = node.type === 'PLAIN' || node.type === undefined || node.type === null;
  if (node.tag === undefined) return isPlain ? resolvePlainScalar(text, isRounded) : text;
  switch (node.tag) {
    case '!':
    case `${CORE}str`:
    case `${CORE}timestamp`:
      return text;
    case `${CORE}binary`:
      return decodeBinary(text);
    case `${CORE}int`:
    case `${CORE}float`:
      return expectType(resolvePlainScalar(text, isRounded), 'number');
    case `${CORE}bool`:
      return expectType(resolvePlainScalar(text, isRounded), 'boolean');
    case `${CORE}null`:
      return expectType(resolvePlainScalar(text, isRounded), 'object');
    default:
      throw new ScalarError('a tag is not known');
  }
}

function decodeBinary(text: string): string {
  const bare = text.replace(/\s+/g, '');
  if (bare.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(bare)) throw new ScalarError('!!binary value contains invalid base64 data');
  return Buffer.from(bare, 'base64').toString('utf8');
}

function expectType(value: string | number | boolean | null, type: string): JsonValue {
  // Of these only null is an object.
  if (typeof value !== type) throw new ScalarError('a value is not what its tag says');
  return value;
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN' && key.tag === undefined;
}

/** What was merged earlier is stronger. */
function merge(into: Map<string, JsonValue>, value: JsonValue): void {
  for (const source of Array.isArray(value) ? value : [value]) {
    if (typeof source !== 'object' || source === null || Array.isArray(source))
      throw new ScalarError('map merge requires map or sequence of maps as the value');
    for (const [name, entry] of Object.entries(source as JsonObject)) if (!into.has(name)) into.set(name, entry);
  }
}

function keyText(key: JsonValue): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'number' || typeof key === 'boolean') return String(key);
  throw new ScalarError('a key is neither a text, a number nor a boolean');
}
