import { describe, expect, it } from 'vitest';
import { readProjectCaller, signProjectToken, type ProjectToken } from './project-token.ts';
import { createSessions } from './sessions.ts';

const nowMs = Date.UTC(2026, 0, 1);
const issuedAt = nowMs / 1000;
const key = Buffer.alloc(32, 7);
const token: ProjectToken = { project: 'shop', role: 'ci', id: 'nightly', issuedAt, expiresAt: issuedAt + 60 };

function setUp() {
  const revoked = new Set<string>();
  let signingKey: Uint8Array = key;
  const issued = new Set(['shop ci nightly']);
  const clock = { now: nowMs, nowMs: () => clock.now };
  const sessions = createSessions({
    accounts: {
      find: () => undefined,
      sessionSeconds: 1,
      get signingKey() {
        return signingKey;
      },
      isRevoked: (id) => revoked.has(id),
      revoke: async (id) => void revoked.add(id),
    },
    isProjectTokenIssued: ({ project, role, id }) => issued.has(`${project} ${role} ${id}`),
    clock,
  });
  return { sessions, issued, clock, rotate: () => (signingKey = Buffer.alloc(32, 8)) };
}

const missing = {
  code: 16,
  message: `invalid session: JWT token for role 'ci' issued at '${issuedAt}' does not exist in project 'shop'`,
};

describe('A token of a project', () => {
  it('proves its role, and nothing that an account could', async () => {
    const { sessions } = setUp();
    const caller = await sessions.authenticate(await sessions.signForProject(token));
    expect(caller).toEqual({
      username: 'proj:shop:ci',
      issuer: 'argocd',
      groups: [],
      capability: 'apiKey',
      tokenId: 'proj:shop:ci:nightly',
      issuedAt,
      expiresAt: issuedAt + 60,
    });
    expect(caller && sessions.isRenewalDue(caller)).toBe(false);
  });

  it('ends when the project does not know it any more, also where it was seen before', async () => {
    const { sessions, issued } = setUp();
    const text = await sessions.signForProject(token);
    await sessions.authenticate(text);
    issued.clear();
    await expect(sessions.authenticate(text)).rejects.toMatchObject(missing);
    issued.add('shop ci nightly');
    expect(await sessions.authenticate(text)).toMatchObject({ username: 'proj:shop:ci' });
  });

  it('ends with its time, a sign-out, or another key', async () => {
    const { sessions, clock, rotate } = setUp();
    const text = await sessions.signForProject(token);
    clock.now += 61_000;
    await expect(sessions.authenticate(text)).rejects.toMatchObject({ code: 16, message: expect.stringContaining('expired') as string });
    clock.now = nowMs;
    const caller = await sessions.authenticate(text);
    if (caller === undefined) throw new Error('the token is nobody’s');
    await sessions.revoke(caller);
    await expect(sessions.authenticate(text)).rejects.toMatchObject({ message: 'invalid session: token is revoked, please re-login' });
    const other = await sessions.signForProject({ ...token, expiresAt: undefined });
    rotate();
    await expect(sessions.authenticate(other)).rejects.toMatchObject({
      message: expect.stringContaining('signature is invalid') as string,
    });
  });

  it('counts for nobody where another key signed it', async () => {
    const { sessions } = setUp();
    const forged = await signProjectToken(token, Buffer.alloc(32, 9));
    await expect(sessions.authenticate(forged)).rejects.toMatchObject({
      message: expect.stringContaining('signature is invalid') as string,
    });
  });

  it.each(['admin:login', 'proj:shop', 'proj:shop:ci:more', 'proj', '', 'Proj:shop:ci', ' proj:shop:ci'])(
    'is none with the subject %j',
    (sub) => {
      expect(readProjectCaller({ sub, iat: issuedAt, jti: 'nightly' }, () => true)).toBeUndefined();
    },
  );

  it('from before there were ids is known by its time', () => {
    const asked: unknown[] = [];
    readProjectCaller({ sub: 'proj:shop:ci', iat: 5 }, (one) => asked.push(one) > 0);
    expect(asked).toEqual([{ project: 'shop', role: 'ci', id: '5', issuedAt: 5 }]);
  });
});
