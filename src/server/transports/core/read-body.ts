import type { Readable } from 'node:stream';
import { ApiError, Code } from '../../../base/index.ts';
import type { Limits } from '../../limits.ts';
import type { BodyBudget, BodyShare } from './body-budget.ts';
import type { Core } from './core.ts';
import { SHORT_BYTES_MAX, type Exchange } from './exchange.ts';
import { PieceList } from './piece-list.ts';
import type { Timed } from './sweeper.ts';

export interface BodyRules {
  readonly sizeBytesMax: number;
  readonly timeoutMs: number;
  readonly share: BodyShare;
}

/** What applies to a body depends on whether its sender is signed in. */
export interface BodyRulesByCaller {
  readonly signedIn: BodyRules;
  readonly anonymous: BodyRules;
}

export function createBodyRules(limits: Limits, budget: BodyBudget, sizeBytesMax: number): BodyRulesByCaller {
  return {
    signedIn: { sizeBytesMax, timeoutMs: limits.bodyTimeoutMs, share: budget.signedIn },
    anonymous: {
      sizeBytesMax: Math.min(sizeBytesMax, limits.anonymousBodyBytesMax),
      timeoutMs: limits.anonymousBodyTimeoutMs,
      share: budget.anonymous,
    },
  };
}

/** A type of its own because REST has a status of its own for it. */
export class BodyTooLargeError extends ApiError {
  constructor(sizeBytesMax: number) {
    super(Code.ResourceExhausted, `the request is larger than the limit of ${sizeBytesMax} bytes`);
  }
}

/** Takes a body as it arrives. */
export interface BodySink {
  push(chunk: Buffer): void;
  /** The body is complete. What it takes of the memory for bodies is accounted for until a promise that comes back is settled. */
  end(): Promise<unknown> | void;
  /** The body is not going to be complete, or `push` or `end` has thrown this. Nothing more is read. */
  fail(error: unknown): void;
}

/** Reads a body into a sink. Fails when the client goes away, takes too long, or there is no memory left for the body. */
export function readBody(core: Core, exchange: Exchange, rules: BodyRules, sink: BodySink): void {
  if (exchange.bodyless || exchange.body.readableEnded) return endBody(rules.share, 0, sink);
  // A short body mostly comes in one packet with its head, and is complete when node has been through that packet.
  const isShort = exchange.httpVersion === 1 && exchange.declaredBytes !== undefined && exchange.declaredBytes < SHORT_BYTES_MAX;
  if (isShort) setImmediate(readShortBody, core, exchange, rules, sink);
  else listenToBody(core, exchange, rules, sink);
}

/** Takes a body that is there already as a whole; otherwise waits for it like for any other. */
function readShortBody(core: Core, exchange: Exchange, rules: BodyRules, sink: BodySink): void {
  const { body, declaredBytes } = exchange;
  const chunk = body.readableLength === declaredBytes ? (body.read() as Buffer | null) : null;
  if (chunk === null) return listenToBody(core, exchange, rules, sink);
  try {
    rules.share.take(chunk.length);
  } catch (error) {
    return sink.fail(error);
  }
  try {
    sink.push(chunk);
  } catch (error) {
    rules.share.giveBack(chunk.length);
    return sink.fail(error);
  }
  endBody(rules.share, chunk.length, sink);
}

/** The body is complete; `taken` bytes of it are accounted for until the sink is done with them. */
function endBody(share: BodyShare, taken: number, sink: BodySink): void {
  let result: Promise<unknown> | void;
  try {
    result = sink.end();
  } catch (error) {
    share.giveBack(taken);
    sink.fail(error);
    return;
  }
  if (result === undefined) return share.giveBack(taken);
  const giveBack = (): void => share.giveBack(taken);
  result.then(giveBack, giveBack);
}

/** Where a body keeps who reads it. Its listeners know nothing themselves, because Node may hold on to them for long. */
const READING = Symbol('reading');

interface CarriedBody extends Readable {
  [READING]?: Reading | undefined;
}

function listenToBody(core: Core, exchange: Exchange, rules: BodyRules, sink: BodySink): void {
  const body: CarriedBody = exchange.body;
  exchange.invite();
  body[READING] = new Reading(core, body, rules, sink);
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
  readonly #share: BodyShare;
  readonly #sink: BodySink;
  readonly #endMs: number;
  #taken = 0;
  deadlineMs: number;
  previousInList: Timed | undefined;
  nextInList: Timed | undefined;

  constructor(core: Core, body: CarriedBody, rules: BodyRules, sink: BodySink) {
    this.#core = core;
    this.#body = body;
    this.#share = rules.share;
    this.#sink = sink;
    this.#endMs = core.sweeper.nowMs + rules.timeoutMs;
    this.deadlineMs = this.#nextDeadlineMs();
    core.sweeper.add(this);
  }

  take(chunk: Buffer): void {
    this.deadlineMs = this.#nextDeadlineMs();
    try {
      this.#share.take(chunk.length);
      this.#taken += chunk.length;
      this.#sink.push(chunk);
    } catch (error) {
      this.fail(error);
    }
  }

  end(): void {
    this.#finish();
    endBody(this.#share, this.#taken, this.#sink);
  }

  fail(error: unknown): void {
    this.#finish();
    this.#body.off('data', onBodyData);
    this.#body.pause();
    this.#share.giveBack(this.#taken);
    this.#sink.fail(error);
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

/** Collects a body. Throws at once when it is declared larger than its limit, and as soon as it turns out to be. */
export class BodyBytes {
  readonly #sizeBytesMax: number;
  readonly #pieces = new PieceList();

  constructor(exchange: Exchange, sizeBytesMax: number) {
    if (!exchange.bodyless && (exchange.declaredBytes ?? 0) > sizeBytesMax) throw new BodyTooLargeError(sizeBytesMax);
    this.#sizeBytesMax = sizeBytesMax;
  }

  push(chunk: Buffer): void {
    if (this.#pieces.length + chunk.length > this.#sizeBytesMax) throw new BodyTooLargeError(this.#sizeBytesMax);
    this.#pieces.push(chunk);
  }

  join(): Buffer {
    return this.#pieces.join();
  }
}

/** The whole body as a promise. */
export function readWholeBody(core: Core, exchange: Exchange, rules: BodyRules): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const bytes = new BodyBytes(exchange, rules.sizeBytesMax);
    readBody(core, exchange, rules, { push: (chunk) => bytes.push(chunk), end: () => resolve(bytes.join()), fail: reject });
  });
}
