import { ApiError, Code } from '../../../base/index.ts';
import type { BodyShare } from './body-budget.ts';
import type { Core } from './core.ts';
import type { Exchange } from './exchange.ts';
import { PieceList } from './piece-list.ts';
import type { Timed } from './sweeper.ts';

export interface BodyRules {
  readonly sizeBytesMax: number;
  readonly timeoutMs: number;
  readonly share: BodyShare;
}

/** What applies to a body depends on whether its sender is signed in. */
export function bodyRules(core: Core, signedIn: boolean, sizeBytesMax: number): BodyRules {
  const { limits, budget } = core;
  return signedIn
    ? { sizeBytesMax, timeoutMs: limits.bodyTimeoutMs, share: budget.signedIn }
    : {
        sizeBytesMax: Math.min(sizeBytesMax, limits.anonymousBodyBytesMax),
        timeoutMs: limits.anonymousBodyTimeoutMs,
        share: budget.anonymous,
      };
}

/** A type of its own because REST has a status of its own for it. */
export class BodyTooLargeError extends ApiError {
  constructor(sizeBytesMax: number) {
    super(Code.ResourceExhausted, `the request is larger than the limit of ${sizeBytesMax} bytes`);
  }
}

/**
 * Reads a body piece by piece. Resolves at its end; rejects when the client goes away, takes too long, or `onChunk`
 * throws, and then reads no further.
 */
export function readChunks(core: Core, exchange: Exchange, timeoutMs: number, onChunk: (chunk: Buffer) => void): Promise<void> {
  const { body } = exchange;
  if (exchange.bodyless || body.readableEnded) return Promise.resolve();
  exchange.invite();
  return new Promise((resolve, reject) => {
    const startMs = core.sweeper.nowMs;
    const timed = {
      deadlineMs: startMs + Math.min(timeoutMs, core.limits.bodyPauseMs),
      expire: () => fail(new ApiError(Code.Canceled, 'the request body did not arrive in time')),
    } satisfies Timed;
    const fail = (error: unknown): void => {
      core.sweeper.delete(timed);
      body.off('data', onData);
      body.pause();
      reject(error);
    };
    let ended = false;
    const onEnd = (): void => {
      ended = true;
      core.sweeper.delete(timed);
      resolve();
    };
    const onClose = (): void => {
      if (!ended) fail(new ApiError(Code.Canceled, 'the client went away'));
    };
    const onData = (chunk: Buffer): void => {
      timed.deadlineMs = Math.min(startMs + timeoutMs, core.sweeper.nowMs + core.limits.bodyPauseMs);
      try {
        onChunk(chunk);
      } catch (error) {
        fail(error);
      }
    };
    core.sweeper.add(timed);
    body.on('data', onData).on('end', onEnd).on('close', onClose);
    if (body.destroyed) onClose();
  });
}

/** A body in memory. `release` gives its memory back to the budget, when the caller is done with it. */
export interface HeldBody {
  readonly bytes: Buffer;
  release(): void;
}

const nothing: HeldBody = { bytes: Buffer.alloc(0), release() {} };

/** Reads the whole body; refuses at once what is declared larger than the limit, and what turns out to be. */
export async function readWholeBody(core: Core, exchange: Exchange, rules: BodyRules): Promise<HeldBody> {
  const { sizeBytesMax, share } = rules;
  if (exchange.bodyless) return nothing;
  if ((exchange.declaredBytes ?? 0) > sizeBytesMax) throw new BodyTooLargeError(sizeBytesMax);
  const pieces = new PieceList();
  try {
    await readChunks(core, exchange, rules.timeoutMs, (chunk) => {
      if (pieces.length + chunk.length > sizeBytesMax) throw new BodyTooLargeError(sizeBytesMax);
      share.take(chunk.length);
      pieces.push(chunk);
    });
  } catch (error) {
    share.giveBack(pieces.length);
    throw error;
  }
  return { bytes: pieces.join(), release: () => share.giveBack(pieces.length) };
}
