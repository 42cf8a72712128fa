import { ApiError, Code } from '../../base/index.ts';
import { StatusError, statusError } from '../../objects/index.ts';
import type { Status, StatusReason } from '../../objects/index.ts';
import type { HttpReply } from '../http.ts';
import { BodyTooLargeError } from '../transports/core/read-body.ts';

const REASONS: Partial<Record<Code, Exclude<StatusReason, ''>>> = {
  [Code.InvalidArgument]: 'BadRequest',
  [Code.FailedPrecondition]: 'BadRequest',
  [Code.OutOfRange]: 'BadRequest',
  [Code.NotFound]: 'NotFound',
  [Code.AlreadyExists]: 'AlreadyExists',
  [Code.PermissionDenied]: 'Forbidden',
  [Code.Unauthenticated]: 'Unauthorized',
  [Code.ResourceExhausted]: 'TooManyRequests',
  [Code.DeadlineExceeded]: 'Timeout',
  [Code.Canceled]: 'Timeout',
  [Code.Unavailable]: 'ServiceUnavailable',
  [Code.Unimplemented]: 'MethodNotAllowed',
};

export interface ReplyOptions {
  readonly status?: number;
  readonly contentType?: string;
  readonly warnings?: readonly string[];
}

/** An answer as JSON; `text` is encoded already. */
export function jsonReply(text: string, { status = 200, contentType = 'application/json', warnings = [] }: ReplyOptions = {}): HttpReply {
  return {
    status,
    headers: {
      'content-type': contentType,
      'cache-control': 'no-cache, private',
      ...(warnings.length > 0 && { warning: warnings.map((warning) => `299 - ${quote(warning)}`) }),
    },
    body: `${text}\n`,
  };
}

export function statusReply(status: Status): HttpReply {
  const { retryAfterSeconds } = status.details ?? {};
  const reply = jsonReply(JSON.stringify(status), { status: status.code ?? 500 });
  return retryAfterSeconds === undefined ? reply : { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfterSeconds) } };
}

/** The refusal that a failure means to a client; undefined for a fault of ours. */
export function toStatusError(error: unknown): StatusError | undefined {
  if (error instanceof StatusError) return error;
  if (error instanceof BodyTooLargeError) return statusError('RequestEntityTooLarge', `Request entity too large: ${error.message}`);
  if (!(error instanceof ApiError)) return undefined;
  const reason = REASONS[error.code];
  return reason === undefined ? undefined : statusError(reason, error.message);
}

export function pathNotFound(): StatusError {
  return statusError('NotFound', 'the server could not find the requested resource', {});
}

export function methodNotAllowed(): StatusError {
  return statusError('MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

/** A header carries one line of printable characters. */
function quote(text: string): string {
  return `"${text.replaceAll(/[^\x20-\x7e]/g, ' ').replaceAll(/["\\]/g, '\\$&')}"`;
}
