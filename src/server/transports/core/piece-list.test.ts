import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PieceList } from './piece-list.ts';

describe('PieceList', () => {
  it('gives back what it was given, whatever the pieces', () => {
    const lengths = fc.array(fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 40_000 })), { maxLength: 60 });
    fc.assert(
      fc.property(lengths, (sizes) => {
        const pieces = sizes.map((size, index) => Buffer.alloc(size, index + 1));
        const list = new PieceList();
        for (const piece of pieces) list.push(piece);
        const whole = Buffer.concat(pieces);
        expect(list.length).toBe(whole.length);
        expect(list.join().equals(whole)).toBe(true);
        list.push(Buffer.from('more'));
        expect(list.join().equals(Buffer.concat([whole, Buffer.from('more')]))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('starts again with the rest', () => {
    const list = new PieceList();
    for (const text of ['a', 'b', 'c']) list.push(Buffer.from(text));
    list.reset(list.join().subarray(1));
    list.push(Buffer.from('d'));
    expect([list.length, list.join().toString()]).toEqual([3, 'bcd']);
    list.reset();
    expect([list.length, list.join().toString()]).toEqual([0, '']);
  });

  it('keeps a single piece without copying it', () => {
    const list = new PieceList();
    const piece = Buffer.from('only');
    list.push(piece);
    expect(list.join()).toBe(piece);
  });

  it('does not keep alive what small pieces were cut from', () => {
    const list = new PieceList();
    list.push(Buffer.from('first'));
    const block = Buffer.alloc(1_000_000, 1);
    for (let at = 0; at < 1_000; at++) list.push(block.subarray(at, at + 1));
    block.fill(2);
    expect(
      list
        .join()
        .subarray(5)
        .every((byte) => byte === 1),
    ).toBe(true);
  });
});
