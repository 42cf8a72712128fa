import { pause, type Timers } from '../../../base/index.ts';
import type { LogLine } from './log-lines.ts';

/** How long a log that has nothing to say holds up the others. */
const waitMs = 100;

interface Source {
  readonly stream: AsyncGenerator<LogLine>;
  askedMs: number;
  /** Undefined until it has come. */
  result: IteratorResult<LogLine> | undefined;
  next: Promise<void>;
}

/**
 * Several logs as one, in the order of time. While they go on, a log that says nothing is waited for only a moment. A line is read only when
 * there is room for it: whoever does not read holds up the cluster, and not our memory.
 */
export async function* mergeLines(
  streams: readonly AsyncGenerator<LogLine>[],
  { follow, timers }: { readonly follow: boolean; readonly timers: Timers },
): AsyncGenerator<LogLine> {
  const ask = (stream: AsyncGenerator<LogLine>): Source => {
    const source: Source = { stream, askedMs: timers.nowMs(), result: undefined, next: Promise.resolve() };
    source.next = stream.next().then((result) => void (source.result = result));
    // It may fail while nobody waits; whoever waits is told.
    source.next.catch(() => undefined);
    return source;
  };
  let sources = streams.map(ask);
  try {
    while (sources.length > 0) {
      await waitForLines(sources, follow, timers);
      sources = sources.filter(({ result }) => result?.done !== true);
      const first = findEarliest(sources);
      if (first === undefined) continue;
      sources = sources.map((source) => (source === first.source ? ask(source.stream) : source));
      yield first.line;
    }
  } finally {
    for (const { stream } of sources) void stream.return(undefined).catch(() => undefined);
  }
}

/** Until every log has a line, or has had its moment and another has one. */
async function waitForLines(sources: readonly Source[], follow: boolean, timers: Timers): Promise<void> {
  for (;;) {
    const silent = sources.filter(({ result }) => result === undefined);
    if (silent.length === 0) return;
    if (!follow) {
      await Promise.all(silent.map(({ next }) => next));
      continue;
    }
    const hasLine = silent.length < sources.length;
    const leftMs = Math.max(...silent.map(({ askedMs }) => askedMs + waitMs - timers.nowMs()));
    if (hasLine && leftMs <= 0) return;
    const enough = new AbortController();
    const come = silent.map(({ next }) => next);
    await Promise.race(hasLine ? [...come, pause(timers, leftMs, enough.signal)] : come);
    enough.abort();
  }
}

/** Timestamps of one form compare as texts, down to the nanosecond. */
function findEarliest(sources: readonly Source[]): { readonly source: Source; readonly line: LogLine } | undefined {
  let first: { readonly source: Source; readonly line: LogLine } | undefined;
  for (const source of sources) {
    const { result } = source;
    if (result === undefined || result.done === true) continue;
    if (first === undefined || result.value.timeStamp < first.line.timeStamp) first = { source, line: result.value };
  }
  return first;
}
