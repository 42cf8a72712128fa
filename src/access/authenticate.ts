import { ApiError, Code } from '../base/index.ts';
import { anonymousCaller, type Caller } from './caller.ts';
import type { Sessions } from './sessions.ts';

export interface AuthenticateOptions {
  readonly sessions: Pick<Sessions, 'authenticate'>;
  /** As it is now. */
  readonly isAnonymousEnabled: () => boolean;
}

/**
 * Finds out who a token belongs to. Where callers without a session are let in, so are those whose token is not good, and nothing that it
 * says about them is believed.
 */
export function createAuthenticate({ sessions, isAnonymousEnabled }: AuthenticateOptions): Sessions['authenticate'] {
  return (token) => {
    const caller = sessions.authenticate(token);
    if (!isAnonymousEnabled()) return caller;
    return caller instanceof Promise ? caller.then(orAnonymous, takeForAnonymous) : orAnonymous(caller);
  };
}

function orAnonymous(caller: Caller | undefined): Caller {
  return caller ?? anonymousCaller;
}

function takeForAnonymous(error: unknown): Caller {
  if (error instanceof ApiError && error.code === Code.Unauthenticated) return anonymousCaller;
  throw error;
}
