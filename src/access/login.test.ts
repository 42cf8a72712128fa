import { hash } from '@node-rs/bcrypt';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AccountStore, LocalAccount } from './account-store.ts';
import { createLogin, type LoginResult } from './login.ts';
import type { Lockouts } from './login-failures.ts';
import { hashPassword } from './password.ts';
import { createPasswordCheck } from './password-check.ts';
import type { Sessions } from './sessions.ts';

const password = 'correct horse';
const refused = { code: 16, message: 'Invalid username or password' };
const origin = { remoteAddress: '127.0.0.1', signal: new AbortController().signal };
/** With the lowest cost, so that the rules can be tested quickly. */
let quickHash: string;

beforeAll(async () => {
  quickHash = await hash(password, { cost: 4 });
});

function setUp(passwordHash: string | undefined = quickHash, enabled = true, lockouts?: Lockouts) {
  let nowMs = Date.UTC(2026, 0, 1);
  const results: LoginResult[] = [];
  const waits: number[] = [];
  const unused = () => Promise.reject(new Error('not part of a login'));
  const sessions: Sessions = {
    start: async (name) => `token of ${name}`,
    authenticate: unused,
    renew: unused,
    revoke: unused,
    isRenewalDue: () => false,
    signForAccount: unused,
    signForProject: unused,
  };
  const clock = { nowMs: () => nowMs };
  const known = new Map<string, LocalAccount>(
    Object.entries({ admin: ['login'], robot: ['apiKey'], alice: ['login', 'apiKey'] } as const).map(([name, capabilities]) => [
      name,
      { name, enabled, capabilities, passwordHash, passwordChangedAt: 0, hasToken: () => false },
    ]),
  );
  const accounts: AccountStore = {
    find: (name) => known.get(name),
    sessionSeconds: 60,
    signingKey: Buffer.alloc(32),
    isRevoked: () => false,
    revoke: unused,
  };
  const login = createLogin({
    accounts,
    checkPassword: createPasswordCheck({ accounts, clock, ...(lockouts && { lockouts }) }),
    sessions,
    clock,
    report: ({ result }) => results.push(result),
    wait: async (delayMs) => void waits.push(delayMs),
  });
  return {
    login: (name: string, text: string) => login(name, text, origin),
    results,
    waits,
    passSeconds: (seconds: number) => (nowMs += seconds * 1000),
  };
}

