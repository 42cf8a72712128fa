import { connect, constants } from 'node:http2';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError, Code } from '../../../src/base/index.ts';
import { messageCodec, type JsonObject } from '../../../src/contract/index.ts';
import { startTestServer, TOKEN, type TestServer } from '../../support/test-server.ts';

const BINARY = 'application/grpc-web+proto';
const TEXT = 'application/grpc-web-text';

describe('gRPC-Web', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({
      handlers: {
        'VersionService/Version': async () => ({ Version: 'v9' }),
        'SessionService/Create': async (request: { username?: string }) => {
          if (request.username !== 'admin') throw new ApiError(Code.Unauthenticated, 'Invalid username or password');
          return { token: 'jwt' };
        },
        'ApplicationService/Watch': async function* (request: { name?: string }) {
          if (request.name === 'denied') throw new ApiError(Code.PermissionDenied, 'permission denied');
          yield { type: 'ADDED', application: { metadata: { name: 'a' } } };
          if (request.name === 'fails') throw new ApiError(Code.NotFound, 'gone');
        },
      },
    });
  });

  afterAll(() => server.stop());

  const post = (path: string, body: Buffer | string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, { method: 'POST', body, headers: { 'content-type': BINARY, ...headers } });

  it('answers with a data frame and a trailer frame', async () => {
    const response = await post('/version.VersionService/Version', frame({}, 'google.protobuf.Empty'));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(BINARY);
    expect(response.headers.get('grpc-status')).toBeNull();
    const [data, trailer, ...rest] = readFrames(Buffer.from(await response.arrayBuffer()));
    expect(data).toMatchObject({ flags: 0 });
    expect(messageCodec('version.VersionMessage').decode(data!.payload)).toEqual({ Version: 'v9' });
    expect(trailer).toMatchObject({ flags: 0x80 });
    expect(trailer!.payload.toString()).toBe('grpc-status: 0\r\n');
    expect(rest).toEqual([]);
  });

  it.each(['/argo-cd', '/a/b/c'])('is served below any root path: %s', async (root) => {
    const response = await post(`${root}/version.VersionService/Version`, frame({}, 'google.protobuf.Empty'));
    expect(readFrames(Buffer.from(await response.arrayBuffer()))).toHaveLength(2);
  });

  it('tells a failure in the response headers, where stock clients look for it', async () => {
    const response = await post('/session.SessionService/Create', frame({ username: 'x' }, 'session.SessionCreateRequest'));
    expect(response.status).toBe(200);
    expect(response.headers.get('grpc-status')).toBe('16');
    expect(response.headers.get('grpc-message')).toBe('Invalid username or password');
    expect(await response.text()).toBe('');
  });

  it('speaks base64 text, also in pieces that are padded one by one', async () => {
    const bytes = frame({ username: 'admin' }, 'session.SessionCreateRequest');
    for (const body of [bytes.toString('base64'), `${bytes.subarray(0, 5).toString('base64')}${bytes.subarray(5).toString('base64')}`]) {
      const response = await post('/session.SessionService/Create', body, { 'content-type': TEXT });
      expect(response.headers.get('content-type')).toBe('application/grpc-web-text+proto');
      const [data, trailer] = readFrames(Buffer.from(await response.text(), 'base64'));
      expect(messageCodec('session.SessionResponse').decode(data!.payload)).toEqual({ token: 'jwt' });
      expect(trailer!.payload.toString()).toContain('grpc-status: 0');
    }
  });

  it('refuses text that is not base64', async () => {
    const response = await post('/session.SessionService/Create', '{"username": "admin"}', { 'content-type': TEXT });
    expect(response.headers.get('grpc-status')).toBe('3');
  });

  it('works over HTTP/2', async () => {
    const session = connect(server.url);
    const stream = session.request({ ':method': 'POST', ':path': '/version.VersionService/Version', 'content-type': BINARY });
    stream.end(frame({}, 'google.protobuf.Empty'));
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(stream, 'end');
    expect(readFrames(Buffer.concat(chunks)).map(({ flags }) => flags)).toEqual([0, 0x80]);
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
    session.close();
  });

  it('ends a stream with its status: in the headers before the first message, in a trailer frame after it', async () => {
    const watch = async (name: string): Promise<Response> =>
      post('/application.ApplicationService/Watch', frame({ name }, 'application.ApplicationQuery'), { token: TOKEN });
    const complete = readFrames(Buffer.from(await (await watch('all')).arrayBuffer()));
    expect(complete.map(({ flags }) => flags)).toEqual([0, 0x80]);
    const failed = readFrames(Buffer.from(await (await watch('fails')).arrayBuffer()));
    expect(failed.map(({ flags }) => flags)).toEqual([0, 0x80]);
    expect(failed[1]!.payload.toString()).toBe('grpc-status: 5\r\ngrpc-message: gone\r\n');
    const denied = await watch('denied');
    expect(denied.headers.get('grpc-status')).toBe('7');
  });

  it('takes the token from metadata, never from a cookie', async () => {
    const body = frame({}, 'account.ListAccountRequest');
    expect((await post('/account.AccountService/ListAccounts', body, { token: TOKEN })).headers.get('grpc-status')).toBeNull();
    expect((await post('/account.AccountService/ListAccounts', body, { cookie: `argocd.token=${TOKEN}` })).headers.get('grpc-status')).toBe(
      '16',
    );
  });

  it.each([
    ['an unknown method', '/version.VersionService/Nope', '12', undefined],
    ['a truncated frame', '/version.VersionService/Version', '3', Buffer.from([0, 0, 0, 0, 9, 1])],
    ['no frame at all', '/version.VersionService/Version', '12', Buffer.alloc(0)],
    ['two frames', '/version.VersionService/Version', '12', Buffer.alloc(10)],
    ['unknown flags', '/version.VersionService/Version', '3', Buffer.from([6, 0, 0, 0, 0])],
    ['a declared length beyond the limit', '/version.VersionService/Version', '8', Buffer.from([0, 0xff, 0xff, 0xff, 0xff])],
    ['a message that is not protobuf', '/session.SessionService/Create', '3', Buffer.from([0, 0, 0, 0, 2, 0xff, 0xff])],
  ])('refuses %s', async (_name, path, status, body = Buffer.alloc(5)) => {
    const response = await post(path, body);
    expect([response.status, response.headers.get('grpc-status')]).toEqual([200, status]);
  });

  it('is POST only, and has no CORS headers (WEB-07)', async () => {
    const preflight = await fetch(`${server.url}/version.VersionService/Version`, {
      method: 'OPTIONS',
      headers: { 'content-type': BINARY, origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(405);
    const answered = await post('/version.VersionService/Version', frame({}, 'google.protobuf.Empty'), { origin: 'https://evil.example' });
    for (const response of [preflight, answered])
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

function frame(message: JsonObject, name: string): Buffer {
  const payload = messageCodec(name).encode(message);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(payload.length, 1);
  return Buffer.concat([prefix, payload]);
}

function readFrames(bytes: Buffer): { flags: number; payload: Buffer }[] {
  const frames: { flags: number; payload: Buffer }[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 5 + bytes.readUInt32BE(at + 1);
    frames.push({ flags: bytes[at]!, payload: bytes.subarray(at + 5, end) });
    at = end;
  }
  return frames;
}
