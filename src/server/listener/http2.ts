import { constants, performServerHandshake, type ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Limits } from '../limits.ts';
import { Http2Exchange } from '../transports/core/http2-exchange.ts';
import type { Sweeper } from '../transports/core/sweeper.ts';
import type { Dispatch } from '../transports/dispatch.ts';
import { createCarrier } from './carrier.ts';
import type { Connection, Connections } from './connections.ts';

const { NGHTTP2_ENHANCE_YOUR_CALM } = constants;
/** Over which resets and control frames are counted. */
const WINDOW_MS = 10_000;

export interface Http2Options {
  readonly limits: Limits;
  readonly sweeper: Sweeper;
  readonly connections: Connections;
  readonly dispatch: Dispatch;
}

/** Takes over a socket, encrypted or not, that speaks HTTP/2. Our SETTINGS leave at once: stock clients wait for them. */
export type AcceptHttp2 = (socket: Duplex, connection: Connection) => void;

export function createHttp2({ limits, sweeper, connections, dispatch }: Http2Options): AcceptHttp2 {
  const sessionOptions = {
    settings: { maxConcurrentStreams: limits.streamsPerConnectionMax, maxHeaderListSize: limits.headBytesMax, enablePush: false },
    maxSessionInvalidFrames: 50,
    maxSessionRejectedStreams: 50,
    maxSettings: 32,
    maxHeaderListPairs: 256,
    maxOutstandingPings: 10,
  };
  return (socket, connection) => {
    const session = performServerHandshake(socket, sessionOptions);
    connection.close = () => {
      if (!session.closed) session.close();
    };
    session.on('error', () => socket.destroy());
    const onReset = guardSession(session, limits, () => connections.refuse(connection, 'flood'));
    const carrier = createCarrier({ limits, sweeper, connections, connection, socket, onReset });
    session.on('stream', (stream, headers, flags) => {
      connections.begin(connection);
      dispatch(new Http2Exchange(stream, headers, flags, carrier));
    });
  };
}

/**
 * Ends a session whose client costs more than it asks for: pings and settings over and over, or streams that are opened
 * and reset. Returns what to call for each stream that was reset.
 */
function guardSession(session: ServerHttp2Session, limits: Limits, onFlood: () => void): () => void {
  const endSession = (): void => {
    if (session.destroyed) return;
    // Without an error, node ignores the code and says that all is well.
    session.destroy(new Error('the client asks for too much'), NGHTTP2_ENHANCE_YOUR_CALM);
    onFlood();
  };

  const countControlFrame = createRateCounter(limits.controlFramesMax, endSession);

  session.on('ping', countControlFrame);
  session.on('remoteSettings', countControlFrame);
  return createRateCounter(limits.streamResetsMax, endSession);
}

/** Calls `onExceeded` when it is called more than `max` times within a window. */
function createRateCounter(max: number, onExceeded: () => void): () => void {
  let windowStartMs = 0;
  let count = 0;
  return () => {
    const nowMs = performance.now();
    if (nowMs - windowStartMs > WINDOW_MS) {
      windowStartMs = nowMs;
      count = 0;
    }
    if (++count > max) onExceeded();
  };
}
