import { expect, it } from 'vitest';
import { Code } from '../base/index.ts';
import { describeShortage, throwShortage } from './shortage.ts';

const failure = (code: string): Error => Object.assign(new Error(`${code}: x`), { code });

it('of handles, memory or processes is told apart from what is damaged', () => {
  expect(describeShortage(failure('EMFILE'))).toBe('this process has too many open files (EMFILE)');
  expect(() => throwShortage(failure('ENFILE'))).toThrow(expect.objectContaining({ code: Code.ResourceExhausted }));
  for (const other of [failure('ENOENT'), failure('ELOOP'), new Error('no code'), undefined]) {
    expect(describeShortage(other)).toBeUndefined();
    expect(() => throwShortage(other)).not.toThrow();
  }
});
