import { describe, expect, it } from 'vitest';
import type { AccountStore } from '../account-store.ts';
import { createBrowserLogin } from './browser-login.ts';
import { sealLoginState } from './login-state.ts';
import type { SsoTokens } from './sso-tokens.ts';

const signingKey = new Uint8Array(32).fill(7);
const issuer = 'https://sso.example';
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('the way back from the provider', () => {
  function setUp() {
    let asked = 0;
    const login = createBrowserLogin({
      tokens: () =>
        ({
          provider: {
            config: { issuer },
            async discover() {
              asked += 1;
              throw new Error('asked the provider');
            },
          },
        }) as unknown as SsoTokens,
      urls: () => ['https://fairway.example'],
      accounts: { signingKey } as AccountStore,
      clock: { nowMs: () => 1_000 },
      log,
    });
    return { login, asked: () => asked };
  }

  const seal = (more: object = {}, key = signingKey) =>
    sealLoginState(
      {
        state: 'state',
        nonce: 'nonce',
        verifier: 'verifier',
        returnAddress: 'https://fairway.example/x',
        redirectUri: 'https://fairway.example/auth/callback',
        issuer,
        expiresAtMs: 2_000,
        ...more,
      },
      key,
    );

  it.each([
    ['SSO-05: a script to go to', { returnAddress: 'javascript:alert(1)' }],
    ['SSO-05: another place to go to', { returnAddress: 'https://evil.example' }],
    ['another provider', { issuer: 'https://evil.example' }],
    ['SSO-04: a time that is over', { expiresAtMs: 1_000 }],
    ['SSO-04: another state', { state: 'other' }],
  ])('is refused in a state made with our key that holds %s', async (_name, more) => {
    const { login, asked } = setUp();
    const finish = login.finish({ query: 'state=state&code=code', sealedState: (await seal(more)) ?? '' });
    await expect(finish).rejects.toMatchObject({ code: 3 });
    expect(asked()).toBe(0);
  });

  it('SSO-04: is refused in a state made with another key, and taken once in one of ours', async () => {
    const { login, asked } = setUp();
    const foreign = (await seal({}, new Uint8Array(32).fill(8))) ?? '';
    const query = 'state=state&code=code';
    await expect(login.finish({ query, sealedState: foreign })).rejects.toMatchObject({ code: 3 });
    const sealedState = (await seal()) ?? '';
    await expect(login.finish({ query: `${query}&state=state`, sealedState })).rejects.toMatchObject({ code: 3 });
    await expect(login.finish({ query, sealedState })).rejects.toThrow('asked the provider');
    await expect(login.finish({ query, sealedState })).rejects.toMatchObject({ code: 3 });
    expect(asked()).toBe(1);
  });
});
