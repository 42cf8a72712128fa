import type { KubeApi, LogOptions, ObjectRef } from '../../../kube/index.ts';
import { isStatusError, parseTime } from '../../../objects/index.ts';

export interface LogLine {
  readonly content: string;
  /** RFC 3339 with nanoseconds; empty for what no container said. */
  readonly timeStamp: string;
  readonly timeMs: number;
  readonly podName: string;
}

/** What a line may hold before it is cut: a container that writes no line break must not fill our memory. */
const lineCharactersMax = 1 << 20;

/** The lines of a pod's log. A refusal of the cluster is a line too: with several pods, the others still have something to say. */
export async function* readLines(api: KubeApi, ref: ObjectRef, options: LogOptions): AsyncGenerator<LogLine> {
  const splitter = new LineSplitter();
  try {
    for await (const chunk of api.logs(ref, options)) for (const line of splitter.add(chunk)) yield parseLine(line, ref.name);
    const rest = splitter.end();
    if (rest !== '') yield parseLine(rest, ref.name);
  } catch (error) {
    if (!isStatusError(error)) throw error;
    yield { content: error.message, timeStamp: '', timeMs: 0, podName: ref.name };
  }
}

/** Makes lines of chunks. Each byte is looked at once, however long its line is. */
class LineSplitter {
  readonly #decoder = new TextDecoder();
  /** Of the line that has not ended yet. */
  #parts: string[] = [];
  #length = 0;
  /** A return at the end of a chunk: whether it ends a line by itself is known when more comes. */
  #held = '';

  add(chunk: Uint8Array): readonly string[] {
    const text = this.#held + this.#decoder.decode(chunk, { stream: true });
    this.#held = text.endsWith('\r') ? '\r' : '';
    const lines = text.slice(0, text.length - this.#held.length).split(/\r\n|\n|\r/);
    const last = lines.pop() ?? '';
    if (lines[0] !== undefined) lines[0] = this.#take() + lines[0];
    this.#parts.push(last);
    this.#length += last.length;
    if (this.#length > lineCharactersMax) lines.push(this.#take());
    return lines;
  }

  /** What is left when nothing more comes. */
  end(): string {
    return this.#take();
  }

  #take(): string {
    const line = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}

function parseLine(line: string, podName: string): LogLine {
  const at = line.indexOf(' ');
  const timeStamp = at < 0 ? line : line.slice(0, at);
  const timeMs = parseTime(timeStamp);
  if (timeMs === undefined) return { content: line, timeStamp: '', timeMs: 0, podName };
  return { content: at < 0 ? '' : line.slice(at + 1), timeStamp, timeMs, podName };
}

/** Lines with a text in them; with `!` in front, those without it. */
export function createLineFilter(filter: string, matchCase: boolean): (line: string) => boolean {
  if (filter === '') return () => true;
  const isInverted = filter.startsWith('!');
  const fold = (text: string): string => (matchCase ? text : text.toLowerCase());
  const wanted = fold(isInverted ? filter.slice(1) : filter);
  return (line) => fold(line).includes(wanted) !== isInverted;
}
