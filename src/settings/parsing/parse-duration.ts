import { BadValue, quote } from './bad-value.ts';

const unitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Go counts nanoseconds in 64 bits, so nothing lasts longer than about 292 years. */
const durationMsMax = 2 ** 63 / 1e6;

/** Milliseconds from a duration as Go writes it, such as `1h30m`, `1.5s` or `0`. */
export function parseGoDuration(text: string): number {
  return parse(text, /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y);
}

/** The same, with days: `7d`. */
export function parseDurationWithDays(text: string): number {
  return parse(text, /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h|d)/y);
}

/** For what cannot last less than nothing. */
export function notNegative(parseDuration: (text: string) => number): (text: string) => number {
  return (text) => {
    const durationMs = parseDuration(text);
    if (durationMs < 0) throw new BadValue(`${quote(text)} is negative`);
    return durationMs;
  };
}

function parse(text: string, part: RegExp): number {
  const sign = text.startsWith('-') ? -1 : 1;
  const start = /^[+-]/.test(text) ? 1 : 0;
  if (text.slice(start) === '0') return 0;
  let totalMs = 0;
  part.lastIndex = start;
  while (part.lastIndex < text.length || text.length === start) {
    const match = part.exec(text);
    if (match === null) throw new BadValue(`${quote(text)} is not a duration such as 90s or 1h30m`);
    totalMs += Number(match[1]) * (unitsMs[match[2] ?? ''] ?? 0);
  }
  if (totalMs > durationMsMax) throw new BadValue(`${quote(text)} is longer than a duration can be`);
  return sign * totalMs || 0;
}
