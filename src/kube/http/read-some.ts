import type { Socket } from 'node:net';

/**
 * Reads until `complete` says how many of the bytes belong to the reply; what came after them goes back into the socket, for
 * whoever reads next.
 */
export function readSome(socket: Socket, complete: (bytes: Buffer) => number | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const done = (): void => {
      socket.off('readable', read).off('error', fail).off('end', end).off('close', end);
    };
    const fail = (error: unknown): void => {
      done();
      reject(error as Error);
    };
    const end = (): void => fail(new Error('the connection was closed'));
    const read = (): void => {
      try {
        for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) {
          bytes = Buffer.concat([bytes, chunk]);
          const length = complete(bytes);
          if (length === undefined) continue;
          done();
          if (bytes.length > length) socket.unshift(bytes.subarray(length));
          resolve(bytes.subarray(0, length));
          return;
        }
      } catch (error) {
        fail(error);
      }
    };
    socket.on('readable', read).on('error', fail).on('end', end).on('close', end);
    read();
  });
}
