import { formatMicroTime, formatTime } from '../../../objects/index.ts';
import type { JsonObject, JsonValue } from '../../../objects/index.ts';
import storedMessages from './messages.json' with { type: 'json' };
import { readFields, WireError } from './wire-reader.ts';
import type { WireField } from './wire-reader.ts';

/**
 * The fields of the built-in types, each as `<number> <JSON name> <type>`. A type is a scalar, a special type or a message, with `*` in
 * front where absence differs from zero, and `[]` or `{}` behind for lists and maps. The name `~` is of a message whose fields appear in
 * the outer one.
 */
const MESSAGES = new Map<string, readonly string[]>(Object.entries(storedMessages));

interface Field {
  readonly name: string;
  readonly type: string;
  readonly isPointer: boolean;
  readonly shape: 'single' | 'list' | 'map';
}

const plans = new Map<string, ReadonlyMap<number, Field>>();
const MAGIC = Buffer.from('k8s\0');

/**
 * An object from the protobuf form that stock clients send built-in kinds in; undefined for a kind that is not known here. Throws
 * WireError for bytes that are no object.
 */
export function decodeProtobufObject(bytes: Uint8Array): JsonObject | undefined {
  if (!Buffer.from(bytes.subarray(0, MAGIC.length)).equals(MAGIC)) throw new WireError('the body has no protobuf prefix');
  let raw: Uint8Array = new Uint8Array();
  let identity = { apiVersion: '', kind: '' };
  for (const field of readFields(bytes.subarray(MAGIC.length))) {
    if (field.number === 1) identity = decodeIdentity(bytesOf(field));
    if (field.number === 2) raw = bytesOf(field);
  }
  const name = messageName(identity.apiVersion, identity.kind);
  return MESSAGES.has(name) ? { ...identity, ...decodeMessage(name, raw) } : undefined;
}

function decodeIdentity(bytes: Uint8Array): { apiVersion: string; kind: string } {
  return { apiVersion: textMember(bytes, 1), kind: textMember(bytes, 2) };
}

/** As `apps/v1.Deployment`: a group is known by the first part of its name. */
function messageName(apiVersion: string, kind: string): string {
  if (kind === 'DeleteOptions') return 'meta/v1.DeleteOptions';
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? `core/${group}.${kind}` : `${group.split('.')[0]}/${version}.${kind}`;
}

function decodeMessage(name: string, bytes: Uint8Array): JsonObject {
  const plan = planOf(name);
  const entries = new Map<string, JsonValue>();
  const lists = new Map<string, JsonValue[]>();
  const maps = new Map<string, Map<string, JsonValue>>();
  for (const wire of readFields(bytes)) {
    const field = plan.get(wire.number);
    if (field === undefined) continue;
    if (field.shape === 'list') lists.set(field.name, [...(lists.get(field.name) ?? []), decodeValue(field.type, wire)]);
    else if (field.shape === 'map') {
      const [key, value] = decodeEntry(field.type, bytesOf(wire));
      maps.set(field.name, (maps.get(field.name) ?? new Map<string, JsonValue>()).set(key, value));
    } else {
      const value = decodeValue(field.type, wire);
      if (field.name === '~') for (const [key, child] of Object.entries(value as JsonObject)) entries.set(key, child);
      else if (field.isPointer || !isZero(value)) entries.set(field.name, value);
    }
  }
  for (const [key, list] of lists) entries.set(key, list);
  for (const [key, map] of maps) entries.set(key, Object.fromEntries(map));
  return Object.fromEntries(entries);
}

function decodeEntry(type: string, bytes: Uint8Array): [string, JsonValue] {
  let key = '';
  let value: JsonValue = MESSAGES.has(type) ? {} : '';
  for (const field of readFields(bytes)) {
    if (field.number === 1) key = textOf(field);
    if (field.number === 2) value = decodeValue(type, field);
  }
  return [key, value];
}

function decodeValue(type: string, field: WireField): JsonValue {
  if (type === 'string') return textOf(field);
  if (type === 'bool') return integerOf(field) !== 0;
  if (type === 'int32' || type === 'int64' || type === 'uint8') return integerOf(field);
  const bytes = bytesOf(field);
  if (type === 'bytes') return Buffer.from(bytes).toString('base64');
  if (type === 'Time' || type === 'MicroTime') return decodeTime(type, bytes);
  if (type === 'Quantity') return textMember(bytes, 1);
  if (type === 'IntOrString') return decodeIntOrString(bytes);
  if (type === 'Raw') return JSON.parse(textMember(bytes, 1) || '{}') as JsonValue;
  return decodeMessage(type, bytes);
}

function decodeTime(type: 'Time' | 'MicroTime', bytes: Uint8Array): JsonValue {
  const members = new Map([...readFields(bytes)].map((field) => [field.number, integerOf(field)]));
  const seconds = members.get(1);
  if (seconds === undefined) return '';
  const milliseconds = seconds * 1_000 + Math.floor((members.get(2) ?? 0) / 1e6);
  return type === 'Time' ? formatTime(milliseconds) : formatMicroTime(milliseconds);
}

function decodeIntOrString(bytes: Uint8Array): JsonValue {
  const members = new Map([...readFields(bytes)].map((field) => [field.number, field]));
  const [type, integer, text] = [members.get(1), members.get(2), members.get(3)];
  const isText = type !== undefined && integerOf(type) === 1;
  return isText ? (text === undefined ? '' : textOf(text)) : integer === undefined ? 0 : integerOf(integer);
}

function textMember(bytes: Uint8Array, number: number): string {
  const found = [...readFields(bytes)].find((field) => field.number === number);
  return found === undefined ? '' : textOf(found);
}

function bytesOf(field: WireField): Uint8Array {
  if ('bytes' in field) return field.bytes;
  throw new WireError(`wrong wireType for field ${field.number}`);
}

function textOf(field: WireField): string {
  return Buffer.from(bytesOf(field)).toString('utf8');
}

function integerOf(field: WireField): number {
  if ('integer' in field) return Number(BigInt.asIntN(64, field.integer));
  throw new WireError(`wrong wireType for field ${field.number}`);
}

function isZero(value: JsonValue): boolean {
  if (value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function planOf(name: string): ReadonlyMap<number, Field> {
  const known = plans.get(name);
  if (known !== undefined) return known;
  const plan = new Map((MESSAGES.get(name) ?? []).map(parseField));
  plans.set(name, plan);
  return plan;
}

function parseField(line: string): [number, Field] {
  const [number = '', name = '', type = ''] = line.split(' ');
  const shape = type.endsWith('[]') ? 'list' : type.endsWith('{}') ? 'map' : 'single';
  return [Number(number), { name, shape, isPointer: type.startsWith('*'), type: type.replace(/^\*/, '').replace(/(?:\[\]|\{\})$/, '') }];
}
