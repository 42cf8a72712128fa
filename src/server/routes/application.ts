import { ApiError, Code } from '../../base/index.ts';
import { messageCodec, type JsonObject } from '../../contract/index.ts';
import type { Application } from '../../model/index.ts';
import type { Asker } from '../call.ts';
import type { HttpReply, HttpRequest } from '../http.ts';
import type { ApplicationServiceOptions } from '../services/application/application-context.ts';
import { findApplication } from '../services/application/find-application.ts';
import { findResources } from '../services/application/find-resources.ts';
import { createPreview } from '../services/application/preview.ts';
import { describeWindowTimes } from '../services/application/sync-windows.ts';
import { createFolderFinder } from '../services/repository/find-folders.ts';
import type { Authenticate } from '../transports/core/core.ts';
import { findRestToken } from '../transports/core/token.ts';
import type { PlainRoute } from '../transports/plain-routes.ts';

export interface ApplicationRoutesOptions {
  readonly context: ApplicationServiceOptions;
  readonly authenticate: Authenticate;
}

/** Values of charts are what makes applications large. */
const applicationBytesMax = 1 << 20;
const codec = messageCodec('argoproj.v1alpha1.Application');

/** What people want to know before they create, change or sync an application, and the API that we share with others does not tell. */
export function createApplicationRoutes({ context, authenticate }: ApplicationRoutesOptions): PlainRoute[] {
  const preview = createPreview();
  const findFolders = createFolderFinder(context);

  async function answer(request: HttpRequest, find: (asker: Asker) => Promise<object>): Promise<HttpReply> {
    const caller = await authenticate(findRestToken({ header: (name) => request.headers[name] }));
    if (caller === undefined) throw new ApiError(Code.Unauthenticated, 'no session information');
    const body = JSON.stringify(await find({ caller, signal: request.signal }));
    return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }, body };
  }

  return [
    {
      path: '/api/fairway/v1/render',
      verbs: ['POST'],
      handler: (request) => answer(request, async (asker) => preview(context, await readApplicationBody(request), asker)),
    },
    {
      path: '/api/fairway/v1/folders',
      verbs: ['GET'],
      handler: (request) =>
        answer(request, async (asker) => {
          const query = new URLSearchParams(request.query);
          const read = (name: string): string => query.get(name) ?? '';
          const asked = { repo: read('repo'), revision: read('revision'), appProject: read('appProject'), appName: read('appName') };
          return { items: await findFolders(asked, asker) };
        }),
    },
    {
      path: '/api/fairway/v1/resources',
      verbs: ['GET'],
      handler: (request) =>
        answer(request, async (asker) => {
          const query = new URLSearchParams(request.query);
          const limit = query.get('limit');
          return findResources(context, { search: query.get('search') ?? '', ...(limit !== null && { limit: Number(limit) }) }, asker);
        }),
    },
    {
      path: '/api/fairway/v1/sync-windows',
      verbs: ['GET'],
      handler: (request) =>
        answer(request, async (asker) => {
          const query = new URLSearchParams(request.query);
          const read = (name: string): string => query.get(name) ?? '';
          const named = { name: read('name'), appNamespace: read('appNamespace'), project: read('project') };
          const found = await findApplication(context, asker, { ...named, action: 'get' });
          return describeWindowTimes(found.application, found.project, context.clock.nowMs());
        }),
    },
  ];
}

/** The application itself, as for creating it. A page on another site cannot send this type unasked. */
async function readApplicationBody(request: HttpRequest): Promise<Application> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    throw new ApiError(Code.InvalidArgument, 'the content type must be application/json');
  const text = (await request.readBody(applicationBytesMax)).toString('utf8');
  let given: unknown;
  try {
    given = codec.fromJson(JSON.parse(text) as JsonObject);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ApiError(Code.InvalidArgument, `the application cannot be read: ${why}`, { cause: error });
  }
  const application = given as Application;
  if ((application as Partial<Application>).metadata === undefined || (application as Partial<Application>).spec === undefined)
    throw new ApiError(Code.InvalidArgument, 'the application has no metadata or no spec');
  return application;
}
