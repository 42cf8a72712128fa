import { ApiError, Code } from '../../base/index.ts';
import { messageCodec, type JsonObject } from '../../contract/index.ts';
import type { ApplicationSet } from '../../model/index.ts';
import type { HttpRequest } from '../http.ts';
import type { ApplicationSetServiceOptions } from '../services/applicationset/application-set-context.ts';
import { previewChanges } from '../services/applicationset/preview.ts';
import type { Authenticate } from '../transports/core/core.ts';
import { findRestToken } from '../transports/core/token.ts';
import type { PlainRoute } from '../transports/plain-routes.ts';

export interface ApplicationSetRoutesOptions {
  readonly context: ApplicationSetServiceOptions;
  readonly authenticate: Authenticate;
}

/** Lists of thousands of elements are what makes sets large. */
const setBytesMax = 2 << 20;
const codec = messageCodec('argoproj.v1alpha1.ApplicationSet');

/** What storing an application set would do: the API that we share with others tells what it would generate, not what that changes. */
export function createApplicationSetRoutes({ context, authenticate }: ApplicationSetRoutesOptions): PlainRoute[] {
  return [
    {
      path: '/api/fairway/v1/applicationsets/preview',
      verbs: ['POST'],
      async handler(request) {
        const caller = await authenticate(findRestToken({ header: (name) => request.headers[name] }));
        if (caller === undefined) throw new ApiError(Code.Unauthenticated, 'no session information');
        const answer = await previewChanges(context, await readSet(request), { caller, signal: request.signal });
        return {
          status: 200,
          headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
          body: JSON.stringify(answer),
        };
      },
    },
  ];
}

/** The set itself, as for creating it. A page on another site cannot send this type unasked. */
async function readSet(request: HttpRequest): Promise<ApplicationSet> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    throw new ApiError(Code.InvalidArgument, 'the content type must be application/json');
  const text = (await request.readBody(setBytesMax)).toString('utf8');
  try {
    return codec.fromJson(JSON.parse(text) as JsonObject) as unknown as ApplicationSet;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ApiError(Code.InvalidArgument, `the ApplicationSet cannot be read: ${why}`, { cause: error });
  }
}
