import { once } from 'node:events';
import { connect as connectHttp2, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGrpcClient } from '../../support/grpc-client.ts';
import { startTestServer, TOKEN, type TestServer } from '../../support/test-server.ts';

const GIGABYTE = 1_000_000_000;

describe('bodies that are too large', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ limits: { lingerMs: 200 } });
  });
  afterAll(() => server.stop());

  it('are refused by their declared length, before they are sent (DOS-01)', async () => {
    const socket = connect(server.port, server.host);
    socket.write(`POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${GIGABYTE}\r\n\r\n`);
    const answer = await readAll(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
    expect(answer).toContain('"code":8');
    expect(server.requests).toEqual([]);
  });

  it('are not even asked for when the client waits for a go-ahead', async () => {
    const socket = connect(server.port, server.host);
    socket.write(
      `POST /api/v1/session HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: ${GIGABYTE}\r\n\r\n`,
    );
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 413/);
  });

  it('that fit are asked for', async () => {
    const socket = connect(server.port, server.host);
    socket.write(
      'POST /api/v1/session HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n',
    );
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 100/);
    socket.write('{}');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200/);
  });

  it('get their answer through while the client is still sending', async () => {
    const response = await fetch(`${server.url}/api/v1/session`, {
      method: 'POST',
      body: new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }),
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    } as RequestInit).catch((error: unknown) => error);
    // Whether the client sees the answer or the end of the connection first is up to it; the server must not go on.
    expect(response instanceof Response ? response.status : 'closed').toSatisfy((result) => result === 413 || result === 'closed');
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it('get their answer also to a client that reads only when it has sent much of it', async () => {
    const socket = connect(server.port, server.host);
    await once(socket, 'connect');
    socket.write(`POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${GIGABYTE}\r\n\r\n`);
    await new Promise((resolve) => socket.write(Buffer.alloc(8_000_000), resolve));
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 413/);
  });

  it('are refused by the prefix of a gRPC message alone (DOS-02)', async () => {
    const session = connectHttp2(server.url);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/account.AccountService/ListAccounts',
      'content-type': 'application/grpc',
      te: 'trailers',
      token: TOKEN,
    });
    stream.write(Buffer.from([0, 0x40, 0, 0, 0]));
    expect(await statusOf(stream)).toBe('8');
    session.destroy();
  });

  it('may be four megabytes when signed in, one when not', async () => {
    const send = async (size: number, headers: Record<string, string>): Promise<number> => {
      const body = JSON.stringify({ username: 'x'.repeat(size) });
      return (
        await fetch(`${server.url}/api/v1/session`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
      ).status;
    };
    expect(await send(1_000_000, {})).toBe(200);
    expect(await send(2_000_000, {})).toBe(413);
    expect(await send(4_000_000, { 'grpc-metadata-token': TOKEN })).toBe(200);
    expect(await send(4_300_000, { 'grpc-metadata-token': TOKEN })).toBe(413);
  });
});

describe('the memory of all bodies together', () => {
  it('is bounded, and those not signed in cannot use up the share of those who are', async () => {
    await using server = await startTestServer({ limits: { anonymousBodiesBytesMax: 100_000 } });
    const session = connectHttp2(server.url);
    const open = (path: string, headers: Record<string, string>): ClientHttp2Stream =>
      session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers });
    const first = open('/session.SessionService/Create', {});
    first.write(Buffer.concat([Buffer.from([0, 0, 1, 0x80, 0]), Buffer.alloc(60_000)]));
    await expect.poll(() => session.state.outboundQueueSize).toBe(0);
    const second = open('/session.SessionService/Create', {});
    second.end(Buffer.concat([Buffer.from([0, 0, 0, 0xea, 0x60]), Buffer.alloc(60_000)]));
    expect(await statusOf(second)).toBe('8');
    const client = createGrpcClient(`${server.host}:${server.port}`);
    const signedIn = { metadata: { token: TOKEN } };
    await expect(client.unary('/session.SessionService/Create', { username: 'x'.repeat(60_000) }, signedIn)).resolves.toEqual({});
    client.close();
    session.destroy();
  });
});

