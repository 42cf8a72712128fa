import { formatTokenCookies, type Caller, type Sessions } from '../../access/index.ts';
import type { SessionService } from '../../contract/index.ts';
import type { Call } from '../call.ts';

type Handler = (request: never, call: Call) => unknown;

/** Wraps unary handlers so that a caller whose session is about to end gets a new token with the answer. */
export function renewSessions<Service extends { readonly [Name in keyof Service]: Handler }>(
  service: Service,
  sessions: Sessions,
): Service {
  const wrap =
    (handle: Handler): Handler =>
    (request, call) =>
      call.caller !== undefined && sessions.isRenewalDue(call.caller)
        ? renew(call, call.caller, sessions).then(() => handle(request, call))
        : handle(request, call);
  const handlers = Object.entries<Handler>(service).map(([name, handle]) => [name, wrap(handle)]);
  return Object.fromEntries(handlers) as Service;
}

/** An open page asks who it is, and stays signed in by that; whoever signs out must not be handed a new session with the answer. */
export function renewUserInfo(service: SessionService<Call>, sessions: Sessions): SessionService<Call> {
  const renewed = renewSessions(service, sessions);
  return { ...service, GetUserInfo: (request, call) => renewed.GetUserInfo(request, call) };
}

async function renew(call: Call, caller: Caller, sessions: Sessions): Promise<void> {
  const token = await sessions.renew(caller);
  call.setHeader('renew-token', token);
  for (const cookie of formatTokenCookies(token, { secure: call.secure })) call.setCookie(cookie);
}
