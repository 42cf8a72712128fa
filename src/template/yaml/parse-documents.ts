import { parseAllDocuments } from 'yaml';
import type { JsonValue } from '../../objects/index.ts';
import { ScalarError } from './resolve-scalar.ts';
import { toJson } from './to-json.ts';
import type { YamlLimits } from './to-json.ts';

/** What YAML may not hold: neither tabs, line breaks nor anything that can be shown. */
const NOT_ALLOWED = /[^\t\n\r\u0085\P{Cc}]|\p{Cs}|[\ufffe\uffff]/u;

/** A text that is not YAML. The message names a place, never contents: a manifest may hold a secret. */
export class YamlError extends Error {}

/** The documents of a text, one after the other; throws a YamlError at the first that cannot be read. */
export function* parseYamlDocuments(text: string, limits: YamlLimits): Generator<JsonValue> {
  let line = 1;
  for (const chunk of splitDocuments(text)) {
    yield* parseChunk(chunk, line, limits);
    line += countLines(chunk) + 1;
  }
}

/** Where a line is nothing but `---`, possibly with a comment. */
function splitDocuments(text: string): string[] {
  return text.split(/^---[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/m);
}

function* parseChunk(chunk: string, firstLine: number, limits: YamlLimits): Generator<JsonValue> {
  if (/^\s*$/.test(chunk)) return;
  const odd = chunk.search(NOT_ALLOWED);
  if (odd >= 0) throw new YamlError(`yaml: line ${firstLine + countLines(chunk.slice(0, odd))}: control characters are not allowed`);
  try {
    // Of repeated keys the last one counts, as it does to Go; looking for them would take time that grows with the square.
    const documents = parseAllDocuments(chunk, {
      version: '1.1',
      schema: 'failsafe',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    // A directive must be followed by the document that it is about.
    if ('empty' in documents && /^%/m.test(chunk)) throw new YamlError(`yaml: line ${firstLine}: did not find expected <document start>`);
    if ('empty' in documents) return;
    for (const document of documents) {
      const [failure] = document.errors;
      if (failure !== undefined)
        throw new YamlError(`yaml: line ${firstLine + countLines(chunk.slice(0, failure.pos[0]))}: ${describe(failure.code)}`);
      yield toJson(document.contents, limits);
    }
  } catch (error) {
    if (error instanceof ScalarError) throw new YamlError(`yaml: document at line ${firstLine}: ${error.message}`);
    if (error instanceof RangeError) throw new YamlError(`yaml: document at line ${firstLine}: it is too deep`);
    throw error;
  }
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function describe(code: string): string {
  return code.toLowerCase().replaceAll('_', ' ');
}
