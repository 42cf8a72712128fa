import { expect, it } from 'vitest';
import { WeighedMap } from './weighed-map.ts';

const open = (): WeighedMap<string> => new WeighedMap({ weightMax: 8, weightOf: (_key, value) => value.length });

it('forgets what was not used for the longest time when all are too heavy', () => {
  const map = open();
  for (const key of ['a', 'b', 'c', 'd']) map.set(key, 'xx');
  map.get('a');
  map.set('e', 'xx');
  expect(['a', 'b', 'c', 'd', 'e'].map((key) => map.get(key) !== undefined)).toEqual([true, false, true, true, true]);
});

it('counts what is set anew or deleted no longer', () => {
  const map = open();
  for (let time = 0; time < 10; time += 1) map.set('a', 'xx');
  for (const key of ['b', 'c', 'd']) map.set(key, 'xx');
  map.delete('b');
  map.set('e', 'xx');
  expect(['a', 'c', 'd', 'e'].every((key) => map.get(key) === 'xx')).toBe(true);
});

it('does not take what would push out most of the others, and drops what was there under its key', () => {
  const map = open();
  map.set('a', 'x');
  map.set('b', 'x');
  map.set('a', 'xxx');
  expect([map.get('a'), map.get('b')]).toEqual([undefined, 'x']);
});
