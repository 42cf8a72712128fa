/** The distribution registry as a test needs it: with or without a password or tokens, behind a front that can misbehave. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as requestHttp } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import { hash } from '@node-rs/bcrypt';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { ensureTool } from './tools/ensure-tool.ts';

export const registryUser = { username: 'robot', password: 'planted-password' };
export const BASIC = `Basic ${Buffer.from(`${registryUser.username}:${registryUser.password}`).toString('base64')}`;

/** What the front does instead of passing a request on; undefined passes it on. */
export type Misbehave = (request: IncomingMessage, response: ServerResponse) => 'done' | undefined;

export interface RegistryFrontOptions {
  readonly tls?: SecureContextOptions & { readonly requestCert?: boolean };
  readonly misbehave?: Misbehave;
}

export interface RegistryFront {
  /** Host and port. */
  readonly host: string;
  /** Method, URL and Authorization header of all requests, in order. */
  readonly requests: { readonly line: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

export interface OciRegistry {
  /** Host and port, without anything in front. */
  readonly host: string;
  /** The requests that gave out tokens: who asked, and for what. */
  readonly tokenRequests: { readonly url: string; readonly authorization: string | undefined }[];
  /** Stores an image; answers with its digest. */
  push(repository: string, tag: string, image: PushedImage): Promise<string>;
  /** Stores an index of images that are there already, by their digests; answers with its own. */
  pushIndex(repository: string, tag: string, digests: readonly string[]): Promise<string>;
  /** Something of ours that stands in front of it. */
  front(options?: RegistryFrontOptions): Promise<RegistryFront>;
  close(): Promise<void>;
}

export interface PushedImage {
  readonly layers: readonly { readonly mediaType: string; readonly content: Buffer }[];
  readonly configType?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Of the manifest. */
  readonly mediaType?: string;
}

export const OCI_MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const OCI_INDEX = 'application/vnd.oci.image.index.v1+json';
const START_LIMIT_MS = 60_000;

export async function startOciRegistry({ auth = 'none' }: { readonly auth?: 'none' | 'basic' | 'token' } = {}): Promise<OciRegistry> {
  const program = await ensureTool('registry');
  const folder = await mkdtemp(join(tmpdir(), 'registry-'));
  const tokens = auth === 'token' ? await startTokenServer(folder) : undefined;
  const access = {
    none: {},
    basic: { auth: { htpasswd: { realm: 'registry', path: join(folder, 'htpasswd') } } },
    token: { auth: { token: { realm: tokens?.realm, service: 'registry', issuer: 'test', jwks: join(folder, 'jwks.json') } } },
  }[auth];
  await writeFile(join(folder, 'htpasswd'), `${registryUser.username}:${await hash(registryUser.password, { cost: 4 })}\n`);
  const configuration = {
    version: 0.1,
    log: { level: 'info' },
    storage: { filesystem: { rootdirectory: join(folder, 'data') } },
    http: { addr: '127.0.0.1:0' },
    ...access,
  };
  await writeFile(join(folder, 'config.yml'), JSON.stringify(configuration));
  const child = spawn(program, ['serve', join(folder, 'config.yml')], {
    env: { OTEL_TRACES_EXPORTER: 'none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const host = await new Promise<string>((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`the registry does not start: ${said}`)), START_LIMIT_MS);
    const look = (text: Buffer): void => {
      said += text.toString();
      const found = /listening on (127\.0\.0\.1:\d+)/.exec(said)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('exit', () => reject(new Error(`the registry ended: ${said}`)));
  });
  const fronts: RegistryFront[] = [];
  const authorise = async (repository: string): Promise<Record<string, string>> => {
    if (auth === 'none') return {};
    if (tokens === undefined) return { authorization: BASIC };
    return { authorization: `Bearer ${await tokens.sign(repository, ['pull', 'push'])}` };
  };
  return {
    host,
    tokenRequests: tokens?.requests ?? [],
    push: async (repository, tag, image) => await push(host, await authorise(repository), { repository, tag, image }),
    async pushIndex(repository, tag, digests) {
      const manifests = digests.map((digest) => ({ mediaType: OCI_MANIFEST, digest, size: 1 }));
      const body = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests }));
      const answer = await fetch(`http://${host}/v2/${repository}/manifests/${tag}`, {
        method: 'PUT',
        headers: { ...(await authorise(repository)), 'content-type': OCI_INDEX },
        body: new Uint8Array(body),
      });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      return digestOf(body);
    },
    async front(options = {}) {
      const front = await startFront(host, options);
      fronts.push(front);
      return front;
    },
    async close() {
      for (const front of fronts) await front.close();
      await tokens?.close();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface TokenServer {
  readonly realm: string;
  readonly requests: { readonly url: string; readonly authorization: string | undefined }[];
  sign(repository: string, actions: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** Gives tokens to whoever knows the password. */
async function startTokenServer(folder: string): Promise<TokenServer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  await writeFile(
    join(folder, 'jwks.json'),
    JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] }),
  );
  const requests: TokenServer['requests'] = [];
  const sign = (repository: string, actions: readonly string[]): Promise<string> =>
    new SignJWT({ access: repository === '' ? [] : [{ type: 'repository', name: repository, actions }] })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'JWT' })
      .setIssuer('test')
      .setAudience('registry')
      .setSubject('robot')
      .setIssuedAt()
      .setNotBefore(Math.floor(Date.now() / 1000) - 10)
      .setExpirationTime('5m')
      .sign(privateKey);
  const answer: RequestListener = (request, response) => {
    requests.push({ url: request.url ?? '', authorization: request.headers.authorization });
    if (request.headers.authorization !== BASIC) return void response.writeHead(401).end();
    const scope = new URL(request.url ?? '/', 'http://x').searchParams.get('scope') ?? '';
    const [, repository = '', actions = ''] = /^repository:([^:]+):(.*)$/.exec(scope) ?? [];
    sign(repository, actions.split(',')).then(
      (token) => response.end(JSON.stringify({ token, expires_in: 300 })),
      () => response.writeHead(500).end(),
    );
  };
  const server = createServer(answer);
  const port = await listen(server);
  return { realm: `http://127.0.0.1:${port}/token`, requests, sign, close: () => closeServer(server) };
}

