import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Limits } from '../limits.ts';
import type { Carrier } from '../transports/core/exchange.ts';
import { Http1Exchange } from '../transports/core/http1-exchange.ts';
import { apiHeaders, securityHeaders } from '../transports/core/security-headers.ts';
import type { Sweeper } from '../transports/core/sweeper.ts';
import type { Dispatch } from '../transports/dispatch.ts';
import { createCarrier } from './carrier.ts';
import type { Connection, Connections } from './connections.ts';

export interface Http1Options {
  readonly limits: Limits;
  readonly sweeper: Sweeper;
  readonly connections: Connections;
  readonly dispatch: Dispatch;
}

/** Requests that a client may send ahead of their answers. Node reads on and would start them all at once. */
const PIPELINED_MAX = 100;

interface Http1Connection {
  readonly connection: Connection;
  readonly carrier: Carrier;
  /** The last exchange that began on it. */
  latest: Http1Exchange | undefined;
}

/** Where a socket keeps what we know of it. */
const CONNECTION = Symbol('connection');

interface CarriedSocket extends Duplex {
  [CONNECTION]?: Http1Connection;
}

/** Takes over a socket, encrypted or not, that speaks HTTP/1.1. */
export type AcceptHttp1 = (socket: Duplex, connection: Connection) => void;

export function createHttp1({ limits, sweeper, connections, dispatch }: Http1Options): AcceptHttp1 {
  const serve = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    const found = (request.socket as CarriedSocket)[CONNECTION];
    if (found === undefined || request.socket.destroyed) return void request.socket.destroy();
    if (found.connection.active >= PIPELINED_MAX) return connections.refuse(found.connection, 'flood');
    if (isAmbiguous(request)) {
      connections.note('malformed');
      return refuseMalformed(response);
    }
    connections.begin(found.connection);
    found.latest = new Http1Exchange(request, response, { carrier: found.carrier, expectsContinue });
    dispatch(found.latest);
  };
  const server = createParser(limits);
  server.on('request', (request, response) => serve(request, response, false));
  server.on('checkContinue', (request, response) => serve(request, response, true));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const found = (socket as CarriedSocket)[CONNECTION];
    if (error.code?.startsWith('HPE_')) connections.note('malformed');
    // In the middle of another answer, ours would be taken for a part of it.
    const isAnswering =
      found !== undefined && (found.connection.active > 1 || (found.connection.active === 1 && found.latest?.started === true));
    if (isAnswering) socket.destroy();
    else answerMalformed(error, socket);
  });
  return (socket, connection) => {
    const carrier = createCarrier({ limits, sweeper, connections, connection, socket });
    (socket as CarriedSocket)[CONNECTION] = { connection, carrier, latest: undefined };
    connection.close = () => {
      if (connection.active === 0) socket.destroy();
    };
    server.emit('connection', socket);
  };
}

/** Sends plaintext clients of a TLS port to where they should have gone. */
export function createRedirect(limits: Limits): AcceptHttp1 {
  const server = createParser(limits);
  server.on('clientError', answerMalformed);
  server.on('request', (request, response) => {
    const host = request.headers.host ?? '';
    const target = request.url ?? '';
    response.setHeader('connection', 'close');
    if (/^[\w.:[\]-]+$/.test(host) && target.startsWith('/'))
      response.writeHead(307, { ...securityHeaders, location: `https://${host}${target}`, 'content-length': 0 }).end();
    else response.writeHead(400, { ...securityHeaders, 'content-length': 0 }).end();
  });
  return (socket) => {
    server.emit('connection', socket);
  };
}

/** Node's parser at its strictest. Our own sweep keeps the times, so its timers are off. */
function createParser(limits: Limits): Server {
  return createServer({
    maxHeaderSize: limits.headBytesMax,
    insecureHTTPParser: false,
    requireHostHeader: true,
    keepAliveTimeout: 0,
    headersTimeout: 0,
    requestTimeout: 0,
    noDelay: true,
  });
}

/** What node lets pass although another server may read it differently: two hosts, and versions before or after ours. */
function isAmbiguous({ httpVersionMajor, rawHeaders }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1) return true;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

const MALFORMED = JSON.stringify({ error: 'malformed request', code: 3, message: 'malformed request' });
const malformedHeaders = { ...apiHeaders, 'content-type': 'application/json', 'content-length': MALFORMED.length, connection: 'close' };

function refuseMalformed(response: ServerResponse): void {
  response.writeHead(400, malformedHeaders).end(MALFORMED);
}

/** What is not HTTP gets a short answer and the connection closed. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const lines = Object.entries(malformedHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${MALFORMED}`, () => socket.destroy());
}
