import { describe, expect, it } from 'vitest';
import { pickRevision, planRevision } from './resolve-revision.ts';
import type { GitRef } from './resolve-revision.ts';

const sha = (digit: string): string => digit.repeat(40);
const refs: readonly GitRef[] = [
  { name: 'HEAD', commit: sha('a') },
  { name: 'refs/heads/main', commit: sha('a') },
  { name: 'refs/heads/feature/x', commit: sha('b') },
  { name: 'refs/heads/both', commit: sha('b') },
  { name: 'refs/tags/both', commit: sha('c') },
  { name: 'refs/tags/v1.0.0', commit: sha('1') },
  { name: 'refs/tags/v1.4.0', commit: sha('4') },
  { name: 'refs/tags/v2.0.0-rc.1', commit: sha('2') },
  { name: 'refs/tags/web-1.9.0', commit: sha('9') },
  { name: 'refs/heads/abcdef0', commit: sha('e') },
  { name: 'refs/pull/7/head', commit: sha('7') },
];

function resolve(target: string | undefined, tagPrefix?: string): string {
  const query = planRevision(target, tagPrefix);
  return query.kind === 'commit' ? query.commit : pickRevision(query, refs);
}

describe('a target revision', () => {
  it.each([
    ['', sha('a')],
    ['HEAD', sha('a')],
    ['main', sha('a')],
    ['feature/x', sha('b')],
    ['refs/heads/main', sha('a')],
    ['refs/heads/both', sha('b')],
    ['refs/pull/7/head', sha('7')],
    ['v1.0.0', sha('1')],
    ['1.*', sha('4')],
    ['>=1.0.0 <2', sha('4')],
    ['>=2.0.0-0', sha('2')],
    ['abcdef0', sha('e')],
    ['abcdef1', 'abcdef1'],
    [sha('D'), sha('d')],
  ])('%s is %s', (target, commit) => expect(resolve(target)).toBe(commit));

  it('GIT-11: is the tag where a branch has the same name, as for git itself', () => expect(resolve('both')).toBe(sha('c')));

  it('with a prefix for tags looks at those only', () => {
    expect(resolve('1.*', 'web-')).toBe(sha('9'));
    expect(resolve('1.9.0', 'web-')).toBe(sha('9'));
    expect(resolve('main', 'web-')).toBe(sha('a'));
  });

  it('asks only for the refs that it may stand for', () => {
    expect(planRevision('main')).toMatchObject({ names: ['refs/tags/main', 'refs/heads/main', 'refs/main', 'refs/remotes/main'] });
    expect(planRevision('')).toMatchObject({ names: ['HEAD'] });
  });

  it.each(['nope', '1.2.3', '9.*', 'abcdef', 'refs/heads/nope'])('%s is an error where the server has none', (target) =>
    expect(() => resolve(target)).toThrow(`unable to resolve '${target}' to a commit SHA`),
  );

  it.each(['--output=/tmp/x', '--upload-pack=x', '-h', 'a..b', '@{-1}', 'HEAD:path', 'refs/heads/x\ny', 'HEAD~1', 'x'.repeat(10_000), '@'])(
    'GIT-02: %s is refused before git hears of it',
    (target) => expect(() => planRevision(target)).toThrow('unable to resolve'),
  );
});
