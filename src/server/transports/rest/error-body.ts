import { STATUS_CODES } from 'node:http';
import { Code, type ApiError } from '../../../base/index.ts';

const HTTP_STATUS: Readonly<Record<Code, number>> = {
  [Code.OK]: 200,
  [Code.Canceled]: 408,
  [Code.Unknown]: 500,
  [Code.InvalidArgument]: 400,
  [Code.DeadlineExceeded]: 504,
  [Code.NotFound]: 404,
  [Code.AlreadyExists]: 409,
  [Code.PermissionDenied]: 403,
  [Code.ResourceExhausted]: 429,
  [Code.FailedPrecondition]: 400,
  [Code.Aborted]: 409,
  [Code.OutOfRange]: 400,
  [Code.Unimplemented]: 501,
  [Code.Internal]: 500,
  [Code.Unavailable]: 503,
  [Code.DataLoss]: 500,
  [Code.Unauthenticated]: 401,
};

export function httpStatusOf(code: Code): number {
  return HTTP_STATUS[code];
}

/** The body of a failed call. */
export function errorBody({ code, message }: Pick<ApiError, 'code' | 'message'>): string {
  return JSON.stringify({ error: message, code, message });
}

/** A failure in a stream: the only message if it comes first, the last one otherwise. */
export function streamErrorBody({ code, message }: ApiError): string {
  const status = httpStatusOf(code);
  return JSON.stringify({ error: { grpc_code: code, http_code: status, message, http_status: STATUS_CODES[status] } });
}
