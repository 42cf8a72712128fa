import { describe, expect, it } from 'vitest';
import type { ApplicationSetGenerator } from '../../../contract/gen/types.ts';
import { describeGenerators } from './describe-generators.ts';

const list = { list: { elements: [{ name: 'a' }, { name: 'b' }] } };
const git = {
  git: {
    repoURL: 'https://git.example.com/shop/deploy.git',
    revision: 'main',
    directories: [{ path: 'apps/*' }, { path: 'apps/old', exclude: true }],
  },
};

describe('generators in words', () => {
  it.each<[string, readonly ApplicationSetGenerator[]]>([
    ['nothing', []],
    ['a list of 2', [list]],
    ['folders apps/* of shop/deploy.git', [git]],
    ['files cfg/*.json of shop/deploy.git', [{ git: { ...git.git, directories: [], files: [{ path: 'cfg/*.json' }] } }]],
    ['all clusters', [{ clusters: {} }]],
    ['clusters with env=prod', [{ clusters: { selector: { matchLabels: { env: 'prod' } } } }]],
    [
      'a list of 2, where env In (dev, qa)',
      [{ ...list, selector: { matchExpressions: [{ key: 'env', operator: 'In', values: ['dev', 'qa'] }] } }],
    ],
    ['pull requests of shop/web (github)', [{ pullRequest: { github: { owner: 'shop', repo: 'web' } } }]],
    ['repositories of shop (gitlab)', [{ scmProvider: { gitlab: { group: 'shop' } } }]],
    ['plugin numbers', [{ plugin: { configMapRef: { name: 'numbers' } } }]],
    ['folders apps/* of shop/deploy.git × all clusters', [{ matrix: { generators: [git, { clusters: {} }] } }]],
    ['a list of 2 merged with all clusters by name', [{ merge: { generators: [list, { clusters: {} }], mergeKeys: ['name'] } }]],
    ['a list of 2 + all clusters', [list, { clusters: {} }]],
    ['something that is not known here', [{}]],
  ])('%s', (words, generators) => expect(describeGenerators(generators)).toBe(words));

  it('of a nested combination, which may be anything', () => {
    expect(describeGenerators([{ matrix: { generators: [{ matrix: { generators: 5 } }, list] } }])).toMatch(/a list of 2/);
  });
});
