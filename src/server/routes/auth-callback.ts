import { formatLoginStateCookie, formatTokenCookies, loginStateCookie, readCookie, type Sso } from '../../access/index.ts';
import type { HttpHandler } from '../http.ts';
import { answerFailure } from './auth-failure.ts';

/** Where the SSO provider sends a browser back to: the provider's token becomes the session. */
export function createAuthCallbackRoute({ browser }: Pick<Sso, 'browser'>): HttpHandler {
  return answerFailure(async ({ query, headers }) => {
    const sealedState = readCookie(headers['cookie'], loginStateCookie) ?? '';
    const { location, token, secure } = await browser.finish({ query, sealedState });
    const cookies = [...formatTokenCookies(token, { secure }), formatLoginStateCookie('', { secure })];
    // The address of this page holds a code: it is told to nobody.
    return { status: 303, headers: { location, 'set-cookie': cookies, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } };
  });
}
