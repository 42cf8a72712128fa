import { readFileSync } from 'node:fs';
import { Agent, createServer, request as sendRequest } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';

/** What happens to a request instead of what should. */
export type Fault =
  /** A refusal as the API server words it. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly reason: string;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
    }
  /** The request is taken, and nothing ever comes back. */
  | { readonly kind: 'silence' }
  /** 200, and the stream ends at once. */
  | { readonly kind: 'empty' }
  /** The connection is cut when so many bytes of the answer have passed. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The next piece of the answer passes by half; then the connection is cut, or the answer ends as if that were all. */
  | { readonly kind: 'half'; readonly ending: 'cut' | 'end' }
  /** So many bytes of the answer pass at a time. */
  | { readonly kind: 'slow'; readonly bytes: number; readonly everyMs: number };

export interface ProxiedRequest {
  readonly atMs: number;
  readonly method: string;
  readonly url: string;
  readonly isWatch: boolean;
}

export interface Injected {
  /** How many requests or answers have met it. */
  readonly hits: number;
  lift(): void;
}

interface Rule {
  readonly fault: Fault;
  readonly matches: (request: ProxiedRequest) => boolean;
  left: number;
  hits: number;
}

interface Answering {
  readonly request: ProxiedRequest;
  readonly answer: ServerResponse;
  readonly upstream: IncomingMessage;
  isSilenced: boolean;
  passedBytes: number;
}

export interface FaultProxy {
  readonly url: string;
  readonly requests: readonly ProxiedRequest[];
  /** How many watches have begun to be answered. */
  readonly watchesBegun: number;
  /** Puts a fault on the requests that match, all of them unless told, as often as told or until it is lifted. */
  inject(fault: Fault, options?: { readonly only?: (request: ProxiedRequest) => boolean; readonly times?: number }): Injected;
  /** Serves everybody again as it should. */
  liftAll(): Promise<void>;
  /** Cuts every connection. */
  cutAll(): void;
  /** Whatever is being answered now goes silent, for good; new requests are served. */
  silenceAll(): void;
  /** Nobody listens any more, and every connection is cut. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /** The most requests within any second since `sinceMs`. */
  busiestSecond(sinceMs: number): number;
  close(): Promise<void>;
}

/** Stands before an API server with its certificate, speaks to it as the administrator, and spoils what it is told to. */
export async function startFaultProxy(cluster: { readonly url: string; readonly folder: string }): Promise<FaultProxy> {
  const file = (name: string): Buffer => readFileSync(join(cluster.folder, 'pki', name));
  const agent = new Agent({ keepAlive: true, ca: file('ca.crt'), cert: file('admin.crt'), key: file('admin.key') });
  const rules = new Set<Rule>();
  const requests: ProxiedRequest[] = [];
  const answering = new Set<Answering>();
  const sockets = new Set<Socket>();
  let watchesBegun = 0;
  const server = createServer({ cert: file('serving.crt'), key: file('serving.key') }, (incoming, answer) => {
    const url = incoming.url ?? '';
    const request = { atMs: Date.now(), method: incoming.method ?? '', url, isWatch: /[?&]watch=(true|1)/.test(url) };
    requests.push(request);
    const rule = takeRule(rules, request, ['answer', 'silence', 'empty']);
    if (rule !== undefined) return spoilRequest(rule.fault, answer);
    forward(incoming, answer, { cluster, agent }, (upstream) => {
      if (request.isWatch) watchesBegun += 1;
      passOn({ request, answer, upstream, isSilenced: false, passedBytes: 0 }, rules, answering);
    });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) =>
      server.once('error', reject).listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      }),
    );
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const refuse = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    cutAll();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    requests,
    get watchesBegun() {
      return watchesBegun;
    },
    inject(fault, { only = () => true, times = Infinity } = {}) {
      const rule: Rule = { fault, matches: only, left: times, hits: 0 };
      rules.add(rule);
      return {
        get hits() {
          return rule.hits;
        },
        lift: () => void rules.delete(rule),
      };
    },
    async liftAll() {
      rules.clear();
      if (!server.listening) await listen(port);
    },
    cutAll,
    silenceAll() {
      for (const each of answering) each.isSilenced = true;
    },
    refuse,
    accept: () => listen(port),
    busiestSecond: (sinceMs) => busiestSecond(requests.filter(({ atMs }) => atMs >= sinceMs)),
    async close() {
      await (server.listening ? refuse() : Promise.resolve());
      agent.destroy();
    },
  };
}

