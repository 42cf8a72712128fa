import { randomUUID } from 'node:crypto';
import { ApiError, Code } from '../../../base/index.ts';
import { isStatusError } from '../../../objects/index.ts';
import { fromHomeError } from '../../home-errors.ts';
import type { Core } from './core.ts';
import type { Exchange } from './exchange.ts';

/** A cluster that cannot answer at the moment, whatever it was asked. */
const TROUBLES = ['InternalError', 'ServiceUnavailable', 'ServerTimeout', 'Timeout', 'TooManyRequests'] as const;

/**
 * What a caller may see of a failure: an ApiError as it is, and what a cluster says of itself. Anything else becomes a plain internal
 * error whose request id leads to the cause in the log.
 */
export function toApiError(core: Core, exchange: Exchange, failure: unknown): ApiError {
  // What a refusal of any other sort means to the caller has to be said where the cluster is asked.
  const error = isStatusError(failure, ...TROUBLES) ? fromHomeError(failure) : failure;
  if (error instanceof ApiError) {
    // A fault of ours, though somebody found words for it; or of a cluster, which has said so itself.
    if (error.code === Code.Internal)
      core.log[isStatusError(error.cause) ? 'warn' : 'error']('a request failed', { verb: exchange.verb, path: exchange.path, error });
    return error;
  }
  const requestId = randomUUID();
  core.log.error('a request failed unexpectedly', { requestId, verb: exchange.verb, path: exchange.path, error });
  core.hooks.onInternalError();
  return new ApiError(Code.Internal, `internal error (request id ${requestId})`, { cause: error });
}
