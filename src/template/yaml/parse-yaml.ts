import { parseDocument } from 'yaml';
import type { Tags } from 'yaml';
import { GoList, GoMap } from '../go/value.ts';
import type { GoAny } from '../go/value.ts';
import { TemplateError } from '../template-error.ts';

const DEPTH_MAX = 200;
const ALIASES_MAX = 200;
/** Dates and times of day stay texts. */
const LEFT_OUT: readonly string[] = ['tag:yaml.org,2002:timestamp'];

/** The value of a YAML text as Go has it: maps with texts as keys, all numbers float64. Throws a TemplateError. */
export function parseYaml(text: string): GoAny {
  const document = parseDocument(text, {
    version: '1.1',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
    merge: true,
    customTags: (tags: Tags) => tags.filter((tag) => typeof tag === 'string' || !isLeftOut(tag)),
  });
  const [failure] = document.errors;
  if (failure !== undefined)
    throw new TemplateError(`error converting YAML to JSON: yaml: ${failure.code.toLowerCase().replaceAll('_', ' ')}`);
  try {
    return toValue(document.toJS({ maxAliasCount: ALIASES_MAX, mapAsMap: true }) as unknown, 0);
  } catch (error) {
    if (error instanceof ReferenceError) throw new TemplateError(`error converting YAML to JSON: yaml: ${error.message}`);
    throw error;
  }
}

function isLeftOut(tag: Exclude<Tags[number], string>): boolean {
  return LEFT_OUT.includes(tag.tag) || ('format' in tag && tag.format === 'TIME');
}

function toValue(value: unknown, depth: number): GoAny {
  if (depth > DEPTH_MAX) throw new TemplateError(`YAML of more than ${DEPTH_MAX} levels`);
  if (value instanceof Map)
    return new GoMap(new Map([...value].map(([key, item]: [unknown, unknown]) => [keyText(key), toValue(item, depth + 1)])));
  if (Array.isArray(value)) return new GoList(value.map((item: unknown) => toValue(item, depth + 1)));
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  throw new TemplateError('error converting YAML to JSON: a value that JSON cannot carry');
}

function keyText(key: unknown): string {
  if (typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean' || typeof key === 'bigint') return String(key);
  throw new TemplateError('error converting YAML to JSON: a key that is no text');
}
