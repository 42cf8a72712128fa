import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter } from './split-lines.ts';

describe('lines', () => {
  it('are the same wherever the bytes are cut', () => {
    const text = fc.array(fc.constantFrom('a', 'ä', '€', '\n', '😀'), { maxLength: 60 }).map((parts) => Buffer.from(parts.join('')));
    fc.assert(
      fc.property(text, fc.array(fc.nat(20), { maxLength: 60 }), (bytes, cuts) => {
        const splitter = createLineSplitter();
        const lines: string[] = [];
        let rest = bytes;
        for (const cut of [...cuts, bytes.length]) {
          lines.push(...splitter.push(rest.subarray(0, cut)).map(String));
          rest = rest.subarray(cut);
        }
        const expected = bytes.toString().split('\n');
        const last = expected.pop() ?? '';
        expect(lines).toEqual(expected.filter((line) => line !== ''));
        expect(splitter.pendingBytes()).toBe(Buffer.byteLength(last));
      }),
    );
  });
});
