import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readOpenApiDocument } from '../../contract/index.ts';
import type { HttpHandler } from '../http.ts';
import type { PlainRoute } from '../transports/plain-routes.ts';

/**
 * Nothing but our own files is loaded, nothing can be framed, and no script or style can be put into the page. Requests
 * that the page makes go to this server only.
 */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** The API browser and the OpenAPI document. They are the same for everyone and need no sign-in. */
export const docsRoutes: readonly PlainRoute[] = [
  route('/docs', servePage('index.html', 'text/html; charset=utf-8')),
  route('/docs/style.css', servePage('style.css', 'text/css; charset=utf-8')),
  ...['app.js', 'element.js', 'operation.js', 'request.js', 'schema.js', 'try-it.js'].map((name) =>
    route(`/docs/${name}`, servePage(name, 'text/javascript; charset=utf-8')),
  ),
  route('/openapi.json', serve(readOpenApiDocument, 'application/json')),
  // Locations are relative, so that they hold below a root path too.
  route('/docs/', redirect('../docs')),
  route('/swagger.json', redirect('openapi.json')),
  route('/swagger-ui', redirect('docs')),
];

function route(path: string, handler: HttpHandler): PlainRoute {
  return { path, verbs: ['GET'], handler };
}

function servePage(name: string, contentType: string): HttpHandler {
  return serve(() => readFile(new URL(`./pages/${name}`, import.meta.url), 'utf8'), contentType);
}

/** Answers with a text that is read at the first request and then kept. */
function serve(read: () => Promise<string>, contentType: string): HttpHandler {
  let loading: Promise<Loaded> | undefined;
  return async ({ headers: asked }) => {
    loading ??= load(read);
    const { body, etag } = await loading;
    const headers = { ...SECURITY_HEADERS, 'content-type': contentType, 'cache-control': 'no-cache', etag };
    return isCurrent(asked['if-none-match'], etag) ? { status: 304, headers } : { status: 200, headers, body };
  };
}

interface Loaded {
  readonly body: Buffer;
  readonly etag: string;
}

async function load(read: () => Promise<string>): Promise<Loaded> {
  const body = Buffer.from(await read());
  return { body, etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

/** The tag is a weak one because compression changes the bytes, and a proxy may have dropped or added the mark. */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((each) => each.trim().replace(/^(W\/)?/, 'W/') === etag);
}

function redirect(location: string): HttpHandler {
  return () => Promise.resolve({ status: 308, headers: { ...SECURITY_HEADERS, location } });
}
