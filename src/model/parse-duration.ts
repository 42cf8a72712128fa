const UNITS_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration such as `1h30m` in milliseconds; undefined for a text that is none. A number needs its unit, but for zero. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const parts = text.match(/(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h)/g) ?? [];
  if (parts.length === 0 || parts.join('') !== text) return undefined;
  return parts.reduce((sum, part) => {
    const [, number = '', unit = ''] = /^([\d.]+)(\D+)$/.exec(part) ?? [];
    return sum + Number(number) * (UNITS_MS[unit] ?? 0);
  }, 0);
}
