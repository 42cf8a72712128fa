import { Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError, Code } from '../../../src/base/index.ts';
import { messageCodec } from '../../../src/contract/index.ts';
import type { Call } from '../../../src/server/index.ts';
import { createGrpcClient, type GrpcClient } from '../../support/grpc-client.ts';
import { startTestServer, TOKEN, type TestServer } from '../../support/test-server.ts';

const signedIn = { metadata: { token: TOKEN } };
const VERSION = '/version.VersionService/Version';
const GET_ACCOUNT = '/account.AccountService/GetAccount';
const WATCH = '/application.ApplicationService/Watch';

describe('gRPC', () => {
  let server: TestServer;
  let client: GrpcClient;
  const seen: { signal?: AbortSignal; cleaned?: boolean } = {};

  beforeAll(async () => {
    server = await startTestServer({
      limits: { messageBytesMax: 2_000_000, anonymousBodyBytesMax: 1_000 },
      handlers: {
        'VersionService/Version': async (_request, call) => {
          call.setHeader('x-served-by', 'fairway');
          return { Version: 'v9' };
        },
        'AccountService/GetAccount': async (request: { name?: string }, call) => answerAccount(request.name ?? '', call, seen),
        'ApplicationService/Watch': async function* (request: { name?: string }, call: Call) {
          try {
            for (let index = 0; index < 3; index++) yield { type: 'ADDED', application: { metadata: { name: `app-${index}` } } };
            if (request.name === 'fails') throw new ApiError(Code.NotFound, 'the app is gone');
            if (request.name === 'endless') await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
          } finally {
            seen.cleaned = true;
          }
        },
        'ApplicationService/GetManifestsWithFiles': async (requests: AsyncIterable<{ query?: { name?: string } }>) => {
          const manifests: string[] = [];
          for await (const request of requests) manifests.push(request.query?.name ?? '');
          return { manifests };
        },
      },
    });
    client = createGrpcClient(`${server.host}:${server.port}`);
  });

  afterAll(async () => {
    client.close();
    await server.stop();
  });

  it('answers a unary call, without sign-in where that is allowed', async () => {
    await expect(client.unary(VERSION, {})).resolves.toEqual({ Version: 'v9' });
    await expect(client.unary(VERSION, {}, { metadata: { token: '' } })).resolves.toEqual({ Version: 'v9' });
  });

  it('refuses everything else without a valid token', async () => {
    await expect(client.unary(GET_ACCOUNT, { name: 'a' })).rejects.toMatchObject({ code: 16, details: 'no session information' });
    await expect(client.unary(GET_ACCOUNT, { name: 'a' }, { metadata: { token: 'x.y.z' } })).rejects.toMatchObject({
      code: 16,
      details: 'invalid session: signature is invalid',
    });
    expect(server.requests.filter(({ method }) => method === 'AccountService/GetAccount')).toEqual([]);
  });

  it.each(['v1', 'v1alpha'])('describes itself to tools that are signed in, one question after the other (%s)', async (version) => {
    const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
    const asIs = (bytes: Buffer): Buffer => bytes;
    const open = (values: Record<string, string>) => {
      const metadata = new Metadata();
      for (const [name, value] of Object.entries(values)) metadata.set(name, value);
      return client.client.makeBidiStreamRequest(path, asIs, asIs, metadata);
    };
    const stream = open(signedIn.metadata);
    const answers = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    stream.write(Buffer.from([0x3a, 0x00]));
    expect((await answers.next()).value?.toString()).toContain('account.AccountService');
    stream.write(Buffer.concat([Buffer.from([0x22, 'account.Token'.length]), Buffer.from('account.Token')]));
    expect((await answers.next()).value?.toString()).toContain('account.proto');
    stream.end();
    expect((await answers.next()).done).toBe(true);

    const refused = open({});
    refused.end();
    await expect(refused[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 16, details: 'no session information' });
    const flooding = open(signedIn.metadata);
    flooding.write(Buffer.alloc(100_000, 0x22));
    await expect(flooding[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 8 });
  });

  it('takes the token from `token` or from a bearer header', async () => {
    await expect(client.unary(GET_ACCOUNT, { name: 'a' }, signedIn)).resolves.toMatchObject({ name: 'a' });
    await expect(client.unary(GET_ACCOUNT, { name: 'a' }, { metadata: { authorization: `Bearer ${TOKEN}` } })).resolves.toMatchObject({
      name: 'a',
    });
    const both = { metadata: { token: '', authorization: `Bearer ${TOKEN}` } };
    await expect(client.unary(GET_ACCOUNT, { name: 'a' }, both)).rejects.toMatchObject({ code: 16 });
  });

  it('carries an error with text beyond ASCII', async () => {
    await expect(client.unary(GET_ACCOUNT, { name: 'denied' }, signedIn)).rejects.toMatchObject({
      code: 7,
      details: 'nicht erlaubt: 100% für „x“\nEnde',
    });
  });

  it('hides what an unexpected failure says, and logs it under a request id', async () => {
    const failure = await client
      .unary(GET_ACCOUNT, { name: 'broken' }, signedIn)
      .catch((error: unknown) => error as { code: number; details: string });
    expect(failure).toMatchObject({ code: 13 });
    const { details } = failure as { details: string };
    expect(details).toMatch(/^internal error \(request id [-0-9a-f]{36}\)$/);
    const requestId = /id ([-0-9a-f]+)/.exec(details)![1]!;
    expect(server.logLines.filter((line) => line.includes(requestId) && line.includes('the disk is full'))).toHaveLength(1);
  });

  it.each([
    '/version.VersionService/version',
    '/version.versionservice/Version',
    '/VersionService/Version',
    '/version.VersionService/Version/',
    '/grpc.reflection/X',
  ])('knows no method %s (INT-05)', async (path) => {
    await expect(client.unary(path, {}, signedIn)).rejects.toMatchObject({ code: 12 });
  });

  it('keeps to the deadline of the client, and aborts the handler', async () => {
    await expect(client.unary(GET_ACCOUNT, { name: 'hangs' }, { ...signedIn, deadline: Date.now() + 100 })).rejects.toMatchObject({
      code: 4,
    });
    await expect.poll(() => seen.signal?.aborted).toBe(true);
  });

  it('takes a client that cancels for what it is: nothing to log, nothing left behind', async () => {
    const lines = server.logLines.length;
    const { pass, results } = { pass: (bytes: Buffer): Buffer => bytes, results: [] as unknown[] };
    for (const name of ['hangs', 'quick']) {
      const request = messageCodec('account.GetAccountRequest').encode({ name });
      const before = server.requests.length;
      const call = client.client.makeUnaryRequest(GET_ACCOUNT, pass, pass, Buffer.from(request), tokenMetadata(), (error) =>
        results.push(error?.code),
      );
      await expect.poll(() => server.requests.length).toBe(before + 1);
      call.cancel();
    }
    await expect.poll(() => results.length).toBe(2);
    await expect.poll(() => seen.signal?.aborted).toBe(true);
    await expect(client.unary(VERSION, {})).resolves.toEqual({ Version: 'v9' });
    expect(server.logLines.slice(lines)).toEqual([]);
  });

  it('sends a stream message by message, and its error after them', async () => {
    const names: unknown[] = [];
    for await (const event of client.serverStream(WATCH, {}, signedIn))
      names.push((event as { application: { metadata: { name: string } } }).application.metadata.name);
    expect(names).toEqual(['app-0', 'app-1', 'app-2']);

    const received: unknown[] = [];
    const failing = (async () => {
      for await (const event of client.serverStream(WATCH, { name: 'fails' }, signedIn)) received.push(event);
    })();
    await expect(failing).rejects.toMatchObject({ code: 5, details: 'the app is gone' });
    expect(received).toHaveLength(3);
  });

  it('lets a stream clean up when its client leaves', async () => {
    seen.cleaned = false;
    const stream = client.serverStream(WATCH, { name: 'endless' }, signedIn);
    await stream[Symbol.asyncIterator]().next();
    stream.cancel();
    await expect.poll(() => seen.cleaned).toBe(true);
  });

  it('reads the messages of a client stream', async () => {
    const requests = ['a', 'b', 'c'].map((name) => ({ query: { name } }));
    await expect(client.clientStream('/application.ApplicationService/GetManifestsWithFiles', requests, signedIn)).resolves.toEqual({
      manifests: ['a', 'b', 'c'],
    });
  });

  it('takes and gives gzip', async () => {
    const gzip = createGrpcClient(`${server.host}:${server.port}`, undefined, { 'grpc.default_compression_algorithm': 2 });
    const name = 'long '.repeat(10_000);
    await expect(gzip.unary(GET_ACCOUNT, { name }, signedIn)).resolves.toMatchObject({ name });
    gzip.close();
  });

  it('carries large messages both ways', async () => {
    const name = 'x'.repeat(1_900_000);
    await expect(client.unary(GET_ACCOUNT, { name }, signedIn)).resolves.toMatchObject({ name });
  });

  it('refuses messages beyond the limit, which is lower for those not signed in (DOS-02)', async () => {
    await expect(client.unary(GET_ACCOUNT, { name: 'x'.repeat(2_000_001) }, signedIn)).rejects.toMatchObject({ code: 8 });
    await expect(client.unary('/session.SessionService/Create', { username: 'x'.repeat(1_001) })).rejects.toMatchObject({ code: 8 });
    await expect(client.unary('/session.SessionService/Create', { username: 'x'.repeat(1_001) }, signedIn)).resolves.toEqual({});
  });

  it('caps what a compressed message may become (DOS-02)', async () => {
    const gzip = createGrpcClient(`${server.host}:${server.port}`, undefined, { 'grpc.default_compression_algorithm': 2 });
    await expect(gzip.unary(GET_ACCOUNT, { name: 'x'.repeat(3_000_000) }, signedIn)).rejects.toMatchObject({ code: 8 });
    gzip.close();
  });

  it('answers the standard health check without a token', async () => {
    const answer = await new Promise<Buffer | undefined>((resolve, reject) => {
      const pass = (bytes: Buffer): Buffer => bytes;
      client.client.makeUnaryRequest('/grpc.health.v1.Health/Check', pass, pass, Buffer.alloc(0), (error, value) =>
        error ? reject(error) : resolve(value),
      );
    });
    expect(answer).toEqual(Buffer.from([0x08, 1]));
  });

  it('turns away clients that are too old', async () => {
    const old = createGrpcClient(`${server.host}:${server.port}`, undefined, { 'grpc.primary_user_agent': 'argocd-client/1.3.9' });
    await expect(old.unary(VERSION, {})).rejects.toMatchObject({
      code: 9,
      details: expect.stringContaining('unsatisfied client version constraint') as string,
    });
    old.close();
  });
});

async function answerAccount(name: string, call: Call, seen: { signal?: AbortSignal }): Promise<object> {
  switch (name) {
    case 'denied':
      throw new ApiError(Code.PermissionDenied, 'nicht erlaubt: 100% für „x“\nEnde');
    case 'broken':
      throw new Error('the disk is full');
    case 'hangs':
      seen.signal = call.signal;
      return new Promise(() => {});
    default:
      return { name, enabled: true };
  }
}

function tokenMetadata(): Metadata {
  const metadata = new Metadata();
  metadata.set('token', TOKEN);
  return metadata;
}
