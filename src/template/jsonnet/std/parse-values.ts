import { parseYamlDocuments, YamlError } from '../../yaml/parse-documents.ts';
import { objectOf } from '../object.ts';
import type { Runtime } from '../runtime.ts';
import { JsonnetArray } from '../value.ts';
import type { Value } from '../value.ts';

const DEPTH_MAX = 400;
const YAML_LIMITS = { depthMax: DEPTH_MAX, aliasedCharactersMax: 10_000_000, roundsIntegers: true };

export function parseJsonText(runtime: Runtime, text: string): Value {
  runtime.makeText(text.length);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw runtime.fail('failed to parse JSON: it is not JSON');
  }
  return toValue(runtime, parsed, 'JSON');
}

/** One value, or a list of them where a line begins a document. */
export function parseYamlText(runtime: Runtime, text: string): Value {
  runtime.makeText(text.length);
  const parts = text.split(/^(?=---(?:[ \t\r\n]|$))/m).filter((part) => part !== '');
  const values = parts.map((part) => {
    try {
      for (const document of parseYamlDocuments(part, YAML_LIMITS)) return toValue(runtime, document, 'YAML');
      return null;
    } catch (error) {
      if (error instanceof YamlError) throw runtime.fail(`failed to parse YAML: ${error.message}`);
      throw error;
    }
  });
  const isStream = parts.some((part) => part.startsWith('---'));
  return isStream ? new JsonnetArray(values) : (values[0] ?? null);
}

/** A value of JSON as one of Jsonnet. */
export function toValue(runtime: Runtime, value: unknown, source: string, depth = 0): Value {
  if (depth > DEPTH_MAX) throw runtime.fail(`failed to parse ${source}: it is too deep`);
  runtime.makeList(1);
  if (Array.isArray(value)) return new JsonnetArray(value.map((item: unknown) => toValue(runtime, item, source, depth + 1)));
  if (typeof value === 'object' && value !== null)
    return objectOf(Object.entries(value).map(([name, item]: [string, unknown]) => [name, toValue(runtime, item, source, depth + 1)]));
  if (typeof value === 'number' && !Number.isFinite(value)) throw runtime.fail(`failed to parse ${source}: a number is too large`);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
