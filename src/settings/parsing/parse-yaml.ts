import { parseDocument, type Tags } from 'yaml';
import type { JsonValue } from '../../objects/index.ts';
import { BadValue, type Parse } from './bad-value.ts';

/** Longer texts do not fit into a ConfigMap. */
const textLengthMax = 1024 * 1024;
/** So often may anchors be repeated in all, which keeps a small text from becoming a large value. */
const aliasesMax = 100;
const depthMax = 64;

/** Words such as `yes` are booleans to existing installations, but what looks like a date stays a text. */
const withoutDates = (tags: Tags): Tags =>
  tags.filter((tag) => typeof tag === 'string' || !/:(?:timestamp|binary|set|omap|pairs)$/.test(tag.tag));

/** How YAML is read, here as by existing installations. */
export const yamlOptions = {
  version: '1.1',
  customTags: withoutDates,
  // Of repeated keys the last one counts, as it does to Go; looking for them would take time that grows with the square.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'error',
} as const;

/** Reads YAML 1.1 into plain values. Reasons name places, never contents: a configuration may hold a secret. */
export const parseYaml: Parse<JsonValue> = (text) => {
  if (text.length > textLengthMax) throw new BadValue(`longer than ${textLengthMax} characters`);
  const value = readDocument(text);
  checkDepth(value, 0);
  return value;
};

function readDocument(text: string): JsonValue {
  try {
    const document = parseDocument(text, yamlOptions);
    const [failure] = document.errors;
    if (failure !== undefined) throw new BadValue(`not YAML: ${describeCode(failure.code)} at line ${lineAt(text, failure.pos[0])}`);
    return toPlain(document.toJS({ maxAliasCount: aliasesMax }));
  } catch (error) {
    if (error instanceof BadValue) throw error;
    // What the parser throws is a limit: too many aliases, or brackets so deep that the stack ends.
    throw new BadValue('not YAML that we can read: too deep, too many aliases, or an alias without an anchor');
  }
}

/** Keys and values that JSON cannot carry become the texts that Go's conversion makes of them. */
export function toPlain(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new BadValue('a number is not finite');
    return value;
  }
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toPlain(entry)]));
  throw new BadValue('a value is of a type that JSON does not have');
}

function checkDepth(value: JsonValue, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= depthMax) throw new BadValue(`more than ${depthMax} levels deep`);
  for (const entry of Object.values(value)) checkDepth(entry, depth + 1);
}

function describeCode(code: string): string {
  return code.toLowerCase().replaceAll('_', ' ');
}

export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
