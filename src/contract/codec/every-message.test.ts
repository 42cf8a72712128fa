import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryMessage, everyMessage, filledMessage } from '../../../test/support/arbitrary-message.ts';
import { stableText } from '../../../test/support/stable-text.ts';
import type { JsonObject } from './json-value.ts';
import { messageCodec } from './message-codec.ts';

// Fixed, so that a failure comes back; fast-check prints it together with the smallest value that fails.
const SEED = 20_240_102;
const RUNS = 20;

describe.each(everyMessage.map(({ name }) => name))('%s', (name) => {
  const codec = messageCodec(name);

  it('comes back from the wire as it was, with every field set', () => {
    const value = filledMessage(name) as JsonObject;
    expect(stableText(codec.decode(codec.encode(value)))).toBe(stableText(value));
    const shown = codec.toJson(value);
    expect(stableText(codec.toJson(codec.fromJson(shown)))).toBe(stableText(shown));
  });

  it('comes back from the wire as it was, whatever is set', () => {
    fc.assert(
      fc.property(arbitraryMessage(name, 'canonical'), (value) => {
        const bytes = codec.encode(value as JsonObject);
        expect(stableText(codec.decode(bytes))).toBe(stableText(value));
        // One value has one encoding.
        expect(Buffer.from(codec.encode(codec.decode(bytes))).equals(bytes)).toBe(true);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  it('says the same through the wire, through JSON, and shown twice', () => {
    fc.assert(
      fc.property(arbitraryMessage(name, 'any'), (value) => {
        const received = codec.fromJson(value);
        expect(stableText(codec.decode(codec.encode(value as JsonObject)))).toBe(stableText(received));
        const shown = codec.toJson(received);
        expect(stableText(codec.toJson(value as JsonObject))).toBe(stableText(shown));
        expect(stableText(codec.toJson(codec.fromJson(shown)))).toBe(stableText(shown));
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});
