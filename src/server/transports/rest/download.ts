import type { ApiError } from '../../../base/index.ts';
import type { LogEntry } from '../../../contract/index.ts';
import type { Core } from '../core/core.ts';
import type { Exchange, ReplyHeaders } from '../core/exchange.ts';
import type { Method } from '../core/method-table.ts';
import { pump } from '../core/pump.ts';
import type { ServerCall } from '../core/server-call.ts';
import { replyHeaders } from './reply-headers.ts';

/** What browsers can keep as a file. */
const LOGS = '/application.ApplicationService/PodLogs';
const RESOURCE_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** The name of the file that the client wants a log in; undefined where it wants a stream of messages. */
export function fileNameOf({ schema }: Method, parameters: readonly (readonly [name: string, value: string])[]): string | undefined {
  const valueOf = (wanted: string): string => parameters.find(([name]) => name === wanted)?.[1] ?? '';
  if (schema.path !== LOGS || valueOf('download') !== 'true') return undefined;
  const names = ['namespace', 'podName', 'container'].map(valueOf);
  return names.every((name) => RESOURCE_NAME.test(name)) ? `${names.join('-')}.log` : 'log.log';
}

export function downloadHeaders(call: ServerCall, fileName: string): ReplyHeaders {
  return {
    ...replyHeaders(call),
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment;filename="${fileName}"`,
  };
}

export interface DownloadOptions {
  readonly call: ServerCall;
  readonly fileName: string;
  readonly messages: AsyncIterable<object>;
}

/** Sends the lines of a log as they are. The entry that says that it was the last has none. */
export async function sendDownload(core: Core, exchange: Exchange, { call, fileName, messages }: DownloadOptions): Promise<void> {
  const begin = (): void => {
    if (!exchange.started && !exchange.over) exchange.start(200, downloadHeaders(call, fileName));
  };
  await pump(core, exchange, call, messages, (message) => {
    const { content, last } = message as Partial<LogEntry>;
    begin();
    return last === true || exchange.write(`${content ?? ''}\n`);
  });
  begin();
  exchange.end();
}

/** A failure of a log that has begun: its last line. */
export function endDownloadWithError(exchange: Exchange, failure: ApiError): void {
  exchange.write(`${failure.message}\n`);
  exchange.end();
}