/** Passes requests on to the registry, unless it misbehaves. */
async function startFront(upstream: string, { tls, misbehave }: RegistryFrontOptions): Promise<RegistryFront> {
  const requests: RegistryFront['requests'] = [];
  const listener: RequestListener = (request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, authorization: request.headers.authorization });
    if (misbehave?.(request, response) === 'done') return;
    const [host, port] = upstream.split(':');
    const headers = { ...request.headers, host: request.headers.host };
    const passed = requestHttp({ host, port, method: request.method, path: request.url, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer({ ...tls, rejectUnauthorized: true }, listener);
  const port = await listen(server);
  return { host: `127.0.0.1:${port}`, requests, close: () => closeServer(server) };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function push(
  host: string,
  headers: Record<string, string>,
  { repository, tag, image }: { readonly repository: string; readonly tag: string; readonly image: PushedImage },
): Promise<string> {
  const send = async (method: string, url: string, body?: Buffer, type?: string): Promise<Response> => {
    const answer = await fetch(new URL(url, `http://${host}`), {
      method,
      headers: { ...headers, ...(type && { 'content-type': type }) },
      ...(body && { body: new Uint8Array(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const store = async (content: Buffer): Promise<{ digest: string; size: number }> => {
    const digest = digestOf(content);
    const started = await send('POST', `/v2/${repository}/blobs/uploads/`);
    const place = new URL(started.headers.get('location') ?? '', `http://${host}`);
    place.searchParams.set('digest', digest);
    await send('PUT', `${place.pathname}${place.search}`, content, 'application/octet-stream');
    return { digest, size: content.length };
  };
  const layers = [];
  for (const { mediaType, content } of image.layers) layers.push({ mediaType, ...(await store(content)) });
  const config = { mediaType: image.configType ?? 'application/vnd.oci.empty.v1+json', ...(await store(Buffer.from('{}'))) };
  const mediaType = image.mediaType ?? OCI_MANIFEST;
  const manifest = { schemaVersion: 2, mediaType, config, layers, ...(image.annotations && { annotations: image.annotations }) };
  const body = Buffer.from(JSON.stringify(manifest));
  await send('PUT', `/v2/${repository}/manifests/${tag}`, body, mediaType);
  return digestOf(body);
}

export function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
