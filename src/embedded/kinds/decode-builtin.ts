import {
  fieldOf,
  formatQuantity,
  isJsonArray,
  isJsonObject,
  itemOf,
  mapFields,
  mapItems,
  parseQuantity,
  parseTime,
  QuantityError,
} from '../../objects/index.ts';
import type { JsonObject, JsonValue, Pruned, Schema } from '../../objects/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import { cannotDecode } from '../refusals.ts';

/** An empty list of these asks for something: that the owners of fields are forgotten. */
const KEPT_EMPTY = new Set(['managedFields']);

interface Decoding {
  readonly type: ResourceType;
  readonly unknown: string[];
}

/** Where a value stands, and what stood there in the object that it replaces. */
interface Place {
  readonly path: string;
  readonly decoding: Decoding;
  readonly before: JsonValue | undefined;
}

/**
 * An object of a built-in kind as the API server's Go types would hold it: unknown fields go, and so do nulls and empty optional lists and
 * maps, which Go writes no more than absent ones. A value of a wrong type is refused. What the object shares with `before`, which was
 * decoded once, is not looked at.
 */
export function decodeBuiltin(type: ResourceType, object: JsonObject, schema: Schema, before?: JsonObject): Pruned {
  const decoding: Decoding = { type, unknown: [] };
  const decoded = decodeObject(object, schema, { path: '', decoding, before });
  return { object: decoded, unknown: decoding.unknown.sort() };
}

function decodeValue(value: JsonValue, schema: Schema, place: Place): JsonValue {
  if (schema.preserveUnknownFields === true || (typeof value === 'object' && value === place.before)) return value;
  if (schema.quantity === true) return decodeQuantity(value, place.decoding);
  if (schema.intOrString === true) {
    if (typeof value !== 'string' && !Number.isInteger(value)) throw mismatch(value, 'intstr.IntOrString', place);
    return value;
  }
  if (isJsonArray(value)) {
    const { items } = schema;
    if (schema.type !== 'array') throw mismatch(value, goType(schema), place);
    if (items === undefined) return value;
    const { path, decoding, before } = place;
    return mapItems(value, (item, index) => decodeValue(item ?? zeroOf(items), items, { path, decoding, before: itemOf(before, index) }));
  }
  if (isJsonObject(value)) {
    if (schema.type !== 'object' && schema.type !== undefined) throw mismatch(value, goType(schema), place);
    return decodeObject(value, schema, place);
  }
  return decodeScalar(value, schema, place);
}

function decodeObject(value: JsonObject, schema: Schema, { path, decoding, before }: Place): JsonObject {
  const { properties, additionalProperties, required } = schema;
  if (properties === undefined && additionalProperties === undefined) return value;
  return mapFields(value, (child, name) => {
    const property = properties?.get(name);
    const childSchema = property ?? additionalProperties;
    const at = path === '' ? name : `${path}.${name}`;
    if (childSchema === undefined) {
      decoding.unknown.push(at);
      return undefined;
    }
    if (child === null) return additionalProperties === undefined ? undefined : zeroOf(childSchema);
    // A wrong value in a map is told by the map's name.
    const decoded = decodeValue(child, childSchema, { path: property === undefined ? path : at, decoding, before: fieldOf(before, name) });
    const isKept = required?.includes(name) === true || additionalProperties !== undefined || KEPT_EMPTY.has(name);
    return isKept || !isEmptyCollection(decoded, childSchema) ? decoded : undefined;
  });
}

function decodeScalar(value: JsonValue, schema: Schema, place: Place): JsonValue {
  const { decoding } = place;
  const { type = typeof value, format } = schema;
  const isFit =
    type === 'integer'
      ? Number.isInteger(value)
      : type === 'number'
        ? typeof value === 'number'
        : type === 'boolean'
          ? typeof value === 'boolean'
          : type === 'string' && typeof value === 'string';
  if (!isFit) throw mismatch(value, goType(schema), place);
  if (typeof value !== 'string') return value;
  if (format === 'date-time' && value !== '' && parseTime(value) === undefined)
    throw cannotDecode(
      decoding.type,
      `parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(value)} as "2006"`,
    );
  if (format === 'byte') checkBase64(value, decoding);
  return value;
}

function decodeQuantity(value: JsonValue, { type }: Decoding): JsonValue {
  try {
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string')
      throw new QuantityError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    // The spelling is the canonical one, as with the API server: 1024Mi comes back as 1Gi.
    return formatQuantity(parseQuantity(text));
  } catch (error) {
    if (error instanceof QuantityError) throw cannotDecode(type, error.message);
    throw error;
  }
}

function checkBase64(text: string, { type }: Decoding): void {
  const wrong = /[^A-Za-z0-9+/=\r\n]/.exec(text);
  if (wrong !== null) throw cannotDecode(type, `illegal base64 data at input byte ${wrong.index}`);
  const content = text.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(content))
    throw cannotDecode(type, `illegal base64 data at input byte ${Math.floor(content.length / 4) * 4}`);
}

/** Lists, and maps with free keys: what Go leaves out when it is empty. An object with named fields is kept, `emptyDir: {}` means something. */
function isEmptyCollection(value: JsonValue, schema: Schema): boolean {
  if (isJsonArray(value)) return value.length === 0;
  return isJsonObject(value) && schema.additionalProperties !== undefined && Object.keys(value).length === 0;
}

function zeroOf({ type }: Schema): JsonValue {
  if (type === 'string') return '';
  if (type === 'integer' || type === 'number') return 0;
  if (type === 'boolean') return false;
  return type === 'array' ? [] : {};
}

function mismatch(value: JsonValue, expected: string, { path, decoding: { type } }: Place): Error {
  const found = isJsonArray(value) ? 'array' : isJsonObject(value) ? 'object' : typeof value === 'boolean' ? 'bool' : typeof value;
  return cannotDecode(type, `json: cannot unmarshal ${found} into Go struct field ${structName(type, path)}.${path} of type ${expected}`);
}

function goType({ type, format, items, additionalProperties }: Schema): string {
  if (type === 'integer') return format === 'int64' ? 'int64' : 'int32';
  if (type === 'number') return 'float64';
  if (type === 'boolean') return 'bool';
  if (type === 'array') return `[]${items === undefined ? 'interface {}' : goType(items)}`;
  if (additionalProperties !== undefined) return `map[string]${goType(additionalProperties)}`;
  return type === 'string' ? 'string' : 'struct';
}

/** The Go type that has the field; the schemas do not say it, but its name mostly follows from where it is. */
function structName({ kind }: ResourceType, path: string): string {
  const parent = path.split('.').slice(0, -1);
  const last = parent.at(-1);
  if (last === undefined) return kind;
  if (last === 'metadata') return 'ObjectMeta';
  if (parent.length === 1 && (last === 'spec' || last === 'status')) return `${kind}${last === 'spec' ? 'Spec' : 'Status'}`;
  if (last === 'spec') return parent.at(-2) === 'template' ? 'PodSpec' : 'Spec';
  if (last === 'containers' || last === 'initContainers') return 'Container';
  return last.charAt(0).toUpperCase() + last.slice(1);
}
