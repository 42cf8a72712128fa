import type { Caller } from '../../access/index.ts';
import { ApiError, Code, type Logger } from '../../base/index.ts';
import type { HttpRequest } from '../http.ts';
import { describeTarget, recordAudit } from '../record-audit.ts';
import type { Authenticate } from '../transports/core/core.ts';
import { findRestToken } from '../transports/core/token.ts';
import type { PlainRoute } from '../transports/plain-routes.ts';

export interface AuditRoutesOptions {
  readonly authenticate: Authenticate;
  readonly log: Logger;
}

/** Wraps routes that change nothing so that each denied request leaves a record, as each denied call does. */
export function auditRoutes(routes: readonly PlainRoute[], { authenticate, log }: AuditRoutesOptions): PlainRoute[] {
  const findCaller = async ({ headers }: HttpRequest): Promise<Caller | undefined> => {
    try {
      return await authenticate(findRestToken({ header: (name) => headers[name] }));
    } catch {
      // Signed out since it was denied.
      return undefined;
    }
  };
  return routes.map((route) => ({
    ...route,
    async handler(request) {
      try {
        return await route.handler(request);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== Code.PermissionDenied) throw error;
        const { verb, query, remoteAddress } = request;
        const target = describeTarget(Object.fromEntries(new URLSearchParams(query)));
        const caller = await findCaller(request);
        recordAudit(log, { caller, call: `${verb} ${route.path}`, target, code: error.code, transport: 'rest', remoteAddress });
        throw error;
      }
    },
  }));
}
