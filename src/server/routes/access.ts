import type { Caller, ExplainedPolicy } from '../../access/index.ts';
import { ApiError, Code } from '../../base/index.ts';
import type { HttpReply, HttpRequest } from '../http.ts';
import { requireDeed, toPolicyObject } from '../services/account.ts';
import type { Deed } from '../services/authorise.ts';
import type { Authenticate } from '../transports/core/core.ts';
import { findRestToken } from '../transports/core/token.ts';
import type { PlainRoute } from '../transports/plain-routes.ts';

export interface AccessRoutesOptions {
  readonly policy: ExplainedPolicy;
  readonly authenticate: Authenticate;
  /** In which the control plane's own objects are. */
  readonly namespace: string;
}

/** Why somebody may or may not do something, and who may. The API that we share with others only answers yes or no. */
export function createAccessRoutes({ policy, authenticate, namespace }: AccessRoutesOptions): PlainRoute[] {
  async function answer(request: HttpRequest, decide: (caller: Caller, deed: Deed) => object): Promise<HttpReply> {
    const caller = await authenticate(findRestToken({ header: (name) => request.headers[name] }));
    if (caller === undefined) throw new ApiError(Code.Unauthenticated, 'no session information');
    const body = JSON.stringify(decide(caller, readDeed(request.query, namespace)));
    return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }, body };
  }

  return [
    {
      path: '/api/fairway/v1/can-i',
      verbs: ['GET'],
      handler: (request) => answer(request, (caller, { resource, action, object }) => policy.explain(caller, resource, action, object)),
    },
    {
      path: '/api/fairway/v1/can-i-somewhere',
      verbs: ['GET'],
      handler: (request) => answer(request, (caller, { resource, action }) => policy.explainSomewhere(caller, resource, action)),
    },
    {
      path: '/api/fairway/v1/who-can',
      verbs: ['GET'],
      handler: (request) =>
        answer(request, (caller, { resource, action, object }) => {
          // It tells who there is, so it is for those who may know that anyway.
          if (!policy.isAllowed(caller, 'accounts', 'get', '*')) throw new ApiError(Code.PermissionDenied, 'permission denied');
          return policy.whoCan(resource, action, object);
        }),
    },
  ];
}

function readDeed(query: string, namespace: string): Deed {
  const parameters = new URLSearchParams(query);
  const [resource, action, object] = ['resource', 'action', 'object'].map((name) => parameters.get(name) ?? '') as [string, string, string];
  requireDeed(resource, action, object);
  return { resource, action, object: toPolicyObject(resource, object, namespace) };
}
