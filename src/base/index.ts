/** What every room may lean on and nothing of the domain: errors, log, clock, limits. */
export { ApiError, Code } from './errors.ts';
