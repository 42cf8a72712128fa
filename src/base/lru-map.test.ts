import { expect, it } from 'vitest';
import { LruMap } from './lru-map.ts';

it('forgets what was not used for the longest time, and only when it is full', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  map.delete('a');
  expect(map.get('a')).toBeUndefined();
});
