/** Requests to one cluster over the network: connections, limits, retries, and failures in words. */
export { brokenOff } from './connection-error.ts';
export { DEFAULT_LIMITS } from './limits.ts';
export { onlyReading } from './only-reading.ts';
export { openTunnel } from './open-tunnel.ts';
export { AnswerTooLarge, parseAnswer, readAnswer } from './read-answer.ts';
export { createTransport } from './transport.ts';
export type { KubeLimits } from './limits.ts';
export type { OpenStream, Transport, TransportRequest } from './transport.ts';
