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

/** What a promise is made of. A call makes one that also ends when the call does, without a second one around it. */
export type Executor<Value> = (resolve: (value: Value | Promise<Value>) => void, reject: (error: unknown) => void) => void;

/** Where the pieces of a body go. */
export interface BodySink<Result> {
  push(chunk: Buffer): void;
  /** What has become of them, when the body is complete. */
  end(): Result | Promise<Result>;
}

/**
 * Reads a body into a sink. Fails when the client goes away, takes too long, there is no memory left for the body, or the sink
 * throws, and then reads no further. The memory is accounted for until the sink has its result.
 */
export function readBody<Result>(core: Core, exchange: Exchange, rules: BodyRules, sink: BodySink<Result>): Executor<Result> {
  return (resolve, reject) => {
    const { share } = rules;
    let taken = 0;
    const onChunk = (chunk: Buffer): void => {
      share.take(chunk.length);
      taken += chunk.length;
      sink.push(chunk);
    };
    const onEnd = (): void => {
      try {
        const result = sink.end();
        if (result instanceof Promise) return resolve(result.finally(() => share.giveBack(taken)));
        share.giveBack(taken);
        resolve(result);
      } catch (error) {
        onFailure(error);
      }
    };
    const onFailure = (error: unknown): void => {
      share.giveBack(taken);
      reject(error);
    };
    if (exchange.bodyless || exchange.body.readableEnded) onEnd();
    else listenToBody(core, exchange, rules.timeoutMs, { onChunk, onEnd, onFailure });
  };
}

interface BodyListener {
  readonly onChunk: (chunk: Buffer) => void;
  readonly onEnd: () => void;
  readonly onFailure: (error: unknown) => void;
}

function listenToBody(core: Core, exchange: Exchange, timeoutMs: number, { onChunk, onEnd, onFailure }: BodyListener): void {
  const { body } = exchange;
  const { sweeper, limits } = core;
  const startMs = sweeper.nowMs;
  let isOver = false;
  const fail = (error: unknown): void => {
    if (isOver) return;
    isOver = true;
    sweeper.delete(timed);
    body.off('data', onData);
    body.pause();
    onFailure(error);
  };
  const timed = {
    deadlineMs: startMs + Math.min(timeoutMs, limits.bodyPauseMs),
    expire: () => fail(new ApiError(Code.Canceled, 'the request body did not arrive in time')),
  } satisfies Timed;
  const onData = (chunk: Buffer): void => {
    timed.deadlineMs = Math.min(startMs + timeoutMs, sweeper.nowMs + limits.bodyPauseMs);
    try {
      onChunk(chunk);
    } catch (error) {
      fail(error);
    }
  };
  const onClose = (): void => {
    if (!isOver) fail(new ApiError(Code.Canceled, 'the client went away'));
  };
  exchange.invite();
  sweeper.add(timed);
  body.on('data', onData);
  body.on('end', () => {
    if (isOver) return;
    isOver = true;
    sweeper.delete(timed);
    onEnd();
  });
  body.on('close', onClose);
  if (body.destroyed) onClose();
}

/** Reads the whole body and hands it to `use`; refuses at once what is declared larger than the limit, and what turns out to be. */
export function readWholeBody<Result>(
  core: Core,
  exchange: Exchange,
  rules: BodyRules,
  use: (bytes: Buffer) => Result | Promise<Result>,
): Executor<Result> {
  const { sizeBytesMax } = rules;
  const pieces = new PieceList();
  const read = readBody(core, exchange, rules, {
    push(chunk) {
      if (pieces.length + chunk.length > sizeBytesMax) throw new BodyTooLargeError(sizeBytesMax);
      pieces.push(chunk);
    },
    end: () => use(pieces.join()),
  });
  return (resolve, reject) => {
    if (!exchange.bodyless && (exchange.declaredBytes ?? 0) > sizeBytesMax) reject(new BodyTooLargeError(sizeBytesMax));
    else read(resolve, reject);
  };
}
