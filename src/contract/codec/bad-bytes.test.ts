import { describe, expect, it } from 'vitest';
import { everyMessage, filledMessage } from '../../../test/support/arbitrary-message.ts';
import { stableText } from '../../../test/support/stable-text.ts';
import { SeededRandom } from '../../../test/support/seeded-random.ts';
import { ApiError, Code } from '../../base/index.ts';
import type { JsonObject } from './json-value.ts';
import { messageCodec } from './message-codec.ts';
import type { MessageCodec } from './message-codec.ts';

const SEED = 7;

describe.each(everyMessage.map(({ name }) => name))('%s', (name) => {
  it('answers broken bytes with a value or a clear refusal', () => {
    const codec = messageCodec(name);
    expect(brokenBytes(codec).flatMap((bytes) => problemWith(codec, bytes) ?? [])).toEqual([]);
  });
});

/** Truncations and changes of a valid message, and bytes that never were one. */
function brokenBytes(codec: MessageCodec): Uint8Array[] {
  const random = new SeededRandom(SEED);
  const valid = codec.encode(filledMessage(codec.schema.name, { depthMax: 2 }) as JsonObject);
  const step = Math.max(1, Math.floor(valid.length / 40));
  const all: Uint8Array[] = [];
  for (let end = 0; end < valid.length; end += step) all.push(valid.subarray(0, end));
  for (let run = 0; run < 30; run++) {
    const flipped = Buffer.from(valid);
    for (let flips = 0; flips <= run % 3; flips++) flipped[random.below(flipped.length)] = random.below(256);
    all.push(flipped, Buffer.from(Array.from({ length: random.below(40) }, () => random.below(256))));
  }
  return all;
}

/** What is wrong with how the codec takes these bytes, with the bytes, so that it can be repeated. */
function problemWith(codec: MessageCodec, bytes: Uint8Array): string | undefined {
  const shown = Buffer.from(bytes).toString('hex');
  try {
    // Whatever was accepted can be sent on, and says the same then. (Not in the same bytes: encoding adds required fields.)
    const sent = codec.encode(codec.decode(bytes));
    return Buffer.from(codec.encode(codec.decode(sent))).equals(sent) ? undefined : `changed when sent on: ${shown}`;
  } catch (error) {
    return error instanceof ApiError && error.code === Code.InvalidArgument ? undefined : `${String(error)}: ${shown}`;
  }
}

describe('bytes made to do harm', () => {
  const token = messageCodec('account.Token');
  const metadata = messageCodec('k8s.meta.v1.ObjectMeta');

  it('nested groups beyond the limit are refused, and a million of them do not overflow the stack', () => {
    const nest = (depth: number): Uint8Array => Buffer.concat([Buffer.alloc(depth, 0x7b), Buffer.alloc(depth, 0x7c)]);
    expect(token.decode(nest(100))).toEqual({});
    expect(() => token.decode(nest(101))).toThrow('cannot decode account.Token: messages are nested more than 100 deep');
    expect(() => token.decode(nest(1_000_000))).toThrow('nested more than 100 deep');
  });

  it('announced lengths allocate nothing', () => {
    const bytes = Buffer.from('0affffff7f', 'hex');
    const before = process.memoryUsage();
    for (let run = 0; run < 2000; run++) expect(() => token.decode(bytes)).toThrow('announced');
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(8 << 20);
    expect(after.external - before.external).toBeLessThan(8 << 20);
  });

  it('more messages than any request holds are refused, before they fill the memory (DOS-02)', () => {
    // Two bytes each: a list element or a map entry without anything in it.
    for (const [name, field] of [
      ['argoproj.v1alpha1.ApplicationList', 2],
      ['k8s.meta.v1.ObjectMeta', 11],
    ] as const) {
      const bytes = Buffer.alloc(2 * 1_000_001);
      for (let position = 0; position < bytes.length; position += 2) bytes[position] = (field << 3) | 2;
      expect(() => messageCodec(name).decode(bytes)).toThrow('there are more than 1000000 messages in one');
      expect(() => messageCodec(name).decode(bytes.subarray(2))).not.toThrow();
    }
  });

  it('large messages leave no large buffers behind', () => {
    const query = messageCodec('application.ApplicationQuery');
    const name = 'x'.repeat(20 << 20);
    query.decode(query.encode({ name }));
    const small = query.encode({ name: 'a' });
    expect(small.buffer.byteLength).toBeLessThan(100);
  });

  it('map keys that name parts of JavaScript objects come back and change nothing (NODE-04)', () => {
    const labels = JSON.parse('{"__proto__":"a","constructor":"b","prototype":"c","toString":"d","hasOwnProperty":"e"}') as JsonObject;
    const text = stableText({ labels });
    const encoded = metadata.encode({ labels });
    expect(stableText(metadata.decode(encoded))).toBe(text);
    expect(stableText(metadata.fromJson({ labels }))).toBe(text);
    expect(JSON.stringify(metadata.toJson({ labels }))).toBe(
      '{"labels":{"__proto__":"a","constructor":"b","hasOwnProperty":"e","prototype":"c","toString":"d"}}',
    );
    const decoded = metadata.decode(encoded)['labels'] as JsonObject;
    expect(Object.hasOwn(decoded, '__proto__')).toBe(true);
    expect(Object.prototype.toString.call({})).toBe('[object Object]');
    expect((Object.prototype as unknown as JsonObject)['a']).toBeUndefined();
    // A key that is not there is not there, whatever its name.
    const other = metadata.decode(metadata.encode({ labels: { a: 'b' } }))['labels'] as JsonObject;
    for (const name of ['__proto__', 'constructor', 'toString', 'valueOf']) expect(other[name]).toBeUndefined();
  });

  it('free JSON with such keys comes back and changes nothing (NODE-04)', () => {
    const codec = messageCodec('argoproj.v1alpha1.PluginInput');
    const value = JSON.parse(
      '{"parameters":{"__proto__":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}}',
    ) as JsonObject;
    for (const back of [codec.decode(codec.encode(value)), codec.fromJson(value), codec.toJson(value)])
      expect(stableText(back)).toBe(stableText(value));
    expect(({} as JsonObject)['polluted']).toBeUndefined();
  });

  it('fields named __proto__ and constructor are unknown fields', () => {
    const value = JSON.parse('{"__proto__":{"name":"x"},"constructor":"y","name":"z"}') as JsonObject;
    expect(stableText(metadata.fromJson(value))).toBe('{"name":"z"}');
    expect(stableText(metadata.toJson(value))).toBe('{"name":"z"}');
    expect(stableText(metadata.decode(metadata.encode(value)))).toBe('{"name":"z"}');
  });
});
