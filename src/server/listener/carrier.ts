import type { Duplex } from 'node:stream';
import type { Limits } from '../limits.ts';
import type { Carrier } from '../transports/core/exchange.ts';
import type { Sweeper } from '../transports/core/sweeper.ts';
import type { Connection, Connections } from './connections.ts';

export interface CarrierOptions {
  readonly limits: Limits;
  readonly sweeper: Sweeper;
  readonly connections: Connections;
  readonly connection: Connection;
  /** The socket that carries the requests: that of the connection, or the TLS socket over it. */
  readonly socket: Duplex;
  readonly onReset?: () => void;
}

/** A connection as its exchanges see it. */
export function createCarrier({ limits, sweeper, connections, connection, socket, onReset }: CarrierOptions): Carrier {
  return {
    lingerMs: limits.lingerMs,
    slowReaderTimeoutMs: limits.slowReaderTimeoutMs,
    sweeper,
    remoteAddress: connection.socket.remoteAddress ?? '',
    secure: socket !== connection.socket,
    get closing() {
      return connections.draining;
    },
    serve: () => connections.serve(connection),
    release(wasReset) {
      connections.release(connection);
      if (wasReset) onReset?.();
    },
  };
}
