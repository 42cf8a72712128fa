import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/server/index.ts';
import { createGrpcClient } from '../../support/grpc-client.ts';
import { startTestServer, TOKEN, type TestServerOptions } from '../../support/test-server.ts';

const signedIn = { metadata: { token: TOKEN } };
const GET_ACCOUNT = '/account.AccountService/GetAccount';

/** A method that waits until the test lets it go. */
function createGate(): { open: () => void; handlers: NonNullable<TestServerOptions['handlers']> } {
  const gate = Promise.withResolvers<void>();
  const handlers: NonNullable<TestServerOptions['handlers']> = {
    'AccountService/GetAccount': async () => {
      await gate.promise;
      return { name: 'done' };
    },
    'ApplicationService/Watch': async function* (_request, call: Call) {
      yield { type: 'ADDED' };
      await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
    },
  };
  return { open: gate.resolve, handlers };
}

describe('shutting down', () => {
  it('lets unary calls finish, over every transport', async () => {
    const { open, handlers } = createGate();
    await using server = await startTestServer({ handlers });
    const client = createGrpcClient(`${server.host}:${server.port}`);
    const grpc = client.unary(GET_ACCOUNT, { name: 'a' }, signedIn);
    const rest = fetch(`${server.url}/api/v1/account/a`, { headers: { 'grpc-metadata-token': TOKEN } });
    await expect.poll(() => server.requests.length).toBe(2);
    let stopped = false;
    const stopping = server.stop(10_000).then(() => (stopped = true));
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed');
    expect(stopped).toBe(false);
    open();
    await expect(grpc).resolves.toEqual({ name: 'done' });
    const answer = await rest;
    expect(answer.headers.get('connection')).toBe('close');
    expect(await answer.json()).toEqual({ name: 'done' });
    await stopping;
    client.close();
  });

  it('ends streams with Unavailable', async () => {
    await using server = await startTestServer({ handlers: createGate().handlers });
    const client = createGrpcClient(`${server.host}:${server.port}`);
    const iterator = client.serverStream('/application.ApplicationService/Watch', {}, signedIn)[Symbol.asyncIterator]();
    await iterator.next();
    const rest = await fetch(`${server.url}/api/v1/stream/applications`, { headers: { 'grpc-metadata-token': TOKEN } });
    const next = iterator.next();
    const stopping = server.stop(10_000);
    await expect(next).rejects.toMatchObject({ code: 14, details: 'the server is shutting down' });
    expect(await rest.text()).toContain('"grpc_code":14');
    const startMs = performance.now();
    await stopping;
    // The clients would keep their connections open for longer.
    expect(performance.now() - startMs).toBeLessThan(3_000);
    client.close();
  });

  it('cuts off what takes longer than its grace, and tells the handler', async () => {
    await using server = await startTestServer({ handlers: createGate().handlers });
    const client = createGrpcClient(`${server.host}:${server.port}`);
    const call = client.unary(GET_ACCOUNT, { name: 'a' }, signedIn);
    call.catch(() => {});
    await expect.poll(() => server.requests.length).toBe(1);
    const { signal } = server.requests[0]!.call;
    await server.stop(50);
    expect(signal.aborted).toBe(true);
    await expect(call).rejects.toMatchObject({ code: 14 });
    client.close();
  });

  it('does not wait for idle or silent connections', async () => {
    await using server = await startTestServer();
    const silent = connect(server.port, server.host);
    const idle = connect(server.port, server.host);
    idle.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(idle, 'data');
    const startMs = performance.now();
    await server.stop(10_000);
    expect(performance.now() - startMs).toBeLessThan(2_000);
    for (const socket of [silent, idle]) if (!socket.closed) await once(socket.resume(), 'close');
  });
});
