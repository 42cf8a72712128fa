import { parseDuration } from '../../model/index.ts';
import { builtinTypeSchema, isJsonArray, isJsonObject } from '../../objects/index.ts';
import type { JsonObject, JsonValue, KubeObject } from '../../objects/index.ts';
import { groupOf } from '../resource-key.ts';
import { canonicalQuantities, withoutZeros } from './canonical-value.ts';

/** A field of a custom kind whose values are of a built-in type. */
export interface KnownType {
  readonly group: string;
  readonly kind: string;
  /** Names with dots; a list on the way means each of its elements. */
  readonly field: string;
  /** `core/v1/PodSpec` and its like, `core/Quantity` or `meta/v1/Duration`. */
  readonly type: string;
}

const BUILT_IN: readonly KnownType[] = [{ group: 'argoproj.io', kind: 'Rollout', field: 'spec.template.spec', type: 'core/v1/PodSpec' }];

/** An object of a custom kind with the fields of known types as an API of those types would store them. */
export function normalizeKnownTypes(object: KubeObject, knownTypes: readonly KnownType[] = []): KubeObject {
  const group = groupOf(object);
  const own = [...BUILT_IN, ...knownTypes].filter((known) => known.group === group && known.kind === object.kind);
  return own.reduce(
    (result, { field, type }) => change(result as unknown as JsonValue, field.split('.'), type) as unknown as KubeObject,
    object,
  );
}

function change(value: JsonValue, [name, ...rest]: readonly string[], type: string): JsonValue {
  if (isJsonArray(value)) return value.map((item) => change(item, name === undefined ? [] : [name, ...rest], type));
  if (name === undefined) return normalizeValue(value, type);
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, key === name ? change(child, rest, type) : child]));
}

function normalizeValue(value: JsonValue, type: string): JsonValue {
  if (type === 'core/Quantity') return canonicalQuantities(value, { quantity: true });
  if (type === 'meta/v1/Duration') return typeof value === 'string' ? formatDuration(value) : value;
  const at = type.lastIndexOf('/');
  const schema = builtinTypeSchema(type.slice(0, at), type.slice(at + 1));
  const canonical = canonicalQuantities(value, schema);
  return schema !== undefined && isJsonObject(canonical) ? withoutZeros(canonical as JsonObject, schema) : canonical;
}

/** One spelling for durations that are equal: `90m` is `1h30m0s`. */
function formatDuration(text: string): string {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined || milliseconds < 1_000) return text;
  const seconds = milliseconds / 1_000;
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ''}${seconds >= 60 ? `${minutes}m` : ''}${seconds % 60}s`;
}
