import { expect, it } from 'vitest';
import { keepFields } from './keep-fields.ts';

const nothing = (): void => undefined;

it('keeps what is read of an item, wherever it stands, and nothing else', () => {
  const repository = { id: 2, name: 'fork', description: 'x'.repeat(1_000) };
  const item = {
    id: 1,
    title: 'a',
    body: 'long',
    head: { ref: 'b', sha: 'c', repo: repository },
    labels: [{ name: 'd', color: 'red' }, 'e'],
  };
  expect(keepFields(item, nothing)).toEqual({ id: 1, title: 'a', head: { ref: 'b', sha: 'c' }, labels: [{ name: 'd' }, 'e'] });
  expect(keepFields(['a', 1, null, true], nothing)).toEqual(['a', 1, null, true]);
});

it('counts what it keeps, and not what it leaves out', () => {
  const weigh = (item: Parameters<typeof keepFields>[0]): number => {
    let weight = 0;
    keepFields(item, (bytes) => void (weight += bytes));
    return weight;
  };
  expect(weigh({ name: 'abc', body: 'x'.repeat(1_000_000) })).toBe(67);
  expect(weigh({ labels: Array.from({ length: 1_000 }, () => []) })).toBe(32 * 1_002);
});

it('looks no deeper than anything stands, however deep an answer is', () => {
  let deep: Parameters<typeof keepFields>[0] = 'end';
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(JSON.stringify(keepFields(deep, nothing))).toBe('[[[[[[[[null]]]]]]]]');
});
