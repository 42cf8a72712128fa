import { formatLoginStateCookie, type Sso } from '../../access/index.ts';
import type { HttpHandler } from '../http.ts';
import { answerFailure } from './auth-failure.ts';

/** Sends a browser to the SSO provider, to come back to `return_url`. */
export function createAuthLoginRoute({ browser }: Pick<Sso, 'browser'>): HttpHandler {
  return answerFailure(async ({ query, headers }) => {
    const returnAddress = new URLSearchParams(query).get('return_url') ?? '';
    const { location, sealedState, secure } = await browser.start({ returnAddress, host: headers['host'] ?? headers[':authority'] });
    const cookie = formatLoginStateCookie(sealedState, { secure });
    return { status: 303, headers: { location, 'set-cookie': cookie, 'cache-control': 'no-store' } };
  });
}
