import { define } from './go-function.ts';
import { GoInt } from './value.ts';

const SECOND = 1_000_000_000n;
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};
const LIMIT = 2n ** 63n;

/** A `time.Duration`, in nanoseconds. */
export function goDuration(nanoseconds: bigint): GoInt {
  return new GoInt(nanoseconds, 'time.Duration', formatDuration, durationMethods(nanoseconds));
}

function durationMethods(value: bigint): ReadonlyMap<string, ReturnType<typeof define>> {
  return new Map([
    ['Hours', define('', () => Number(value) / 3.6e12)],
    ['Minutes', define('', () => Number(value) / 6e10)],
    ['Seconds', define('', () => Number(value) / 1e9)],
    ['Milliseconds', define('', () => new GoInt(value / 1_000_000n, 'int64'))],
    ['Nanoseconds', define('', () => new GoInt(value, 'int64'))],
    ['String', define('', () => formatDuration(value))],
  ]);
}

/** As `time.Duration.String`: `1h2m3.5s`. */
export function formatDuration(value: bigint): string {
  if (value === 0n) return '0s';
  const sign = value < 0n ? '-' : '';
  const size = value < 0n ? -value : value;
  if (size < SECOND) {
    const [unit, scale] =
      size < 1000n ? (['ns', 1n] as const) : size < 1_000_000n ? (['µs', 1000n] as const) : (['ms', 1_000_000n] as const);
    return `${sign}${withFraction(size, scale)}${unit}`;
  }
  const seconds = withFraction(size % (60n * SECOND), SECOND);
  const minutes = size / (60n * SECOND);
  if (minutes === 0n) return `${sign}${seconds}s`;
  return minutes < 60n ? `${sign}${minutes}m${seconds}s` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}s`;
}

function withFraction(value: bigint, scale: bigint): string {
  const digits = scale.toString().length - 1;
  const fraction = digits === 0 ? '' : (value % scale).toString().padStart(digits, '0').replace(/0+$/, '');
  return `${value / scale}${fraction === '' ? '' : `.${fraction}`}`;
}

/** As `time.ParseDuration`; undefined where the text is none. */
export function parseDuration(text: string): bigint | undefined {
  const found = /^([-+]?)(.*)$/s.exec(text);
  const body = found?.[2] ?? '';
  if (body === '0') return 0n;
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of body.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const scale = UNITS[unit] ?? 1n;
    total += BigInt(whole || '0') * scale + (fraction === '' ? 0n : (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length));
  }
  if (total >= LIMIT) return undefined;
  return found?.[1] === '-' ? -total : total;
}
