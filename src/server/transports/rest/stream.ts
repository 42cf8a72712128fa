import type { ApiError } from '../../../base/index.ts';
import type { JsonObject } from '../../../contract/index.ts';
import type { Core } from '../core/core.ts';
import { encodeJson } from '../core/encode-reply.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Method } from '../core/method-table.ts';
import { pump } from '../core/pump.ts';
import type { ServerCall } from '../core/server-call.ts';
import { streamErrorBody } from './error-body.ts';
import type { SelectFields } from './fields.ts';
import { replyHeaders } from './reply-headers.ts';

/** A stream that says nothing gets its head after this time, so that the client knows that it is open. */
const HEAD_DELAY_MS = 1_000;

export interface StreamOptions {
  readonly method: Method;
  readonly call: ServerCall;
  readonly select: SelectFields | undefined;
  readonly messages: AsyncIterable<object>;
}

/** Sends a stream as lines of `{"result": …}`, or as server-sent events where the client asks for them. */
export async function sendStream(core: Core, exchange: Exchange, options: StreamOptions): Promise<void> {
  const { method, call, select, messages } = options;
  const isEvents = wantsEvents(exchange);
  const begin = (): void => {
    if (exchange.started || exchange.over) return;
    exchange.start(200, { ...replyHeaders(call), 'content-type': isEvents ? 'text/event-stream' : 'application/json' });
  };
  const head = setTimeout(begin, HEAD_DELAY_MS);
  const keepAlive = isEvents
    ? setInterval(() => exchange.started && !exchange.over && exchange.write(':\n'), core.limits.keepAliveMs)
    : undefined;
  try {
    await pump(core, exchange, call, messages, (message) => {
      begin();
      return exchange.write(
        frameLine(isEvents, select === undefined ? `{"result":${encodeJson(method, message)}}` : selectResult(method, message, select)),
      );
    });
    begin();
    exchange.end();
  } finally {
    clearTimeout(head);
    clearInterval(keepAlive);
  }
}

/** A failure of a stream that has begun: its last message. */
export function endStreamWithError(exchange: Exchange, failure: ApiError): void {
  exchange.write(frameLine(wantsEvents(exchange), streamErrorBody(failure)));
  exchange.end();
}

function wantsEvents(exchange: Exchange): boolean {
  return exchange.header('accept')?.includes('text/event-stream') === true;
}

function frameLine(isEvents: boolean, json: string): string {
  return isEvents ? `data: ${json}\n\n` : `${json}\n`;
}

/** Selections start at `result`. */
function selectResult(method: Method, message: object, select: SelectFields): string {
  return JSON.stringify(select({ result: method.output.toJson(message as JsonObject) }));
}
