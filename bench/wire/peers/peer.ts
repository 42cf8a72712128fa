import type { AddressInfo, Server } from 'node:net';

/** An answer as it was taken from our own server. */
export interface CapturedReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly trailers: Readonly<Record<string, string>>;
}

/** What the bare servers answer, by path. */
export type CapturedReplies = Readonly<Record<string, CapturedReply>>;

export interface PeerAddress {
  readonly port: number;
}

export function listenLocally(server: Server): Promise<PeerAddress> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ port: (server.address() as AddressInfo).port }));
  });
}
