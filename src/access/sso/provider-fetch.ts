import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';

/** Long enough for a slow provider, short enough for somebody who waits in front of a browser. */
const timeoutMs = 10_000;
/** Keys, configuration and claims of a person are far smaller. */
const bodyBytesMax = 1024 * 1024;
const bodylessStatuses: readonly number[] = [204, 205, 304];

export interface ProviderFetchOptions {
  /** PEM; empty for the authorities that the machine trusts. */
  readonly rootCA: string;
  readonly skipTlsVerify: boolean;
}

interface FetchRequest {
  readonly method?: string | undefined;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export type ProviderFetch = (url: string, request: FetchRequest) => Promise<Response>;

/**
 * Asks the provider as `fetch` would, with authorities of its own, a time limit and a bound on what is read. Redirects are not
 * followed: a provider that moved has another configuration.
 */
export function createProviderFetch({ rootCA, skipTlsVerify }: ProviderFetchOptions): ProviderFetch {
  const tls = { rejectUnauthorized: !skipTlsVerify, ...(rootCA !== '' && { ca: rootCA }) };
  return async (url, { method = 'GET', headers, body, signal }) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const options = {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      // A connection of its own each time: the provider is asked seldom, and an idle one would keep the process from ending.
      agent: false as const,
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = url.startsWith('https:') ? requestHttps(url, { ...options, ...tls }, resolve) : requestHttp(url, options, resolve);
      outgoing.on('error', reject);
      outgoing.end(toText(body));
    });
    const content = await readBounded(answer);
    const status = answer.statusCode ?? 502;
    return new Response(bodylessStatuses.includes(status) ? null : content, { status, headers: toHeaders(answer) });
  };
}

function toText(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  return body instanceof URLSearchParams ? body.toString() : undefined;
}

async function readBounded(answer: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of Readable.from(answer) as AsyncIterable<Buffer>) {
    sizeBytes += piece.length;
    if (sizeBytes > bodyBytesMax) {
      answer.destroy();
      throw new Error(`the answer is larger than ${bodyBytesMax} bytes`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function toHeaders(answer: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headersDistinct)) for (const one of value ?? []) headers.append(name, one);
  return headers;
}