describe('the rate of calls without signing in (DOS-06)', () => {
  it('is bounded for each address, and those who are signed in do not notice', async () => {
    await using server = await startTestServer({ limits: { anonymousLocalCallsPerSecondMax: 1 } });
    const ask = async (headers: Record<string, string>): Promise<number> => (await fetch(`${server.url}/api/version`, { headers })).status;
    const statuses: number[] = [];
    for (let call = 0; call < 15; call++) statuses.push(await ask({}));
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(statuses.at(-1)).toBe(429);
    expect(await ask({ authorization: `Bearer ${TOKEN}` })).toBe(200);
  });
});

describe('HTTP/2 floods (DOS-03)', () => {
  let server: TestServer;
  const refused: string[] = [];
  beforeAll(async () => {
    server = await startTestServer({
      limits: { streamResetsMax: 50, controlFramesMax: 50, streamsPerConnectionMax: 20 },
      hooks: { onRefused: (reason) => refused.push(reason) },
      handlers: { 'AccountService/ListAccounts': () => new Promise(() => {}) },
    });
  });
  afterAll(() => server.stop());

  const request = (session: ClientHttp2Session): ClientHttp2Stream => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/account.AccountService/ListAccounts',
      'content-type': 'application/grpc',
      token: TOKEN,
    });
    stream.on('error', () => {});
    return stream;
  };

  it('of reset streams end the connection, and others are still served', async () => {
    refused.length = 0;
    const session = connectHttp2(server.url);
    session.on('error', () => {});
    const closed = once(session, 'close');
    const flood = setInterval(() => {
      for (let index = 0; index < 10 && !session.destroyed; index++) request(session).close(constants.NGHTTP2_CANCEL);
    }, 1);
    await closed;
    clearInterval(flood);
    await expect.poll(() => refused).toContain('flood');
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it('of pings end the connection', async () => {
    const session = connectHttp2(server.url, { maxOutstandingPings: 1_000 });
    session.on('error', () => {});
    await once(session, 'connect');
    const closed = once(session, 'close');
    for (let index = 0; index < 200 && !session.destroyed; index++) session.ping(() => {});
    await closed;
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it('of open streams are held to the announced number', async () => {
    const session = connectHttp2(server.url);
    await once(session, 'remoteSettings');
    expect(session.remoteSettings.maxConcurrentStreams).toBe(20);
    session.destroy();
  });

  it('of headers are refused', async () => {
    const session = connectHttp2(server.url);
    session.on('error', () => {});
    const headers = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`x-${index}`, 'y'.repeat(50)]));
    const stream = session.request({ ':path': '/healthz', ...headers });
    await expect(once(stream, 'response')).rejects.toThrow(/REFUSED_STREAM/);
    session.destroy();
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe('answers that nobody reads', () => {
  const routes = [{ path: '/large', verbs: ['GET'], handler: async () => ({ status: 200, body: Buffer.alloc(20_000_000) }) }];

  it.each([
    ['HTTP/1.1', 'GET /large HTTP/1.1\r\nhost: x\r\n\r\n'],
    // SETTINGS with a window of nothing, then HEADERS: GET, http, x, /large.
    [
      'HTTP/2',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\0\0\0\0\x0d\x01\x05\0\0\0\x01\x82\x86\x01\x01x\x04\x06/large\x41'.slice(
        0,
        -1,
      ),
    ],
  ])('are cut off over %s', async (_name, text) => {
    let closed = 0;
    await using server = await startTestServer({
      routes,
      limits: { slowReaderTimeoutMs: 150, idleTimeoutMs: 100, lingerMs: 100 },
      hooks: { onConnectionClosed: () => closed++ },
    });
    const socket = connect(server.port, server.host);
    socket.on('error', () => {});
    socket.pause();
    socket.write(text, 'latin1');
    await expect.poll(() => closed, { timeout: 5_000 }).toBe(1);
    socket.destroy();
  });

  it('do not set a clock for the next request on the connection', async () => {
    const slowReaderTimeoutMs = 500;
    const medium = { path: '/medium', verbs: ['GET'], handler: async () => ({ status: 200, body: Buffer.alloc(50_000) }) };
    const slow = {
      path: '/slow',
      verbs: ['GET'],
      handler: () => new Promise<{ status: number }>((resolve) => setTimeout(() => resolve({ status: 204 }), 2 * slowReaderTimeoutMs)),
    };
    await using server = await startTestServer({ routes: [medium, slow], limits: { slowReaderTimeoutMs } });
    const socket = connect(server.port, server.host);
    socket.write('GET /medium HTTP/1.1\r\nhost: x\r\n\r\nGET /slow HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(await readAll(socket)).toContain('HTTP/1.1 204');
  });
});

describe('short bodies', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({});
  });
  afterAll(() => server.stop());

  const head = 'POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n';

  it.each([
    ['in one piece with their head', [`${head}{}`]],
    ['after it', [head, '{}']],
    ['in two halves', [`${head}{`, '}']],
  ])('leave the connection as it is when they come %s', async (_, pieces) => {
    const socket = connect(server.port, server.host).setNoDelay(true);
    await once(socket, 'connect');
    for (let turn = 0; turn < 3; turn++) {
      const answered = once(socket, 'data');
      for (const piece of pieces) await sendApart(socket, piece);
      const [answer] = (await answered) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 .*\r\n/);
      expect(answer.toString().toLowerCase()).not.toContain('connection: close');
    }
    socket.destroy();
  });
});

