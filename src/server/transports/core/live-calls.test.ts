import { describe, expect, it } from 'vitest';
import { anonymousCaller, type Caller } from '../../../access/index.ts';
import { ApiError, Code } from '../../../base/index.ts';
import type { Authenticate } from './core.ts';
import { LiveCalls } from './live-calls.ts';
import type { ServerCall } from './server-call.ts';

const caller = (change: Partial<Caller> = {}): Caller => ({
  username: 'ada@example.com',
  subject: 'ada',
  issuer: 'https://id.example.com',
  groups: ['shop', 'ops'],
  capability: 'login',
  tokenId: 'id',
  issuedAt: 0,
  expiresAt: undefined,
  ...change,
});

/** Why a stream of somebody was ended; undefined where it goes on. */
async function check(opener: Caller, authenticate: Authenticate): Promise<string | undefined> {
  const calls = new LiveCalls(10);
  let reason: ApiError | undefined;
  const call = { method: { serverStreaming: true }, caller: opener, token: 'token', abort: (why: ApiError) => void (reason = why) };
  calls.add(call as unknown as ServerCall);
  calls.checkCallers(authenticate);
  await new Promise((resolve) => setImmediate(resolve));
  return reason?.message;
}

describe('RBAC-17: a stream', () => {
  it('goes on while its reader is who they were', async () => {
    const ada = caller();
    expect(await check(ada, () => ada)).toBeUndefined();
    expect(await check(ada, async () => caller())).toBeUndefined();
    expect(await check(ada, () => caller({ groups: ['ops', 'more', 'shop'] }))).toBeUndefined();
    expect(await check(anonymousCaller, () => anonymousCaller)).toBeUndefined();
  });

  it('goes on where it cannot be found out', async () => {
    expect(await check(caller(), () => Promise.reject(new ApiError(Code.Unavailable, 'no answer')))).toBeUndefined();
  });

  it('ends with the session', async () => {
    expect(await check(caller(), () => Promise.reject(new ApiError(Code.Unauthenticated, 'token is revoked')))).toBe('token is revoked');
    expect(await check(caller(), async () => anonymousCaller)).toBe('the session has ended');
    expect(await check(caller(), async () => undefined)).toBe('the session has ended');
    expect(await check(caller(), () => caller({ issuer: 'argocd' }))).toBe('the session has ended');
  });

  it('ends where nobody is let in any more without a session', async () => {
    expect(await check(anonymousCaller, () => undefined)).toBe('the session has ended');
  });

  it('ends where its reader has left a group', async () => {
    const left = 'the groups of the session have changed, please ask again';
    expect(await check(caller(), () => caller({ groups: ['ops'] }))).toBe(left);
    expect(await check(caller(), async () => caller({ groups: [] }))).toBe(left);
  });
});
