import type { Limits } from '../limits.ts';
import type { Carrier } from '../transports/core/exchange.ts';
import type { Connection, Connections } from './connections.ts';

export interface CarrierOptions {
  readonly limits: Limits;
  readonly connections: Connections;
  readonly connection: Connection;
  readonly onReset?: () => void;
}

/** A connection as its exchanges see it. */
export function createCarrier({ limits, connections, connection, onReset }: CarrierOptions): Carrier {
  return {
    lingerMs: limits.lingerMs,
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
