import type { Exchange, ReplyHeaders } from './exchange.ts';
import { compress } from './inflate.ts';

/** Answers below this size are not worth compressing. */
const COMPRESS_BYTES_MIN = 1_024;

/** Sends a whole answer, compressed where the client takes gzip and it is worth it. */
export function sendReply(exchange: Exchange, status: number, headers: ReplyHeaders, body: string | Uint8Array): void | Promise<void> {
  if (body.length < COMPRESS_BYTES_MIN || !acceptsGzip(exchange) || headers['content-encoding'] !== undefined) {
    exchange.reply(status, headers, body);
    return;
  }
  return sendCompressed(exchange, status, headers, body);
}

async function sendCompressed(exchange: Exchange, status: number, headers: ReplyHeaders, body: string | Uint8Array): Promise<void> {
  const compressed = await compress(body, { level: 4 });
  exchange.reply(status, { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' }, compressed);
}

function acceptsGzip(exchange: Exchange): boolean {
  const accepted = exchange.header('accept-encoding');
  return accepted !== undefined && /(?:^|[\s,])gzip\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/i.test(accepted);
}
