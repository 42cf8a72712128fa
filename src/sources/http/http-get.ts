import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ApiError, Code } from '../../base/index.ts';
import type { RepositoryAccess } from '../repository-access.ts';
import { isOwnMachine } from './egress.ts';
import { unreachable } from './http-request.ts';
import type { HttpAnswer, HttpGet, HttpGetOptions, HttpGetRequest } from './http-request.ts';
import { sendGet } from './send-get.ts';

const REDIRECTS_MAX = 5;

/**
 * Fetches something from a server. Credentials stay with the scheme, host and port that they are for, wherever a server points, and no
 * server leads to this machine or to the local link.
 */
export function createHttpGet(options: HttpGetOptions): HttpGet {
  return async (request) => {
    const first = parseAddress(request.url);
    const isRegistered = /[^/]/.test(request.access.owner) && hostOf(request.access.url) === first.host;
    let allowOwnMachine = isRegistered || options.allowOwnMachine;
    let url = first;
    for (let hops = 0; ; hops += 1) {
      const isSameOrigin = url.origin === first.origin;
      const answer = await sendGet(
        {
          ...request,
          withCertificate: request.withCertificate && isSameOrigin,
          authorization: isSameOrigin ? request.authorization : undefined,
        },
        url,
        { ...options, allowOwnMachine },
      );
      if (!('location' in answer)) return request.compressed === true ? await unpack(answer, request, url) : answer;
      if (request.body !== undefined) throw unreachable(url, 'it redirects, which is not followed with what was sent');
      if (request.followsRedirects === false) throw unreachable(url, 'it redirects, which is not followed');
      if (hops >= REDIRECTS_MAX) throw unreachable(url, `stopped after ${REDIRECTS_MAX} redirects`);
      const next = parseAddress(URL.canParse(answer.location, url.href) ? new URL(answer.location, url).href : '');
      if (url.protocol === 'https:' && next.protocol !== 'https:') throw unreachable(url, 'it redirects to an address without TLS');
      // Only what is on this machine already may point to it.
      allowOwnMachine = allowOwnMachine && isOwnMachine(url.hostname);
      url = next;
    }
  };
}

/** The Authorization header that a repository's own credentials make; undefined where there are none. */
export function basicAuthorization({ username, password, bearerToken }: RepositoryAccess, url?: URL): string | undefined {
  if (bearerToken !== undefined) return `Bearer ${bearerToken.reveal().replace(/[\r\n\0]/g, '')}`;
  const pair = `${username?.reveal() ?? decode(url?.username ?? '')}:${password?.reveal() ?? decode(url?.password ?? '')}`;
  return pair === ':' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`;
}

async function unpack(answer: HttpAnswer, { bytesMax }: HttpGetRequest, url: URL): Promise<HttpAnswer> {
  if (answer.headers['content-encoding'] !== 'gzip') return answer;
  try {
    return { ...answer, body: await promisify(gunzip)(answer.body, { maxOutputLength: bytesMax }) };
  } catch {
    throw unreachable(url, `the answer cannot be unpacked, or is larger than ${bytesMax} bytes`);
  }
}

function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new ApiError(Code.InvalidArgument, 'the address of a Helm repository or chart must be http or https');
  return url;
}

/** With its port, of an address with or without a scheme. */
function hostOf(address: string): string {
  const authority = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)/i.exec(address)?.[1] ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
