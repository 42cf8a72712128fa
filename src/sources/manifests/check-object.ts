import type { JsonObject, JsonValue, KubeObject } from '../../objects/index.ts';
import { isJsonArray, isJsonObject } from './json-shape.ts';

/** A value that is no Kubernetes object. The message names fields, never contents. */
export class ObjectError extends Error {}

/** The objects that a document stands for: itself, the items of a list, or nothing for an empty one. */
export function objectsOf(document: JsonValue): KubeObject[] {
  if (document === null) return [];
  if (!isJsonObject(document)) throw new ObjectError('it is not an object');
  if (Object.keys(document).length === 0) return [];
  if (typeof document['kind'] !== 'string' || document['kind'] === '') throw new ObjectError("Object 'Kind' is missing");
  const items = document['items'];
  if (isJsonArray(items)) return items.map(checkObject);
  if (Object.hasOwn(document, 'items') && items === null && !Object.hasOwn(document, 'spec') && !Object.hasOwn(document, 'status'))
    return [];
  return [checkObject(document)];
}

/** Makes sure that what everyone relies on is there and of its type. */
function checkObject(value: JsonValue): KubeObject {
  if (!isJsonObject(value)) throw new ObjectError('it is not an object');
  // One without a version is not passed over: it is wanted, no cluster has it, and a sync says why.
  const { apiVersion = '', kind } = value;
  if (typeof kind !== 'string' || kind === '') throw new ObjectError("Object 'Kind' is missing");
  if (typeof apiVersion !== 'string') throw new ObjectError('apiVersion is not a text');
  const metadata = value['metadata'] ?? {};
  if (!isJsonObject(metadata)) throw new ObjectError('metadata is not an object');
  for (const field of ['name', 'namespace', 'generateName']) checkText(metadata, field);
  for (const field of ['labels', 'annotations']) checkTexts(metadata, field);
  return { ...value, apiVersion, kind, metadata };
}

function checkText(metadata: JsonObject, field: string): void {
  const value = metadata[field] ?? '';
  if (typeof value !== 'string') throw new ObjectError(`metadata.${field} is not a text`);
}

function checkTexts(metadata: JsonObject, field: string): void {
  const value = metadata[field] ?? {};
  if (!isJsonObject(value)) throw new ObjectError(`metadata.${field} is not a map of texts`);
  for (const [name, entry] of Object.entries(value))
    if (typeof entry !== 'string') throw new ObjectError(`metadata.${field}: the value of ${JSON.stringify(name)} is not a text`);
}
