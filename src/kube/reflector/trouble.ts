import { ApiError } from '../../base/index.ts';
import { isStatusError, type StatusError } from '../../objects/index.ts';

/**
 * Why a reflector is not up to date.
 *
 * - `forbidden`, `unauthorized`: the API knows the caller and says no, or does not know it.
 * - `gone`: the kind is no longer served, which discovery confirms.
 * - `unsupported`: the kind cannot be listed.
 * - `expired`: the version to go on from is too old, or one that the API does not have any more; a new list follows.
 * - `throttled`: the API asks for patience (429, 503).
 * - `refused`: any other refusal, such as a conversion webhook that fails.
 * - `unreachable`: no answer, or one that broke off.
 * - `stalled`: the watch was silent for too long.
 * - `ended`: the API ends each watch as soon as it has begun.
 * - `unexpected`: a fault of this program; its cause is in the log.
 */
export type TroubleReason =
  | 'forbidden'
  | 'unauthorized'
  | 'gone'
  | 'unsupported'
  | 'expired'
  | 'throttled'
  | 'refused'
  | 'unreachable'
  | 'stalled'
  | 'ended'
  | 'unexpected';

export interface Trouble {
  readonly reason: TroubleReason;
  /** For people: the API's own words where it gave any. */
  readonly message: string;
  /** The HTTP status of a refusal. */
  readonly code?: number;
  /** How long the API asks to be left alone. */
  readonly retryAfterMs?: number;
}

/** A failure that the reflector itself notices. */
export class ReflectorFailure extends Error {
  readonly reason: TroubleReason;

  constructor(reason: TroubleReason, message: string) {
    super(message);
    this.name = 'ReflectorFailure';
    this.reason = reason;
  }
}

export function describeTrouble(error: unknown): Trouble {
  if (error instanceof ReflectorFailure) return { reason: error.reason, message: error.message };
  if (isStatusError(error)) return describeStatus(error);
  if (error instanceof ApiError) return { reason: 'unreachable', message: error.message };
  return { reason: 'unexpected', message: 'an unexpected failure' };
}

/** A version or a page token that the API no longer keeps. */
export function isExpired(error: unknown): boolean {
  return isStatusError(error) && (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone');
}

function describeStatus(error: StatusError): Trouble {
  const seconds = error.status.details?.retryAfterSeconds;
  return {
    reason: reasonOf(error),
    message: error.message,
    code: error.code,
    ...(seconds !== undefined && seconds > 0 && { retryAfterMs: seconds * 1000 }),
  };
}

function reasonOf(error: StatusError): TroubleReason {
  if (isExpired(error)) return 'expired';
  switch (error.code) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 405:
      return 'unsupported';
    case 429:
    case 503:
      return 'throttled';
    default:
      return 'refused';
  }
}
