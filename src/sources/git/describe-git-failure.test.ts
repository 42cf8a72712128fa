import { describe, expect, it } from 'vitest';
import { describeGitFailure, shortenErrors } from './describe-git-failure.ts';
import { GitError } from './git.ts';
import { isDamage } from './mirrors.ts';

const describeErrors = (stderr: string): string => describeGitFailure({ command: 'fetch', code: 128, stderr, url: undefined });

describe('what git says of a failure', () => {
  it('is told in one line, without passwords', () => {
    const said = 'warning: x\nfatal: unable to do https://user:tok3n@example.com/x\n';
    expect(describeErrors(shortenErrors(said))).toBe('`git fetch` failed exit status 128: fatal: unable to do https://example.com/x');
  });

  it('DOS-01: takes no longer where a server says very much in one line', () => {
    const words = ['No ', 'Failed to connect to ', 'packfile ', 'bad config ', 'a'];
    const startMs = performance.now();
    for (const word of words) {
      const said = shortenErrors(`remote: ${word.repeat(1_000_000)}\n${`remote: ${word.repeat(1_000)}\n`.repeat(50)}`);
      expect(describeErrors(said)).toMatch(/^`git fetch` failed exit status 128: remote: /);
      isDamage(new GitError('failed', said));
    }
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });

  it('is found at its beginning and at its end, however much is in between', () => {
    const noise = 'remote: x\n'.repeat(100_000);
    expect(describeErrors(shortenErrors(`error: object ${'a'.repeat(40)}: hasDotgit: x\n${noise}`))).toBe(
      'git refuses the repository as malformed: hasDotgit',
    );
    expect(describeErrors(shortenErrors(`${noise}fatal: early EOF\n`))).toBe('unexpected EOF');
  });
});
