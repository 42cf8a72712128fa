import { describe, expect, it } from 'vitest';
import { ApiError, Code } from '../../../src/base/index.ts';
import { messageCodec } from '../../../src/contract/index.ts';
import { attachEncoded } from '../../../src/server/index.ts';
import { createGrpcClient } from '../../support/grpc-client.ts';
import { startTestServer, TOKEN } from '../../support/test-server.ts';

const signedIn = { metadata: { token: TOKEN } };
const GET_ACCOUNT = '/account.AccountService/GetAccount';
const WATCH = '/application.ApplicationService/Watch';

describe('a fault inside a request (NODE-01)', () => {
  it.each([
    ['a handler that throws at once', { 'AccountService/GetAccount': () => raise(new TypeError('secret detail')) }],
    ['a handler that rejects with no error', { 'AccountService/GetAccount': () => Promise.reject(undefined as unknown as Error) }],
    ['an answer that is not the message', { 'AccountService/GetAccount': async () => ({ name: 5 }) }],
    ['an answer that is nothing', { 'AccountService/GetAccount': async () => undefined }],
    [
      'a header that HTTP cannot carry',
      {
        'AccountService/GetAccount': async (_request: never, call: { setHeader(name: string, value: string): void }) =>
          call.setHeader('x', 'a\r\nb'),
      },
    ],
  ])('fails that request only: %s', async (_name, handlers) => {
    await using server = await startTestServer({ handlers });
    const client = createGrpcClient(`${server.host}:${server.port}`);
    const failure = await client
      .unary(GET_ACCOUNT, { name: 'a' }, signedIn)
      .catch((error: unknown) => error as { code: number; details: string });
    expect(failure).toMatchObject({ code: 13 });
    expect((failure as { details: string }).details).not.toContain('secret');
    const rest = await fetch(`${server.url}/api/v1/account/a`, { headers: { 'grpc-metadata-token': TOKEN } });
    expect(rest.status).toBe(500);
    expect(await rest.json()).toMatchObject({ code: 13 });
    expect(server.logLines.filter((line) => line.includes('"level":"error"'))).toHaveLength(2);
    await expect(client.unary('/version.VersionService/Version', {})).resolves.toEqual({});
    client.close();
  });

  it('fails that stream only, also when its clean-up throws', async () => {
    await using server = await startTestServer({
      handlers: {
        'ApplicationService/Watch': async function* (request: { name?: string }) {
          if (request.name === 'early') throw new Error('early');
          try {
            yield { type: 'ADDED' };
            yield { type: 5 };
          } finally {
            raise(new Error('clean-up'));
          }
        },
      },
    });
    const client = createGrpcClient(`${server.host}:${server.port}`);
    for (const name of ['early', 'late']) {
      const drain = (async () => {
        for await (const message of client.serverStream(WATCH, { name }, signedIn)) expect(message).toEqual({ type: 'ADDED' });
      })();
      await expect(drain).rejects.toMatchObject({ code: 13 });
    }
    await expect.poll(() => server.logLines.join('')).toContain('a stream failed to clean up');
    client.close();
  });

  it('changes nothing when it is in a hook', async () => {
    const fault = (): never => raise(new Error('a broken hook'));
    const hooks = {
      onCallStarted: fault,
      onCallFinished: fault,
      onConnectionOpened: fault,
      onConnectionClosed: fault,
      onRouteFinished: fault,
      onRefused: fault,
      onInternalError: fault,
    };
    await using server = await startTestServer({ hooks });
    expect((await fetch(`${server.url}/api/version`)).status).toBe(200);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(server.logLines.join('')).toContain('a hook failed');
  });

  it('is an answer of its own kind on a plain route', async () => {
    const handlers = {
      '/broken': async () => raise(new Error('secret detail')),
      '/denied': async () => raise(new ApiError(Code.PermissionDenied, 'not for you')),
      '/invalid': async () => ({ status: 200, headers: { x: 'a\r\nb' } }),
    };
    const routes = Object.entries(handlers).map(([path, handler]) => ({ path, verbs: ['GET'], handler }));
    await using server = await startTestServer({ routes });
    const broken = await fetch(`${server.url}/broken`);
    expect([broken.status, (await broken.text()).includes('secret')]).toEqual([500, false]);
    expect((await fetch(`${server.url}/denied`)).status).toBe(403);
    await expect(fetch(`${server.url}/invalid`)).rejects.toThrow('fetch failed');
    expect((await fetch(`${server.url}/denied`)).status).toBe(403);
  });
});

describe('what the server counts', () => {
  it('names calls by the contract, with their outcome', async () => {
    const finished: object[] = [];
    await using server = await startTestServer({ hooks: { onCallFinished: (call, result) => finished.push({ ...call, ...result }) } });
    await fetch(`${server.url}/api/version`);
    await fetch(`${server.url}/api/v1/nope`);
    const client = createGrpcClient(`${server.host}:${server.port}`);
    await client.unary(GET_ACCOUNT, {}).catch(() => {});
    await client.unary(GET_ACCOUNT, {}, signedIn);
    const duration = { durationMs: expect.any(Number) as number };
    expect(finished).toEqual([
      { transport: 'rest', service: 'version.VersionService', method: 'Version', code: 0, ...duration },
      { transport: 'grpc', service: 'account.AccountService', method: 'GetAccount', code: 16, ...duration },
      { transport: 'grpc', service: 'account.AccountService', method: 'GetAccount', code: 0, ...duration },
    ]);
    client.close();
  });
});

describe('an answer that brings its encoded forms', () => {
  it('is sent as it is, on every transport', async () => {
    const protobuf = messageCodec('account.Account').encode({ name: 'from protobuf' });
    await using server = await startTestServer({
      handlers: { 'AccountService/GetAccount': async () => attachEncoded({ name: 'value' }, { protobuf, json: '{"name":"from json"}' }) },
    });
    const client = createGrpcClient(`${server.host}:${server.port}`);
    await expect(client.unary(GET_ACCOUNT, {}, signedIn)).resolves.toEqual({ name: 'from protobuf' });
    const rest = await fetch(`${server.url}/api/v1/account/a`, { headers: { 'grpc-metadata-token': TOKEN } });
    expect(await rest.json()).toEqual({ name: 'from json' });
    client.close();
  });
});

function raise(error: Error): never {
  throw error;
}
