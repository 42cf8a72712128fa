import { expect, it } from 'vitest';
import { defaultProviderLimits } from '../provider-limits.ts';
import { createAddToList } from './list-pages.ts';

it('bounds what is kept of all lists in a run together: each of very many repositories may have a long one', () => {
  const openReader = () => ({ limits: { ...defaultProviderLimits, listBytesMax: 250_000, runBytesMax: 450_000 }, kept: { bytes: 0 } });
  const readList = (reader: ReturnType<typeof openReader>, length: number): void =>
    createAddToList(reader)(
      [],
      Array.from({ length }, () => 'x'.repeat(100_000)),
    );
  const one = openReader();
  readList(one, 2);
  readList(one, 2);
  expect(() => readList(one, 1)).toThrow('all lists together have more than 450000 bytes');
  expect(() => readList(openReader(), 3)).toThrow('a list has more than 250000 bytes');
  readList(openReader(), 2);
});
