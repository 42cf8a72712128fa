/**
 * How many of `total` an int-or-string field means: a number is itself, `25%` a share, rounded as told. Undefined for any other text, and
 * for a number that is no integer.
 */
export function scaleIntOrPercent(value: number | string, total: number, rounding: 'up' | 'down'): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined;
  const percent = /^([+-]?\d+)%$/.exec(value)?.[1];
  if (percent === undefined) return undefined;
  const share = (Number(percent) * total) / 100;
  return rounding === 'up' ? Math.ceil(share) : Math.floor(share);
}
