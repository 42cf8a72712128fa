import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json-value.ts';
import { messageCodec } from './message-codec.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const decode = (message: string, text: string): JsonObject => messageCodec(message).decode(Buffer.from(text.replaceAll(' ', ''), 'hex'));

const TOKEN = 'account.Token';
const QUERY = 'application.ApplicationQuery';
const METADATA = 'k8s.meta.v1.ObjectMeta';
const DIRECTORY = 'argoproj.v1alpha1.ApplicationSourceDirectory';
const CREATE = 'application.ApplicationCreateRequest';
const SYNC = 'application.ApplicationManifestQuery';
const NODE = 'argoproj.v1alpha1.ResourceNode';
const SELECTOR = 'argoproj.v1alpha1.KustomizeSelector';
const TLS = 'argoproj.v1alpha1.TLSClientConfig';
const PATCH = 'argoproj.v1alpha1.KustomizePatch';
const CLUSTER = 'argoproj.v1alpha1.ClusterConfig';

describe('encoding', () => {
  it.each<[string, string, JsonObject, string]>([
    ['leaves out zeros where presence is implicit', TOKEN, { id: '', issuedAt: 0, expiresAt: 5 }, '1805'],
    ['keeps zeros where presence is explicit', QUERY, { name: '' }, '0a00'],
    ['takes null and undefined as absent', TOKEN, { id: null, expiresAt: 1 }, '1801'],
    ['always writes what is required', CREATE, {}, '0a00'],
    ['writes required zeros', 'application.FileChunk', {}, '0a00'],
    ['orders fields by number', TOKEN, { expiresAt: 1, id: 'a', issuedAt: 2 }, '0a0161 1002 1801'],
    ['orders map keys', METADATA, { labels: { b: '2', a: '1' } }, '5a06 0a0161 120131 5a06 0a0162 120132'],
    ['leaves out an empty message where presence is implicit', DIRECTORY, { jsonnet: {} }, ''],
    ['keeps an empty message where presence is explicit', NODE, { health: {} }, '3a00'],
    ['leaves out empty lists and maps', METADATA, { finalizers: [], labels: {} }, ''],
    ['nests what JSON inlines', SELECTOR, { group: 'g', name: 'n', labelSelector: 'l' }, '0a08 0a03 0a0167 12016e 1a016c'],
    ['leaves out an inlined message without fields', NODE, { resourceVersion: '1' }, '2a0131'],
    ['ignores what the message does not know', TOKEN, { kind: 'x', expiresAt: 1 }, '1801'],
    ['reads base64', TLS, { caData: 'AQID' }, '2a03010203'],
    ['writes negative numbers in ten bytes', TOKEN, { expiresAt: -1 }, '18ffffffffffffffffff01'],
    ['writes numbers beyond 32 bits', TOKEN, { expiresAt: 2 ** 53 - 1 }, '18ffffffffffffff0f'],
  ])('%s', (_, message, value, expected) => {
    expect(hex(messageCodec(message).encode(value))).toBe(expected.replaceAll(' ', ''));
  });

  it('writes each number in as few bytes as it takes', () => {
    const codec = messageCodec(TOKEN);
    for (let size = 1; size < 8; size++) {
      const last = 2 ** (7 * size) - 1;
      expect([last, codec.encode({ expiresAt: last }).length]).toEqual([last, 1 + size]);
      expect([last + 1, codec.encode({ expiresAt: last + 1 }).length]).toEqual([last + 1, 2 + size]);
      for (const expiresAt of [last, last + 1, -last, -last - 1]) expect(codec.decode(codec.encode({ expiresAt }))).toEqual({ expiresAt });
    }
  });

  it('names the place of a value that does not fit', () => {
    const codec = messageCodec(METADATA);
    expect(() => codec.encode({ ownerReferences: [{}, { name: 5 }] })).toThrow(
      'cannot encode k8s.meta.v1.ObjectMeta: ownerReferences[1].name: expected a string, got number',
    );
    expect(() => codec.encode({ labels: { 'a/b': true } })).toThrow('labels["a/b"]: expected a string, got boolean');
    expect(() => codec.encode({ generation: 2 ** 53 })).toThrow('generation: the number is beyond ±(2^53 - 1)');
    expect(() => codec.encode({ generation: 1.5 })).toThrow('generation: expected a whole number');
    expect(() => codec.encode({ finalizers: 'x' })).toThrow('finalizers: expected an array, got string');
    // A failed encoding leaves nothing behind for the next one.
    expect(hex(codec.encode({ name: 'a' }))).toBe('0a0161');
  });

  it('gives each caller bytes of its own, however large', () => {
    const codec = messageCodec(QUERY);
    for (const size of [1, 1000, 20_000, 900_000, 3_000_000]) {
      const first = codec.encode({ name: 'x'.repeat(size) });
      const copy = Buffer.from(first);
      const second = codec.encode({ name: 'ü'.repeat(size) });
      expect(copy.equals(first)).toBe(true);
      expect(codec.decode(second)).toEqual({ name: 'ü'.repeat(size) });
      // What is kept in memory is what was asked for.
      expect(first.buffer.byteLength).toBeLessThan(first.length * 1.4 + 100);
    }
  });
});

