import type { JsonObject, JsonValue } from '../../objects/index.ts';

/** The fields that a merge patch changes, as paths with points. */
export function changedPaths(patch: JsonObject, above = ''): string[] {
  return Object.entries(patch).flatMap(([key, value]) => {
    const path = above === '' ? key : `${above}.${key}`;
    return isPatch(value) ? changedPaths(value, path) : [path];
  });
}

function isPatch(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}
