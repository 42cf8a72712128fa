import { expect, it } from 'vitest';
import { defaultSourceLimits } from '../limits.ts';
import { createArchiveLimit } from './archive-sizes.ts';

const sizes = { chart: '1G', artifact: '', upload: '0' };

it('is what settings say, within what memory holds', () => {
  const limitOf = createArchiveLimit(defaultSourceLimits, () => sizes);
  expect([limitOf('chart'), limitOf('artifact'), limitOf('upload')]).toEqual([1e9, 128 << 20, 2 ** 31 - 1]);
  sizes.chart = '100G';
  expect(limitOf('chart')).toBe(2 ** 31 - 1);
  sizes.chart = 'much';
  expect(limitOf('chart')).toBe(128 << 20);
});

it('is the usual one without settings', () => {
  expect(createArchiveLimit(defaultSourceLimits, undefined)('chart')).toBe(128 << 20);
});
