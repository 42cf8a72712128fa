import type { Agent, IncomingHttpHeaders } from 'node:http';
import { ApiError, Code } from '../../base/index.ts';
import type { Timers } from '../../base/index.ts';
import type { RepositoryAccess } from '../repository-access.ts';

export interface HttpGetRequest {
  readonly url: string;
  /** How servers are reached: what is trusted, through which proxy. Its credentials go only where `authorization` says. */
  readonly access: RepositoryAccess;
  /** The header for the scheme, host and port of the URL. */
  readonly authorization?: string | undefined;
  /** Whether the client certificate is shown to the host of the URL. */
  readonly withCertificate: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with POST; the answer must not point elsewhere then. */
  readonly body?: { readonly type: string; readonly text: string };
  /** Whether a server may point elsewhere; it may unless said otherwise. */
  readonly followsRedirects?: boolean;
  /** Keeps a connection for the next request of the same conversation; each has one of its own without it. */
  readonly agent?: Agent | undefined;
  /** Asks only for the headers. */
  readonly head?: boolean;
  /** Asks for a compressed answer, and unpacks it. */
  readonly compressed?: boolean;
  readonly bytesMax: number;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type HttpGet = (request: HttpGetRequest) => Promise<HttpAnswer>;

export interface HttpGetOptions {
  readonly timers: Timers;
  readonly proxyEnvironment: Readonly<Record<string, string>>;
  /** Whether what nobody registered may be on this machine. */
  readonly allowOwnMachine: boolean;
}

/** An address without what may be secret in it. */
export function unreachable(url: URL, reason: string): ApiError {
  return new ApiError(Code.Unknown, `Get "${url.origin}${url.pathname}": ${reason}`);
}
