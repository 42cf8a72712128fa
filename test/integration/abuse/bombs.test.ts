import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, TOKEN, type TestServer } from '../../support/test-server.ts';
import { message, openCaller, type Caller } from './call.ts';

/** Fits the limit of one message, but not what all may take together. */
const GROWN_BYTES = 1_500_000;

describe('DOS-02: what grows in memory', () => {
  let server: TestServer;
  let caller: Caller;
  beforeAll(async () => {
    server = await startTestServer({ limits: { bodiesBytesMax: 1_000_000, messageBytesMax: 2_000_000, restBodyBytesMax: 2_000_000 } });
    caller = openCaller(server.url);
  });
  afterAll(async () => {
    caller.close();
    await server.stop();
  });

  // An unknown field (number 1000) that is skipped when it is read.
  const grown = (size: number): Buffer => {
    const head = Buffer.from([0xc2, 0x3e, (size & 0x7f) | 0x80, ((size >> 7) & 0x7f) | 0x80, ((size >> 14) & 0x7f) | 0x80, size >> 21]);
    return gzipSync(Buffer.concat([head, Buffer.alloc(size)]));
  };

  it.each(['application/grpc', 'application/grpc-web+proto'])(
    'counts as what it grows to over %s, and is given back',
    async (contentType) => {
      const headers = { token: TOKEN, 'grpc-encoding': 'gzip' };
      const call = (size: number) =>
        caller.call({ path: '/account.AccountService/ListAccounts', contentType, headers, body: message(grown(size), 1) });
      for (let round = 0; round < 3; round++) expect((await call(GROWN_BYTES)).status).toBe('8');
      for (let round = 0; round < 3; round++) expect((await call(900_000)).status).toBe('0');
    },
  );

  it('counts as what it grows to over REST, and is given back', async () => {
    const post = async (size: number): Promise<number> => {
      const body = gzipSync(`{"username":"${'x'.repeat(size)}"}`);
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', 'grpc-metadata-token': TOKEN };
      const response = await fetch(`${server.url}/api/v1/session`, { method: 'POST', body, headers });
      await response.arrayBuffer();
      return response.status;
    };
    for (let round = 0; round < 3; round++) expect(await post(GROWN_BYTES)).toBe(429);
    for (let round = 0; round < 3; round++) expect(await post(900_000)).toBe(200);
  });
});
