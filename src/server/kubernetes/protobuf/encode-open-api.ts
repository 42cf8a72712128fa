import { isJsonObject } from '../../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../../objects/index.ts';

/** The field numbers of a schema in the protobuf form of OpenAPI 2 that have a value of their own kind of encoding. */
const TEXTS: Readonly<Record<string, number>> = { $ref: 1, format: 2, title: 3, description: 4, pattern: 13 };
const DOUBLES: Readonly<Record<string, number>> = { multipleOf: 6, maximum: 7, minimum: 9 };
const INTEGERS: Readonly<Record<string, number>> = {
  maxLength: 11,
  minLength: 12,
  maxItems: 14,
  minItems: 15,
  maxProperties: 17,
  minProperties: 18,
};
const FLAGS: Readonly<Record<string, number>> = { exclusiveMaximum: 8, exclusiveMinimum: 10, uniqueItems: 16, readOnly: 27 };

/** The protobuf form of a document of OpenAPI 2, which is the one that stock clients ask for. Paths are left out: ours has none. */
export function encodeOpenApi({ swagger, info, definitions }: JsonObject): Uint8Array {
  const { title, version } = isJsonObject(info) ? info : {};
  return Buffer.concat([
    text(1, swagger),
    message(2, [text(1, title), text(2, version)]),
    message(8, []),
    message(9, named(1, definitions)),
  ]);
}

function encodeSchema(schema: JsonObject): readonly Buffer[] {
  return Object.entries(schema).flatMap(([key, value]) => encodeMember(key, value));
}

function encodeMember(key: string, value: JsonValue): readonly Buffer[] {
  if (key.startsWith('x-')) return [message(31, [text(1, key), message(2, anyOf(value))])];
  if (TEXTS[key] !== undefined) return [text(TEXTS[key], value)];
  if (DOUBLES[key] !== undefined) return [double(DOUBLES[key], value)];
  if (INTEGERS[key] !== undefined) return [integer(INTEGERS[key], value)];
  if (FLAGS[key] !== undefined) return [integer(FLAGS[key], value === true ? 1 : 0)];
  if (key === 'default') return [message(5, anyOf(value))];
  if (key === 'required') return listOf(value).map((name) => text(19, name));
  if (key === 'enum') return listOf(value).map((choice) => message(20, anyOf(choice)));
  if (key === 'additionalProperties') return [message(21, isJsonObject(value) ? [message(1, encodeSchema(value))] : [integer(2, 1)])];
  if (key === 'type') return [message(22, [text(1, value)])];
  if (key === 'items' && isJsonObject(value)) return [message(23, [message(1, encodeSchema(value))])];
  if (key === 'allOf') return listOf(value).map((part) => message(24, isJsonObject(part) ? encodeSchema(part) : []));
  return key === 'properties' ? [message(25, named(1, value))] : [];
}

function named(number: number, schemas: JsonValue | undefined): readonly Buffer[] {
  const entries = isJsonObject(schemas) ? Object.entries(schemas) : [];
  return entries.map(([name, schema]) => message(number, [text(1, name), message(2, isJsonObject(schema) ? encodeSchema(schema) : [])]));
}

/** A value of any kind is carried as YAML, and JSON is YAML. */
function anyOf(value: JsonValue): readonly Buffer[] {
  return [text(2, JSON.stringify(value))];
}

function listOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function text(number: number, value: JsonValue | undefined): Buffer {
  const bytes = Buffer.from(typeof value === 'string' ? value : '');
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function message(number: number, fields: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(fields);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function integer(number: number, value: JsonValue): Buffer {
  return Buffer.concat([varint(number * 8), varint(typeof value === 'number' ? value : 0)]);
}

function double(number: number, value: JsonValue): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(typeof value === 'number' ? value : 0);
  return Buffer.concat([varint(number * 8 + 1), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}
