import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, frameInPieces, FrameReader, type Frame } from './framing.ts';

function readAll(reader: FrameReader, chunks: readonly Buffer[]): Frame[] {
  const frames: Frame[] = [];
  for (const chunk of chunks) {
    reader.push(chunk);
    for (let frame = reader.next(); frame !== undefined; frame = reader.next()) frames.push(frame);
  }
  return frames;
}

describe('FrameReader', () => {
  it('gives back what was framed, however it is cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (payloads, cuts) => {
          const bytes = Buffer.concat(payloads.map((payload, index) => encodeFrame(index % 2, payload)));
          const chunks: Buffer[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            const end = at + cuts[turn % cuts.length]!;
            chunks.push(bytes.subarray(at, end));
            at = end;
          }
          const reader = new FrameReader(1_000);
          const frames = readAll(reader, chunks);
          expect(frames.map(({ flags, payload }) => [flags, [...payload]])).toEqual(
            payloads.map((payload, index) => [index % 2, [...payload]]),
          );
          expect(reader.pending).toBe(0);
        },
      ),
    );
  });

  it('refuses a length beyond the limit as soon as it is declared', () => {
    const reader = new FrameReader(10);
    reader.push(Buffer.from([0, 0, 0]));
    expect(() => reader.push(Buffer.from([0, 11]))).toThrow(/larger than the limit of 10 bytes/);
    expect(() => readAll(new FrameReader(10), [Buffer.concat([encodeFrame(0, Buffer.alloc(10)), Buffer.from([0, 0, 0, 0, 11])])])).toThrow(
      /larger/,
    );
  });

  it('knows what is left of a frame that does not end', () => {
    const reader = new FrameReader(10);
    expect(readAll(reader, [encodeFrame(0, Buffer.alloc(4)).subarray(0, 7)])).toEqual([]);
    expect(reader.pending).toBe(7);
  });
});

describe('A frame in pieces', () => {
  it.each([0, 1, 16_383, 16_384, 300_000])('is the same bytes as one in a piece, of %i bytes', (length) => {
    const payload = Buffer.alloc(length, 'x');
    const pieces = frameInPieces(payload);
    expect(Buffer.concat(pieces).equals(encodeFrame(0, payload))).toBe(true);
    // What is large is sent as it is: everybody is sent the same bytes.
    expect(pieces.includes(payload)).toBe(length >= 16_384);
  });
});
