import { ApiError, Code } from '../../base/index.ts';
import type { HttpHandler } from '../http.ts';

const statuses: Readonly<Partial<Record<Code, number>>> = {
  [Code.InvalidArgument]: 400,
  [Code.FailedPrecondition]: 400,
  [Code.Unauthenticated]: 401,
  [Code.NotFound]: 404,
  [Code.Unimplemented]: 501,
  [Code.Unavailable]: 503,
};

/** Tells people in plain words, and without any cookie, why signing in did not work. */
export function answerFailure(handler: HttpHandler): HttpHandler {
  return async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      const status = error instanceof ApiError ? statuses[error.code] : undefined;
      if (status === undefined) throw error;
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
      return { status, headers, body: `${(error as ApiError).message}\n` };
    }
  };
}
