import { expect, it } from 'vitest';
import { Code } from '../base/index.ts';
import { GitError } from './git/git.ts';
import { describeShortage, isDiskFull, throwShortage } from './shortage.ts';

const failure = (code: string): Error => Object.assign(new Error(`${code}: x`), { code });

it('of handles, memory or processes is told apart from what is damaged', () => {
  expect(describeShortage(failure('EMFILE'))).toBe('this process has too many open files (EMFILE)');
  expect(() => throwShortage(failure('ENFILE'))).toThrow(expect.objectContaining({ code: Code.ResourceExhausted }));
  for (const other of [failure('ENOENT'), failure('ELOOP'), new Error('no code'), undefined]) {
    expect(describeShortage(other)).toBeUndefined();
    expect(() => throwShortage(other)).not.toThrow();
  }
});

it('of room on the disk is seen in what a program says, too', () => {
  expect(isDiskFull(failure('ENOSPC'))).toBe(true);
  expect(isDiskFull(new GitError('no room', 'error: unable to write file b: No space left on device'))).toBe(true);
  for (const other of [failure('EACCES'), new GitError('gone', 'fatal: not our ref'), undefined]) expect(isDiskFull(other)).toBe(false);
});
