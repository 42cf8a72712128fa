import { ApiError, Code } from '../../../base/index.ts';
import type { Limits } from '../../limits.ts';

/** One share of the memory that request bodies may take together. */
export interface BodyShare {
  /** Throws ResourceExhausted when nothing is left. */
  take(bytes: number): void;
  /** Returns what was taken. */
  giveBack(bytes: number): void;
}

/** Two shares, so that those who are not signed in cannot starve those who are. */
export interface BodyBudget {
  readonly signedIn: BodyShare;
  readonly anonymous: BodyShare;
}

export function createBodyBudget(limits: Limits): BodyBudget {
  return { signedIn: createShare(limits.bodiesBytesMax), anonymous: createShare(limits.anonymousBodiesBytesMax) };
}

function createShare(bytesMax: number): BodyShare {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > bytesMax)
        throw new ApiError(Code.ResourceExhausted, 'the server is busy with other large requests, please retry');
      taken += bytes;
    },
    giveBack(bytes) {
      taken -= bytes;
    },
  };
}
