import { parseDuration } from '../../model/index.ts';
import type { RetryStrategy } from '../../model/index.ts';

const STANDARD = { durationMs: 5_000, factor: 2, maxMs: 180_000 };

/** A duration that cannot be read; the message is for the user. */
export class RetryDurationError extends Error {
  constructor(text: string) {
    super(`unable to parse ${text} as a duration`);
    this.name = 'RetryDurationError';
  }
}

/** Whether an operation that failed is tried again. A negative limit is none. */
export function mayRetry(retry: RetryStrategy | undefined, retryCount: number): boolean {
  const limit = retry?.limit ?? 0;
  return limit < 0 || retryCount < limit;
}

/** How long to wait before a retry, in milliseconds; `count` is how many were made. Throws RetryDurationError. */
export function retryDelayMs(retry: RetryStrategy | undefined, count: number): number {
  const { duration = '', maxDuration = '', factor } = retry?.backoff ?? {};
  const first = duration === '' ? STANDARD.durationMs : parseDurationMs(duration);
  const most = maxDuration === '' ? STANDARD.maxMs : parseDurationMs(maxDuration);
  return Math.min(first * (factor ?? STANDARD.factor) ** count, most);
}

/** Seconds as a plain number, or a duration such as `1m30s`. Throws RetryDurationError. */
export function parseDurationMs(text: string): number {
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) throw new RetryDurationError(text);
  return milliseconds;
}

/** The message of an operation that will be tried again; `clock` is the time of the next attempt as the message shows it. */
export function retryMessage(message: string, attempt: number, clock: string): string {
  return `${message}. Retrying attempt #${attempt} at ${clock}.`;
}

/** The message of an operation that is being tried again; fresh where it is tried with the newest revisions. */
export function restartMessage(attempt: number, isFresh: boolean): string {
  return `Retrying operation${isFresh ? ' with latest revisions' : ''}. Attempt #${attempt}`;
}

/** The message of the last failure of an operation that was tried again. */
export function retriedMessage(message: string, retryCount: number): string {
  return retryCount > 0 ? `${message} (retried ${retryCount} times).` : message;
}

/** A time of day in UTC as messages show it: `3:04PM`. */
export function formatKitchenTime(milliseconds: number): string {
  const time = new Date(milliseconds);
  const [hours, minutes] = [time.getUTCHours(), time.getUTCMinutes()];
  return `${hours % 12 === 0 ? 12 : hours % 12}:${String(minutes).padStart(2, '0')}${hours < 12 ? 'AM' : 'PM'}`;
}
