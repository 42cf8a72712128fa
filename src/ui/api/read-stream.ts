import { callCodes, CallError, isRecord, readFailure } from './call-error.ts';

/** The server says something every few seconds; this long without a word means that the connection is gone. */
const SILENCE_MS_MAX = 45_000;
const LINE_CHARACTERS_MAX = 64 * 1024 * 1024;
/** A server that is faster than the page must not hold it: after so much of its time the page has a turn. */
const BUSY_MS_MAX = 25;

export interface ReadStreamOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onOpen?: () => void;
}

/** The messages of a stream of server-sent events, whose keep-alive lines show that it still lives. */
export async function* readStream(address: string, { signal, onOpen }: ReadStreamOptions): AsyncGenerator<unknown> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS_MAX);
  const answer = await fetch(address, {
    headers: { accept: 'text/event-stream' },
    credentials: 'same-origin',
    signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
  });
  if (!answer.ok || answer.body === null) {
    clearTimeout(timer);
    throw await readFailure(answer);
  }
  onOpen?.();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let busySince = performance.now();
  try {
    for (;;) {
      const askedAt = performance.now();
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return;
      timer = setTimeout(() => silence.abort(), SILENCE_MS_MAX);
      // Who waited has given the page its turn.
      if (performance.now() - askedAt > 1) busySince = performance.now();
      const lines = value.split('\n');
      lines[0] = text + lines[0];
      text = lines.pop() ?? '';
      if (text.length > LINE_CHARACTERS_MAX) throw new CallError(callCodes.unknown, 'a message of the server is too large', 0);
      for (const line of lines) {
        if (!line.startsWith('data:')) continue;
        yield readMessage(line.slice(5));
        if (performance.now() - busySince > BUSY_MS_MAX) {
          await new Promise((resolve) => setTimeout(resolve));
          busySince = performance.now();
        }
      }
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => {
      // It has ended already, which is all that we want.
    });
  }
}

function readMessage(json: string): unknown {
  const message: unknown = JSON.parse(json);
  if (!isRecord(message)) throw new CallError(callCodes.unknown, 'the server sent something that is no message', 0);
  const { error, result } = message;
  if (isRecord(error)) {
    const code = typeof error['grpc_code'] === 'number' ? error['grpc_code'] : error['code'];
    const text = typeof error['message'] === 'string' ? error['message'] : 'the stream failed';
    throw new CallError(typeof code === 'number' ? code : callCodes.unknown, text, 0);
  }
  return result;
}
