import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import { ApiError, Code } from '../../base/index.ts';
import { openTunnel } from '../../kube/index.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { checkAddress, checkedLookup } from './egress.ts';
import { unreachable } from './http-request.ts';
import type { HttpAnswer, HttpGetOptions, HttpGetRequest } from './http-request.ts';
import { pickProxy } from './pick-proxy.ts';

/** One request, without following where the answer points. */
export async function sendGet(
  request: HttpGetRequest,
  url: URL,
  options: HttpGetOptions,
): Promise<HttpAnswer | { readonly location: string }> {
  const { access } = request;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const proxy = pickProxy(url, { proxy: access.proxy ?? '', noProxy: access.noProxy ?? '', environment: options.proxyEnvironment });
  try {
    if (isIP(host) !== 0) checkAddress(host, options);
    const sent = await (proxy === undefined ? direct(request, url, options) : throughProxy(request, url, proxy));
    return await readAnswer(sent, request, options);
  } catch (error) {
    if (request.signal?.aborted === true) throw new ApiError(Code.Canceled, 'stopped');
    if (error instanceof ApiError) throw error.code === Code.Canceled ? error : unreachable(url, error.message);
    throw unreachable(url, error instanceof Error ? plainWords(error.message) : 'it cannot be reached');
  }
}

/** What the library of TLS writes when it meets plain HTTP tells nobody anything. */
function plainWords(message: string): string {
  return /wrong version number|packet length too long/.test(message) ? 'http: server gave HTTP response to HTTPS client' : message;
}

function direct(request: HttpGetRequest, url: URL, options: HttpGetOptions): ClientRequest {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return send(url, { ...headersOf(request), agent: request.agent ?? false, ...trust(request), lookup: checkedLookup(options) });
}

/** Plain HTTP is handed to the proxy as it is; everything else goes through a tunnel that the proxy cannot look into. */
async function throughProxy(request: HttpGetRequest, url: URL, proxy: string): Promise<ClientRequest> {
  const way = URL.canParse(proxy) ? new URL(proxy.replace(/^socks5h:/i, 'socks5:')) : undefined;
  if (way === undefined || !['http:', 'https:', 'socks5:'].includes(way.protocol))
    throw new ApiError(Code.InvalidArgument, 'the proxy of the repository is not an http, https or socks5 address');
  if (url.protocol === 'http:' && way.protocol === 'http:') {
    const { method, headers } = headersOf(request);
    const login =
      way.username === '' ? '' : Buffer.from(`${decodeURIComponent(way.username)}:${decodeURIComponent(way.password)}`).toString('base64');
    return requestHttp({
      host: way.hostname.replace(/^\[|\]$/g, ''),
      port: way.port || 80,
      path: `${url.origin}${url.pathname}${url.search}`,
      agent: false,
      method,
      headers: { ...headers, host: url.host, ...(login !== '' && { 'proxy-authorization': `Basic ${login}` }) },
    });
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const socket = await openTunnel(way.href, { host, port }, { limitMs: request.limitMs, tls: () => trustOf(request.access) });
  // A request that is told to have an agent, or to have none, connects by itself.
  const { agent: _none, ...options } = headersOf(request);
  if (url.protocol === 'http:') return requestHttp(url, { ...options, createConnection: () => socket });
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return requestHttps(url, {
    ...options,
    createConnection: () => connectTls({ socket, host, ...servername, ...trust(request) }),
  });
}

function headersOf({ headers = {}, authorization, compressed, body, head }: HttpGetRequest): {
  method: 'GET' | 'HEAD' | 'POST';
  headers: Record<string, string>;
  agent: false;
} {
  return {
    method: head === true ? 'HEAD' : body === undefined ? 'GET' : 'POST',
    headers: {
      'user-agent': 'fairway',
      ...(compressed === true && { 'accept-encoding': 'gzip' }),
      ...headers,
      ...(authorization !== undefined && { authorization }),
      ...(body && { 'content-type': body.type, 'content-length': String(Buffer.byteLength(body.text)) }),
    },
    agent: false,
  };
}

function trustOf({ insecure, certificateAuthorities }: RepositoryAccess): Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized'> {
  return { rejectUnauthorized: insecure !== true, ...(certificateAuthorities && { ca: certificateAuthorities }) };
}

function trust({
  access,
  withCertificate,
}: HttpGetRequest): Pick<RequestOptions & ConnectionOptions, 'ca' | 'rejectUnauthorized' | 'cert' | 'key'> {
  const { tlsClientCertData, tlsClientCertKey } = access;
  const hasCertificate = withCertificate && tlsClientCertData !== undefined && tlsClientCertKey !== undefined;
  return { ...trustOf(access), ...(hasCertificate && { cert: tlsClientCertData.reveal(), key: tlsClientCertKey.reveal() }) };
}

function readAnswer(
  sent: ClientRequest,
  { bytesMax, limitMs, signal, body }: HttpGetRequest,
  { timers }: HttpGetOptions,
): Promise<HttpAnswer | { readonly location: string }> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => void sent.destroy(new ApiError(Code.Canceled, 'stopped'));
    const cancelLimit = timers.schedule(limitMs, () => sent.destroy(new Error('context deadline exceeded')));
    const settle = (): void => {
      cancelLimit();
      signal?.removeEventListener('abort', giveUp);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    sent.on('error', fail);
    sent.on('response', (response: IncomingMessage) => {
      const { statusCode: status = 0, headers } = response;
      if ([301, 302, 303, 307, 308].includes(status) && headers.location !== undefined) {
        settle();
        response.destroy();
        return resolve({ location: headers.location });
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > bytesMax) response.destroy(new Error(`the answer is larger than ${bytesMax} bytes`));
        else chunks.push(chunk);
      });
      response.on('error', fail);
      response.on('end', () => {
        settle();
        resolve({ status, headers, body: Buffer.concat(chunks) });
      });
    });
    if (signal?.aborted === true) giveUp();
    sent.end(body?.text);
  });
}
