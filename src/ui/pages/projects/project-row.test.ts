import { expect, it } from 'vitest';
import { destinationText, matchesSearch, summarize } from './project-row.ts';

it.each<[readonly string[], string]>([
  [[], 'none'],
  [['!https://a'], 'none'],
  [['*'], 'any repository'],
  [['*', '!https://a'], 'any repository but 1'],
  [['https://a'], 'https://a'],
  [['https://a', 'https://b', '!https://c'], 'https://a and 1 more but 1'],
])('%j in one line', (texts, expected) => expect(summarize(texts, 'any repository', 'none')).toBe(expected));

it.each([
  [{ server: '*', namespace: '*' }, '*'],
  [{ server: 'https://kubernetes.default.svc', namespace: 'shop' }, 'in-cluster / shop'],
  [{ name: 'prod', namespace: '*' }, 'prod / any namespace'],
  [{ server: '*' }, 'any cluster / no namespace'],
])('the destination %j', (destination, expected) => expect(destinationText(destination)).toBe(expected));

it('is found by every word of a search, wherever they stand', () => {
  const project = {
    metadata: { name: 'shop', labels: { team: 'blue' } },
    spec: { description: 'What we sell', sourceRepos: ['https://git.example/shop'], roles: [{ name: 'ci' }] },
  };
  expect(['', 'SHOP', 'sell git.example', 'team=blue ci'].map((search) => matchesSearch(project, search))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(matchesSearch(project, 'shop nowhere')).toBe(false);
});
