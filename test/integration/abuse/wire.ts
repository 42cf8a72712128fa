import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Heard {
  /** What came back until the end, as latin1. */
  readonly text: string;
  /** True when the other side ended the connection; false when we gave up waiting. */
  readonly closed: boolean;
  readonly durationMs: number;
}

/** A connection whose errors are no surprise: the other side is expected to cut it. */
export async function open({ host, port }: Address): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true });
  await once(socket, 'connect');
  socket.on('error', () => {});
  return socket;
}

/** Listens until the other side closes, `until` is heard, or the time is over; then lets go. */
export async function hear(socket: Socket, { until, timeoutMs = 5_000 }: { until?: string; timeoutMs?: number } = {}): Promise<Heard> {
  const startMs = performance.now();
  let text = '';
  let closed = socket.closed;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    const finish = (): void => {
      clearTimeout(timer);
      resolve();
    };
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (until !== undefined && text.includes(until)) finish();
    });
    socket.once('close', () => {
      closed = true;
      finish();
    });
    if (closed) finish();
  });
  socket.destroy();
  return { text, closed, durationMs: performance.now() - startMs };
}

/** Says something on a connection of its own and listens to the end. Text is sent as latin1. */
export async function say(address: Address, bytes: string | Buffer, options: { until?: string; timeoutMs?: number } = {}): Promise<Heard> {
  const socket = await open(address);
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return hear(socket, options);
}

/** Writes again and again, no faster than it is read, until the other side closes or `bytesMax` were sent. Returns how many were. */
export async function pour(socket: Socket, chunk: Buffer, bytesMax: number): Promise<number> {
  let sent = 0;
  while (sent < bytesMax && !socket.destroyed) {
    sent += chunk.length;
    if (socket.write(chunk)) {
      // One turn, so that the end of the connection is seen.
      await new Promise((resolve) => setImmediate(resolve));
      continue;
    }
    await new Promise<void>((resolve) => {
      const go = (): void => {
        socket.off('drain', go).off('close', go);
        resolve();
      };
      socket.once('drain', go).once('close', go);
      if (socket.destroyed) go();
    });
  }
  return sent;
}
