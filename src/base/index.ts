/** What every room may lean on and nothing of the domain: errors, log, clock, limits. */
export { systemClock } from './clock.ts';
export { ApiError, Code } from './errors.ts';
export { createLogger, logLevels } from './logger.ts';
export { LruMap } from './lru-map.ts';
export { createSemaphore } from './semaphore.ts';
export type { Clock } from './clock.ts';
export type { LogFields, Logger, LogLevel } from './logger.ts';
export type { Semaphore } from './semaphore.ts';
