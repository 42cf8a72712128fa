import type { Caller } from '../../../access/index.ts';
import { ApiError, Code } from '../../../base/index.ts';
import type { Core } from './core.ts';
import type { Method } from './method-table.ts';

/**
 * Decides whether a call may go on, and for whom. Everything is closed to those who are not signed in, except the
 * public methods; there a token that is no good counts as none.
 */
export async function admit(core: Core, method: Method, token: string | undefined): Promise<Caller | undefined> {
  let caller: Caller | undefined;
  try {
    caller = await core.authenticate(token);
  } catch (error) {
    if (method.isPublic && error instanceof ApiError && error.code === Code.Unauthenticated) return undefined;
    throw error;
  }
  if (caller !== undefined || method.isPublic) return caller;
  throw new ApiError(Code.Unauthenticated, token === undefined ? 'no session information' : 'invalid session: the token is not valid');
}
