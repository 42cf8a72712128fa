import { parseTime } from '../../../objects/index.ts';
import type { LogOptions } from '../../../kube/index.ts';
import type { LogLine } from './log-lines.ts';

/** The lines that a request asks for. */
export function selectLines(lines: readonly LogLine[], options: LogOptions, nowMs: number): readonly LogLine[] {
  const { sinceSeconds, sinceTime, tailLines } = options;
  const sinceMs = sinceSeconds !== undefined ? nowMs - sinceSeconds * 1_000 : ((sinceTime && parseTime(sinceTime)) ?? -Infinity);
  const recent = lines.filter(({ timeMs }) => timeMs >= Number(sinceMs || -Infinity));
  return tailLines === undefined ? recent : tailLines === 0 ? [] : recent.slice(-tailLines);
}

export function formatLine({ timeMs, text }: LogLine, hasTimestamps: boolean): string {
  return `${hasTimestamps ? `${new Date(timeMs).toISOString().replace('Z', '000000Z')} ` : ''}${text}\n`;
}

/** Text as bytes, and no more of it in all than a limit. */
export function createByteBudget(limitBytes: number | undefined): { take(text: string): Uint8Array; readonly isSpent: boolean } {
  let left = limitBytes ?? Infinity;
  return {
    take(text) {
      const bytes = new TextEncoder().encode(text);
      const part = bytes.byteLength > left ? bytes.subarray(0, left) : bytes;
      left -= part.byteLength;
      return part;
    },
    get isSpent() {
      return left <= 0;
    },
  };
}
