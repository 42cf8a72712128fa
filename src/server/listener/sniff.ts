import type { Socket } from 'node:net';

/** What a connection speaks, as its first bytes tell. */
export type Protocol = 'tls' | 'http2' | 'http1';

const PREFACE = Buffer.from('PRI * HTTP/2.0', 'latin1');
const TLS_HANDSHAKE = 0x16;

/** Undefined when there are too few bytes to tell. */
export function recogniseProtocol(bytes: Buffer): Protocol | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes[0] === TLS_HANDSHAKE) return 'tls';
  const length = Math.min(bytes.length, PREFACE.length);
  if (bytes.compare(PREFACE, 0, length, 0, length) !== 0) return 'http1';
  return length === PREFACE.length ? 'http2' : undefined;
}

/** Reads just enough of a new connection to know its protocol, and puts what was read back. */
export function sniff(socket: Socket, onProtocol: (protocol: Protocol) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const onReadable = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const protocol = recogniseProtocol(seen);
    if (protocol === undefined) return;
    socket.off('readable', onReadable);
    socket.unshift(seen);
    onProtocol(protocol);
  };
  socket.on('readable', onReadable);
  // A client that says goodbye before it has said anything.
  socket.once('end', () => socket.destroy());
}
