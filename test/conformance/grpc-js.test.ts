import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageCodec, methods } from '../../src/contract/index.ts';
import type { JsonObject, MethodSchema } from '../../src/contract/index.ts';
import { startFairway } from '../support/fairway.ts';
import type { Fairway } from '../support/fairway.ts';

const DEADLINE_MS = 10_000;

describe('a gRPC client from npm', () => {
  let fairway: Fairway;
  let client: Client;

  beforeAll(async () => {
    fairway = await startFairway();
    client = new Client(fairway.address, credentials.createInsecure());
  });
  afterAll(async () => {
    client.close();
    await fairway.stop();
  });

  const signIn = async (): Promise<string> => {
    const { token } = await call(client, '/session.SessionService/Create', { username: 'admin', password: fairway.adminPassword });
    return token as string;
  };

  it('asks for the version', async () => {
    expect(await call(client, '/version.VersionService/Version', {})).toEqual({
      Version: expect.stringMatching(/^v3\.5\.6\+fairway\./) as unknown,
    });
  });

  it('signs in, and its token counts in either header', async () => {
    const token = await signIn();
    const accounts = { items: [{ name: 'admin', enabled: true, capabilities: ['login'] }] };
    expect(await call(client, '/account.AccountService/ListAccounts', {}, { token })).toEqual(accounts);
    expect(await call(client, '/account.AccountService/ListAccounts', {}, { authorization: `Bearer ${token}` })).toEqual(accounts);
  });

  it.each([
    ['no token', '/account.AccountService/ListAccounts', {}, {}, status.UNAUTHENTICATED, 'no session information'],
    ['a wrong token', '/account.AccountService/ListAccounts', {}, { token: 'a.b.c' }, status.UNAUTHENTICATED, /^invalid session: /],
    [
      'a wrong password',
      '/session.SessionService/Create',
      { username: 'admin', password: 'x' },
      {},
      status.UNAUTHENTICATED,
      'Invalid username or password',
    ],
    [
      'a name that is too long',
      '/session.SessionService/Create',
      { username: 'ü'.repeat(17), password: 'x' },
      {},
      status.INVALID_ARGUMENT,
      /32 bytes/,
    ],
  ])('is refused with %s', async (_case, path, request, headers, code, details) => {
    const error = await failure(call(client, path, request, headers));
    expect(error.code).toBe(code);
    expect(error.details).toMatch(details);
  });

  it('is told what is wrong with what it asks for, also of a stream', async () => {
    const token = await signIn();
    const expected = { code: status.INVALID_ARGUMENT, details: /parsing the selector|selector/ };
    const stream = await failure(readStream(client, '/application.ApplicationService/Watch', { selector: 'a===' }, { token }));
    expect(stream.code).toBe(expected.code);
    expect(stream.details).toMatch(expected.details);
  });

  it('is told that a method does not exist', async () => {
    expect((await failure(callWithBytes(client, '/planet.PlanetService/List', Buffer.alloc(0)))).code).toBe(status.UNIMPLEMENTED);
  });

  it('is told that its message is malformed', async () => {
    const truncated = Buffer.from([0x0a, 0xff]);
    expect((await failure(callWithBytes(client, '/session.SessionService/Create', truncated))).code).toBe(status.INVALID_ARGUMENT);
  });

  it('keeps one connection for many calls at once', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => call(client, '/version.VersionService/Version', {})));
    expect(new Set(answers.map((answer) => answer['Version'])).size).toBe(1);
  });
});

function methodOf(path: string): MethodSchema {
  const method = methods.find((each) => each.path === path);
  if (method === undefined) throw new Error(`the contract has no method ${path}`);
  return method;
}

function options(): { deadline: Date } {
  return { deadline: new Date(Date.now() + DEADLINE_MS) };
}

function metadataOf(headers: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}

function call(client: Client, path: string, request: JsonObject, headers: Readonly<Record<string, string>> = {}): Promise<JsonObject> {
  const { input, output } = methodOf(path);
  const serialize = (value: JsonObject): Buffer => Buffer.from(messageCodec(input).encode(value));
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      serialize,
      (bytes: Buffer) => messageCodec(output).decode(bytes),
      request,
      metadataOf(headers),
      options(),
      (error, value) => {
        if (error) reject(error);
        else resolve(value!);
      },
    );
  });
}

/** A call of any path with any bytes. */
function callWithBytes(client: Client, path: string, bytes: Buffer): Promise<Buffer | undefined> {
  const asTheyAre = (same: Buffer): Buffer => same;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, asTheyAre, asTheyAre, bytes, options(), (error, value) => (error ? reject(error) : resolve(value)));
  });
}

function readStream(client: Client, path: string, request: JsonObject, headers: Readonly<Record<string, string>>): Promise<JsonObject[]> {
  const { input, output } = methodOf(path);
  const serialize = (value: JsonObject): Buffer => Buffer.from(messageCodec(input).encode(value));
  const stream = client.makeServerStreamRequest(
    path,
    serialize,
    (bytes: Buffer) => messageCodec(output).decode(bytes),
    request,
    metadataOf(headers),
    options(),
  );
  return stream.toArray() as Promise<JsonObject[]>;
}

async function failure(attempt: Promise<unknown>): Promise<ServiceError> {
  return await attempt.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error as ServiceError,
  );
}
