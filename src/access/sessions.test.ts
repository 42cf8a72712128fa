import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApiError, Code } from '../base/index.ts';
import { statusError } from '../objects/index.ts';
import type { AccountStore, LocalAccount } from './account-store.ts';
import type { Caller } from './caller.ts';
import { createSessions } from './sessions.ts';

const signingKey = Buffer.alloc(32, 7);
const startMs = Date.UTC(2026, 0, 1, 12);

function setUp() {
  let nowMs = startMs;
  let passwordChangedAt = startMs / 1000 - 100;
  let key: Uint8Array = signingKey;
  let enabled = true;
  const revoked = new Set<string>();
  let failure: Error | undefined;
  let sessionSeconds = 86_400;
  let capabilities: LocalAccount['capabilities'] = ['login'];
  const tokens = new Set<string>();
  const account: LocalAccount = {
    name: 'admin',
    passwordHash: '',
    get passwordChangedAt() {
      return passwordChangedAt;
    },
    get enabled() {
      return enabled;
    },
    get capabilities() {
      return capabilities;
    },
    hasToken: (id) => tokens.has(id),
  };
  const accounts: AccountStore = {
    find: (name) => (name === 'admin' || name === 'alice' ? account : undefined),
    get sessionSeconds() {
      return sessionSeconds;
    },
    get signingKey() {
      return key;
    },
    isRevoked: (id: string) => revoked.has(id),
    async revoke(id: string) {
      revoked.add(id);
      if (failure !== undefined) throw failure;
    },
  };
  return {
    sessions: createSessions({ accounts, clock: { nowMs: () => nowMs } }),
    passSeconds: (seconds: number) => (nowMs += seconds * 1000),
    rotateKey: (next: Uint8Array) => (key = next),
    disable: () => (enabled = false),
    failToStore: (next: Error) => (failure = next),
    tokens,
    allow: (...next: LocalAccount['capabilities']) => (capabilities = next),
    shorten: (seconds: number) => (sessionSeconds = seconds),
    changePassword: () => (passwordChangedAt = nowMs / 1000 + 1),
  };
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const validClaims = () => ({
  iss: 'argocd',
  sub: 'admin:login',
  iat: startMs / 1000,
  nbf: startMs / 1000,
  exp: startMs / 1000 + 3600,
  jti: randomUUID(),
});

function forge(header: unknown, claims: unknown, { hash = 'sha256', key = signingKey as string | Uint8Array } = {}): string {
  const body = `${encode(header)}.${encode(claims)}`;
  return `${body}.${createHmac(hash, key).update(body).digest('base64url')}`;
}

describe('a session', () => {
  it('belongs to who started it, for a day', async () => {
    const { sessions } = setUp();
    const token = await sessions.start('admin');
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
    const now = startMs / 1000;
    expect(claims).toEqual({
      iss: 'argocd',
      sub: 'admin:login',
      iat: now,
      nbf: now,
      exp: now + 86_400,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    expect(await sessions.authenticate(token)).toEqual({
      username: 'admin',
      issuer: 'argocd',
      groups: [],
      capability: 'login',
      tokenId: claims['jti'],
      issuedAt: now,
      expiresAt: now + 86_400,
    });
  });

  it.each([undefined, ''])('is nobody without a token: %j', async (token) => {
    expect(await setUp().sessions.authenticate(token)).toBeUndefined();
  });

  it('ends by the second when it expires, also when it was in use', async () => {
    const { sessions, passSeconds } = setUp();
    const token = await sessions.start('admin');
    passSeconds(86_399);
    expect(await sessions.authenticate(token)).toBeDefined();
    passSeconds(1);
    await expect(sessions.authenticate(token)).rejects.toMatchObject({
      code: 16,
      message: 'invalid session: token has invalid claims: token is expired',
    });
  });

  it('ends for this process where nothing is ever stored, and is not said to end where that failed', async () => {
    const { sessions, failToStore } = setUp();
    const token = await sessions.start('admin');
    const caller = (await sessions.authenticate(token)) as Caller;
    failToStore(new ApiError(Code.Unavailable, 'the home does not answer'));
    await expect(sessions.revoke(caller)).rejects.toMatchObject({ code: Code.Unavailable });
    failToStore(statusError('BadRequest', 'no'));
    await expect(sessions.revoke(caller)).rejects.toThrow('no');
    failToStore(new ApiError(Code.FailedPrecondition, 'nothing is written in shadow mode'));
    await sessions.revoke(caller);
    await expect(sessions.authenticate(token)).rejects.toThrow('token is revoked, please re-login');
  });

  it('ends at once when it is revoked, and no other with it', async () => {
    const { sessions } = setUp();
    const [token, other] = [await sessions.start('admin'), await sessions.start('admin')];
    const caller = await sessions.authenticate(token);
    if (caller !== undefined) await sessions.revoke(caller);
    await expect(sessions.authenticate(token)).rejects.toMatchObject({
      code: 16,
      message: 'invalid session: token is revoked, please re-login',
    });
    expect(await sessions.authenticate(other)).toBeDefined();
  });

  it('ends at once when the password changes', async () => {
    const { sessions, changePassword } = setUp();
    const token = await sessions.start('admin');
    expect(await sessions.authenticate(token)).toBeDefined();
    changePassword();
    await expect(sessions.authenticate(token)).rejects.toThrow('invalid session: account password has changed since token issued');
  });

  it('ends at once when the signing key is replaced, and one that starts then is good', async () => {
    const { sessions, rotateKey } = setUp();
    const token = await sessions.start('admin');
    expect(await sessions.authenticate(token)).toBeDefined();
    rotateKey(Buffer.alloc(32, 8));
    const later = await sessions.start('admin');
    await expect(sessions.authenticate(token)).rejects.toThrow('token signature is invalid');
    expect(await sessions.authenticate(later)).toMatchObject({ username: 'admin' });
    rotateKey(signingKey);
    await expect(sessions.authenticate(later)).rejects.toThrow('token signature is invalid');
    expect(await sessions.authenticate(token)).toMatchObject({ username: 'admin' });
  });

  it('counts for nothing later when the key was replaced while it was being checked', async () => {
    const { sessions, rotateKey } = setUp();
    const token = await sessions.start('admin');
    const checked = sessions.authenticate(token);
    rotateKey(Buffer.alloc(32, 8));
    await checked;
    await expect(sessions.authenticate(token)).rejects.toThrow('token signature is invalid');
  });

  it('ends at once when the account is switched off', async () => {
    const { sessions, disable } = setUp();
    const token = await sessions.start('admin');
    expect(await sessions.authenticate(token)).toBeDefined();
    disable();
    await expect(sessions.authenticate(token)).rejects.toThrow('invalid session: account admin is disabled');
  });

  it('is due for renewal in its last five minutes, and then lasts as long again', async () => {
    const { sessions, passSeconds } = setUp();
    const caller = await sessions.authenticate(await sessions.start('admin'));
    if (caller === undefined) throw new Error('nobody');
    passSeconds(86_400 - 300);
    expect(sessions.isRenewalDue(caller)).toBe(false);
    passSeconds(1);
    expect(sessions.isRenewalDue(caller)).toBe(true);
    const renewed = await sessions.authenticate(await sessions.renew(caller));
    expect(renewed).toMatchObject({ username: 'admin', issuedAt: caller.issuedAt + 86_101, expiresAt: caller.issuedAt + 86_101 + 86_400 });
    expect(renewed?.tokenId).not.toBe(caller.tokenId);
  });

  it('costs a small part of the first time once its token is known', async () => {
    const { sessions } = setUp();
    const tokens = await Promise.all(Array.from({ length: 300 }, () => sessions.start('admin')));
    const measureMs = async (): Promise<number> => {
      const startedAtMs = performance.now();
      for (const token of tokens) await sessions.authenticate(token);
      return performance.now() - startedAtMs;
    };
    const firstMs = await measureMs();
    const againMs = Math.min(await measureMs(), await measureMs(), await measureMs());
    expect(againMs).toBeLessThan(firstMs / 4);
  });
});

describe('a token of an account', () => {
  const now = startMs / 1000;
  const token = { account: 'alice', id: 'ci', issuedAt: now, expiresAt: undefined };

  it('AUTH-16: counts as long as its account knows of it, whatever becomes of others', async () => {
    const { sessions, tokens, allow } = setUp();
    allow('apiKey');
    tokens.add('ci').add('sibling');
    const signed = await sessions.signForAccount(token);
    const sibling = await sessions.signForAccount({ ...token, id: 'sibling' });
    expect(await sessions.authenticate(signed)).toMatchObject({ username: 'alice', capability: 'apiKey', expiresAt: undefined });
    tokens.delete('ci');
    await expect(sessions.authenticate(signed)).rejects.toThrow('invalid session: account alice does not have token with id ci');
    expect(await sessions.authenticate(sibling)).toMatchObject({ username: 'alice' });
  });

  it('AUTH-14, AUTH-15: is refused at once when the account is switched off or loses the capability, and so is a session', async () => {
    const { sessions, tokens, allow, disable } = setUp();
    tokens.add('ci');
    allow('login', 'apiKey');
    const [signed, session] = [await sessions.signForAccount(token), await sessions.start('alice')];
    for (const one of [signed, session]) expect(await sessions.authenticate(one)).toMatchObject({ username: 'alice' });
    allow('login');
    await expect(sessions.authenticate(signed)).rejects.toThrow("does not have 'apiKey' capability");
    allow('apiKey');
    await expect(sessions.authenticate(session)).rejects.toThrow("does not have 'login' capability");
    allow('login', 'apiKey');
    disable();
    for (const one of [signed, session]) await expect(sessions.authenticate(one)).rejects.toThrow('account alice is disabled');
  });

  it('is ended for its account alone, though another has one with the same id', async () => {
    const { sessions, tokens, allow } = setUp();
    allow('apiKey');
    tokens.add('ci');
    const [own, other] = [
      await sessions.signForAccount({ ...token, expiresAt: now + 600 }),
      await sessions.signForAccount({ ...token, account: 'admin', expiresAt: now + 600 }),
    ];
    const caller = await sessions.authenticate(own);
    if (caller === undefined) throw new Error('nobody');
    await sessions.revoke(caller);
    await expect(sessions.authenticate(own)).rejects.toThrow('token is revoked, please re-login');
    expect(await sessions.authenticate(other)).toMatchObject({ username: 'admin' });
  });

  it('expires when it should', async () => {
    const { sessions, tokens, allow, passSeconds } = setUp();
    allow('apiKey');
    tokens.add('ci');
    const signed = await sessions.signForAccount({ ...token, expiresAt: now + 10 });
    await sessions.authenticate(signed);
    passSeconds(10);
    await expect(sessions.authenticate(signed)).rejects.toThrow('token is expired');
  });
});

it('AUTH-39: a session that is about to end is not renewed once its account is switched off or it was ended', async () => {
  for (const end of ['disable', 'revoke'] as const) {
    const { sessions, passSeconds, disable } = setUp();
    const token = await sessions.start('alice');
    const caller = await sessions.authenticate(token);
    if (caller === undefined) throw new Error('nobody');
    passSeconds(86_400 - 100);
    expect(sessions.isRenewalDue(caller)).toBe(true);
    if (end === 'disable') disable();
    else await sessions.revoke(caller);
    await expect(sessions.authenticate(token)).rejects.toMatchObject({ code: 16 });
  }
});

it.each(['9999999999', 1e300, -1, null, [], {}, true])('AUTH-29: an end of %j is a number in time or no end that counts', async (exp) => {
  const { sessions, passSeconds } = setUp();
  passSeconds(10);
  const token = forge({ alg: 'HS256', typ: 'JWT' }, { ...validClaims(), exp });
  const outcome = await Promise.resolve(sessions.authenticate(token)).catch((error: unknown) => error);
  // Whoever has our key may ask for an end that is far away; everything else is refused.
  expect(outcome).toMatchObject(exp === 1e300 ? { username: 'admin', expiresAt: 1e300 } : { code: 16 });
});

it.each(['1', null, [], 'x'])('AUTH-29: a beginning of %j is refused', async (iat) => {
  const token = forge({ alg: 'HS256', typ: 'JWT' }, { ...validClaims(), iat });
  await expect(setUp().sessions.authenticate(token)).rejects.toMatchObject({ code: 16 });
});

it('AUTH-12: a session lasts as long as settings say when it begins', async () => {
  const { sessions, shorten, passSeconds } = setUp();
  shorten(600);
  const token = await sessions.start('alice');
  passSeconds(599);
  expect(await sessions.authenticate(token)).toMatchObject({ username: 'alice' });
  passSeconds(1);
  await expect(sessions.authenticate(token)).rejects.toThrow('token is expired');
});

describe('a token that we would have signed so', () => {
  it.each([
    ['a subject that is no account', { sub: 'mallory:login' }, "account 'mallory' does not exist"],
    ['an API key', { sub: 'admin:apiKey' }, "account admin does not have 'apiKey' capability"],
    ['a subject without a suffix, which is an API key', { sub: 'admin' }, "account admin does not have 'apiKey' capability"],
    ['AUTH-19: no jti', { jti: undefined }, 'token does not have a unique identifier (jti claim) and cannot be validated'],
    ['AUTH-19: an empty jti', { jti: '' }, 'token does not have a unique identifier (jti claim) and cannot be validated'],
    ['no iat', { iat: undefined }, 'account password has changed since token issued'],
    ['an iat before the password change', { iat: startMs / 1000 - 101 }, 'account password has changed since token issued'],
    [
      'an nbf in the future',
      { nbf: startMs / 1000 + 1 },
      'token has invalid claims: token is not valid yet, or a claim has the wrong type',
    ],
    ['an exp that is no number', { exp: '9999999999' }, 'token has invalid claims: token is not valid yet, or a claim has the wrong type'],
    ['another issuer', { iss: 'https://sso.example.com' }, 'SSO is not configured'],
  ])('is refused for %s', async (_name, change, reason) => {
    const token = forge({ alg: 'HS256', typ: 'JWT' }, { ...validClaims(), ...change });
    await expect(setUp().sessions.authenticate(token)).rejects.toMatchObject({ code: 16, message: `invalid session: ${reason}` });
  });

  it('is accepted as it should be, which shows that the forgery above is a good one', async () => {
    expect(await setUp().sessions.authenticate(forge({ alg: 'HS256', typ: 'JWT' }, validClaims()))).toMatchObject({ username: 'admin' });
  });
});

describe('AUTH-22: a token whose algorithm is not ours', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const claims = validClaims();
  const rsa = `${encode({ alg: 'RS256' })}.${encode(claims)}`;

  it.each([
    ['alg none without a signature', `${encode({ alg: 'none' })}.${encode(claims)}.`],
    ['alg none with a good signature', forge({ alg: 'none' }, claims)],
    ['an RS256 header over an HMAC signature', forge({ alg: 'RS256' }, claims)],
    ['a real RS256 signature of a stranger', `${rsa}.${sign('sha256', Buffer.from(rsa), privateKey).toString('base64url')}`],
    ['HS256 with a public key as the secret', forge({ alg: 'HS256' }, claims, { key: pem })],
    ['HS384 with the right key', forge({ alg: 'HS384' }, claims, { hash: 'sha384' })],
    ['HS512 with the right key', forge({ alg: 'HS512' }, claims, { hash: 'sha512' })],
    ['no alg', forge({ typ: 'JWT' }, claims)],
    ['a lower-case alg', forge({ alg: 'hs256' }, claims)],
    [
      'AUTH-31: a key of its own in the header',
      forge({ alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' }, kid: '../../etc/passwd' }, claims, { key: Buffer.alloc(3) }),
    ],
    ['an unknown critical header', forge({ alg: 'HS256', crit: ['x'], x: 1 }, claims)],
    ['no parts', 'garbage'],
    ['five parts', 'a.b.c.d.e'],
    ['AUTH-30: a hundred thousand dots', '.'.repeat(100_000)],
    ['AUTH-30: a megabyte', `${'x'.repeat(1_000_000)}.y.z`],
  ])('is refused: %s', async (_name, token) => {
    await expect(setUp().sessions.authenticate(token)).rejects.toMatchObject({
      code: 16,
      message: expect.stringMatching(/^invalid session: /) as string,
    });
  });
});
