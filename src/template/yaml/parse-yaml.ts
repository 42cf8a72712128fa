import { fromJson } from '../go/from-json.ts';
import type { GoAny } from '../go/value.ts';
import { TemplateError } from '../template-error.ts';
import { parseYamlDocuments, YamlError } from './parse-documents.ts';

/** An empty map has two characters, and takes a hundred times as much memory: what aliases repeat is bounded with that in mind. */
const LIMITS = { depthMax: 200, aliasedCharactersMax: 2_000_000, roundsIntegers: true };

/** The value of a YAML text as Go has it: maps with texts as keys, all numbers float64. Throws a TemplateError. */
export function parseYaml(text: string): GoAny {
  try {
    for (const document of parseYamlDocuments(text, LIMITS)) return fromJson(document);
    return null;
  } catch (error) {
    if (error instanceof YamlError) throw new TemplateError(`error converting YAML to JSON: ${error.message}`);
    throw error;
  }
}
