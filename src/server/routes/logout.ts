import { expireTokenCookies, readTokenCookie, type Caller, type Sessions, type Sso } from '../../access/index.ts';
import { ApiError, Code, type Logger } from '../../base/index.ts';
import type { HttpHandler } from '../http.ts';
import { recordAudit } from '../record-audit.ts';

/** What `Sec-Fetch-Site` says of a request that no page of ours, and no person, asked for. */
const foreignSites: readonly string[] = ['cross-site', 'same-site'];

export interface LogoutOptions {
  readonly sessions: Sessions;
  readonly sso: Pick<Sso, 'findLogoutAddress'>;
  readonly log: Logger;
}

/** Ends the session of a browser, or of the stock client, which both send it as a cookie. */
export function createLogoutRoute({ sessions, sso, log }: LogoutOptions): HttpHandler {
  return async ({ verb, headers, secure, remoteAddress }) => {
    if (verb === 'HEAD') return { status: 405, headers: { allow: 'GET, POST' } };
    // Browsers say where a request comes from: a link on another site must not sign anybody out (WEB-06).
    if (verb === 'GET' && foreignSites.includes(headers['sec-fetch-site'] ?? '')) {
      return { status: 403, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'sign out from a page of this server\n' };
    }
    const token = readTokenCookie(headers['cookie']);
    if (token === undefined) {
      const body = 'Failed to retrieve ArgoCD auth token: there is no argocd.token cookie\n';
      return { status: 400, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
    }
    const cookies = { 'set-cookie': expireTokenCookies(headers['cookie'], { secure }) };
    try {
      const caller = await revoke(token, sessions);
      if (caller !== undefined)
        recordAudit(log, { caller, call: `${verb} /auth/logout`, target: {}, code: Code.OK, transport: 'rest', remoteAddress });
      const location = caller === undefined ? '/' : (sso.findLogoutAddress(caller, token) ?? '/');
      return { status: 303, headers: { location, ...cookies } };
    } catch (error) {
      log.warn('a session could not be ended', { error });
      const body =
        'the cookies are gone from here, but the session could not be ended everywhere: other replicas may still accept its token until it expires\n';
      return { status: 503, headers: { ...cookies, 'content-type': 'text/plain; charset=utf-8' }, body };
    }
  };
}

async function revoke(token: string, sessions: Sessions): Promise<Caller | undefined> {
  try {
    const caller = await sessions.authenticate(token);
    if (caller !== undefined) await sessions.revoke(caller);
    return caller;
  } catch (error) {
    // A token that is not good any more has nothing left to revoke; its cookies go all the same.
    if (error instanceof ApiError && error.code === Code.Unauthenticated) return undefined;
    throw error;
  }
}
