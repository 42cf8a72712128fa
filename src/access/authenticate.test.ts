import { describe, expect, it } from 'vitest';
import { ApiError, Code } from '../base/index.ts';
import { createAuthenticate } from './authenticate.ts';
import { anonymousCaller, type Caller } from './caller.ts';

const alice: Caller = { ...anonymousCaller, username: 'alice', issuer: 'argocd' };

function setUp(anonymous: boolean, failure = new ApiError(Code.Unauthenticated, 'invalid session: token is expired')) {
  const sessions = {
    authenticate: (token: string | undefined) => (token === undefined ? undefined : token === 'good' ? alice : Promise.reject(failure)),
  };
  return createAuthenticate({ sessions, isAnonymousEnabled: () => anonymous });
}

describe('a caller', () => {
  it('needs a good token where nobody else is let in', async () => {
    const authenticate = setUp(false);
    expect(authenticate('good')).toBe(alice);
    expect(authenticate(undefined)).toBeUndefined();
    await expect(authenticate('bad')).rejects.toThrow('token is expired');
  });

  it('AUTH-24, AUTH-25: without a good token is nobody where those are let in, whatever the token says', async () => {
    const authenticate = setUp(true);
    expect(authenticate('good')).toBe(alice);
    expect(authenticate(undefined)).toBe(anonymousCaller);
    expect(await authenticate('bad')).toBe(anonymousCaller);
  });

  it('is told when the token could not be looked at', async () => {
    await expect(setUp(true, new ApiError(Code.Unavailable, 'no key'))('bad')).rejects.toThrow('no key');
  });
});
