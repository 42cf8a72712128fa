/** The process that lists applications: so many clients, each of which asks again as soon as it has been answered. */
import { Agent, request as requestHttp } from 'node:http';
import { connect, type ClientHttp2Session } from 'node:http2';
import { answerParent } from '../support/child-program.ts';
import { quantile } from './workload.ts';

const WINDOW_BYTES = 64 << 20;
const WARM_UP_CALLS = 5;
const CALLS_MIN = 40;

export interface ListOrder {
  readonly transport: 'REST' | 'gRPC';
  readonly clients: number;
  readonly url: string;
  readonly token: string;
  readonly durationMs: number;
  /** So many names every answer must hold. */
  readonly applications: number;
}

export interface ListResult {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly megabytesPerSecond: number;
  /** All that were asked, those that only warm up among them. */
  readonly calls: number;
}

interface Client {
  /** Answers with the body. */
  list(): Promise<readonly Buffer[]>;
  close(): void;
}

answerParent(run);

async function run(order: ListOrder): Promise<ListResult> {
  const clients = Array.from({ length: order.clients }, () => (order.transport === 'REST' ? openRest(order) : openGrpc(order)));
  try {
    for (const client of clients) checkAnswer(await client.list(), order);
    await Promise.all(clients.map((client) => repeat(WARM_UP_CALLS, client)));
    const durations: number[] = [];
    let bytes = 0;
    const startMs = performance.now();
    const isOver = (): boolean => durations.length >= CALLS_MIN && performance.now() - startMs >= order.durationMs;
    const ask = async (client: Client): Promise<void> => {
      while (!isOver()) {
        const beginMs = performance.now();
        const pieces = await client.list();
        durations.push(performance.now() - beginMs);
        bytes += sizeOf(pieces);
      }
    };
    await Promise.all(clients.map(ask));
    const seconds = (performance.now() - startMs) / 1_000;
    return {
      p50Ms: quantile(durations, 0.5),
      p99Ms: quantile(durations, 0.99),
      megabytesPerSecond: bytes / 1e6 / seconds,
      calls: durations.length + order.clients * (WARM_UP_CALLS + 1),
    };
  } finally {
    for (const client of clients) client.close();
  }
}

async function repeat(times: number, client: Client): Promise<void> {
  for (let call = 0; call < times; call += 1) await client.list();
}

function sizeOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((total, piece) => total + piece.length, 0);
}

function checkAnswer(pieces: readonly Buffer[], { applications, transport }: ListOrder): void {
  const names = new Set(
    Buffer.concat(pieces)
      .toString('latin1')
      .match(/member-\d{4}/g),
  );
  if (names.size !== applications) throw new Error(`a list over ${transport} has ${names.size} of ${applications} applications`);
}

function openRest({ url, token }: ListOrder): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  return {
    list: () =>
      new Promise((resolve, reject) => {
        const call = requestHttp(`${url}/api/v1/applications`, { agent, headers }, (answer) => {
          const pieces: Buffer[] = [];
          answer.on('data', (piece: Buffer) => pieces.push(piece));
          answer.on('end', () => (answer.statusCode === 200 ? resolve(pieces) : reject(new Error(`a list answers ${answer.statusCode}`))));
          answer.on('error', reject);
        });
        call.on('error', reject).end();
      }),
    close: () => agent.destroy(),
  };
}

function openGrpc({ url, token }: ListOrder): Client {
  const session = connect(url, { settings: { initialWindowSize: WINDOW_BYTES } });
  session.once('connect', () => session.setLocalWindowSize(WINDOW_BYTES));
  return { list: () => listGrpc(session, token), close: () => session.destroy() };
}

function listGrpc(session: ClientHttp2Session, token: string): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/application.ApplicationService/List',
      'content-type': 'application/grpc',
      te: 'trailers',
      token,
    });
    const pieces: Buffer[] = [];
    let status = '0';
    stream.on('response', (headers) => (status = String(headers['grpc-status'] ?? '0')));
    stream.on('trailers', (headers: Record<string, string | undefined>) => (status = headers['grpc-status'] ?? status));
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('end', () => (status === '0' ? resolve(pieces) : reject(new Error(`a list answers with status ${status}`))));
    stream.on('error', reject);
    // An empty message: no flags, and no length.
    stream.end(Buffer.alloc(5));
  });
}
