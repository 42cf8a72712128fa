import fc from 'fast-check';
import type { JsonValue, MessageSchema } from '../../src/contract/index.ts';
import { messages } from '../../src/contract/gen/schema.ts';
import type { FieldSchema, FieldType, ScalarType, SpecialType } from '../../src/contract/schema.ts';

type Single = Exclude<FieldType, { kind: 'map' }>;

/** `canonical`: only values that decoding yields, so no zeros where they mean absence. `any`: zeros, nulls and empty lists too. */
export type Variety = 'canonical' | 'any';

const DEPTH_MAX = 3;
const FIELDS_MAX = 6;
const ITEMS_MAX = 3;

const byName = new Map(messages.map((message) => [message.name, message]));

/** The schema of every message in the contract. */
export const everyMessage: readonly MessageSchema[] = messages;

/** Values of a message, with its required fields and a few others at each level. */
export function arbitraryMessage(name: string, variety: Variety, depth = 0): fc.Arbitrary<JsonValue> {
  const message = byName.get(name)!;
  if (message.special) return arbitrarySpecial(message.special);
  const required = message.fields.filter((field) => field.presence === 'required');
  const others = message.fields.filter((field) => field.presence !== 'required' && (depth < DEPTH_MAX || field.type.kind === 'scalar'));
  return fc.subarray(others, { maxLength: Math.min(FIELDS_MAX, others.length) }).chain((chosen) => {
    const parts = [...required, ...chosen].map((field) => arbitraryField(field, variety, depth));
    return fc.tuple(...parts).map((all) => Object.assign({}, ...all) as JsonValue);
  });
}

/** A value with every field set, and below it the fields of `depthMax` levels of messages. */
export function filledMessage(name: string, { depthMax = DEPTH_MAX } = {}): JsonValue {
  const message = byName.get(name)!;
  if (message.special) return FILLED_SPECIALS[message.special];
  const result: Record<string, JsonValue> = {};
  for (const field of message.fields) {
    if (depthMax < 0 && field.type.kind !== 'scalar') continue;
    const value = filledField(field, depthMax);
    if (field.inline) Object.assign(result, value);
    else result[field.name] = value;
  }
  return result;
}

const FILLED_SPECIALS: Record<SpecialType, JsonValue> = {
  Time: '2024-01-02T03:04:05Z',
  MicroTime: '2024-01-02T03:04:05.000006Z',
  IntOrString: '25%',
  RawJson: { list: [1, 'two', null, { deep: true }], ümlaut: 'ß' },
};
const FILLED_SCALARS: Record<ScalarType, JsonValue> = { string: 'text', bool: true, int32: -7, int64: 2 ** 40 + 1, bytes: 'AAH/' };

function filledField(field: FieldSchema, depthMax: number): JsonValue {
  const single = (type: Single): JsonValue =>
    type.kind === 'scalar' ? FILLED_SCALARS[type.scalar] : filledMessage(type.message, { depthMax: depthMax - 1 });
  if (field.type.kind === 'map') return { first: single(field.type.value), second: single(field.type.value) };
  return field.repeated ? [single(field.type), single(field.type)] : single(field.type);
}

/** An object with the one field, with the fields of an inlined message, or with nothing. */
function arbitraryField(field: FieldSchema, variety: Variety, depth: number): fc.Arbitrary<Record<string, JsonValue>> {
  if (field.inline && field.type.kind === 'message')
    return arbitraryMessage(field.type.message, variety, depth + 1) as fc.Arbitrary<Record<string, JsonValue>>;
  const value = arbitraryFieldValue(field, variety, depth);
  if (variety === 'any' && field.presence !== 'required') return fc.option(value, { freq: 8 }).map((chosen) => ({ [field.name]: chosen }));
  return value.map((chosen) => (isAbsence(field, chosen) ? {} : { [field.name]: chosen }));
}

function arbitraryFieldValue(field: FieldSchema, variety: Variety, depth: number): fc.Arbitrary<JsonValue> {
  if (field.type.kind === 'map')
    return fc.dictionary(arbitraryKey, arbitrarySingle(field.type.value, variety, depth), {
      maxKeys: ITEMS_MAX,
    }) as fc.Arbitrary<JsonValue>;
  const single = arbitrarySingle(field.type, variety, depth);
  return field.repeated ? fc.array(single, { maxLength: ITEMS_MAX }) : single;
}

function isAbsence(field: FieldSchema, value: JsonValue): boolean {
  if (value === null) return true;
  if (field.presence !== 'implicit') return false;
  return value === '' || value === 0 || value === false || (typeof value === 'object' && Object.keys(value).length === 0);
}

function arbitrarySingle(type: Single, variety: Variety, depth: number): fc.Arbitrary<JsonValue> {
  return type.kind === 'scalar' ? arbitraryScalar(type.scalar) : arbitraryMessage(type.message, variety, depth + 1);
}

const arbitraryText = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '',
      'Synced',
      'https://kubernetes.default.svc',
      'größer',
      '日本語',
      '😀'.repeat(20),
      'x'.repeat(31),
      'x'.repeat(32),
      'x'.repeat(300),
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 200 }) },
);

const arbitraryKey = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '0', 'a.b/c'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

function arbitraryScalar(scalar: ScalarType): fc.Arbitrary<JsonValue> {
  switch (scalar) {
    case 'string':
      return arbitraryText;
    case 'bool':
      return fc.boolean();
    case 'int32':
      return fc.oneof(fc.constantFrom(0, 1, -1, 127, 128, 2 ** 31 - 1, -(2 ** 31)), fc.integer());
    case 'int64':
      return fc.oneof(
        fc.constantFrom(0, -1, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, -(2 ** 53) + 1),
        fc.maxSafeInteger().map((value) => value + 0),
      );
    case 'bytes':
      return fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64'));
  }
}

function arbitrarySpecial(special: SpecialType): fc.Arbitrary<JsonValue> {
  const seconds = fc.oneof(
    fc.constantFrom(0, -62_135_596_799, 253_402_300_799, 951_782_400),
    fc.integer({ min: -62_135_596_799, max: 253_402_300_799 }),
  );
  switch (special) {
    case 'Time':
      return seconds.map((value) => new Date(value * 1000).toISOString().replace(/\.\d+Z$/, 'Z'));
    case 'MicroTime':
      return fc
        .tuple(seconds, fc.nat(999_999))
        .map(([value, micros]) => new Date(value * 1000).toISOString().replace(/\.\d+Z$/, `.${String(micros).padStart(6, '0')}Z`));
    case 'IntOrString':
      return fc.oneof(fc.integer(), fc.constantFrom(0, '', '25%'), fc.string({ maxLength: 10 }));
    case 'RawJson':
      // Null is the same as absence, and minus zero has no form of its own in JSON text.
      return fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
  }
}