describe('requests that are sent ahead of their answers', () => {
  it('are bounded', async () => {
    const refused: string[] = [];
    await using server = await startTestServer({ hooks: { onRefused: (reason) => refused.push(reason) } });
    const socket = connect(server.port, server.host);
    socket.on('error', () => {});
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_000));
    await readAll(socket);
    expect(refused).toEqual(['flood']);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe('streams of one account', () => {
  it('are bounded (DOS-04)', async () => {
    await using server = await startTestServer({
      limits: { streamsPerCallerMax: 3 },
      handlers: {
        'ApplicationService/Watch': async function* (_request, call) {
          yield { type: 'ADDED' };
          await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
        },
      },
    });
    const client = createGrpcClient(`${server.host}:${server.port}`);
    const open = () => client.serverStream('/application.ApplicationService/Watch', {}, { metadata: { token: TOKEN } });
    const streams = [open(), open(), open()];
    const iterators = streams.map((stream) => stream[Symbol.asyncIterator]());
    await Promise.all(iterators.map((iterator) => iterator.next()));
    await expect(open()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 8 });
    streams[0]!.cancel();
    await expect
      .poll(() =>
        open()
          [Symbol.asyncIterator]()
          .next()
          .then(
            () => 'open',
            () => 'refused',
          ),
      )
      .toBe('open');
    client.close();
  });
});

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  if (!socket.closed) await once(socket, 'close');
  return text;
}

/** The status of a gRPC call, from wherever it is. */
async function statusOf(stream: ClientHttp2Stream): Promise<unknown> {
  const statuses: unknown[] = [];
  const note = (headers: Record<string, unknown>): void => void statuses.push(headers['grpc-status']);
  stream
    .on('response', note)
    .on('trailers', note)
    .on('error', () => {});
  stream.resume();
  await once(stream, 'close');
  return statuses.find((status) => status !== undefined);
}

/** Sends a piece and gives the server time to read it before the next one. */
async function sendApart(socket: Socket, piece: string): Promise<void> {
  await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
  await new Promise((resolve) => setTimeout(resolve, 10));
}