describe('decoding', () => {
  it.each<[string, string, string, JsonObject]>([
    ['drops zeros where presence is implicit', TOKEN, '0a00 1000', {}],
    ['keeps zeros where presence is explicit', QUERY, '0a00', { name: '' }],
    ['keeps required zeros', CREATE, '0a00 1000', { application: {}, upsert: false }],
    ['takes the last of several values', TOKEN, '1801 1802', { expiresAt: 2 }],
    ['takes the last value also when it is zero', TOKEN, '1801 1800', {}],
    [
      'merges a message that comes twice',
      CREATE,
      '0a05 0a03 0a0161 0a05 0a03 1a0162',
      { application: { metadata: { name: 'a', namespace: 'b' } } },
    ],
    ['drops an empty message where presence is implicit', DIRECTORY, '1200', {}],
    ['keeps an empty message where presence is explicit', NODE, '3a00', { health: {} }],
    ['reads unpacked numbers', SYNC, '0a0161 2801 2802', { name: 'a', sourcePositions: [1, 2] }],
    ['reads packed numbers', SYNC, '0a0161 2a03 01 8001', { name: 'a', sourcePositions: [1, 128] }],
    ['reads both mixed', SYNC, '2803 2a0104 2a00', { sourcePositions: [3, 4] }],
    ['inlines what the wire nests', SELECTOR, '0a08 0a03 0a0167 12016e 1a016c', { group: 'g', name: 'n', labelSelector: 'l' }],
    ['writes base64', TLS, '2a0401020304', { caData: 'AQIDBA==' }],
    ['takes any number but zero as true', CREATE, '10 8080808010', { upsert: true }],
    ['reads map entries without key or value', METADATA, '5a00', { labels: { '': '' } }],
    ['reads map entries in any order and skips what they do not know', METADATA, '5a08 120131 1801 0a0161', { labels: { a: '1' } }],
    ['takes the last of several entries of one key', METADATA, '5a06 0a0161 120131 5a06 0a0161 120132', { labels: { a: '2' } }],
    ['reads map values that are booleans', PATCH, '2205 0a0161 1001', { options: { a: true } }],
    ['reads negative 32-bit numbers', 'events.EventSeries', '08ffffffffffffffffff01', { count: -1 }],
    ['reads negative 64-bit numbers', TOKEN, '18ffffffffffffffffff01', { expiresAt: -1 }],
    [
      'skips unknown fields of every wire type',
      TOKEN,
      'a00605 a1060102030405060708 a2060178 a3060801a406 a50601020304 1801',
      { expiresAt: 1 },
    ],
  ])('%s', (_, message, text, expected) => {
    expect(decode(message, text)).toEqual(expected);
  });

  it.each([
    [
      'a message that ends within a string',
      '0a0561',
      'cannot decode account.Token: the message is truncated: 5 bytes are announced, 1 are left at byte 2',
    ],
    ['a message that ends within a number', '1880', 'the message is truncated at byte 2'],
    ['a message that ends after a tag', '18', 'the message is truncated at byte 1'],
    ['a length of four gigabytes', '0affffffff0f', '4294967295 bytes are announced, 0 are left'],
    ['field number zero', '0000', 'there is no valid field number'],
    ['wire type 7', '7f', 'there is no valid wire type'],
    ['the end of a group that did not begin', '7c', 'there is no valid wire type'],
    ['a group that ends as another', '7b84ffff7f', 'a group does not end as it began'],
    ['a group that does not end', '7b', 'the message is truncated'],
    ['a known field with another wire type', '0801', 'field id has wire type 0'],
    ['a number of eleven bytes', '18ffffffffffffffffffff01', 'a number is longer than ten bytes'],
    ['a number that JSON cannot hold exactly', '188080808080808010', 'a number is beyond ±(2^53 - 1)'],
    ['a string that is not UTF-8', '0a02c328', 'a string is not valid UTF-8'],
    ['a long string that is not UTF-8', `0a32${'61'.repeat(49)}ff`, 'a string is not valid UTF-8'],
    ['half of a surrogate pair', '0a03eda080', 'a string is not valid UTF-8'],
  ])('refuses %s', (_, text, message) => {
    expect(() => decode(TOKEN, text)).toThrow(message);
    expect(() => decode(TOKEN, text)).toThrow(expect.objectContaining({ name: 'ApiError', code: 3 }));
  });

  it('keeps the replacement character where it was sent', () => {
    expect(decode(TOKEN, '0a03efbfbd')).toEqual({ id: '\uFFFD' });
  });

  it('reads a view into a larger buffer', () => {
    const large = Buffer.from('ffff0a0161ffff', 'hex');
    expect(messageCodec(TOKEN).decode(large.subarray(2, 5))).toEqual({ id: 'a' });
    expect(messageCodec(TOKEN).decode(new Uint8Array(large.buffer, large.byteOffset + 2, 3))).toEqual({ id: 'a' });
  });
});

