import { formatAge } from '../../../design/index.ts';

const MOMENT = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** A moment in the time of whoever looks, as `Fri, 6 Mar, 22:00`. */
export function formatMoment(ms: number): string {
  return MOMENT.format(ms);
}

/** How long it takes until a moment, as `in 3h`. */
export function formatUntil(ms: number, nowMs: number): string {
  return `in ${formatAge(Math.max(0, ms - nowMs))}`;
}
