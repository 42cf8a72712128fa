import { expect, it } from 'vitest';
import { GitError } from './git.ts';
import { isDamage } from './mirrors.ts';

it.each([
  ['fatal: not a git repository: /x', true],
  ['fatal: not a tree object', true],
  ['error: Could not read 4d593e935186bcc35450336864a1aad148210a14', true],
  ['fatal: failed to unpack tree object 8785de0678ea5d5581705c39b25778671067ba9c', true],
  ['fatal: packed object 4a9b (stored in /x.pack) is corrupt', true],
  ['error: file /x.pack is far too short to be a packfile', true],
  ['error: packfile /x.pack does not match index', true],
  ['error: index file /x.idx is too small', true],
  ['error: unable to read sha1 file of b (975f)', true],
  ['fatal: bad config line 2 in file /x/config', true],
  ['error: bad config line 1 in blob 8785:.gitmodules', false],
  ['error: unable to write file b: No space left on device', false],
  ['fatal: Could not read from remote repository.', false],
  ["fatal: could not read Username for 'https://x': terminal prompts disabled", false],
  ['', false],
])('%j of git means that a mirror is damaged: %s', (stderr, damaged) => {
  expect(isDamage(new GitError('git failed', stderr))).toBe(damaged);
});
