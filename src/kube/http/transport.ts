import { request as requestPlain } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, RequestOptions } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Duplex } from 'node:stream';
import { abortable, ApiError, Code } from '../../base/index.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { checkServer, createCredentialSource } from '../credentials/index.ts';
import type { Credentials, PresentedCredentials } from '../credentials/index.ts';
import { toConnectionError, unanswered } from './connection-error.ts';
import { createConnections } from './connections.ts';
import { createGate } from './gate.ts';
import type { Gate } from './gate.ts';
import type { KubeLimits } from './limits.ts';
import { readAnswer } from './read-answer.ts';
import { toStatusError } from './refusal.ts';
import { withRetries } from './retry.ts';
import { withLimit } from './with-limit.ts';

const REFUSAL_BYTES_MAX = 4 << 20;

export interface TransportOptions {
  readonly server: string;
  readonly credentials: Credentials;
  readonly limits: KubeLimits;
  readonly clock: Clock;
  readonly log: Logger;
  readonly userAgent: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly random?: () => number;
}

export interface TransportRequest {
  readonly method: string;
  /** From the server's root, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** May be sent twice. */
  readonly safe: boolean;
  /** For the whole answer of a call, for the start of a stream. */
  readonly limitMs: number;
  /** Does not wait behind calls that are not. */
  readonly urgent?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An answer that goes on until one side ends it. */
export interface OpenStream {
  readonly answer: IncomingMessage;
  /** Ends it; to be called in any case. */
  close(): void;
}

/** Requests to one cluster: credentials, connections, limits and retries, and every failure in words. */
export interface Transport {
  /** The cluster as errors name it. */
  readonly address: string;
  call<Result>(request: TransportRequest, read: (answer: IncomingMessage) => Promise<Result>): Promise<Result>;
  stream(request: TransportRequest): Promise<OpenStream>;
  /** A connection that the server has agreed to use for another protocol. */
  upgrade(request: TransportRequest): Promise<{ readonly socket: Duplex; readonly head: Buffer; readonly answer: IncomingMessage }>;
  close(): void;
}

type Reply = { readonly answer: IncomingMessage; readonly upgraded?: { readonly socket: Duplex; readonly head: Buffer } };

export function createTransport(options: TransportOptions): Transport {
  const { limits, random = Math.random } = options;
  const server = new URL(checkServer(options.server));
  const address = `${server.origin}${server.pathname.replace(/\/$/, '')}`;
  const source = createCredentialSource(options);
  const connections = createConnections({ server, address, credentials: options.credentials, limits });
  const full = (what: string): string => `too many ${what} for the cluster at ${address}`;
  const calls = createGate({ insideMax: limits.callsMax, waitingMax: limits.callsWaitingMax, full: full('calls wait') });
  const urgentCalls = createGate({ insideMax: limits.urgentCallsMax, waitingMax: limits.callsWaitingMax, full: full('calls wait') });
  const streams = createGate({ insideMax: limits.streamsMax, waitingMax: 0, full: full('watches are open') });
  const life = new AbortController();

  async function send(request: TransportRequest, presented: PresentedCredentials, signal: AbortSignal): Promise<Reply> {
    const agent = connections.agentFor(presented.tls);
    const headers: OutgoingHttpHeaders = {
      'user-agent': options.userAgent,
      accept: 'application/json',
      ...request.headers,
      ...(presented.headers as OutgoingHttpHeaders),
      // Node gives no length to the body of a DELETE, and the server then takes it for the next request.
      ...(request.body !== undefined && { 'content-length': Buffer.byteLength(request.body) }),
    };
    const target = targetOf(server, request.path);
    const open = server.protocol === 'http:' ? requestPlain : requestSecure;
    try {
      return await sendOnce(open, { ...target, method: request.method, headers, agent }, request.body, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw toConnectionError(error, address);
    }
  }

  /** One attempt; where the credentials are refused and can be had anew, a second one with those. */
  async function exchange(request: TransportRequest, signal: AbortSignal): Promise<Reply> {
    for (let renewed = false; ; renewed = true) {
      // A program that prints credentials may take longer than this call has time.
      const presented = await abortable(source.current(), signal);
      const reply = await send(request, presented, signal);
      const code = reply.answer.statusCode ?? 0;
      if (code < 300) return reply;
      const body = await readAnswer(reply.answer, address, REFUSAL_BYTES_MAX);
      if (code === 401 && !renewed && source.renew(presented)) continue;
      if (code < 400) throw new ApiError(Code.Unavailable, `${address} answered ${code}: another address, which is not followed`);
      throw toStatusError({ code, headers: reply.answer.headers, body, address, secrets: secretsOf(presented) });
    }
  }

  async function attempt<Result>(
    request: TransportRequest,
    gate: Gate,
    use: (reply: Reply, signal: AbortSignal, hold: () => () => void) => Promise<Result>,
  ): Promise<Result> {
    if (life.signal.aborted) throw closed(address);
    const leave = await gate.enter(request.signal);
    if (life.signal.aborted) {
      leave();
      throw closed(address);
    }
    const limited = withLimit(request.signal, request.limitMs, () => unanswered(address, describe(request), request.limitMs));
    const onEnd = (): void => limited.abort(closed(address));
    life.signal.addEventListener('abort', onEnd, { once: true });
    const release = (): void => {
      life.signal.removeEventListener('abort', onEnd);
      limited.dispose();
      leave();
    };
    let held = false;
    const hold = (): (() => void) => {
      held = true;
      limited.stopTimer();
      return release;
    };
    try {
      const reply = await exchange(request, limited.signal);
      return await use(reply, limited.signal, hold);
    } catch (error) {
      held = false;
      if (limited.signal.aborted) throw limited.signal.reason;
      throw error;
    } finally {
      if (!held) release();
    }
  }

  const retrying = <Result>(request: TransportRequest, act: () => Promise<Result>): Promise<Result> =>
    withRetries({ safe: request.safe, limits, random, signal: request.signal }, act);

  return {
    address,
    call: (request, read) =>
      retrying(request, () => attempt(request, request.urgent === true ? urgentCalls : calls, ({ answer }) => read(answer))),
    stream: (request) =>
      retrying(request, () =>
        attempt(request, streams, ({ answer }, _signal, hold) => {
          const release = hold();
          answer.once('close', release);
          return Promise.resolve({ answer, close: () => answer.destroy() });
        }),
      ),
    upgrade: (request) =>
      attempt(request, streams, ({ answer, upgraded }, _signal, hold) => {
        if (!upgraded) throw new ApiError(Code.Unavailable, `${address} did not change the protocol, as was asked`);
        const release = hold();
        upgraded.socket.once('close', release);
        return Promise.resolve({ ...upgraded, answer });
      }),
    close: () => {
      life.abort();
      connections.close();
    },
  };
}

type Open = (options: RequestOptions, onAnswer?: (answer: IncomingMessage) => void) => ReturnType<typeof requestPlain>;

function sendOnce(open: Open, options: RequestOptions, body: string | undefined, signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const outgoing = open(options);
    const onAbort = (): void => void outgoing.destroy(signal.reason as Error);
    const detach = (): void => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { once: true });
    outgoing.once('response', (answer) => {
      answer.once('close', detach);
      // Whoever reads the answer hears of its failure; one that comes between two reads must not end the process.
      answer.on('error', () => undefined);
      resolve({ answer });
    });
    outgoing.once('upgrade', (answer: IncomingMessage, socket: Duplex, head: Buffer) => {
      // From here on the socket is no longer the request's.
      detach();
      const onEnd = (): void => void socket.destroy(signal.reason as Error);
      signal.addEventListener('abort', onEnd, { once: true });
      socket.once('close', () => signal.removeEventListener('abort', onEnd));
      resolve({ answer, upgraded: { socket, head } });
    });
    outgoing.on('error', (error) => {
      detach();
      reject(error);
    });
    outgoing.end(body);
  });
}

function targetOf(server: URL, path: string): Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'path'> {
  return {
    protocol: server.protocol,
    hostname: server.hostname.replace(/^\[|\]$/g, ''),
    port: server.port || (server.protocol === 'http:' ? 80 : 443),
    path: `${server.pathname.replace(/\/$/, '')}${path}`,
  };
}

function secretsOf({ headers }: PresentedCredentials): string[] {
  const header = headers['authorization'];
  return typeof header === 'string' ? [header.replace(/^\w+ /, '')] : [];
}

function describe({ method, path }: TransportRequest): string {
  return `${method} ${path.split('?')[0]}`;
}

function closed(address: string): ApiError {
  return new ApiError(Code.Unavailable, `the client of the cluster at ${address} is closed`);
}
