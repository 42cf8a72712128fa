import { anonymousCaller, formatTokenCookies, type Login, type Sessions } from '../../access/index.ts';
import { ApiError, Code } from '../../base/index.ts';
import type { SessionService } from '../../contract/index.ts';
import type { Call } from '../call.ts';

export function createSessionService({ login, sessions }: { readonly login: Login; readonly sessions: Sessions }): SessionService<Call> {
  return {
    async Create({ username = '', password = '', token = '' }, call) {
      if (token !== '') throw new ApiError(Code.Unimplemented, `${call.method.path} does not take a token of an SSO provider yet`);
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
