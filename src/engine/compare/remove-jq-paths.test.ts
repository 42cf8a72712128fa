import { expect, it } from 'vitest';
import type { JsonValue, KubeObject } from '../../objects/index.ts';
import { removeJqPaths } from './remove-jq-paths.ts';

function made(namespace: string, list: readonly JsonValue[]): KubeObject {
  return { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: 'one', namespace }, list } as unknown as KubeObject;
}

it('JQ-01: an expression that goes too far with what one tenant has is still followed for the others', () => {
  const expression = '.list[] | select(. == 1)';
  const long = made(
    'theirs',
    Array.from({ length: 400_000 }, () => 0),
  );
  for (let round = 0; round < 3; round += 1) expect(removeJqPaths(long, [expression])).toBe(long);
  expect(removeJqPaths(made('ours', [1, 2]), [expression])).toEqual(made('ours', [2]));
  expect(removeJqPaths(made('theirs', [1, 2]), [expression])).toEqual(made('theirs', [1, 2]));
});

it('JQ-01: an expression that goes too far with what one project wants is still followed for another in that namespace', () => {
  const expression = '.list[] | select(. == 2)';
  const long = made(
    'ours',
    Array.from({ length: 400_000 }, () => 0),
  );
  for (let round = 0; round < 3; round += 1) expect(removeJqPaths(long, [expression], 'theirs')).toBe(long);
  expect(removeJqPaths(made('ours', [1, 2]), [expression], 'theirs')).toEqual(made('ours', [1, 2]));
  expect(removeJqPaths(made('ours', [1, 2]), [expression], 'ours')).toEqual(made('ours', [1]));
});

it('JQ-01: many expressions take no longer for an object than two may', () => {
  const expressions = Array.from({ length: 500 }, (_unused, at) => `.list[${at}] | select(last(range(100000)) < 0)`);
  const startMs = performance.now();
  expect(removeJqPaths(made('many', [1, 2]), expressions)).toEqual(made('many', [1, 2]));
  expect(performance.now() - startMs).toBeLessThan(15_000);
});

it('JQ-01: an expression to which others leave nothing is still followed where it stands alone', () => {
  const plain = '.list[] | select(. == 1)';
  const greedy = Array.from({ length: 40 }, (_unused, at) => `.list[${at}] | select(last(range(100000)) < 0)`);
  for (let round = 0; round < 3; round += 1)
    expect(removeJqPaths(made('common', [1, 2]), [...greedy, plain])).toEqual(made('common', [1, 2]));
  expect(removeJqPaths(made('common', [1, 2]), [plain])).toEqual(made('common', [2]));
});

it('JQ-01: an expression that goes too far takes none of the others with it', () => {
  const far = '.list[] | select(last(range(2000000)) < 0)';
  for (let round = 0; round < 5; round += 1) expect(removeJqPaths(made('few', [1, 2]), [far, '.list[0]'])).toEqual(made('few', [2]));
});
