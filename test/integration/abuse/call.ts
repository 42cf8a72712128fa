import { connect as connectHttp2, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';

export interface CallAnswer {
  readonly httpStatus: number | undefined;
  /** Of gRPC, from the head or the trailers; undefined when there is none. */
  readonly status: string | undefined;
  readonly message: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface CallRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  readonly contentType?: string;
}

/** gRPC and gRPC-Web byte by byte, on one connection. */
export interface Caller {
  call(request: CallRequest): Promise<CallAnswer>;
  close(): void;
}

export function openCaller(url: string): Caller {
  const session = connectHttp2(url);
  session.on('error', () => {});
  return { call: (request) => callOn(session, request), close: () => session.destroy() };
}

/** A message with its prefix. `length` may lie. */
export function message(payload: Uint8Array = Buffer.alloc(0), flags = 0, length = payload.length): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flags;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, payload]);
}

function callOn(
  session: ClientHttp2Session,
  { path, headers = {}, body = '', contentType = 'application/grpc' }: CallRequest,
): Promise<CallAnswer> {
  return new Promise((resolve) => {
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': contentType, te: 'trailers', ...headers });
    const heads: IncomingHttpHeaders[] = [];
    const pieces: Buffer[] = [];
    stream.on('response', (head) => heads.push(head)).on('trailers', (head) => heads.push(head));
    stream.on('data', (piece: Buffer) => pieces.push(piece)).on('error', () => {});
    stream.on('close', () => {
      const all = Buffer.concat(pieces);
      const named = Object.assign({}, ...heads, readTrailerFrame(contentType, all)) as Record<string, string | undefined>;
      const status = heads[0]?.[':status'] as number | undefined;
      resolve({
        httpStatus: status,
        status: named['grpc-status'],
        message: named['grpc-message'] ?? '',
        headers: heads[0] ?? {},
        body: all,
      });
    });
    stream.end(body);
  });
}

/** gRPC-Web has the trailers as the last frame of the body. */
function readTrailerFrame(contentType: string, body: Buffer): Record<string, string> {
  if (!contentType.startsWith('application/grpc-web')) return {};
  const bytes = contentType.includes('text') ? Buffer.from(body.toString('latin1'), 'base64') : body;
  for (let at = 0; at + 5 <= bytes.length; at += 5 + bytes.readUInt32BE(at + 1)) {
    if (bytes[at] !== 0x80) continue;
    const lines = bytes
      .subarray(at + 5)
      .toString('latin1')
      .split('\r\n');
    return Object.fromEntries(lines.filter(Boolean).map((line) => line.split(': ') as [string, string]));
  }
  return {};
}