function takeRule(rules: Set<Rule>, request: ProxiedRequest, kinds: readonly Fault['kind'][], passedBytes = 0): Rule | undefined {
  for (const rule of rules) {
    if (rule.left <= 0 || !kinds.includes(rule.fault.kind) || !rule.matches(request)) continue;
    if (rule.fault.kind === 'cut' && passedBytes < rule.fault.afterBytes) continue;
    rule.left -= 1;
    rule.hits += 1;
    return rule;
  }
  return undefined;
}

function spoilRequest(fault: Fault, answer: ServerResponse): void {
  if (fault.kind === 'empty') answer.writeHead(200, { 'content-type': 'application/json' }).end();
  if (fault.kind !== 'answer') return;
  const { status, reason, message = `the proxy says ${status}`, retryAfterSeconds } = fault;
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } };
  const body = JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...details,
    code: status,
  });
  const patience = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  answer.writeHead(status, { 'content-type': 'application/json', ...patience }).end(body);
}

function forward(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { cluster, agent }: { cluster: { readonly url: string }; agent: Agent },
  onAnswer: (upstream: IncomingMessage) => void,
): void {
  const { host: _host, connection: _connection, ...headers } = incoming.headers;
  const outgoing = sendRequest(cluster.url + (incoming.url ?? ''), { method: incoming.method ?? 'GET', headers, agent }, onAnswer);
  // Where the API server is not there, the client meets a connection that is cut.
  outgoing.on('error', () => answer.socket?.destroy());
  answer.once('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

function passOn(each: Answering, rules: Set<Rule>, answering: Set<Answering>): void {
  const { answer, upstream, request } = each;
  answering.add(each);
  answer.once('close', () => answering.delete(each));
  const { connection: _connection, 'transfer-encoding': _encoding, ...headers } = upstream.headers;
  answer.writeHead(upstream.statusCode ?? 502, headers);
  answer.flushHeaders();
  upstream.on('error', () => answer.socket?.destroy());
  upstream.on('end', () => {
    if (!each.isSilenced) answer.end();
  });
  const slow = takeRule(rules, request, ['slow']);
  if (slow !== undefined) return void passSlowly(each, slow.fault).catch(() => answer.socket?.destroy());
  upstream.on('data', (chunk: Buffer) => {
    if (each.isSilenced) return;
    each.passedBytes += chunk.length;
    const rule = takeRule(rules, request, ['half', 'cut'], each.passedBytes);
    if (rule === undefined) answer.write(chunk);
    else spoilChunk(each, rule.fault, chunk);
  });
}

function spoilChunk(each: Answering, fault: Fault, chunk: Buffer): void {
  const { answer } = each;
  each.isSilenced = true;
  const half = chunk.subarray(0, Math.max(1, Math.floor(chunk.length / 2)));
  if (fault.kind === 'half' && fault.ending === 'end') answer.end(half);
  else answer.write(half, () => answer.socket?.destroy());
}

async function passSlowly({ answer, upstream }: Answering, fault: Fault): Promise<void> {
  if (fault.kind !== 'slow') return;
  upstream.removeAllListeners('end');
  for await (const chunk of upstream as AsyncIterable<Buffer>) {
    for (let start = 0; start < chunk.length && !answer.destroyed; start += fault.bytes) {
      answer.write(chunk.subarray(start, start + fault.bytes));
      await new Promise((resolve) => setTimeout(resolve, fault.everyMs));
    }
  }
  answer.end();
}

function busiestSecond(requests: readonly ProxiedRequest[]): number {
  let most = 0;
  for (let first = 0, last = 0; last < requests.length; last += 1) {
    while ((requests[first]?.atMs ?? 0) <= (requests[last]?.atMs ?? 0) - 1000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
