import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from './json-value.ts';
import { messageCodec } from './message-codec.ts';

const metadata = messageCodec('k8s.meta.v1.ObjectMeta');
const series = messageCodec('events.EventSeries');
const replica = messageCodec('argoproj.v1alpha1.KustomizeReplica');
const fields = messageCodec('k8s.meta.v1.ManagedFieldsEntry');
const list = messageCodec('argoproj.v1alpha1.ListGenerator');
const input = messageCodec('argoproj.v1alpha1.PluginInput');

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('Time', () => {
  it.each([
    ['2024-01-02T03:04:05Z', '4a0808a5facdac061000'],
    ['1970-01-01T00:00:00Z', '4a0408001000'],
    ['1969-12-31T23:59:59Z', '4a0d08ffffffffffffffffff011000'],
  ])('%s travels as its seconds', (deletionTimestamp, expected) => {
    const encoded = metadata.encode({ deletionTimestamp });
    expect(hex(encoded)).toBe(expected);
    expect(metadata.decode(encoded)).toEqual({ deletionTimestamp });
    expect(metadata.decode(bytes(expected))).toEqual({ deletionTimestamp });
  });

  it('is absent where the message is empty, and the zero time is an empty message', () => {
    expect(metadata.decode(bytes('4a00'))).toEqual({});
    expect(hex(metadata.encode({ deletionTimestamp: '0001-01-01T00:00:00Z' }))).toBe('4a00');
    expect(metadata.fromJson({ deletionTimestamp: '0001-01-01T00:00:00Z' })).toEqual({});
  });

  it('is brought to whole seconds in UTC', () => {
    const value = { deletionTimestamp: '2024-01-02T05:04:05.987+02:00' };
    const expected = { deletionTimestamp: '2024-01-02T03:04:05Z' };
    expect(metadata.fromJson(value)).toEqual(expected);
    expect(metadata.toJson(value)).toEqual(expected);
    expect(metadata.decode(metadata.encode(value))).toEqual(expected);
  });

  it.each(['yesterday', '', '2024-02-30T00:00:00Z', 5, true, {}])('refuses %j', (deletionTimestamp) => {
    expect(() => metadata.fromJson({ deletionTimestamp })).toThrow(/^deletionTimestamp: expected an RFC 3339 time such as/);
    expect(() => metadata.encode({ deletionTimestamp })).toThrow(
      'cannot encode k8s.meta.v1.ObjectMeta: deletionTimestamp: expected an RFC 3339 time',
    );
  });

  it('refuses seconds that no calendar date has', () => {
    expect(() => metadata.decode(bytes('4a0808ffffffffffff0f'))).toThrow('a time is outside of the years 0001 to 9999');
  });
});

describe('MicroTime', () => {
  it('keeps six digits', () => {
    const value = { lastObservedTime: '2024-01-02T03:04:05.123456Z' };
    expect(series.decode(series.encode(value))).toEqual(value);
    expect(series.fromJson({ lastObservedTime: '2024-01-02T03:04:05.1234567Z' })).toEqual(value);
    expect(series.fromJson({ lastObservedTime: '2024-01-02T03:04:05Z' })).toEqual({ lastObservedTime: '2024-01-02T03:04:05.000000Z' });
  });

  it('is null when zero', () => {
    expect(series.decode(bytes('1200'))).toEqual({});
    expect(series.toJson({})).toEqual({ lastObservedTime: null });
    expect(series.toJson({ lastObservedTime: '0001-01-01T00:00:00.000000Z' })).toEqual({ lastObservedTime: null });
  });

  it('refuses nanoseconds that are none', () => {
    expect(() => series.decode(bytes('1208 0801 10 8094ebdc03'))).toThrow('a time is outside');
  });
});

describe('IntOrString', () => {
  it.each<[JsonValue, string]>([
    [3, '1202 1003'],
    [-1, '120b 10 ffffffffffffffffff01'],
    [0, '1200'],
    ['25%', '1207 0801 1a03 323525'],
    ['', '1202 0801'],
  ])('%j', (count, expected) => {
    expect(hex(replica.encode({ count }))).toBe(expected.replaceAll(' ', ''));
    expect(replica.decode(bytes(expected))).toEqual({ count });
    expect(replica.toJson({ name: 'a', count })).toEqual({ name: 'a', count });
  });

  it('reads the form with every field written', () => {
    expect(replica.decode(bytes('1206 0800 1005 1a00'))).toEqual({ count: 5 });
    expect(replica.decode(bytes('1207 0801 1000 1a01 78'))).toEqual({ count: 'x' });
  });

  it.each([true, 1.5, 2 ** 31, {}])('refuses %j', (count) => {
    expect(() => replica.fromJson({ count })).toThrow('count: expected a 32-bit whole number or a string');
  });
});

describe('free JSON', () => {
  it.each<[JsonValue, string]>([
    [{ a: [1, null, 'ü'] }, '{"a":[1,null,"ü"]}'],
    ['text', '"text"'],
    [0, '0'],
    [false, 'false'],
    [[], '[]'],
    ['', '""'],
  ])('%j travels as its text', (fieldsV1, text) => {
    const encoded = fields.encode({ fieldsV1 });
    expect(Buffer.from(encoded).includes(text)).toBe(true);
    expect(fields.decode(encoded)).toEqual({ fieldsV1 });
    expect(fields.toJson({ fieldsV1 })).toEqual({ fieldsV1 });
  });

  it('is absent when empty, and null within a list or map', () => {
    expect(fields.decode(bytes('3a00'))).toEqual({});
    expect(fields.decode(bytes('3a020a00'))).toEqual({});
    const elements: JsonObject = { elements: [{ a: 1 }, null, 2] };
    expect(list.decode(list.encode(elements))).toEqual(elements);
    const parameters: JsonObject = { parameters: { a: null, b: { c: [] } } };
    expect(input.decode(input.encode(parameters))).toEqual(parameters);
  });

  it('refuses what is not JSON, not UTF-8 or nested without end', () => {
    const carrying = (text: Uint8Array): Uint8Array => {
      const inner = Buffer.concat([Buffer.from([0x0a]), length(text.length), text]);
      return Buffer.concat([Buffer.from([0x3a]), length(inner.length), inner]);
    };
    expect(() => fields.decode(carrying(Buffer.from('{"a":')))).toThrow(
      'malformed JSON: the text ends where a value is expected at line 1, column 6',
    );
    expect(() => fields.decode(carrying(Buffer.from([0x22, 0xff, 0x22])))).toThrow('JSON text is not valid UTF-8');
    expect(() => fields.decode(carrying(Buffer.from('['.repeat(100_000) + ']'.repeat(100_000))))).toThrow('nested more than 200 deep');
  });

  it('refuses a number that JSON cannot write again', () => {
    expect(() => fields.fromJson({ fieldsV1: { a: Infinity } })).toThrow('fieldsV1: the number is too large');
  });
});

function length(size: number): Buffer {
  const out: number[] = [];
  for (; size > 0x7f; size >>>= 7) out.push((size & 0x7f) | 0x80);
  return Buffer.from([...out, size]);
}
