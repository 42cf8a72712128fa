import { request, type IncomingHttpHeaders } from 'node:http';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body, where it is a JSON object and not compressed. */
  readonly json: unknown;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends a request over HTTP/1.1 with its target exactly as it is written, which fetch would normalise. */
export function sendHttp(
  server: { readonly host: string; readonly port: number },
  verb: string,
  target: string,
  { headers = {}, body }: SendOptions = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: server.host, port: server.port, method: verb, path: target, headers });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const isPlain = incoming.headers['content-encoding'] === undefined && bytes[0] === 0x7b;
        const json: unknown = isPlain ? JSON.parse(bytes.toString()) : undefined;
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: bytes, json });
      });
    });
    outgoing.end(body);
  });
}
