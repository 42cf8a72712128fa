import type { Readable } from 'node:stream';
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

/** Where a body keeps who reads it. Its listeners know nothing themselves, because Node may hold on to them for long. */
const READING = Symbol('reading');

interface CarriedBody extends Readable {
  [READING]?: Reading | undefined;
}

function listenToBody(core: Core, exchange: Exchange, timeoutMs: number, listener: BodyListener): void {
  const body: CarriedBody = exchange.body;
  exchange.invite();
  body[READING] = new Reading(core, body, timeoutMs, listener);
  body.on('data', onBodyData);
  body.on('end', onBodyEnd);
  if (body.destroyed) abandonBody(body);
}

function onBodyData(this: CarriedBody, chunk: Buffer): void {
  this[READING]?.take(chunk);
}

function onBodyEnd(this: CarriedBody): void {
  this[READING]?.end();
}

/** To be called when nothing more will come: whoever reads the body hears of it. */
export function abandonBody(body: CarriedBody): void {
  body[READING]?.fail(new ApiError(Code.Canceled, 'the client went away'));
}

/** A body that is being read; over when it has ended or failed. */
class Reading implements Timed {
  readonly #core: Core;
  readonly #body: CarriedBody;
  readonly #listener: BodyListener;
  readonly #endMs: number;
  deadlineMs: number;
  previousInList: Timed | undefined;
  nextInList: Timed | undefined;

  constructor(core: Core, body: CarriedBody, timeoutMs: number, listener: BodyListener) {
    this.#core = core;
    this.#body = body;
    this.#listener = listener;
    this.#endMs = core.sweeper.nowMs + timeoutMs;
    this.deadlineMs = this.#nextDeadlineMs();
    core.sweeper.add(this);
  }

  take(chunk: Buffer): void {
    this.deadlineMs = this.#nextDeadlineMs();
    try {
      this.#listener.onChunk(chunk);
    } catch (error) {
      this.fail(error);
    }
  }

  end(): void {
    this.#finish();
    this.#listener.onEnd();
  }

  fail(error: unknown): void {
    this.#finish();
    this.#body.off('data', onBodyData);
    this.#body.pause();
    this.#listener.onFailure(error);
  }

  expire(): void {
    this.fail(new ApiError(Code.Canceled, 'the request body did not arrive in time'));
  }

  #nextDeadlineMs(): number {
    return Math.min(this.#endMs, this.#core.sweeper.nowMs + this.#core.limits.bodyPauseMs);
  }

  #finish(): void {
    this.#body[READING] = undefined;
    this.#core.sweeper.delete(this);
  }
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
