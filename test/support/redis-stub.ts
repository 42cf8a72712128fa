import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface RedisStub {
  readonly port: number;
  close(): Promise<void>;
}

/** As much of Redis as the cache of Argo CD's repo server needs: what is stored, and nothing of how long. */
export async function startRedisStub(): Promise<RedisStub> {
  const stored = new Map<string, Buffer>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let pending = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (let read = readCommand(pending); read !== undefined; read = readCommand(pending)) {
        pending = pending.subarray(read.end);
        socket.write(answer(stored, read.words));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A command is a list of words, each with its length in front. */
function readCommand(bytes: Buffer): { readonly words: readonly Buffer[]; readonly end: number } | undefined {
  let at = 0;
  const readNumber = (): number | undefined => {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const number = Number(bytes.toString('latin1', at + 1, end));
    at = end + 2;
    return number;
  };
  const count = readNumber();
  if (count === undefined) return undefined;
  const words: Buffer[] = [];
  for (let index = 0; index < count; index += 1) {
    const size = readNumber();
    if (size === undefined || bytes.length < at + size + 2) return undefined;
    words.push(bytes.subarray(at, at + size));
    at += size + 2;
  }
  return { words, end: at };
}

function answer(stored: Map<string, Buffer>, [name = Buffer.alloc(0), ...words]: readonly Buffer[]): Buffer {
  const [key = '', value = Buffer.alloc(0)] = [words[0]?.toString('latin1'), words[1]];
  switch (name.toString('latin1').toUpperCase()) {
    case 'GET': {
      const found = stored.get(key);
      return found === undefined
        ? Buffer.from('$-1\r\n')
        : Buffer.concat([Buffer.from(`$${found.length}\r\n`), found, Buffer.from('\r\n')]);
    }
    case 'SET': {
      const options = words.slice(2).map((word) => word.toString('latin1').toUpperCase());
      if (options.includes('NX') && stored.has(key)) return Buffer.from('$-1\r\n');
      stored.set(key, Buffer.from(value));
      return Buffer.from('+OK\r\n');
    }
    case 'DEL':
      return Buffer.from(`:${words.filter((word) => stored.delete(word.toString('latin1'))).length}\r\n`);
    case 'EXISTS':
      return Buffer.from(`:${stored.has(key) ? 1 : 0}\r\n`);
    case 'PING':
      return Buffer.from('+PONG\r\n');
    case 'CLIENT':
    case 'EXPIRE':
      return Buffer.from('+OK\r\n');
    default:
      return Buffer.from(`-ERR unknown command '${name.toString('latin1').slice(0, 40)}'\r\n`);
  }
}
