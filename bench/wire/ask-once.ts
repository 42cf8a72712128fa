import { request as httpRequest } from 'node:http';
import { connect, type ClientHttp2Session } from 'node:http2';
import type { Request } from './call-cases.ts';
import type { CapturedReply } from './peers/peer.ts';

/** Added by node itself to every answer. */
const OWN_HEADERS = new Set([':status', 'date', 'connection', 'keep-alive']);

/** Asks with a real client, and fails unless the answer says that the call went well. */
export async function askOnce(request: Request, port: number): Promise<CapturedReply> {
  const reply = await (request.http === 2 ? askHttp2(request, port) : askHttp1(request, port));
  const status = reply.trailers['grpc-status'] ?? reply.headers['grpc-status'] ?? '0';
  if (status !== '0') throw new Error(`${request.path} answers with status ${status}`);
  return reply;
}

async function askHttp1({ verb, path, headers, body }: Request, port: number): Promise<CapturedReply> {
  const { promise, resolve, reject } = Promise.withResolvers<CapturedReply>();
  const call = httpRequest(
    { host: '127.0.0.1', port, method: verb, path, headers: Object.fromEntries(headers), agent: false },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        if (response.statusCode !== 200) reject(new Error(`${path} answers ${response.statusCode}`));
        resolve({ headers: keepHeaders(response.headers), body: Buffer.concat(chunks), trailers: {} });
      });
    },
  );
  call.on('error', reject);
  call.end(verb === 'GET' ? undefined : body);
  return promise;
}

async function askHttp2(request: Request, port: number): Promise<CapturedReply> {
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    return await askStream(session, request);
  } finally {
    session.destroy();
  }
}

function askStream(session: ClientHttp2Session, { verb, path, headers, body }: Request): Promise<CapturedReply> {
  const { promise, resolve, reject } = Promise.withResolvers<CapturedReply>();
  const stream = session.request({ ':method': verb, ':path': path, ...Object.fromEntries(headers) });
  const chunks: Buffer[] = [];
  let head = {};
  let trailers = {};
  stream.on('response', (received) => (head = keepHeaders(received)));
  stream.on('trailers', (received: object) => (trailers = keepHeaders(received)));
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => resolve({ headers: head, body: Buffer.concat(chunks), trailers }));
  stream.on('error', reject);
  session.on('error', reject);
  stream.end(body);
  return promise;
}

function keepHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (OWN_HEADERS.has(name) ? [] : [[name, String(value)]])));
}
