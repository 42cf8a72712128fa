import { spawn } from 'node:child_process';
import { createServer, request as requestHttp } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import type { AddressInfo } from 'node:net';

/** What the server does instead of answering as git would. */
export type Misbehaviour =
  | { readonly hang: true }
  | { readonly cutAfterBytes: number }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export interface GitHttpServerOptions {
  /** The folder with the repositories; `/shop` is the one in its folder `shop`, or its `.git`. */
  readonly root: string;
  /** The Authorization header that is asked for. */
  readonly authorization?: string;
  readonly tls?: SecureContextOptions & { readonly requestCert?: boolean };
  /** Servers that answer for paths with these words in them. */
  readonly besides?: Readonly<Record<string, string>>;
  readonly misbehave?: (request: IncomingMessage) => Misbehaviour | undefined;
}

export interface GitHttpServer {
  readonly url: string;
  readonly port: number;
  /** Method, URL and Authorization header of all requests, in order. */
  readonly requests: readonly { readonly line: string; readonly authorization: string | undefined }[];
  /** Bytes that were sent in bodies. */
  readonly bytesSent: () => number;
  close(): Promise<void>;
}

/** Git's own HTTP server behind node:http, with the troubles that real servers have. */
export async function startGitHttpServer(options: GitHttpServerOptions): Promise<GitHttpServer> {
  const requests: { line: string; authorization: string | undefined }[] = [];
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push({ line: `${request.method} ${request.url}`, authorization: request.headers.authorization });
    const trouble = options.misbehave?.(request);
    if (trouble !== undefined && 'hang' in trouble) return;
    if (trouble !== undefined && 'status' in trouble) return void response.writeHead(trouble.status, trouble.headers).end(trouble.body);
    if (options.authorization !== undefined && request.headers.authorization !== options.authorization)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    const beside = Object.entries(options.besides ?? {}).find(([words]) => request.url?.includes(words));
    if (beside !== undefined) return passOn(request, response, `${beside[1]}${request.url}`);
    serve(request, response, { root: options.root, count, cutAfterBytes: trouble?.cutAfterBytes });
  };
  const { tls } = options;
  const server = tls === undefined ? createServer(listener) : createSecureServer({ ...tls, rejectUnauthorized: true }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    bytesSent: () => bytes,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function passOn(request: IncomingMessage, response: ServerResponse, url: string): void {
  const { method, headers } = request;
  const passed = requestHttp(url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  request.pipe(passed);
}

function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { root, count, cutAfterBytes = Infinity }: { root: string; count: (chunk: Buffer) => void; cutAfterBytes: number | undefined },
): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      ...(request.headers['git-protocol'] && { GIT_PROTOCOL: String(request.headers['git-protocol']) }),
      REMOTE_ADDR: '127.0.0.1',
    },
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  let head = Buffer.alloc(0);
  let sent = 0;
  const send = (chunk: Buffer): void => {
    sent += chunk.length;
    count(chunk);
    if (sent > cutAfterBytes) response.destroy();
    else response.write(chunk);
  };
  child.stdout.on('data', (chunk: Buffer) => {
    if (response.headersSent) return send(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const lines = head.toString('latin1', 0, end).split('\r\n');
    const headers = lines.map((line) => line.split(/:\s*/, 2) as [string, string]);
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    send(head.subarray(end + 4));
  });
  child.stdout.on('end', () => response.end());
}
