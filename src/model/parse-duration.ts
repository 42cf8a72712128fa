const UNITS_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Each digit can be read in one way only: a text that is none is refused in a time that grows with its length alone. */
const DURATION = /^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/;

/** A duration such as `1h30m` in milliseconds; undefined for a text that is none. A number needs its unit, but for zero. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!DURATION.test(text)) return undefined;
  let sum = 0;
  for (const [, number = '', unit = ''] of text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)) sum += Number(number) * (UNITS_MS[unit] ?? 0);
  return sum;
}
