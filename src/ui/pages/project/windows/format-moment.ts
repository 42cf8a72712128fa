import { formatAge } from '../../../design/index.ts';

const MOMENT = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** A moment in the time of whoever looks, as `Fri, 6 Mar, 22:00`. */
export function formatMoment(ms: number): string {
  return MOMENT.format(ms);
}

/** How long it takes until a moment, as `in 3h`. */
export function formatUntil(ms: number, nowMs: number): string {
  return `in ${formatAge(Math.max(0, ms - nowMs))}`;
}

const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** From one moment to another, as `Fri, 6 Mar, 09:00 to 17:00`; with the day of the end where that is another one. */
export function formatSpan(startMs: number, endMs: number): string {
  const isSameDay = new Date(startMs).toDateString() === new Date(endMs).toDateString();
  return `${formatMoment(startMs)} to ${isSameDay ? TIME.format(endMs) : formatMoment(endMs)}`;
}
