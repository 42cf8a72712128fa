import { expect, it } from 'vitest';
import { createLoginFailures } from './login-failures.ts';

it('AUTH-02, AUTH-10: keeps a bounded number of names, and never forgets an account to make room for made-up ones', () => {
  const failures = createLoginFailures({ clock: { nowMs: () => 0 }, isAccount: (name) => name === 'admin' });
  const fail = (name: string) => {
    for (let count = 0; count < 5; count += 1) failures.count(name);
  };
  fail('admin');
  fail('first');
  expect([failures.isLocked('admin'), failures.isLocked('first')]).toEqual([true, true]);
  for (let index = 0; index < 10_000; index += 1) failures.count(`flood-${index}`);
  expect([failures.isLocked('admin'), failures.isLocked('first')]).toEqual([true, false]);
});

it('locks nobody for longer because the clock was ahead', () => {
  let nowMs = 86_400_000;
  const failures = createLoginFailures({ clock: { nowMs: () => nowMs }, isAccount: () => true });
  for (let count = 0; count < 5; count += 1) failures.count('admin');
  nowMs -= 60_000;
  expect(failures.isLocked('admin')).toBe(true);
  nowMs = 0;
  expect(failures.isLocked('admin')).toBe(false);
});
