import { QueryClient } from '@tanstack/react-query';
import { CallError, callCodes, isUnauthenticated } from './call-error.ts';
import { reportCall } from './connection.ts';
import { createApi, sendCall, type ApiHooks, type CallOptions } from './create-api.ts';
import { endSession } from './session.ts';

const STALE_MS = 5_000;
const RETRIES_MAX = 2;

const hooks: ApiHooks = {
  onFailure(error) {
    if (isUnauthenticated(error)) endSession();
    if (error.status === 0 && error.code === callCodes.unavailable) reportCall(true);
  },
  onSuccess: () => reportCall(false),
};

/** Every method of the contract as a function. */
export const api = createApi(hooks);

/** For the few addresses beside the contract. */
export function getJson(address: string, options: CallOptions = {}): Promise<unknown> {
  return sendCall(address, options, hooks);
}

/** The same with something to look at: what is asked by a body. */
export function postJson(address: string, body: object, options: CallOptions = {}): Promise<unknown> {
  return sendCall(address, { ...options, verb: 'POST', body: JSON.stringify(body) }, hooks);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      // The server's word is final; only what may pass is tried again.
      retry: (count, error) => count < RETRIES_MAX && error instanceof CallError && error.code === callCodes.unavailable,
      refetchOnWindowFocus: true,
    },
  },
});
