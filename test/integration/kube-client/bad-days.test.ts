import { gzipSync } from 'node:zlib';
import type { RequestListener, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock, systemTimers } from '../../../src/base/index.ts';
import { createHttpKubeApi, withLimit } from '../../../src/kube/index.ts';
import type { Credentials, HttpKubeApi, KubeLimits, WatchEvent } from '../../../src/kube/index.ts';
import { quietLog } from '../../support/cluster/shared-cluster.ts';
import { kinds } from '../../support/kinds.ts';
import { startStubServer } from '../../support/stub-server.ts';
import type { StubServer } from '../../support/stub-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

const PLAIN: Credentials = {
  identity: { type: 'token', token: 'the-secret-token' },
  trust: { insecure: false },
  disableCompression: false,
};
const REF = { namespace: 'one', name: 'two' };
const OBJECT = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'two', namespace: 'one', resourceVersion: '7' } };

describe('a cluster that misbehaves', () => {
  const running: { stub: StubServer; api: HttpKubeApi }[] = [];
  afterEach(async () => {
    for (const { stub, api } of running.splice(0)) {
      await api.close();
      await stub.close();
    }
  });

  async function start(answer: RequestListener, limits: Partial<KubeLimits> = {}, credentials = PLAIN) {
    const stub = await startStubServer(answer);
    const api = createHttpKubeApi({
      server: stub.url,
      credentials,
      clock: systemClock,
      log: quietLog,
      userAgent: 'fairway-test',
      limits: { retryDelayMs: 1, ...limits },
    });
    running.push({ stub, api });
    return { stub, api };
  }
  const json = (response: ServerResponse, value: unknown, code = 200, headers: Record<string, string> = {}): void => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
  const refusal = (code: number, reason: string) => ({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason,
    code,
    message: `because ${reason}`,
  });
  /** Answers with each in turn, and with the last one for ever. */
  const inTurn = (...answers: RequestListener[]): RequestListener => {
    let turn = 0;
    return (request, response) => answers[Math.min(turn++, answers.length - 1)]?.(request, response);
  };
  const ok: RequestListener = (_request, response) => json(response, OBJECT);
  const refuse =
    (code: number, reason: string, headers: Record<string, string> = {}): RequestListener =>
    (_request, response) =>
      json(response, refusal(code, reason), code, headers);
  const cut: RequestListener = (request) => request.socket.destroy();

  it('is asked again when it is busy, whatever the verb', async () => {
    const { stub, api } = await start(inTurn(refuse(429, 'TooManyRequests', { 'retry-after': '0' }), refuse(429, 'TooManyRequests'), ok));
    await api.create(kinds.configMap, OBJECT);
    expect(stub.requests).toHaveLength(3);
  });

  it('is not waited for where it asks for too long', async () => {
    const { stub, api } = await start(refuse(429, 'TooManyRequests', { 'retry-after': '3600' }));
    const refused = await api.get(kinds.configMap, REF).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 429, status: { details: { retryAfterSeconds: 3600 } } });
    expect(stub.requests).toHaveLength(1);
  });

  it('is asked again after a failure or a lost connection, for reads only', async () => {
    const { stub, api } = await start(inTurn(refuse(500, 'InternalError'), cut, refuse(503, 'ServiceUnavailable'), ok));
    expect(await api.get(kinds.configMap, REF)).toEqual(OBJECT);
    expect(stub.requests).toHaveLength(4);
    const lost = await start(cut);
    const { code, message } = (await lost.api.update(kinds.configMap, OBJECT).catch((error: unknown) => error)) as {
      code: number;
      message: string;
    };
    expect({ code, message }).toEqual({
      code: 14,
      message: `cannot reach the cluster at ${lost.stub.url}: the connection broke (ECONNRESET)`,
    });
    await expect(lost.api.delete(kinds.configMap, REF)).rejects.toThrow('the connection broke');
    expect(lost.stub.requests).toHaveLength(2);
  });

  it('gives up in the end', async () => {
    const { stub, api } = await start(refuse(503, 'ServiceUnavailable'));
    await expect(api.list(kinds.configMap)).rejects.toMatchObject({ code: 503, message: 'because ServiceUnavailable' });
    expect(stub.requests).toHaveLength(4);
  });

  it('is not reached at all', async () => {
    const { stub, api } = await start(ok);
    await stub.close();
    await expect(api.version()).rejects.toMatchObject({
      code: 14,
      message: `cannot reach the cluster at ${stub.url}: it refuses connections`,
    });
    const nowhere = createHttpKubeApi({
      server: 'https://nowhere.invalid',
      credentials: PLAIN,
      clock: systemClock,
      log: quietLog,
      userAgent: 'x',
      limits: { retriesMax: 0 },
    });
    await expect(nowhere.version()).rejects.toThrow(/its host name (is not known|cannot be looked up)/);
    await nowhere.close();
  });

  it('does not answer in time', async () => {
    const { stub, api } = await start(() => undefined, { getMs: 30, streamStartMs: 30, writeMs: 30 });
    const late = `the cluster at ${stub.url} did not answer within 0.03 seconds: GET /api/v1/namespaces/one/configmaps`;
    await expect(api.get(kinds.configMap, REF)).rejects.toMatchObject({ code: 4, message: `${late}/two` });
    await expect(api.create(kinds.configMap, OBJECT)).rejects.toMatchObject({ code: 4 });
    await expect(api.watch(kinds.configMap, { namespace: 'one' })[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 4,
      message: late,
    });
    const half = await start((_request, response) => void response.writeHead(200).write('{"half":'), { getMs: 30 });
    await expect(half.api.version()).rejects.toMatchObject({ code: 4 });
  });

  it('is somebody else: a proxy or a web site', async () => {
    const html: RequestListener = (_request, response) =>
      void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>the-secret-token</h1>');
    const gateway = await start(html, { retriesMax: 0 });
    const message = `${gateway.stub.url} answered 502 with text/html and not as a Kubernetes API does`;
    await expect(gateway.api.version()).rejects.toMatchObject({ name: 'StatusError', code: 502, reason: 'InternalError', message });
    const echo = await start(
      (request, response) => void response.writeHead(403, { 'content-type': 'text/plain' }).end(`no: ${request.headers.authorization}`),
    );
    await expect(echo.api.version()).rejects.toMatchObject({ code: 403, message: `${echo.stub.url} answered 403: no: Bearer [redacted]` });
    const site = await start((_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'));
    await expect(site.api.version()).rejects.toThrow(`the cluster at ${site.stub.url} sent JSON that cannot be read`);
    const moved = await start((_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    await expect(moved.api.version()).rejects.toThrow('answered 302: another address, which is not followed');
  });

  it('sends the wrong thing', async () => {
    const { api } = await start((_request, response) => json(response, ['no', 'object']));
    await expect(api.get(kinds.configMap, REF)).rejects.toThrow('something that is not an object');
    const list = await start((_request, response) => json(response, { kind: 'ConfigMapList', metadata: {}, items: [1] }));
    await expect(list.api.list(kinds.configMap)).rejects.toThrow('a list with something else than objects in it');
    const empty = await start((_request, response) =>
      json(response, { kind: 'ConfigMapList', metadata: { resourceVersion: '3' }, items: null }),
    );
    expect(await empty.api.list(kinds.configMap)).toEqual({ metadata: { resourceVersion: '3' }, items: [] });
  });

  it('keeps its answers packed and within bounds', async () => {
    const big = JSON.stringify({ ...OBJECT, data: { a: 'x'.repeat(100_000) } });
    const packed: RequestListener = (request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip');
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(big));
    };
    expect(JSON.stringify(await (await start(packed)).api.get(kinds.configMap, REF))).toBe(big);
    const bounded = await start(packed, { answerBytesMax: 50_000 });
    await expect(bounded.api.get(kinds.configMap, REF)).rejects.toThrow(
      `the cluster at ${bounded.stub.url} sent more than 50000 bytes in one answer`,
    );
    const endless = await start(
      (_request, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(10_000)));
        };
        response.on('drain', more);
        more();
      },
      { answerBytesMax: 50_000, getMs: 15_000 },
    );
    await expect(endless.api.get(kinds.configMap, REF)).rejects.toMatchObject({ code: 8 });
    const torn = await start(
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(big).subarray(0, 50)),
      { retriesMax: 0 },
    );
    await expect(torn.api.get(kinds.configMap, REF)).rejects.toThrow('broke off in the middle of its answer');
  });

  it('is asked for everything at once where a page has expired', async () => {
    const item = (name: string) => ({ metadata: { name } });
    const { stub, api } = await start((request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      if (query.get('continue') !== null) return json(response, refusal(410, 'Expired'), 410);
      if (query.get('limit') === null) return json(response, { metadata: { resourceVersion: '9' }, items: ['a', 'b', 'c'].map(item) });
      return json(response, { metadata: { resourceVersion: '8', continue: 'next' }, items: [item('a')] });
    });
    const list = await api.list(kinds.configMap, { namespace: 'one', resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' });
    expect(list.metadata.resourceVersion).toBe('9');
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
    expect(stub.requests.map(({ url }) => url?.split('?')[1])).toEqual([
      'limit=500&resourceVersion=0&resourceVersionMatch=NotOlderThan',
      'limit=500&continue=next',
      'resourceVersion=0&resourceVersionMatch=NotOlderThan',
    ]);
  });

  it('is asked for smaller pages where its objects are large', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
    const { stub, api } = await start(
      (request, response) => {
        const query = new URL(request.url ?? '', 'http://x').searchParams;
        const from = Number(query.get('continue') ?? 0);
        const to = Math.min(names.length, from + Number(query.get('limit')));
        const items = names.slice(from, to).map((name) => ({ metadata: { name }, data: { a: 'x'.repeat(1000) } }));
        json(response, { metadata: { resourceVersion: '9', ...(to < names.length && { continue: String(to) }) }, items });
      },
      { answerBytesMax: 11_000, pageSize: 64 },
    );
    expect((await api.list(kinds.configMap)).items.map(({ metadata }) => metadata.name)).toEqual(names);
    expect(stub.requests.map(({ url }) => new URL(url ?? '', 'http://x').searchParams.get('limit'))).toEqual([
      '64',
      '8',
      '8',
      '8',
      '8',
      '8',
    ]);
    const huge = await start((_request, response) => json(response, { items: [{ metadata: {}, data: 'x'.repeat(2000) }] }), {
      answerBytesMax: 1000,
    });
    await expect(huge.api.list(kinds.configMap)).rejects.toThrow('more than 1000 bytes in one answer');
  });

  it('is asked for smaller pages where it takes too long for one, whoever says how long that is', async () => {
    const { stub, api } = await start(
      (request, response) => {
        const limit = Number(new URL(request.url ?? '', 'http://x').searchParams.get('limit'));
        if (limit <= 62) json(response, { metadata: { resourceVersion: '9' }, items: [] });
      },
      { listMs: 1_000 },
    );
    await expect(api.list(kinds.configMap)).rejects.toMatchObject({ code: 4 });
    await api.list(kinds.configMap);
    const limited = withLimit({ timers: systemTimers, limitMs: 50 }, (signal) => api.list(kinds.secret, { limit: 500, signal }));
    await expect(limited).rejects.toMatchObject({ code: 4 });
    await api.list(kinds.secret, { limit: 500 });
    const sizes = stub.requests.map(({ url }) => new URL(url ?? '', 'http://x').searchParams.get('limit'));
    expect(sizes).toEqual(['500', '62', '500', '62']);
  });

  const watch = async (api: HttpKubeApi, options: { signal?: AbortSignal } = {}): Promise<{ events: WatchEvent[]; error?: unknown }> => {
    const events: WatchEvent[] = [];
    try {
      for await (const event of api.watch(kinds.configMap, { namespace: 'one', ...options })) events.push(event);
      return { events };
    } catch (error) {
      return { events, error };
    }
  };
  const line = JSON.stringify({ type: 'ADDED', object: OBJECT });

  it('cuts a watch in the middle of a line: what was whole counts, the rest is a failure', async () => {
    const { stub, api } = await start((_request, response) => void response.writeHead(200).end(`${line}\n${line.slice(0, 40)}`));
    const { events, error } = await watch(api);
    expect(events).toEqual([{ type: 'ADDED', object: OBJECT }]);
    expect(error).toMatchObject({ code: 14, message: `the cluster at ${stub.url} broke off in the middle of its answer` });
    const killed = await start((request, response) => void response.writeHead(200).write(`${line}\n`, () => request.socket.destroy()));
    expect(await watch(killed.api)).toMatchObject({ events: [{ type: 'ADDED' }], error: { code: 14 } });
  });

  it('may be silent once a watch stands, and a watch that has ended makes room for the next', async () => {
    const streamStartMs = 1_000;
    let silenceMs = 1.5 * streamStartMs;
    const late: RequestListener = (_request, response) => {
      response.writeHead(200).flushHeaders();
      setTimeout(() => response.end(`${line}\n`), silenceMs);
    };
    const { api } = await start(late, { streamStartMs, streamsMax: 1 });
    for await (const chunk of api.logs(REF)) expect(Buffer.from(chunk).toString()).toContain('ADDED');
    expect(await watch(api)).toEqual({ events: [{ type: 'ADDED', object: OBJECT }] });
    silenceMs = 0;
    for (let turn = 0; turn < 3; turn += 1) expect(await watch(api)).toEqual({ events: [{ type: 'ADDED', object: OBJECT }] });
  });

  it('sends a watch byte by byte', async () => {
    const text = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: { ...OBJECT, data: { a: 'grüße €' } } })}\n\n${line}\n`);
    const { api } = await start((_request, response) => {
      response.writeHead(200);
      for (const byte of text) response.write(Buffer.from([byte]));
      response.end();
    });
    const { events, error } = await watch(api);
    expect(error).toBeUndefined();
    expect(events).toMatchObject([{ object: { data: { a: 'grüße €' } } }, { type: 'ADDED' }]);
  });

  it('says in a watch what went wrong, and never ends a line', async () => {
    const { api } = await start(
      (_request, response) => void response.writeHead(200).end(`${JSON.stringify({ type: 'ERROR', object: refusal(410, 'Expired') })}\n`),
    );
    expect((await watch(api)).events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
    const endless = await start((_request, response) => void response.writeHead(200).write('x'.repeat(5000)), { eventBytesMax: 1000 });
    expect((await watch(endless.api)).error).toMatchObject({ code: 8 });
    const garbage = await start((_request, response) => void response.writeHead(200).end('{"type":"ADDED","object":{"secret"\n'));
    expect((await watch(garbage.api)).error).toMatchObject({ code: 15, message: expect.not.stringContaining('secret') as string });
  });

  it('lets urgent calls past those that wait, and bounds them too', async () => {
    const held: ServerResponse[] = [];
    const { stub, api } = await start((_request, response) => void held.push(response), { callsMax: 1, urgentCallsMax: 1 });
    const calls = [1, 2].map(() => api.get(kinds.configMap, REF));
    await waitUntil(() => held.length === 1);
    const urgent = [api.get(kinds.configMap, REF, { urgent: true }), api.update(kinds.configMap, OBJECT, { urgent: true })];
    for (const call of urgent) {
      const response = await waitUntil(() => held[1]);
      held.pop();
      json(response, OBJECT);
      expect(await call).toEqual(OBJECT);
    }
    expect(stub.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'PUT']);
    for (const call of calls) {
      json(await waitUntil(() => held.pop()), OBJECT);
      expect(await call).toEqual(OBJECT);
    }
  });

  it('bounds calls under way, those that wait, and watches', async () => {
    const held: ServerResponse[] = [];
    const { stub, api } = await start((_request, response) => void held.push(response), { callsMax: 2, callsWaitingMax: 1, streamsMax: 1 });
    const calls = [1, 2, 3].map(() => api.get(kinds.configMap, REF));
    await waitUntil(() => held.length === 2);
    await expect(api.get(kinds.configMap, REF)).rejects.toMatchObject({
      code: 8,
      message: `too many calls wait for the cluster at ${stub.url}`,
    });
    const controller = new AbortController();
    const watching = watch(api, { signal: controller.signal });
    await waitUntil(() => held.length === 3);
    expect((await watch(api)).error).toMatchObject({ code: 8 });
    held.splice(0, 2).forEach((response) => json(response, OBJECT));
    await waitUntil(() => held.length === 2);
    controller.abort(new Error('enough'));
    expect((await watching).error).toMatchObject({ message: 'enough' });
    json(held[1] as ServerResponse, OBJECT);
    expect(await Promise.all(calls)).toEqual([OBJECT, OBJECT, OBJECT]);
  });

  it('is left at once: by the caller, and when the client is closed', async () => {
    const { stub, api } = await start(() => undefined);
    const controller = new AbortController();
    const call = api.get(kinds.configMap, REF, { signal: controller.signal });
    await waitUntil(() => stub.requests.length === 1);
    controller.abort(new Error('changed my mind'));
    await expect(call).rejects.toThrow('changed my mind');
    const ended = [api.get(kinds.configMap, REF), watch(api).then(({ error }) => Promise.reject(error as Error))];
    await waitUntil(() => stub.requests.length === 3);
    await api.close();
    for (const outcome of await Promise.allSettled(ended))
      expect(outcome).toMatchObject({ reason: { message: expect.stringContaining('is closed') as string } });
  });

  it('hears a user and a password', async () => {
    const { stub, api } = await start(ok, {}, { ...PLAIN, identity: { type: 'basic', username: 'me', password: 'pässword' } });
    await api.get(kinds.configMap, REF);
    expect(Buffer.from(stub.requests[0]?.headers.authorization?.slice('Basic '.length) ?? '', 'base64').toString()).toBe('me:pässword');
    expect(stub.requests[0]?.headers['user-agent']).toBe('fairway-test');
  });

  it('uses one connection again and again', async () => {
    const { stub, api } = await start(ok);
    let connections = 0;
    stub.server.on('connection', () => (connections += 1));
    for (let turn = 0; turn < 20; turn += 1) await api.get(kinds.configMap, REF);
    await api.delete(kinds.configMap, REF);
    await api.get(kinds.configMap, REF);
    expect(connections).toBe(1);
  });
});
