import type { Caller } from '../access/index.ts';
import type { MethodSchema } from '../contract/index.ts';

export type Transport = 'grpc' | 'grpc-web' | 'rest';

/** What a service method knows about the call it answers, whichever transport carried it. */
export interface Call {
  readonly method: MethodSchema;
  /** Who is signed in; undefined only in the methods that need no sign-in. */
  readonly caller: Caller | undefined;
  /** The token that proved it, or that failed to; undefined when none was sent. Never to be logged. */
  readonly token: string | undefined;
  readonly transport: Transport;
  /** Aborted when the client goes away, its deadline passes or the server shuts down. */
  readonly signal: AbortSignal;
  /** True when the client reached us through TLS. */
  readonly secure: boolean;
  readonly remoteAddress: string;
  /** Adds response metadata: a gRPC header, or `Grpc-Metadata-<name>` over REST. Too late once a stream has begun. */
  setHeader(name: string, value: string): void;
  /** Adds a `Set-Cookie` line. Only REST carries it; the other transports drop it. */
  setCookie(cookie: string): void;
}

/** Who asks, and until when somebody waits for the answer: all that most rules want to know of a call. */
export type Asker = Pick<Call, 'caller' | 'signal'>;

/** Answers at once where it can: what waits for nothing should not make its caller wait a turn. */
export type UnaryHandler<Request = never, Response = object> = (request: Request, call: Call) => Promise<Response> | Response;
export type ServerStreamHandler<Request = never, Response = object> = (request: Request, call: Call) => AsyncIterable<Response>;
export type ClientStreamHandler<Request = never, Response = object> = (requests: AsyncIterable<Request>, call: Call) => Promise<Response>;
