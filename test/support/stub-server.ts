import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StubServer {
  readonly url: string;
  /** What was asked, in order. */
  readonly requests: readonly IncomingMessage[];
  readonly server: Server;
  close(): Promise<void>;
}

/** An HTTP server that answers as the test says, for what a real one does only on a bad day. */
export async function startStubServer(answer: RequestListener): Promise<StubServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    server,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
