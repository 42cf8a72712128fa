import type { HttpHandler, HttpReply, HttpRequest } from '../http.ts';
import type { PlainRoute } from '../transports/plain-routes.ts';
import { unknownRoute } from '../transports/rest/route-table.ts';
import { readUiFiles, type UiFile, type UiFiles } from './read-ui-files.ts';

/**
 * Nothing but our own files is loaded, nothing can be framed, and no script or style can be put into a page. Requests that a page
 * makes go to this server only.
 */
const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;

/** Where pages are. They are those of Argo CD, so that links which people have kept lead to the same place. */
const PAGES: readonly string[] = ['/applications', '/applicationsets', '/settings', '/user-info', '/login', '/help'];

/** The names of these files change with what is in them. */
const IMMUTABLE = /^\/assets\//;

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Fairway: the web interface is not built</title>
<h1>The web interface is not built</h1>
<p>The API works: see <a href="/docs">its description</a>. In a checkout, stop the server and start it with <code>npm start</code>, or run
<code>npm run build</code> once; then load this page again.</p>
</html>
`;

export interface UiRoutesOptions {
  /** With the built interface. */
  readonly folder: string;
  /** Answers `/` to those who do not ask for a page: command line clients. */
  readonly frontPage: HttpHandler;
}

/** The web interface: one page for every address of it, and the files that the page loads. */
export function createUiRoutes({ folder, frontPage }: UiRoutesOptions): PlainRoute[] {
  let loading: Promise<UiFiles | undefined> | undefined;
  const load = async (): Promise<UiFiles | undefined> => {
    loading ??= readUiFiles(folder);
    const files = await loading;
    // Somebody may be building it.
    if (files === undefined) loading = undefined;
    return files;
  };

  const servePage = async (request: HttpRequest): Promise<HttpReply> => {
    const page = (await load())?.get('/index.html');
    if (page !== undefined) return sendFile(page, request, 'no-cache');
    const headers = { ...SECURITY_HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
    return { status: 503, headers, body: NOT_BUILT };
  };
  const serveFile: HttpHandler = async (request) => {
    const file = (await load())?.get(request.path);
    if (file === undefined) throw unknownRoute(request.path);
    return sendFile(file, request, IMMUTABLE.test(request.path) ? 'public, max-age=31536000, immutable' : 'no-cache');
  };
  const front: HttpHandler = (request) => (wantsPage(request) ? servePage(request) : frontPage(request));
  const page: HttpHandler = async (request) => {
    if (!wantsPage(request)) throw unknownRoute(request.path);
    return servePage(request);
  };
  return [
    route('/', front),
    ...PAGES.flatMap((path) => [route(path, page), route(`${path}/*`, page)]),
    route('/assets/*', serveFile),
    route('/favicon.svg', serveFile),
  ];
}

function route(path: string, handler: HttpHandler): PlainRoute {
  return { path, verbs: ['GET'], handler };
}

/** Browsers that open an address say so; scripts and command line clients do not. */
function wantsPage({ headers }: HttpRequest): boolean {
  return /\btext\/html\b/i.test(headers['accept'] ?? '');
}

function sendFile(file: UiFile, { headers: asked }: HttpRequest, cacheControl: string): HttpReply {
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': file.contentType,
    'cache-control': cacheControl,
    etag: file.etag,
    vary: 'accept-encoding, accept',
  };
  if ((asked['if-none-match'] ?? '').split(',').some((each) => each.trim().replace(/^(W\/)?/, 'W/') === file.etag))
    return { status: 304, headers };
  const accepted = asked['accept-encoding'] ?? '';
  if (file.br !== undefined && /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted))
    return { status: 200, headers: { ...headers, 'content-encoding': 'br' }, body: file.br };
  if (file.gzip !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted))
    return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: file.gzip };
  return { status: 200, headers, body: file.body };
}
