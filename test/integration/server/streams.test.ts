import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError, Code } from '../../../src/base/index.ts';
import type { Call } from '../../../src/server/index.ts';
import { startTestServer, TOKEN, type TestServer } from '../../support/test-server.ts';

const event = (name: string): object => ({ type: 'ADDED', application: { metadata: { name } } });

describe('REST streams', () => {
  let server: TestServer;
  const state = { yielded: 0, cleaned: 0 };

  beforeAll(async () => {
    server = await startTestServer({
      limits: { keepAliveMs: 50, slowReaderTimeoutMs: 400 },
      handlers: {
        'ApplicationService/PodLogs': async function* (request: { name?: string }) {
          if (request.name === 'denied') throw new ApiError(Code.PermissionDenied, 'permission denied');
          yield { content: 'one', podName: 'web-1', timeStampStr: '', last: false };
          yield { content: '{"two": 2}', podName: 'web-1', timeStampStr: '', last: false };
          if (request.name === 'fails') throw new ApiError(Code.NotFound, 'the pod is gone');
          yield { content: '', podName: 'web-1', timeStampStr: '', last: true };
        },
        'ApplicationService/Watch': async function* (request: { name?: string }, call: Call) {
          try {
            if (request.name === 'denied') throw new ApiError(Code.PermissionDenied, 'permission denied');
            if (request.name === 'silent') {
              await aborted(call);
              return;
            }
            if (request.name === 'flood') {
              for (;;) {
                state.yielded++;
                yield event('x'.repeat(10_000));
              }
            }
            yield event('a');
            if (request.name === 'endless') await aborted(call);
            yield event('b');
            if (request.name === 'fails') throw new ApiError(Code.NotFound, 'gone');
            if (request.name === 'breaks') throw new Error('the disk is full');
          } finally {
            state.cleaned++;
          }
        },
      },
    });
  });

  afterAll(() => server.stop());

  const watch = (query: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> =>
    fetch(`${server.url}/api/v1/stream/applications?${query}`, {
      headers: { 'grpc-metadata-token': TOKEN, ...headers },
      ...(signal && { signal }),
    });

  it('are lines of JSON', async () => {
    const response = await watch('fields=result.application.metadata.name');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe(
      '{"result":{"application":{"metadata":{"name":"a"}}}}\n{"result":{"application":{"metadata":{"name":"b"}}}}\n',
    );
  });

  it('are server-sent events where the client asks for them', async () => {
    const response = await watch('fields=result.type', { accept: 'text/event-stream' });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).toBe('data: {"result":{"type":"ADDED"}}\n\ndata: {"result":{"type":"ADDED"}}\n\n');
  });

  it('say that they are alive', async () => {
    const controller = new AbortController();
    const response = await watch('name=endless&fields=result.type', { accept: 'text/event-stream' }, controller.signal);
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes(':\n:\n')) break;
    }
    expect(text).toMatch(/^data: \{"result":\{"type":"ADDED"\}\}\n\n(:\n)+$/);
    controller.abort();
  });

  it('have their head within a second or so, though nothing happens', async () => {
    const controller = new AbortController();
    const response = await watch('name=silent', {}, controller.signal);
    expect(response.status).toBe(200);
    controller.abort();
  });

  it('fail with a status of their own before the first message', async () => {
    const response = await watch('name=denied');
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: { grpc_code: 7, http_code: 403, message: 'permission denied', http_status: 'Forbidden' },
    });
    const unknown = await fetch(`${server.url}/api/v1/stream/applications`);
    expect(unknown.status).toBe(401);
    expect(await unknown.json()).toMatchObject({ error: { grpc_code: 16 } });
  });

  it('end with the error as the last message after it', async () => {
    const error = '{"error":{"grpc_code":5,"http_code":404,"message":"gone","http_status":"Not Found"}}';
    expect((await (await watch('name=fails')).text()).split('\n')).toMatchObject([expect.anything(), expect.anything(), error, '']);
    expect(await (await watch('name=fails', { accept: 'text/event-stream' })).text()).toContain(`data: ${error}\n\n`);
    const broken = await (await watch('name=breaks')).text();
    expect(broken).toContain('"grpc_code":13');
    expect(broken).not.toContain('disk');
  });

  it.each([
    ['web/logs?namespace=shop&podName=web-1&container=main', 'shop-web-1-main.log'],
    ['web/pods/web-1/logs?namespace=shop&container=main', 'shop-web-1-main.log'],
    ['web/logs?namespace=shop', 'log.log'],
    ['web/logs?namespace=shop&podName=web-1&container=%22%0D%0Ax', 'log.log'],
  ])('of logs are a file where that is wanted: %s', async (path, fileName) => {
    const headers = { 'grpc-metadata-token': TOKEN };
    const response = await fetch(`${server.url}/api/v1/applications/${path}&download=true`, { headers });
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toBe(`attachment;filename="${fileName}"`);
    expect(await response.text()).toBe('one\n{"two": 2}\n');
    const asStream = await fetch(`${server.url}/api/v1/applications/${path}&download=false`, { headers });
    expect(asStream.headers.get('content-disposition')).toBeNull();
    expect(await asStream.text()).toMatch(/^\{"result":/);
  });

  it('of logs fail as a file does', async () => {
    const headers = { 'grpc-metadata-token': TOKEN };
    const refused = await fetch(`${server.url}/api/v1/applications/denied/logs?download=true`, { headers });
    expect([refused.status, refused.headers.get('content-disposition')]).toEqual([403, null]);
    const broken = await fetch(`${server.url}/api/v1/applications/fails/logs?download=true`, { headers });
    expect(await broken.text()).toBe('one\n{"two": 2}\nthe pod is gone\n');
  });

  it('clean up when the client leaves', async () => {
    const controller = new AbortController();
    const cleaned = state.cleaned;
    const response = await watch('name=endless', {}, controller.signal);
    await response.body!.getReader().read();
    controller.abort();
    await expect.poll(() => state.cleaned).toBe(cleaned + 1);
  });

  it('are not mixed with the answer to garbage that follows on the same connection', async () => {
    const socket = connect(server.port, server.host);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(`GET /api/v1/stream/applications?name=endless HTTP/1.1\r\nhost: x\r\ngrpc-metadata-token: ${TOKEN}\r\n\r\n`);
    await expect.poll(() => text).toContain('"name":"a"');
    socket.write('\0garbage\r\n\r\n');
    await once(socket, 'close');
    expect(text).not.toContain('400');
  });

  it('wait for a slow reader, and give up on one that never reads (DOS-04)', async () => {
    const socket = connect(server.port, server.host);
    await once(socket, 'connect');
    socket.pause();
    const cleaned = state.cleaned;
    socket.write(`GET /api/v1/stream/applications?name=flood HTTP/1.1\r\nhost: x\r\ngrpc-metadata-token: ${TOKEN}\r\n\r\n`);
    await expect.poll(() => state.cleaned, { timeout: 5_000 }).toBe(cleaned + 1);
    // What is not read stays with the handler, except for what fits into the buffers of the two sockets.
    expect(state.yielded).toBeLessThan(5_000);
    socket.destroy();
  });
});

function aborted(call: Call): Promise<void> {
  return new Promise((resolve) => call.signal.addEventListener('abort', () => resolve()));
}
