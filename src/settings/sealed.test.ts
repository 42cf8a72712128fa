import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { sameValue } from './same-value.ts';
import { Sealed } from './sealed.ts';

it('a sealed value is shown to who asks for it, and to nobody else', () => {
  const sealed = new Sealed('hunter2');
  expect(sealed.reveal()).toBe('hunter2');
  expect([
    JSON.stringify({ sealed }),
    String(sealed),
    inspect(sealed, { showHidden: true }),
    JSON.stringify(structuredClone({ sealed })),
  ]).toEqual(['{"sealed":"[redacted]"}', '[redacted]', '[redacted]', '{"sealed":{}}']);
});

it('sealed values are the same when what they hide is', () => {
  expect(sameValue(new Sealed('a'), new Sealed('a'))).toBe(true);
  expect(sameValue(new Sealed('a'), new Sealed('b'))).toBe(false);
  expect(
    sameValue({ map: new Map([['k', new Sealed(Uint8Array.of(1, 2))]]) }, { map: new Map([['k', new Sealed(Uint8Array.of(1, 3))]]) }),
  ).toBe(false);
  expect(sameValue([1, { a: undefined }], [1, {}])).toBe(false);
  expect(sameValue(new Map([['a', undefined]]), new Map([['b', undefined]]))).toBe(false);
});
