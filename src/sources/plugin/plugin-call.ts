import { Code } from '../../base/index.ts';

const CODE_NAMES = new Map<number, string>(Object.entries(Code).map(([name, code]) => [code, name]));
const MESSAGE_SHOWN_MAX = 8_000;

/** A plugin answered with a failure, or not at all. The message is in the words that users of the protocol know. */
export class PluginCallError extends Error {
  constructor(code: number, message: string) {
    super(`rpc error: code = ${CODE_NAMES.get(code) ?? `Code(${code})`} desc = ${message.slice(0, MESSAGE_SHOWN_MAX)}`);
    this.name = 'PluginCallError';
  }
}

/** One message with its length in front, as it is sent. */
export function frameMessage(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** The one message of an answer. */
export function readOnlyMessage(body: Buffer): Buffer {
  if (body.length < 5) throw new PluginCallError(Code.Internal, 'the plugin ended its answer without a message');
  if (body[0] !== 0) throw new PluginCallError(Code.Internal, 'the plugin answered with a compressed message, which was not asked for');
  if (body.readUInt32BE(1) !== body.length - 5)
    throw new PluginCallError(Code.Internal, 'the plugin did not answer with exactly one message');
  return body.subarray(5);
}

/** The status in headers or trailers: undefined where there is none, and an error where it is not good. */
export function readStatus(headers: Readonly<Record<string, unknown>>): PluginCallError | 'ok' | undefined {
  const status = headers['grpc-status'];
  if (typeof status !== 'string') return undefined;
  if (status === '0') return 'ok';
  const message = headers['grpc-message'];
  return new PluginCallError(Number(status), typeof message === 'string' ? decodeLeniently(message) : '');
}

/** Percent-encoded UTF-8; what is not valid stays as it is. */
function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
