import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { ApiError, Code } from '../../base/index.ts';
import { isJsonObject, StatusError } from '../../objects/index.ts';
import type { Status } from '../../objects/index.ts';
import { brokenOff } from '../http/index.ts';
import type { KubeLimits, Transport } from '../http/index.ts';
import type { ObjectRef } from '../kube-api.ts';
import { resourcePath, withQuery } from '../resource-path.ts';
import type { ExecEvent, ExecOptions, ExecSession } from './exec-session.ts';
import { createFrameDecoder, encodeFrame, Opcode } from './websocket-frame.ts';

const POD = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;
const MESSAGE_BYTES_MAX = 16 << 20;
const PING_EVERY_MS = 30_000;
/** Three pings without an answer. */
const SILENCE_MAX_MS = 95_000;
/** Set by RFC 6455. */
const ACCEPT_SALT = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** The first byte of every message says which stream it belongs to. */
const Channel = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const;

/** Runs a program in a container. The API wants the WebSocket to carry our credentials, which Node's own client cannot do. */
export async function execInPod(transport: Transport, limits: KubeLimits, ref: ObjectRef, options: ExecOptions): Promise<ExecSession> {
  const { container, command, tty = false, stdin = false, signal } = options;
  const path = withQuery(resourcePath(POD, { ...ref, subresource: 'exec' }), { container, stdin, stdout: true, stderr: !tty, tty });
  const words = command.map((word) => `&command=${encodeURIComponent(word)}`).join('');
  const key = randomBytes(16).toString('base64');
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': key,
    'sec-websocket-protocol': PROTOCOLS.join(', '),
  };
  const request = { method: 'GET', path: `${path}${words}`, headers, safe: false, limitMs: limits.streamStartMs, signal };
  const { socket, head, answer } = await transport.upgrade(request);
  const protocol = answer.headers['sec-websocket-protocol'];
  const accept = createHash('sha1').update(`${key}${ACCEPT_SALT}`).digest('base64');
  if (answer.headers['sec-websocket-accept'] !== accept || !PROTOCOLS.some((known) => known === protocol)) {
    socket.destroy();
    throw new ApiError(Code.Unavailable, `the cluster at ${transport.address} does not speak the protocol for programs in containers`);
  }
  if (head.length > 0) socket.unshift(head);
  return createSession(socket, { address: transport.address, canEndInput: protocol === PROTOCOLS[0], signal });
}

interface SessionOptions {
  readonly address: string;
  readonly canEndInput: boolean;
  readonly signal: AbortSignal | undefined;
}

function createSession(socket: Duplex, { address, canEndInput, signal }: SessionOptions): ExecSession {
  const send = (channel: number, bytes: Uint8Array): boolean =>
    socket.write(encodeFrame(Opcode.binary, Buffer.concat([Buffer.from([channel]), bytes])));
  // Whoever reads the events hears of a failure; a failure that nobody reads must not end the process.
  socket.on('error', () => undefined);
  return {
    events: readEvents(socket, address, signal),
    write: async (bytes) => {
      if (socket.destroyed) throw brokenOff(address);
      if (!send(Channel.stdin, bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    },
    endInput: () => {
      if (canEndInput) send(Channel.close, Buffer.from([Channel.stdin]));
      return canEndInput;
    },
    resize: ({ columns, rows }) => void send(Channel.resize, Buffer.from(JSON.stringify({ Width: columns, Height: rows }))),
    close: () => void socket.destroy(),
  };
}

async function* readEvents(socket: Duplex, address: string, signal: AbortSignal | undefined): AsyncGenerator<ExecEvent, void, void> {
  const decoder = createFrameDecoder(MESSAGE_BYTES_MAX);
  const pulse = keepAlive(socket, address);
  let status: Status | undefined;
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      pulse.heard();
      for (const { opcode, payload } of decoder.push(chunk)) {
        if (opcode === Opcode.ping) socket.write(encodeFrame(Opcode.pong, payload));
        else if (opcode === Opcode.close) socket.end(encodeFrame(Opcode.close, payload.subarray(0, 2)));
        else if (opcode === Opcode.binary || opcode === Opcode.text) {
          const [channel] = payload;
          const bytes = payload.subarray(1);
          if (channel === Channel.status) status = parseStatus(bytes) ?? status;
          else if (bytes.length > 0 && channel === Channel.stdout) yield { type: 'stdout', bytes };
          else if (bytes.length > 0 && channel === Channel.stderr) yield { type: 'stderr', bytes };
        }
      }
      pulse.heard();
    }
  } catch (error) {
    signal?.throwIfAborted();
    // What the program did is known already; how the connection ended does not matter then.
    if (status === undefined) throw error instanceof ApiError ? error : brokenOff(address, error);
  } finally {
    pulse.stop();
    socket.destroy();
  }
  signal?.throwIfAborted();
  if (status === undefined) throw brokenOff(address);
  yield { type: 'exit', code: exitCodeOf(status) };
}

/** Pings, and ends a connection that has gone silent while somebody waits for it. */
function keepAlive(socket: Duplex, address: string): { heard(): void; stop(): void } {
  let heardAtMs = performance.now();
  const timer = setInterval(() => {
    socket.write(encodeFrame(Opcode.ping, Buffer.alloc(0)));
    const isRead = socket.readableLength === 0;
    if (isRead && performance.now() - heardAtMs > SILENCE_MAX_MS) socket.destroy(brokenOff(address));
  }, PING_EVERY_MS);
  timer.unref();
  return {
    heard: () => {
      heardAtMs = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}

function parseStatus(bytes: Buffer): Status | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isJsonObject(value) && typeof value['status'] === 'string' ? (value as unknown as Status) : undefined;
  } catch {
    // The stream is opened with an empty message; only a Status says something.
    return undefined;
  }
}

function exitCodeOf(status: Status): number {
  if (status.status === 'Success') return 0;
  const cause = status.details?.causes?.find(({ reason }) => reason === 'ExitCode');
  const code = Number(cause?.message);
  if (cause === undefined || !Number.isInteger(code)) throw new StatusError(status);
  return code;
}
