import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../objects/index.ts';

/** What tells people something, or is for others than those who merge and compare; most of every document. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'description',
  'example',
  'externalDocs',
  'maximum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minimum',
  'minItems',
  'minLength',
  'minProperties',
  'pattern',
  'title',
  'x-kubernetes-selectable-fields',
  'x-kubernetes-unions',
  'x-kubernetes-validations',
]);

/** The members whose keys are names that somebody chose, and not words of the schema language. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

/** An OpenAPI document with nothing but the definitions of its types, and of those what a comparison uses. */
export function compactDocument(document: JsonObject): JsonObject {
  const components = document['components'];
  const schemas = isJsonObject(components) ? components['schemas'] : undefined;
  return { components: { schemas: isJsonObject(schemas) ? compactEach(schemas) : {} } };
}

function compactEach(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, compactSchema(schema)]));
}

function compactSchema(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(compactSchema);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([word]) => !LEFT_OUT.has(word));
  return Object.fromEntries(kept.map(([word, child]) => [word, compactMember(word, child)]));
}

function compactMember(word: string, value: JsonValue): JsonValue {
  // A default or a choice is a value of the user's, whatever its keys are called.
  if (word === 'default' || word === 'enum') return value;
  return NAMED.has(word) && isJsonObject(value) ? compactEach(value) : compactSchema(value);
}
