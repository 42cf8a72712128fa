import type { JsonnetObject } from './object.ts';
import type { Runtime } from './runtime.ts';

export type Value = null | boolean | number | string | JsonnetArray | JsonnetObject | JsonnetFunction;

/** A value, or what will give it when it is asked for. */
export type Slot = Value | Thunk;

export type Evaluator = (frame: Frame) => Value;

/** What a call gives: a value, or a call that takes its place. */
export type Outcome = Value | TailCall;

/** The variables that a piece of program sees, with the object that it is part of. */
export class Frame {
  readonly slots: Slot[];
  readonly up: Frame | undefined;
  readonly self: JsonnetObject | undefined;
  /** Which part of `self` the piece belongs to: what is below it is `super`. */
  readonly layer: number;

  constructor(slots: Slot[], up: Frame | undefined, self: JsonnetObject | undefined = up?.self, layer: number = up?.layer ?? 0) {
    this.slots = slots;
    this.up = up;
    this.self = self;
    this.layer = layer;
  }
}

/** Evaluated at most once, when it is first asked for. */
export class Thunk {
  readonly #runtime: Runtime;
  #evaluate: Evaluator | undefined;
  #frame: Frame | undefined;
  #value: Value = null;

  constructor(runtime: Runtime, evaluate: Evaluator, frame: Frame) {
    this.#runtime = runtime;
    this.#evaluate = evaluate;
    this.#frame = frame;
  }

  force(): Value {
    const evaluate = this.#evaluate;
    const frame = this.#frame;
    if (evaluate === undefined) return this.#value;
    // Without a frame it is being evaluated already, and would wait for itself.
    if (frame === undefined) throw this.#runtime.stackExceeded();
    this.#runtime.enter();
    this.#frame = undefined;
    this.#value = evaluate(frame);
    this.#evaluate = undefined;
    this.#runtime.leave();
    return this.#value;
  }
}

const EMPTY = new Frame([], undefined);

/** What native functions put off. */
export function delay(runtime: Runtime, compute: () => Value): Thunk {
  return new Thunk(runtime, compute, EMPTY);
}

export function force(slot: Slot): Value {
  return slot instanceof Thunk ? slot.force() : slot;
}

export class JsonnetArray {
  readonly slots: readonly Slot[];

  constructor(slots: readonly Slot[]) {
    this.slots = slots;
  }
}

export interface FunctionParameter {
  readonly name: string;
  readonly isOptional: boolean;
}

export class JsonnetFunction {
  readonly parameters: readonly FunctionParameter[];
  /** Takes one slot for each parameter; undefined where an optional one was not given. What is strict evaluates all of them first. */
  readonly enter: (slots: (Slot | undefined)[], isStrict: boolean) => Outcome;

  /** What the language brings along does not count as depth; what it calls does. */
  readonly isNative: boolean;

  constructor(
    parameters: readonly FunctionParameter[],
    enter: (slots: (Slot | undefined)[], isStrict: boolean) => Outcome,
    isNative = false,
  ) {
    this.parameters = parameters;
    this.enter = enter;
    this.isNative = isNative;
  }
}

export class TailCall {
  readonly target: JsonnetFunction;
  readonly slots: (Slot | undefined)[];

  constructor(target: JsonnetFunction, slots: (Slot | undefined)[]) {
    this.target = target;
    this.slots = slots;
  }
}

export function typeOf(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof JsonnetArray) return 'array';
  if (value instanceof JsonnetFunction) return 'function';
  return typeof value;
}
