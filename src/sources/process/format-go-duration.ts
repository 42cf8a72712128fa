/** A time span as Go writes it: `1m30s`, `15s`, `250ms`. Texts with limits in them are matched by people and scripts. */
export function formatGoDuration(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  if (whole === 0) return '0s';
  if (whole < 1000) return `${whole}ms`;
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor(whole / 60_000) % 60;
  const seconds = (whole % 60_000) / 1000;
  const head = hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : '';
  return `${head}${seconds}s`;
}
