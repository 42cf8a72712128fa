const KIB = 1024;
const MIB = 1024 * KIB;

/** Every bound of the listener and the transports. Times are in milliseconds, sizes in bytes. */
export interface Limits {
  /** Until the first byte of a new connection. */
  readonly firstByteTimeoutMs: number;
  /** For the whole TLS handshake. */
  readonly handshakeTimeoutMs: number;
  /** Until the first complete request head after the handshake. */
  readonly headTimeoutMs: number;
  /** How long a connection may stay open with no request in progress. */
  readonly idleTimeoutMs: number;
  /** For the whole request body. */
  readonly bodyTimeoutMs: number;
  /** For the request body of someone who is not signed in. */
  readonly anonymousBodyTimeoutMs: number;
  /** How often whoever reads a stream must still be signed in. */
  readonly streamCheckMs: number;
  /** Between two pieces of a request body. */
  readonly bodyPauseMs: number;
  /** For the answer to a unary call, where the client asks for no shorter time. */
  readonly callTimeoutMs: number;
  /** How long the rest of a refused body is read and thrown away, so that the client gets to read the answer. */
  readonly lingerMs: number;
  /** A stream whose client reads nothing for this long is ended. */
  readonly slowReaderTimeoutMs: number;
  /** Connections that have not yet sent a request worth serving; the oldest makes room for a new one. */
  readonly pendingConnectionsMax: number;
  /** All connections; the one that was idle longest makes room for a new one. */
  readonly connectionsMax: number;
  /** Streams that one HTTP/2 connection may have open. */
  readonly streamsPerConnectionMax: number;
  /** Long-lived calls (watches, logs) that one signed-in caller may have open. */
  readonly streamsPerCallerMax: number;
  /** How often an HTTP/2 client may reset streams within ten seconds. */
  readonly streamResetsMax: number;
  /** How many PING and SETTINGS frames an HTTP/2 client may send within ten seconds. */
  readonly controlFramesMax: number;
  /** Request head: of HTTP/1.1 in all, of HTTP/2 per header list. */
  readonly headBytesMax: number;
  /** One gRPC message of a signed-in caller, also after decompression. */
  readonly messageBytesMax: number;
  /** One request body or message of someone who is not signed in. */
  readonly anonymousBodyBytesMax: number;
  /** A REST request body, also after decompression. */
  readonly restBodyBytesMax: number;
  /** Request bodies of signed-in callers that are in memory at once. */
  readonly bodiesBytesMax: number;
  /** Request bodies of everyone else that are in memory at once. */
  readonly anonymousBodiesBytesMax: number;
  /** Calls that an address may make in a second, on average, without being signed in. */
  readonly anonymousCallsPerSecondMax: number;
  /** The same for this machine's own address, where a reverse proxy may make everyone's calls. */
  readonly anonymousLocalCallsPerSecondMax: number;
  /** Parameters in one query string. */
  readonly queryParametersMax: number;
  /** Between two keep-alive lines of a server-sent event stream. */
  readonly keepAliveMs: number;
}

export const defaultLimits: Limits = {
  firstByteTimeoutMs: 10_000,
  handshakeTimeoutMs: 10_000,
  headTimeoutMs: 10_000,
  idleTimeoutMs: 120_000,
  bodyTimeoutMs: 300_000,
  anonymousBodyTimeoutMs: 30_000,
  streamCheckMs: 10_000,
  bodyPauseMs: 30_000,
  callTimeoutMs: 600_000,
  lingerMs: 1_000,
  slowReaderTimeoutMs: 60_000,
  pendingConnectionsMax: 1_000,
  connectionsMax: 16_000,
  streamsPerConnectionMax: 250,
  streamsPerCallerMax: 1_000,
  streamResetsMax: 400,
  controlFramesMax: 400,
  headBytesMax: 64 * KIB,
  messageBytesMax: 200 * MIB,
  anonymousBodyBytesMax: MIB,
  restBodyBytesMax: 4 * MIB,
  bodiesBytesMax: 512 * MIB,
  anonymousBodiesBytesMax: 64 * MIB,
  anonymousCallsPerSecondMax: 50,
  anonymousLocalCallsPerSecondMax: Infinity,
  queryParametersMax: 1_000,
  keepAliveMs: 15_000,
};
