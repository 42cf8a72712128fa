/** What every room may lean on and nothing of the domain: errors, log, clock, limits, files that are never half written. */
export { abortable } from './abortable.ts';
export { backOffMs } from './back-off.ts';
export { systemClock } from './clock.ts';
export { ApiError, Code } from './errors.ts';
export { createLogger, logLevels } from './logger.ts';
export { LruMap } from './lru-map.ts';
export { mapBounded } from './map-bounded.ts';
export { ownText } from './own-text.ts';
export { createSemaphore } from './semaphore.ts';
export { pause, systemTimers } from './timers.ts';
export { trimEndOf } from './trim-end-of.ts';
export { writeFileAtomically } from './write-file-atomically.ts';
export type { BackOffOptions } from './back-off.ts';
export type { Clock } from './clock.ts';
export type { LogFields, Logger, LogLevel } from './logger.ts';
export type { Semaphore } from './semaphore.ts';
export type { Timers } from './timers.ts';
