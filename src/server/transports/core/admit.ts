import type { Caller } from '../../../access/index.ts';
import { ApiError, Code } from '../../../base/index.ts';
import type { Core } from './core.ts';
import type { Method } from './method-table.ts';

/** Public methods that are about whoever calls: not to know them now is another answer than that they are nobody. */
const aboutCaller: ReadonlySet<string> = new Set(['/session.SessionService/GetUserInfo', '/session.SessionService/Delete']);

/**
 * Decides whether a call may go on, and for whom. Everything is closed to those who are not signed in, except the
 * public methods; there a token that is no good counts as none. So does one that cannot be checked now: whoever has one of a
 * provider that is away must be able to sign in with a password. At once where the token is known already.
 */
export function admit(core: Core, method: Method, token: string | undefined): Promise<Caller | undefined> | Caller | undefined {
  const caller = core.authenticate(token);
  if (caller instanceof Promise) return waitForCaller(caller, method, token);
  return requireCaller(caller, method, token);
}

async function waitForCaller(
  authenticated: Promise<Caller | undefined>,
  method: Method,
  token: string | undefined,
): Promise<Caller | undefined> {
  let caller: Caller | undefined;
  try {
    caller = await authenticated;
  } catch (error) {
    if (method.isPublic && error instanceof ApiError && countsAsNone(error, method)) return undefined;
    throw error;
  }
  return requireCaller(caller, method, token);
}

function countsAsNone({ code }: ApiError, { schema }: Method): boolean {
  return code === Code.Unauthenticated || (code === Code.Unavailable && !aboutCaller.has(schema.path));
}

function requireCaller(caller: Caller | undefined, method: Method, token: string | undefined): Caller | undefined {
  if (caller !== undefined || method.isPublic) return caller;
  throw new ApiError(Code.Unauthenticated, token === undefined ? 'no session information' : 'invalid session: the token is not valid');
}
