import { formatTokenCookies, type Sessions } from '../../access/index.ts';
import type { Call } from '../call.ts';

type Handler = (request: never, call: Call) => Promise<unknown>;

/** Wraps unary handlers so that a caller whose session is about to end gets a new token with the answer. */
export function renewSessions<Service extends { readonly [Name in keyof Service]: Handler }>(
  service: Service,
  sessions: Sessions,
): Service {
  const wrap =
    (handle: Handler): Handler =>
    async (request, call) => {
      if (call.caller !== undefined && sessions.isRenewalDue(call.caller)) {
        const token = await sessions.renew(call.caller);
        call.setHeader('renew-token', token);
        for (const cookie of formatTokenCookies(token, { secure: call.secure })) call.setCookie(cookie);
      }
      return handle(request, call);
    };
  const handlers = Object.entries<Handler>(service).map(([name, handle]) => [name, wrap(handle)]);
  return Object.fromEntries(handlers) as Service;
}
