import { ApiError, Code } from '../../../base/index.ts';
import { messageCodec, type FieldSchema, type JsonObject, type JsonValue, type MessageSchema } from '../../../contract/index.ts';

const INT64_MAX = 2n ** 63n - 1n;
const INT32_MAX = 2n ** 31n - 1n;

/** What a dotted name from a path or a query leads to. */
export interface Target {
  /** The object that holds the field, made on the way where it was missing. */
  readonly holder: () => JsonObject;
  readonly field: FieldSchema;
  /** For an entry of a map: its key. */
  readonly mapKey: string | undefined;
}

/** Finds the field of a message by its name, another accepted name, or either in other letter case. */
export function findField(schema: MessageSchema, name: string): FieldSchema | undefined {
  const fields = fieldsOf(schema);
  const exact = fields.find((field) => field.name === name);
  if (exact !== undefined) return exact;
  const lower = name.toLowerCase();
  return (
    fields.find((field) => field.aliases.includes(name)) ??
    fields.find((field) => field.name.toLowerCase() === lower || field.aliases.some((alias) => alias.toLowerCase() === lower))
  );
}

const fieldsBySchema = new WeakMap<MessageSchema, readonly FieldSchema[]>();

/** The fields of a message's JSON, with inlined messages replaced by their fields. */
export function fieldsOf(schema: MessageSchema): readonly FieldSchema[] {
  let fields = fieldsBySchema.get(schema);
  if (fields === undefined) fieldsBySchema.set(schema, (fields = expandFields(schema)));
  return fields;
}

function expandFields(schema: MessageSchema): FieldSchema[] {
  return schema.fields.flatMap((field) =>
    field.inline && field.type.kind === 'message' ? fieldsOf(messageCodec(field.type.message).schema) : [field],
  );
}

/** Follows a dotted name such as `id.value` or `labels[a]` from a message; undefined when there is no such field. */
export function findTarget(schema: MessageSchema, root: JsonObject, name: string): Target | undefined {
  const bracket = /^([^[\]]*)\[([^\]]*)\]$/.exec(name);
  const names = (bracket?.[1] ?? name).split('.');
  if (names.length > 10) return undefined;
  let holder = (): JsonObject => root;
  let message = schema;
  for (const [index, part] of names.entries()) {
    const field = findField(message, part);
    if (field === undefined) return undefined;
    if (index === names.length - 1) return { holder, field, mapKey: bracket?.[2] };
    if (field.type.kind !== 'message' || field.repeated) return undefined;
    const outer = holder;
    holder = () => childObject(outer(), field.name);
    message = messageCodec(field.type.message).schema;
  }
  return undefined;
}

/** Parses a text for a field and puts it there. Of a field that holds one value the first text counts, unless `replace`. */
export function bindText(target: Target, parameter: string, text: string, replace: boolean): void {
  const { holder, field, mapKey } = target;
  if (field.type.kind === 'map') {
    if (mapKey === undefined || field.type.value.kind !== 'scalar') throw unsupported(parameter);
    childObject(holder(), field.name)[mapKey] = parseScalar(field.type.value.scalar, parameter, text);
    return;
  }
  if (mapKey !== undefined) throw unsupported(parameter);
  const value = parseText(field, parameter, text);
  const object = holder();
  if (field.repeated) {
    const list = object[field.name];
    if (Array.isArray(list)) list.push(value);
    else object[field.name] = [value];
  } else if (replace || object[field.name] === undefined) {
    object[field.name] = value;
  }
}

function childObject(object: JsonObject, name: string): JsonObject {
  const child = object[name];
  if (typeof child === 'object' && child !== null && !Array.isArray(child)) return child;
  // Nothing inherited: the keys of a map come from outside.
  return (object[name] = Object.create(null) as JsonObject);
}

function parseText(field: FieldSchema, parameter: string, text: string): JsonValue {
  const { type } = field;
  if (type.kind === 'scalar') return parseScalar(type.scalar, parameter, text);
  if (type.kind === 'message' && !field.repeated) {
    const { special } = messageCodec(type.message).schema;
    // The codec checks the rest.
    if (special === 'Time' || special === 'MicroTime') return text;
    if (special === 'IntOrString') return /^-?\d{1,9}$/.test(text) ? Number(text) : text;
  }
  throw unsupported(parameter);
}

function parseScalar(scalar: 'string' | 'bool' | 'int32' | 'int64' | 'bytes', parameter: string, text: string): JsonValue {
  switch (scalar) {
    case 'string':
    case 'bytes':
      return text;
    case 'bool':
      if (/^(?:1|t|T|TRUE|true|True)$/.test(text)) return true;
      if (/^(?:0|f|F|FALSE|false|False)$/.test(text)) return false;
      throw mismatch(parameter, 'true or false');
    case 'int32':
    case 'int64': {
      const limit = scalar === 'int32' ? INT32_MAX : INT64_MAX;
      const number = /^[+-]?\d{1,19}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
      if (number === undefined || number > limit || number < -limit - 1n) throw mismatch(parameter, 'a whole number');
      return Number(number);
    }
  }
}

function mismatch(parameter: string, expected: string): ApiError {
  return new ApiError(Code.InvalidArgument, `type mismatch: parameter ${JSON.stringify(parameter)} must be ${expected}`);
}

function unsupported(parameter: string): ApiError {
  return new ApiError(Code.InvalidArgument, `parameter ${JSON.stringify(parameter)} cannot be given in a query`);
}
