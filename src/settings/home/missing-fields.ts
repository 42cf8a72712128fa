import { isJsonObject, type JsonValue } from '../../objects/index.ts';

/** The fields, as paths, that the schema `wanted` knows and `present` would drop. A field that is missing stands for all below it. */
export function missingFields(wanted: JsonValue | undefined, present: JsonValue | undefined, path = ''): readonly string[] {
  if (!isJsonObject(wanted) || !isJsonObject(present) || present['x-kubernetes-preserve-unknown-fields'] === true) return [];
  const known = isJsonObject(present['properties']) ? present['properties'] : {};
  const fields = isJsonObject(wanted['properties']) ? Object.entries(wanted['properties']) : [];
  // The API server keeps these three whatever a schema says of them.
  const checked = fields.filter(([name]) => path !== '' || !['apiVersion', 'kind', 'metadata'].includes(name));
  // A map of anything has a place for every field.
  const isMap = present['additionalProperties'] !== undefined;
  return [
    ...checked.flatMap(([name, schema]) =>
      Object.hasOwn(known, name) ? missingFields(schema, known[name], `${path}.${name}`) : isMap ? [] : [`${path}.${name}`],
    ),
    ...missingFields(wanted['items'], present['items'], `${path}[]`),
    ...missingFields(wanted['additionalProperties'], present['additionalProperties'], `${path}.*`),
  ];
}
