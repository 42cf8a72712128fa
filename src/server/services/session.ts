import { anonymousCaller, formatTokenCookies, localIssuer, type Login, type Sessions } from '../../access/index.ts';
import { ApiError, Code } from '../../base/index.ts';
import type { SessionService } from '../../contract/index.ts';
import type { Call } from '../call.ts';

export function createSessionService({ login, sessions }: { readonly login: Login; readonly sessions: Sessions }): SessionService<Call> {
  return {
    async Create({ username = '', password = '', token = '' }, call) {
      if (token !== '') return takeProviderToken(token, call, sessions);
      if (username === '' || password === '') throw new ApiError(Code.Unauthenticated, 'no credentials supplied');
      const issued = await login(username, password, call);
      for (const cookie of formatTokenCookies(issued, { secure: call.secure })) call.setCookie(cookie);
      return { token: issued };
    },

    async Delete(_request, { caller }) {
      if (caller !== undefined) await sessions.revoke(caller);
      return {};
    },

    GetUserInfo: async (_request, { caller }) =>
      caller === undefined || caller === anonymousCaller
        ? {}
        : { loggedIn: true, username: caller.username, iss: caller.issuer, groups: [...caller.groups] },
  };
}

/** A token of the SSO provider that passes every check is a session itself; one of ours is no proof that somebody just signed in. */
async function takeProviderToken(token: string, call: Call, sessions: Sessions): Promise<{ token: string }> {
  const caller = await sessions.authenticate(token);
  if (caller === undefined || caller.issuer === localIssuer) {
    throw new ApiError(Code.Unauthenticated, 'invalid session: only a token of the SSO provider can be exchanged');
  }
  for (const cookie of formatTokenCookies(token, { secure: call.secure })) call.setCookie(cookie);
  return { token };
}
