/** A host of repositories for tests: speaks the documented API of one, from a small world, with the troubles that real ones have. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startStubServer } from '../stub-server.ts';

/** What the server does instead of answering. */
export type Trouble =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly hang: true }
  /** The connection ends in the middle of the body. */
  | { readonly cut: true };

export interface StubAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface StubRequest {
  readonly method: string;
  readonly url: URL;
  /** Decoded segments of the path. */
  readonly path: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ProviderStub {
  readonly url: string;
  /** Every request, in order. */
  readonly requests: readonly StubRequest[];
  /** Asked before each answer with the number of the request, from 0. */
  trouble: (request: StubRequest, index: number) => Trouble | undefined;
  close(): Promise<void>;
}

/** Undefined is not found. Answers to GET have an ETag, as most providers give one, and 304 where it is known. */
export async function startProviderStub(answer: (request: StubRequest) => StubAnswer | undefined): Promise<ProviderStub> {
  const requests: StubRequest[] = [];
  const server = await startStubServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://stub');
      const path = url.pathname.split('/').slice(1).map(decodeURIComponent);
      const { method = '', headers } = incoming;
      const request = { method, url, path, headers, body: Buffer.concat(pieces).toString() };
      requests.push(request);
      const trouble = stub.trouble(request, requests.length - 1);
      if (trouble !== undefined) return misbehave(response, trouble, () => answer(request));
      send(response, answer(request) ?? { status: 404, body: { message: 'Not Found' } }, headers['if-none-match']);
    });
  });
  const stub: ProviderStub = { url: server.url, requests, trouble: () => undefined, close: () => server.close() };
  return stub;
}

function misbehave(response: ServerResponse, trouble: Trouble, answer: () => StubAnswer | undefined): void {
  if ('hang' in trouble) return;
  if ('status' in trouble) return void response.writeHead(trouble.status, trouble.headers).end(trouble.body);
  const body = JSON.stringify(answer()?.body ?? { message: 'Not Found' });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body) + 10) });
  response.write(body, () => response.destroy());
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: StubAnswer, known: string | undefined): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  const etag = `"${text.length}-${Buffer.from(text).toString('base64').slice(-40)}"`;
  if (status === 200 && known === etag) return void response.writeHead(304, { etag }).end();
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 200 && { etag }), ...headers }).end(text);
}

/** A page of a list, and whether there is another. */
export function pageOf<Item>(
  items: readonly Item[],
  page: number,
  size: number,
): { readonly items: readonly Item[]; readonly isLast: boolean } {
  const from = (page - 1) * size;
  return { items: items.slice(from, from + size), isLast: from + size >= items.length };
}
