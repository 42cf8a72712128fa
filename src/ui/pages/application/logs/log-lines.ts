import type { LogEntry } from '../../../../contract/gen/types.ts';

/** One line of a log. */
export interface LogLine {
  /** Counts up from the first line that came; never used twice. */
  readonly number: number;
  readonly time: string;
  readonly pod: string;
  readonly text: string;
}

const LINES_MAX = 100_000;
/** So many are let go at once: one by one would move the whole list for each line. */
const DROP = 10_000;

/** The newest lines of a log, in bounded memory. Each change makes a new value, which shares the lines. */
export interface LogLines {
  readonly lines: readonly LogLine[];
  readonly next: number;
  /** How many had to go to keep within bounds. */
  readonly dropped: number;
}

export const NO_LINES: LogLines = { lines: [], next: 0, dropped: 0 };

export function addEntries({ lines, next, dropped }: LogLines, entries: readonly LogEntry[]): LogLines {
  const added = entries
    .filter(({ last }) => !last)
    .map(({ content, timeStampStr, podName }, index) => ({ number: next + index, time: timeStampStr, pod: podName, text: content }));
  if (added.length === 0) return { lines, next, dropped };
  const all = [...lines, ...added];
  const excess = all.length > LINES_MAX ? all.length - LINES_MAX + DROP : 0;
  return { lines: excess > 0 ? all.slice(excess) : all, next: next + added.length, dropped: dropped + excess };
}

/** The parts of a text: every second one is what was searched for. */
export function splitMatches(text: string, wanted: string): readonly string[] {
  if (wanted === '') return [text];
  const parts: string[] = [];
  const [lower, low] = [text.toLowerCase(), wanted.toLowerCase()];
  // Lower case may be longer or shorter than what it is made of; such texts are searched as they are.
  const [haystack, needle] = lower.length === text.length ? [lower, low] : [text, wanted];
  let start = 0;
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, start)) {
    parts.push(text.slice(start, at), text.slice(at, at + needle.length));
    start = at + needle.length;
  }
  parts.push(text.slice(start));
  return parts;
}

/** Plain text to keep: time, pod and line. */
export function formatLines(lines: readonly LogLine[], withPods: boolean): string {
  return lines.map(({ time, pod, text }) => `${time} ${withPods ? `${pod} ` : ''}${text}\n`).join('');
}
