import { request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { ApiError, Code } from '../../base/index.ts';
import type { Timers } from '../../base/index.ts';
import type { RepositoryAccess } from '../repository-access.ts';

export interface HttpGet {
  readonly url: string;
  readonly access: RepositoryAccess;
  /** Whether the credentials are for this address. */
  readonly withCredentials: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytesMax: number;
  readonly limitMs: number;
  readonly timers: Timers;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: Buffer;
}

const REDIRECTS_MAX = 5;

/** Fetches something of a Helm repository. Credentials stay with the scheme, host and port that they are for, wherever a server points. */
export async function httpGet(options: HttpGet): Promise<HttpAnswer> {
  if ((options.access.proxy ?? '') !== '') throw new ApiError(Code.Unimplemented, 'proxies of Helm repositories are not supported yet');
  let url = parseAddress(options.url);
  for (let hops = 0; ; hops += 1) {
    const isSameOrigin = url.origin === parseAddress(options.url).origin;
    const answer = await getOnce(options, url, options.withCredentials && isSameOrigin);
    if (!('location' in answer)) return answer;
    if (hops >= REDIRECTS_MAX) throw unreachable(url, `stopped after ${REDIRECTS_MAX} redirects`);
    const next = parseAddress(new URL(answer.location, url).href);
    if (url.protocol === 'https:' && next.protocol !== 'https:') throw unreachable(url, 'it redirects to an address without TLS');
    url = next;
  }
}

function getOnce(options: HttpGet, url: URL, withCredentials: boolean): Promise<HttpAnswer | { readonly location: string }> {
  const { access, headers = {}, bytesMax, limitMs, timers, signal } = options;
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      headers: { 'user-agent': 'fairway', ...headers, ...(withCredentials ? authorization(access, url) : {}) },
      rejectUnauthorized: access.insecure !== true,
      agent: false,
      ...(access.certificateAuthorities && { ca: access.certificateAuthorities }),
      ...(withCredentials && clientCertificate(access)),
      ...(signal && { signal }),
    });
    const cancel = timers.schedule(limitMs, () => request.destroy(new Error('context deadline exceeded')));
    const fail = (error: Error): void => {
      cancel();
      reject(signal?.aborted === true ? new ApiError(Code.Canceled, 'stopped') : unreachable(url, error.message));
    };
    request.on('error', fail);
    request.on('response', (response: IncomingMessage) => {
      const { statusCode: status = 0, headers: answered } = response;
      if ([301, 302, 303, 307, 308].includes(status) && answered.location !== undefined) {
        cancel();
        response.destroy();
        return resolve({ location: answered.location });
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > bytesMax) request.destroy(new Error(`the answer is larger than ${bytesMax} bytes`));
        else chunks.push(chunk);
      });
      response.on('error', fail);
      response.on('end', () => {
        cancel();
        resolve({ status, etag: answered.etag, body: Buffer.concat(chunks) });
      });
    });
    request.end();
  });
}

function authorization({ username, password, bearerToken }: RepositoryAccess, url: URL): Record<string, string> {
  if (bearerToken !== undefined) return { authorization: `Bearer ${bearerToken.reveal()}` };
  const pair = `${username?.reveal() ?? decodeURIComponent(url.username)}:${password?.reveal() ?? decodeURIComponent(url.password)}`;
  return pair === ':' ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function clientCertificate({ tlsClientCertData, tlsClientCertKey }: RepositoryAccess): { cert?: string; key?: string } {
  if (tlsClientCertData === undefined || tlsClientCertKey === undefined) return {};
  return { cert: tlsClientCertData.reveal(), key: tlsClientCertKey.reveal() };
}

function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new ApiError(Code.InvalidArgument, 'the address of a Helm repository or chart must be http or https');
  return url;
}

function unreachable(url: URL, reason: string): ApiError {
  return new ApiError(Code.Unknown, `Get "${url.origin}${url.pathname}": ${reason}`);
}
