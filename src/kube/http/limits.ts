/** What a client spends on one cluster at most. Times in milliseconds, sizes in bytes. */
export interface KubeLimits {
  /** Calls under way at once; watches and logs are counted apart. */
  readonly callsMax: number;
  /** Urgent calls under way at once, beside those. */
  readonly urgentCallsMax: number;
  /** Calls that wait for their turn; the next one is refused. */
  readonly callsWaitingMax: number;
  /** Watches and followed logs open at once; the next one is refused. */
  readonly streamsMax: number;
  /** Until a connection stands, with TLS and through a proxy. */
  readonly connectMs: number;
  readonly getMs: number;
  /** One page. */
  readonly listMs: number;
  /** The API server itself gives up after 60 seconds. */
  readonly writeMs: number;
  /** Until a watch or a log begins to answer. */
  readonly streamStartMs: number;
  /** One answer, unpacked. A page of a list that is larger is asked for again in smaller ones. */
  readonly answerBytesMax: number;
  /** One event of a watch. */
  readonly eventBytesMax: number;
  readonly pageSize: number;
  readonly retriesMax: number;
  /** The first wait before a retry; it doubles, and is spread by chance. */
  readonly retryDelayMs: number;
  /** Where a server asks to wait longer than this, its refusal is handed on instead. */
  readonly retryAfterMaxMs: number;
  /** Connections kept open without use. */
  readonly idleConnectionsMax: number;
  readonly idleConnectionMs: number;
}

export const DEFAULT_LIMITS: KubeLimits = {
  callsMax: 64,
  urgentCallsMax: 8,
  callsWaitingMax: 100_000,
  streamsMax: 2000,
  connectMs: 10_000,
  getMs: 30_000,
  listMs: 120_000,
  writeMs: 65_000,
  streamStartMs: 30_000,
  answerBytesMax: 256 << 20,
  eventBytesMax: 32 << 20,
  pageSize: 500,
  retriesMax: 3,
  retryDelayMs: 100,
  retryAfterMaxMs: 30_000,
  idleConnectionsMax: 16,
  // Below what servers and proxies allow, so that we and not they close a connection that is not used.
  idleConnectionMs: 30_000,
};
