import type { Caller } from '../../../access/index.ts';
import { ApiError, Code } from '../../../base/index.ts';
import type { Authenticate } from './core.ts';
import { LinkedList } from './linked-list.ts';
import type { ServerCall } from './server-call.ts';

/** The calls in progress: shutdown ends them, and no caller may hold too many streams. */
export class LiveCalls {
  readonly #calls = new LinkedList<ServerCall>();
  readonly #streamsByCaller = new Map<string, number>();
  readonly #streamsPerCallerMax: number;
  readonly #drainListeners = new Set<() => void>();
  #draining = false;

  constructor(streamsPerCallerMax: number) {
    this.#streamsPerCallerMax = streamsPerCallerMax;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Throws ResourceExhausted when the caller has too many streams open already. */
  add(call: ServerCall): void {
    if (call.method.serverStreaming) {
      const key = callerKey(call.caller);
      const open = this.#streamsByCaller.get(key) ?? 0;
      if (open >= this.#streamsPerCallerMax)
        throw new ApiError(Code.ResourceExhausted, `more than ${open} streams are open for this account`);
      this.#streamsByCaller.set(key, open + 1);
    }
    this.#calls.add(call);
    if (this.#draining && call.method.serverStreaming) call.abort(shutdownError());
  }

  delete(call: ServerCall): void {
    if (!this.#calls.delete(call) || !call.method.serverStreaming) return;
    const key = callerKey(call.caller);
    const open = (this.#streamsByCaller.get(key) ?? 1) - 1;
    if (open === 0) this.#streamsByCaller.delete(key);
    else this.#streamsByCaller.set(key, open);
  }

  /** Ends the calls whose time is up. */
  sweep(nowMs: number): void {
    this.#calls.forEach((call) => {
      if (call.deadlineMs <= nowMs) call.expire();
    });
  }

  /**
   * Ends the streams of those who are not signed in any more, or not in the groups that they were in: while a stream lasts, a session may
   * end, or be ended, and so may a membership, or that anybody is let in at all.
   */
  checkCallers(authenticate: Authenticate): void {
    this.#calls.forEach((call) => {
      const { caller } = call;
      if (!call.method.serverStreaming || caller === undefined) return;
      const answer = authenticate(call.token);
      if (answer instanceof Promise) waitAndCheck(call, caller, answer);
      else endUnlessSame(call, caller, answer);
    });
  }

  /** For streams that are no calls: called once when streams have to end, at once if that is now. Returns how to take it back. */
  onDrain(listener: () => void): () => void {
    if (this.#draining) listener();
    else this.#drainListeners.add(listener);
    return () => this.#drainListeners.delete(listener);
  }

  /** Ends the streams; unary calls may finish. */
  drain(): void {
    this.#draining = true;
    for (const listener of this.#drainListeners) listener();
    this.#calls.forEach((call) => {
      if (call.method.serverStreaming) call.abort(shutdownError());
    });
  }

  abortAll(): void {
    this.#calls.forEach((call) => call.abort(shutdownError()));
  }
}

function waitAndCheck(call: ServerCall, caller: Caller, answer: Promise<Caller | undefined>): void {
  answer.then(
    (now) => endUnlessSame(call, caller, now),
    (error: unknown) => {
      // That it could not be found out now is no reason to end anything; it is asked again.
      if (error instanceof ApiError && error.code === Code.Unauthenticated) call.abort(error);
    },
  );
}

function endUnlessSame(call: ServerCall, caller: Caller, now: Caller | undefined): void {
  if (now === caller) return;
  if (now === undefined || callerKey(now) !== callerKey(caller))
    return call.abort(new ApiError(Code.Unauthenticated, 'the session has ended'));
  // The stream asks about its caller with the groups of its beginning. One more allows nothing less, so that it may go on.
  const groups = new Set(now.groups);
  if (!caller.groups.every((group) => groups.has(group)))
    call.abort(new ApiError(Code.Unauthenticated, 'the groups of the session have changed, please ask again'));
}

function shutdownError(): ApiError {
  return new ApiError(Code.Unavailable, 'the server is shutting down');
}

function callerKey(caller: Caller | undefined): string {
  return caller === undefined ? '' : `${caller.issuer}\n${caller.username}`;
}
