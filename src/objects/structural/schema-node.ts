import { isJsonObject, ownValue } from '../json-value.ts';
import type { JsonObject } from '../json-value.ts';
import { childPath, keyPath } from './make-field-error.ts';

/** The named fields that a schema describes. */
export function propertiesOf(node: JsonObject): ReadonlyMap<string, JsonObject> {
  const properties = ownValue(node, 'properties');
  if (!isJsonObject(properties)) return new Map();
  return new Map(Object.entries(properties).flatMap(([name, child]) => (isJsonObject(child) ? [[name, child] as const] : [])));
}

export function propertyPath(path: string, name: string): string {
  return keyPath(childPath(path, 'properties'), name);
}
