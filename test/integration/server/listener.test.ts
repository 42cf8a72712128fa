import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createServerCertificate } from '../../../src/server/index.ts';
import { createGrpcClient } from '../../support/grpc-client.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const versionHandler = { 'VersionService/Version': async (): Promise<object> => ({ Version: 'v9' }) };

describe('the listener without TLS', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ handlers: versionHandler });
  });
  afterAll(() => server.stop());

  it('speaks HTTP/1.1', async () => {
    expect(await (await fetch(`${server.url}/api/version`)).json()).toEqual({ Version: 'v9' });
    expect(await (await fetch(`${server.url}/healthz`)).text()).toBe('ok\n');
  });

  it('speaks HTTP/2 with prior knowledge', async () => {
    expect(await getOverHttp2(server.url, '/api/version')).toEqual({ status: 200, text: '{"Version":"v9"}' });
  });

  it('sends SETTINGS before it has seen a request, since stock clients wait for them', async () => {
    const socket = connect(server.port, server.host);
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0');
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first[3]).toBe(4);
    socket.destroy();
  });

  it('lets a TLS handshake fail at once', async () => {
    const socket = connectTls({ port: server.port, host: server.host, rejectUnauthorized: false });
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  });

  it('recognises a protocol that arrives byte by byte', async () => {
    const socket = connect({ port: server.port, host: server.host, noDelay: true });
    await once(socket, 'connect');
    for (const character of 'POST /api/version HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 0\r\n\r\n') {
      await new Promise<void>((resolve) => socket.write(character, () => setImmediate(resolve)));
    }
    expect(await readUntil(socket, '405')).toContain('HTTP/1.1 405');
    socket.destroy();
  });

  it('ignores an upgrade to h2c (WEB-11)', async () => {
    const socket = connect(server.port, server.host);
    socket.write(
      'GET /api/version HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n\r\n',
    );
    expect(await readUntil(socket, '{"Version":"v9"}')).toMatch(/^HTTP\/1\.1 200/);
    socket.destroy();
  });

  it.each([
    ['bytes that are no protocol', '\u0000\u0001\u0002\u0003 garbage\r\n\r\n'],
    [
      'a length and chunks at once',
      'POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcdef'],
    [
      'a bad chunk',
      'POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n',
    ],
    ['a folded header', 'GET /api/version HTTP/1.1\r\nhost: x\r\na: b\r\n c\r\n\r\n'],
    ['a space before the colon', 'GET /api/version HTTP/1.1\r\nhost : x\r\n\r\n'],
    ['no host', 'GET /api/version HTTP/1.1\r\n\r\n'],
  ])('refuses %s with 400 and closes (WEB-11)', async (_name, text) => {
    const socket = connect(server.port, server.host);
    socket.write(text);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 400/);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it('refuses a head that is too long with 431', async () => {
    const socket = connect(server.port, server.host);
    socket.on('error', () => {});
    socket.write(`GET /api/version HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(70_000)}\r\n\r\n`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 431/);
  });

  it('survives malformed HTTP/2 frames', async () => {
    const socket = connect(server.port, server.host);
    socket.on('error', () => {});
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    socket.write(Buffer.alloc(1_000, 0xff));
    await readAll(socket);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe('the listener with TLS', () => {
  let server: TestServer;
  const pair = createServerCertificate('127.0.0.1', new Date());
  const { certificate: ca } = pair;
  const provided = { mode: 'on', certificate: { kind: 'provided', read: () => pair } } as const;

  beforeAll(async () => {
    server = await startTestServer({ handlers: versionHandler, tls: provided });
  });

  afterAll(() => server.stop());

  it('takes a certificate that verifies for where we listen', async () => {
    const socket = connectTls({ port: server.port, host: server.host, ca });
    await once(socket, 'secureConnect');
    expect(socket.authorized).toBe(true);
    expect(socket.getPeerCertificate().subject).toMatchObject({ O: 'Fairway' });
    socket.destroy();
  });

  it.each([
    ['http/1.1', 'http/1.1'],
    ['h2', 'h2'],
  ])('speaks %s by ALPN', async (offer, chosen) => {
    const socket = connectTls({ port: server.port, host: server.host, ca, ALPNProtocols: [offer] });
    await once(socket, 'secureConnect');
    expect(socket.alpnProtocol).toBe(chosen);
    socket.destroy();
  });

  it('serves HTTP/1.1, HTTP/2 and gRPC', async () => {
    expect(await getOverHttps(server, ca)).toBe('{"Version":"v9"}');
    expect(await getOverHttp2(server.url, '/api/version', ca)).toEqual({ status: 200, text: '{"Version":"v9"}' });
    const client = createGrpcClient(`${server.host}:${server.port}`, credentials.createSsl(Buffer.from(ca)));
    await expect(client.unary('/version.VersionService/Version', {})).resolves.toEqual({ Version: 'v9' });
    client.close();
  });

  it('tells handlers that the client came through TLS', async () => {
    await getOverHttps(server, ca);
    const { secure, remoteAddress } = server.requests.at(-1)!.call;
    expect({ secure, remoteAddress }).toEqual({ secure: true, remoteAddress: '127.0.0.1' });
  });

  it('forgets a connection when it ends, whatever it spoke', async () => {
    let [opened, closed] = [0, 0];
    const hooks = { onConnectionOpened: () => opened++, onConnectionClosed: () => closed++ };
    await using counted = await startTestServer({ hooks, tls: provided });
    await getOverHttps(counted, ca);
    await getOverHttp2(counted.url, '/api/version', ca);
    await fetch(`http://${counted.host}:${counted.port}/`, { redirect: 'manual', headers: { connection: 'close' } });
    const raw = connect(counted.port, counted.host);
    raw.end(Buffer.from([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5]));
    await readAll(raw);
    await expect.poll(() => [opened, closed]).toEqual([4, 4]);
  });

  it('sends plaintext clients to the same place over TLS', async () => {
    const response = await fetch(`http://${server.host}:${server.port}/api/version?a=b%20c`, { redirect: 'manual' });
    expect(response.status).toBe(307);
    expect(response.headers.get('location')).toBe(`https://${server.host}:${server.port}/api/version?a=b%20c`);
  });

  it('refuses TLS 1.1', async () => {
    const socket = connectTls({
      port: server.port,
      host: server.host,
      ca,
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL@SECLEVEL=0',
    });
    await expect(once(socket, 'secureConnect')).rejects.toThrow(/alert|protocol|ECONNRESET/);
  });

  it('takes another certificate when it is given one', async () => {
    let current = pair;
    await using changing = await startTestServer({ tls: { mode: 'on', certificate: { kind: 'provided', read: () => current } } });
    current = createServerCertificate('127.0.0.1', new Date());
    const expected = new X509Certificate(current.certificate).fingerprint256;
    await expect.poll(() => fingerprintOf(changing), { timeout: 8_000 }).toBe(expected);
  });

  it('reloads a given certificate when its files change, and keeps the old one when the new one is bad', async () => {
    const given = await mkdtemp(join(tmpdir(), 'fairway-given-'));
    onTestFinished(() => rm(given, { recursive: true, force: true }));
    const files = { certificateFile: join(given, 'cert.pem'), keyFile: join(given, 'key.pem') };
    const place = async ({ certificate, key }: typeof pair): Promise<void> => {
      await writeFile(`${files.keyFile}.new`, key);
      await writeFile(`${files.certificateFile}.new`, certificate);
      await rename(`${files.keyFile}.new`, files.keyFile);
      await rename(`${files.certificateFile}.new`, files.certificateFile);
    };
    await place(pair);
    await using reloading = await startTestServer({ tls: { mode: 'on', certificate: { kind: 'files', ...files } } });
    const first = await fingerprintOf(reloading);

    await writeFile(files.certificateFile, 'not a certificate');
    await expect.poll(() => reloading.logLines.join(''), { timeout: 8_000 }).toContain('could not be reloaded');
    expect(await fingerprintOf(reloading)).toBe(first);

    const other = createServerCertificate('127.0.0.1', new Date());
    await place(other);
    const expected = new X509Certificate(other.certificate).fingerprint256;
    await expect.poll(() => fingerprintOf(reloading), { timeout: 8_000 }).toBe(expected);
  });
});

describe('connections that keep us waiting', () => {
  const limits = { firstByteTimeoutMs: 100, handshakeTimeoutMs: 100, headTimeoutMs: 100, idleTimeoutMs: 200, anonymousBodyTimeoutMs: 150 };

  it.each([
    ['say nothing', ''],
    ['begin a TLS handshake and stop', '\u0016\u0003\u0001'],
    ['begin a request head and stop', 'GET /api/version HTTP/1.1\r\nhost: x\r\n'],
    ['begin HTTP/2 and ask for nothing', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0'],
  ])('are closed when they %s', async (_name, text) => {
    const pair = createServerCertificate('x', new Date());
    const isTls = text.startsWith('\u0016');
    await using server = await startTestServer({
      limits,
      ...(isTls && { tls: { mode: 'on', certificate: { kind: 'provided', read: () => pair } } }),
    });
    const socket = connect(server.port, server.host);
    socket.on('error', () => {});
    if (text !== '') socket.write(text, 'latin1');
    await readAll(socket);
  });

  it('are closed when they are idle after an answer', async () => {
    await using server = await startTestServer({ limits });
    const socket = connect(server.port, server.host);
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200/);
  });

  it('get 408 when they do not send the body that they announced', async () => {
    await using server = await startTestServer({ limits });
    const socket = connect(server.port, server.host);
    socket.write('POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{');
    expect(await readUntil(socket, 'in time')).toMatch(/^HTTP\/1\.1 408/);
    socket.destroy();
  });

  it('make room for others, oldest first', async () => {
    const refused: string[] = [];
    await using server = await startTestServer({
      limits: { pendingConnectionsMax: 20, connectionsMax: 50 },
      hooks: { onRefused: (reason) => refused.push(reason) },
    });
    const silent: Socket[] = [];
    let closed = 0;
    for (let index = 0; index < 100; index++) {
      const socket = connect(server.port, server.host);
      socket.on('error', () => {}).on('close', () => closed++);
      silent.push(socket);
      await once(socket, 'connect');
    }
    await expect.poll(() => closed).toBe(80);
    expect(refused).toEqual(Array.from({ length: 80 }, () => 'pending'));
    expect(silent.slice(80).some((socket) => socket.destroyed)).toBe(false);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    for (const socket of silent) socket.destroy();
  });

  it('make room when they are idle and there are too many in all', async () => {
    await using server = await startTestServer({ limits: { connectionsMax: 10 } });
    const idle: Socket[] = [];
    for (let index = 0; index < 30; index++) {
      const socket = connect(server.port, server.host);
      socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
      await readUntil(socket, 'ok\n');
      idle.push(socket);
    }
    await expect.poll(() => idle.filter((socket) => !socket.destroyed).length).toBe(10);
    for (const socket of idle) socket.destroy();
  });
});

async function getOverHttp2(url: string, path: string, ca?: string): Promise<{ status: number; text: string }> {
  const session = connectHttp2(url, ca === undefined ? {} : { ca });
  const stream = session.request({ ':path': path });
  const [headers] = (await once(stream, 'response')) as [Record<string, number>];
  let text = '';
  for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  session.close();
  return { status: headers[':status']!, text };
}

function getOverHttps(server: TestServer, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    httpsRequest(`${server.url}/api/version`, { ca, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
}

async function fingerprintOf(server: TestServer): Promise<string> {
  const socket = connectTls({ port: server.port, host: server.host, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  if (!socket.closed) await once(socket, 'close');
  return text;
}

async function readUntil(socket: Socket, end: string): Promise<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1');
    if (text.includes(end)) break;
  }
  return text;
}
