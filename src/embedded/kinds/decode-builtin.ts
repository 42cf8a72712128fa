import { formatQuantity, isJsonArray, isJsonObject, parseQuantity, parseTime, QuantityError } from '../../objects/index.ts';
import type { JsonObject, JsonValue, Pruned, Schema } from '../../objects/index.ts';
import type { ResourceType } from '../../kube/index.ts';
import { cannotDecode } from '../refusals.ts';

/** An empty list of these asks for something: that the owners of fields are forgotten. */
const KEPT_EMPTY = new Set(['managedFields']);

interface Decoding {
  readonly type: ResourceType;
  readonly unknown: string[];
}

/**
 * An object of a built-in kind as the API server's Go types would hold it: unknown fields go, and so do nulls and empty optional lists and
 * maps, which Go writes no more than absent ones. A value of a wrong type is refused. The result shares no list or map with the input.
 */
export function decodeBuiltin(type: ResourceType, object: JsonObject, schema: Schema): Pruned {
  const decoding: Decoding = { type, unknown: [] };
  const decoded = decodeObject(object, schema, '', decoding);
  return { object: decoded, unknown: decoding.unknown.sort() };
}

function decodeValue(value: JsonValue, schema: Schema, path: string, decoding: Decoding): JsonValue {
  if (schema.preserveUnknownFields === true) return structuredClone(value);
  if (schema.quantity === true) return decodeQuantity(value, decoding);
  if (schema.intOrString === true) {
    if (typeof value !== 'string' && !Number.isInteger(value)) throw mismatch(value, 'intstr.IntOrString', path, decoding);
    return value;
  }
  if (isJsonArray(value)) {
    const { items } = schema;
    if (schema.type !== 'array') throw mismatch(value, goType(schema), path, decoding);
    return items === undefined ? structuredClone(value) : value.map((item) => decodeValue(item ?? zeroOf(items), items, path, decoding));
  }
  if (isJsonObject(value)) {
    if (schema.type !== 'object' && schema.type !== undefined) throw mismatch(value, goType(schema), path, decoding);
    return decodeObject(value, schema, path, decoding);
  }
  return decodeScalar(value, schema, path, decoding);
}

function decodeObject(value: JsonObject, schema: Schema, path: string, decoding: Decoding): JsonObject {
  const { properties, additionalProperties, required } = schema;
  if (properties === undefined && additionalProperties === undefined) return structuredClone(value);
  const entries: [string, JsonValue][] = [];
  for (const [name, child] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    const childSchema = properties?.get(name) ?? additionalProperties;
    if (childSchema === undefined) decoding.unknown.push(at);
    else if (child !== null) {
      // A wrong value in a map is told by the map's name.
      const decoded = decodeValue(child, childSchema, properties?.has(name) === true ? at : path, decoding);
      const isKept = required?.includes(name) === true || additionalProperties !== undefined || KEPT_EMPTY.has(name);
      if (isKept || !isEmptyCollection(decoded, childSchema)) entries.push([name, decoded]);
    } else if (additionalProperties !== undefined) entries.push([name, zeroOf(childSchema)]);
  }
  return Object.fromEntries(entries);
}

function decodeScalar(value: JsonValue, schema: Schema, path: string, decoding: Decoding): JsonValue {
  const { type = typeof value, format } = schema;
  const isFit =
    type === 'integer'
      ? Number.isInteger(value)
      : type === 'number'
        ? typeof value === 'number'
        : type === 'boolean'
          ? typeof value === 'boolean'
          : type === 'string' && typeof value === 'string';
  if (!isFit) throw mismatch(value, goType(schema), path, decoding);
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

function mismatch(value: JsonValue, expected: string, path: string, { type }: Decoding): Error {
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
