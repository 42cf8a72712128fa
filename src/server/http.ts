/** One HTTP request and its answer, the same over HTTP/1.1 and HTTP/2. */

export interface HttpRequest {
  readonly verb: string;
  /** The path as sent, still percent-encoded, without the query. */
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  /** Lower-case names; repeated headers are joined with `, ` (cookies with `; `). */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly remoteAddress: string;
  /** True when the request came through TLS. */
  readonly secure: boolean;
  /** Aborted when the client goes away or the server shuts down. */
  readonly signal: AbortSignal;
  /** Reads the whole body; refuses early, with ResourceExhausted, what is larger than `sizeBytesMax`. */
  readBody(sizeBytesMax: number): Promise<Buffer>;
}

export interface HttpReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** What comes piece by piece is sent as it comes, no faster than the client reads; it is ended early when the server shuts down. */
  readonly body?: string | Uint8Array | AsyncIterable<string | Uint8Array>;
}

export type HttpHandler = (request: HttpRequest) => Promise<HttpReply>;
