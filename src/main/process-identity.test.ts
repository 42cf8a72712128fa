import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createProcessIdentity, hasProcessEnded } from './process-identity.ts';

describe.runIf(process.platform === 'linux')('The identity of a process', () => {
  it('tells that the process has ended only when it has', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const identity = createProcessIdentity(child.pid);
    expect(hasProcessEnded(identity)).toBe(false);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(hasProcessEnded(identity)).toBe(true);
  });

  it('is not that of another process with the same number', () => {
    const identity = createProcessIdentity();
    expect(hasProcessEnded(identity)).toBe(false);
    expect(hasProcessEnded(identity.replace(/_\d+$/, '_1'))).toBe(true);
    expect(createProcessIdentity()).not.toBe(identity);
  });

  it.each([
    ['another machine', (words: readonly string[]) => ['other', ...words.slice(1)]],
    ['another boot', (words: readonly string[]) => words.map((word) => word.replace(/^[\da-f-]+\./, 'f-0.'))],
    ['another container', (words: readonly string[]) => words.map((word) => word.replace(/\.\d+$/, '.1'))],
    ['a program that says less', (words: readonly string[]) => words.slice(0, 2)],
    ['a program that says something else', (words: readonly string[]) => [...words.slice(0, -2), 'x', '1']],
    ['nobody', () => []],
  ])('says nothing of %s', (_, change) => {
    const child = createProcessIdentity().split('_');
    // A number that no process has: were the place ours, it would have ended.
    child[child.length - 2] = '4194305';
    expect(hasProcessEnded(child.join('_'))).toBe(true);
    expect(hasProcessEnded(change(child).join('_'))).toBe(false);
  });
});
