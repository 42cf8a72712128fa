import { dexAdvice, type Sso } from '../../access/index.ts';
import type { HttpHandler } from '../http.ts';

/** Where clients look for Dex when only that is configured: what they show tells what to configure instead. */
export function createDexRoute({ isConfigured }: Pick<Sso, 'isConfigured'>): HttpHandler {
  return async () => ({
    status: isConfigured() ? 501 : 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: isConfigured() ? `${dexAdvice}\n` : 'SSO is not configured\n',
  });
}
