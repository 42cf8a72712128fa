const UNITS: readonly (readonly [string, number])[] = [
  ['y', 365 * 86_400_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
];

/** A length of time in one unit, as people say it: `3d`, `5m`; below a minute `moments`. */
export function formatAge(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size);
  return unit === undefined ? 'moments' : `${Math.floor(ms / unit[1])}${unit[0]}`;
}
