import { randomUUID } from 'node:crypto';
import { ApiError, Code } from '../../../base/index.ts';
import type { Core } from './core.ts';
import type { Exchange } from './exchange.ts';

/**
 * What a caller may see of a failure: an ApiError as it is. Anything else becomes a plain internal error whose
 * request id leads to the cause in the log.
 */
export function toApiError(core: Core, exchange: Exchange, error: unknown): ApiError {
  if (error instanceof ApiError) {
    // A fault of ours, though somebody found words for it.
    if (error.code === Code.Internal) core.log.error('a request failed', { verb: exchange.verb, path: exchange.path, error });
    return error;
  }
  const requestId = randomUUID();
  core.log.error('a request failed unexpectedly', { requestId, verb: exchange.verb, path: exchange.path, error });
  core.hooks.onInternalError();
  return new ApiError(Code.Internal, `internal error (request id ${requestId})`, { cause: error });
}