describe('JSON for clients', () => {
  it.each<[string, string, JsonObject, JsonObject]>([
    ['shows always-shown zeros', CLUSTER, {}, { tlsClientConfig: { insecure: false } }],
    ['shows null where null is shown', 'argoproj.v1alpha1.ConnectionState', {}, { status: '', message: '', attemptedAt: null }],
    ['shows an empty list, never null', 'argoproj.v1alpha1.ApplicationList', { items: [] }, { metadata: {}, items: [] }],
    ['leaves out zeros where presence is implicit', TOKEN, { id: '', issuedAt: 0 }, {}],
    ['keeps zeros where presence is explicit', CREATE, { upsert: false }, { upsert: false }],
    ['leaves out unknown fields', TOKEN, { kind: 'Token', id: 'a' }, { id: 'a' }],
    ['leaves out an empty message where presence is implicit', DIRECTORY, { jsonnet: { libs: [] } }, {}],
    ['shows an empty message where presence is explicit', NODE, { health: {} }, { health: {} }],
  ])('%s', (_, message, value, expected) => {
    expect(messageCodec(message).toJson(value)).toEqual(expected);
  });

  it('sorts the keys of maps', () => {
    expect(JSON.stringify(messageCodec(METADATA).toJson({ labels: { b: '', a: '' } }))).toBe('{"labels":{"a":"","b":""}}');
  });

  it('names the place of a value that does not fit, as a failure of ours', () => {
    expect(() => messageCodec(METADATA).toJson({ ownerReferences: [{ name: 5 }] })).toThrow(
      expect.objectContaining({ code: 13, message: 'ownerReferences[0].name: expected a string, got number' }),
    );
  });
});
