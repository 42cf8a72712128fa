import { parseAllDocuments, stringify } from 'yaml';
import { ApiError, Code } from '../../base/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '../../objects/index.ts';
import { lineAt, toPlain, yamlOptions } from '../parsing/parse-yaml.ts';

const formatOptions = {
  // Words that other readers take for something else are quoted.
  version: '1.1',
  lineWidth: 0,
  aliasDuplicateObjects: false,
  // Each API has an order of its own.
  sortMapEntries: true,
} as const;

/** One object as a document of a YAML stream. The same object gives the same text. */
export function formatObject(object: KubeObject): string {
  return `---\n${stringify(object, formatOptions)}`;
}

/** The objects of a YAML stream or of JSON; a List counts as what is in it. Throws ApiError that says where it cannot be read. */
export function parseObjects(text: string): readonly KubeObject[] {
  const documents = parseAllDocuments(text, yamlOptions);
  // Without any document, the answer is an empty one of another kind.
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const [failure] = document.errors;
    if (failure !== undefined) throw refuse(`line ${lineAt(text, failure.pos[0])} is not YAML`);
    const value = readValue(() => toPlain(document.toJS({ maxAliasCount: 100 })));
    // Between two lines of dashes there may be nothing.
    return value === null ? [] : toObjects(value, () => `the document at line ${lineAt(text, document.range[0])}`);
  });
}

function readValue(read: () => JsonValue): JsonValue {
  try {
    return read();
  } catch {
    throw refuse('there are too many aliases, or one without an anchor');
  }
}

/** `place` is asked for only where something is wrong: finding a line takes time. */
function toObjects(value: JsonValue, place: () => string): readonly KubeObject[] {
  if (!isJsonObject(value)) throw refuse(`${place()} is no object`);
  const { apiVersion, kind, metadata, items } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') throw refuse(`${place()} has no apiVersion or no kind`);
  if (kind.endsWith('List') && Array.isArray(items)) {
    return (items as readonly JsonValue[]).flatMap((item, index) => toObjects(item, () => `item ${index + 1} of ${place()}`));
  }
  if (!isJsonObject(metadata) || typeof metadata['name'] !== 'string') throw refuse(`${place()} has no metadata with a name`);
  checkTexts(metadata, place);
  return [value as unknown as KubeObject];
}

/** What is read as metadata from here on has the types that it should have. */
function checkTexts(metadata: JsonObject, place: () => string): void {
  const { namespace, labels, annotations, finalizers } = metadata;
  const isText = (value: JsonValue | undefined) => value === undefined || typeof value === 'string';
  const maps = [labels, annotations].filter((map) => map !== undefined && map !== null);
  const areTexts = maps.every((map) => isJsonObject(map) && Object.values(map).every(isText));
  const areNames = finalizers === undefined || (Array.isArray(finalizers) && (finalizers as readonly JsonValue[]).every(isText));
  if (!isText(namespace) || !areTexts || !areNames) throw refuse(`${place()} has metadata of the wrong types`);
}

function refuse(message: string): ApiError {
  return new ApiError(Code.InvalidArgument, message);
}
