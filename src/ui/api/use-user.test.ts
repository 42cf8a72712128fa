import { afterEach, describe, expect, it, vi } from 'vitest';
import { endSession, session, sessionUsername } from './session.ts';
import { userInfoQuery } from './use-user.ts';

const ask = (user: object): Promise<unknown> => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(user)));
  return userInfoQuery.queryFn({ signal: new AbortController().signal });
};

describe('who is signed in', () => {
  afterEach(() => session.set('unknown'));

  it('is known as soon as the server says it, also where it was away when the page was opened: so their session can be seen to end', async () => {
    await ask({ loggedIn: true, username: 'ada' });
    expect([session.get(), sessionUsername()]).toEqual(['known', 'ada']);
    await ask({ loggedIn: false });
    expect(session.get()).toBe('ended');
  });

  it('is not taken for the one whose session ended', async () => {
    await ask({ loggedIn: true, username: 'ada' });
    endSession();
    await ask({ loggedIn: true, username: 'bob' });
    expect([session.get(), sessionUsername()]).toEqual(['ended', 'ada']);
  });

  it('is asked often until it is known', () => {
    const { refetchInterval } = userInfoQuery;
    expect(refetchInterval({ state: {} })).toBeLessThan(refetchInterval({ state: { data: {} } }));
  });
});