describe('a login', () => {
  it('gives a token for the right password, without a wait', async () => {
    const { login, waits, results } = setUp();
    expect(await login('admin', password)).toBe('token of admin');
    expect([waits, results]).toEqual([[], ['success']]);
  });

  it('AUTH-01: fails alike for a wrong password and an unknown user, after a random time', async () => {
    const { login, waits } = setUp();
    await expect(login('admin', 'wrong')).rejects.toMatchObject(refused);
    await expect(login('nobody', password)).rejects.toMatchObject(refused);
    expect(waits).toHaveLength(2);
    for (const delayMs of waits) {
      expect(delayMs).toBeGreaterThanOrEqual(500);
      expect(delayMs).toBeLessThanOrEqual(1000);
    }
  });

  it('AUTH-01: hashes just as long for an unknown user', async () => {
    const realHash = await hashPassword(password);
    const elapsed = async (name: string) => {
      const startedAtMs = performance.now();
      await expect(setUp(realHash).login(name, 'wrong')).rejects.toMatchObject(refused);
      return performance.now() - startedAtMs;
    };
    await elapsed('admin');
    const ratio = (await elapsed('nobody')) / (await elapsed('admin'));
    expect(ratio).toBeGreaterThan(0.2);
    expect(ratio).toBeLessThan(5);
  });

  it('AUTH-02: refuses even the right password after five failures, until five minutes have passed', async () => {
    const { login, results, passSeconds } = setUp();
    for (let count = 0; count < 5; count += 1) await expect(login('admin', 'wrong')).rejects.toMatchObject(refused);
    passSeconds(300);
    await expect(login('admin', password)).rejects.toMatchObject(refused);
    expect(results.at(-1)).toBe('locked');
    passSeconds(1);
    expect(await login('admin', password)).toBe('token of admin');
  });

  it('AUTH-02: forgets failures after a success', async () => {
    const { login } = setUp();
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 4; count += 1) await expect(login('admin', 'wrong')).rejects.toMatchObject(refused);
      expect(await login('admin', password)).toBe('token of admin');
    }
  });

  it('AUTH-02: lets guesses sent at once through no more than five, the right one behind them included', async () => {
    const { login, results } = setUp();
    const guesses = [...Array.from({ length: 8 }, () => 'wrong'), password];
    const outcomes = await Promise.allSettled(guesses.map((guess) => login('admin', guess)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(results.filter((result) => result === 'failure')).toHaveLength(5);
  });

  it('AUTH-06: hashes for fifty at most and refuses the rest at once with the same answer', async () => {
    const { login, results } = setUp();
    const outcomes = Array.from({ length: 200 }, () => login('admin', password));
    const settled = await Promise.allSettled(outcomes);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect(results.filter((result) => result === 'overload')).toHaveLength(150);
    expect(results.slice(0, 150).every((result) => result === 'overload')).toBe(true);
    const reasons = settled.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(reasons).toEqual(Array.from({ length: 150 }, () => expect.objectContaining(refused) as unknown));
  });

  it.each(['x'.repeat(33), 'x'.repeat(1024 * 1024), 'é'.repeat(17)])('AUTH-07: refuses a name over 32 bytes', async (name) => {
    const { login, results } = setUp();
    await expect(login(name, password)).rejects.toMatchObject({ code: 3, message: 'Username is too long (32 bytes max)' });
    expect(results).toEqual([]);
  });

  it.each(['\u0000', 'admin\u0000', 'a\r\nb', '\u001b[2J', '__proto__', 'constructor', 'Admin', ' admin'])(
    'AUTH-07: refuses the strange name %j like any other',
    async (name) => {
      await expect(setUp().login(name, password)).rejects.toMatchObject(refused);
    },
  );

  it('tells that the account is switched off only to who has its password', async () => {
    const { login, results } = setUp(quickHash, false);
    await expect(login('admin', 'wrong')).rejects.toMatchObject(refused);
    await expect(login('admin', password)).rejects.toMatchObject({ code: 16, message: 'Account admin is disabled' });
    expect(results).toEqual(['failure', 'disabled']);
  });

  it('is for every account, and tells that one is only for tokens only to who has its password', async () => {
    const { login, results } = setUp();
    expect(await login('alice', password)).toBe('token of alice');
    await expect(login('robot', 'wrong')).rejects.toMatchObject(refused);
    await expect(login('robot', password)).rejects.toMatchObject({ code: 16, message: 'Account robot does not have login capability' });
    expect(results).toEqual(['success', 'failure', 'incapable']);
  });

  it('AUTH-02: locks accounts one by one', async () => {
    const { login } = setUp();
    for (let count = 0; count < 5; count += 1) await expect(login('admin', 'wrong')).rejects.toMatchObject(refused);
    expect(await login('alice', password)).toBe('token of alice');
    await expect(login('admin', password)).rejects.toMatchObject(refused);
  });

  it('AUTH-04: keeps a lockout where the next process finds it', async () => {
    const kept = new Map<string, number>();
    const lockouts: Lockouts = { lockedUntilMs: (name) => kept.get(name), keep: (name, untilMs) => void kept.set(name, untilMs) };
    const first = setUp(quickHash, true, lockouts);
    for (const name of ['admin', 'nobody']) {
      for (let count = 0; count < 5; count += 1) await expect(first.login(name, 'wrong')).rejects.toMatchObject(refused);
    }
    expect([...kept.keys()]).toEqual(['admin']);
    const second = setUp(quickHash, true, lockouts);
    second.passSeconds(300);
    await expect(second.login('admin', password)).rejects.toMatchObject(refused);
    second.passSeconds(1);
    expect(await second.login('admin', password)).toBe('token of admin');
  });

  it('AUTH-05: counts exactly under 500 failing logins of 50 users at once', async () => {
    const { login, results } = setUp();
    const names = Array.from({ length: 500 }, (_, index) => `user-${index % 50}`);
    const outcomes = await Promise.allSettled([...names.map((name) => login(name, 'wrong')), login('admin', password)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
    expect(results).toHaveLength(501);
    const counts = new Map<string, number>();
    for (const result of results) counts.set(result, (counts.get(result) ?? 0) + 1);
    // Fifty are looked at, the rest is too much at once; none is both.
    expect((counts.get('failure') ?? 0) + (counts.get('success') ?? 0)).toBe(50);
    expect(counts.get('overload')).toBe(451);
  });

  it('refuses a blank password', async () => {
    await expect(setUp().login('admin', '')).rejects.toMatchObject({ code: 16, message: 'Blank passwords are not allowed' });
  });

  it('refuses what only begins with the right password beyond what bcrypt reads', async () => {
    const long = 'p'.repeat(72);
    const { login } = setUp(await hash(long, { cost: 4 }));
    expect(await login('admin', long)).toBe('token of admin');
    await expect(login('admin', `${long}x`)).rejects.toMatchObject(refused);
  });
});
