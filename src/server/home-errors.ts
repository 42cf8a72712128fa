import { ApiError, Code } from '../base/index.ts';
import { isStatusError, type StatusReason } from '../objects/index.ts';

const CODES: Partial<Record<StatusReason, Code>> = {
  NotFound: Code.NotFound,
  AlreadyExists: Code.AlreadyExists,
  Invalid: Code.InvalidArgument,
  MethodNotAllowed: Code.Unimplemented,
  ServiceUnavailable: Code.Unavailable,
  ServerTimeout: Code.Unavailable,
  BadRequest: Code.FailedPrecondition,
  Unauthorized: Code.Unauthenticated,
  Forbidden: Code.PermissionDenied,
  Timeout: Code.DeadlineExceeded,
  Conflict: Code.Aborted,
  TooManyRequests: Code.ResourceExhausted,
  InternalError: Code.Internal,
};

/** A refusal of a Kubernetes API as callers of this API know it; anything else as it is. */
export function fromHomeError(error: unknown): unknown {
  if (!isStatusError(error)) return error;
  return new ApiError(CODES[error.reason] ?? Code.Unknown, error.message, { cause: error });
}

/** Runs a call of a Kubernetes API, and throws its refusal as callers of this API know it. */
export async function withHomeErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw fromHomeError(error);
  }
}
