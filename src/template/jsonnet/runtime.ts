import { LimitError } from '../template-error.ts';
import { formatPlace, JsonnetError } from './jsonnet-error.ts';
import type { Place } from './jsonnet-error.ts';

export interface JsonnetLimits {
  /** Values that wait for each other: calls, fields, elements, and levels of what comes out. */
  readonly depthMax: number;
  /** Steps of evaluation, a measure of time that does not depend on the machine. */
  readonly stepsMax: number;
  /** Characters and elements made on the way, in all; no single text or list may have more than an eighth of them. */
  readonly madeMax: number;
  readonly outputCharactersMax: number;
}

export const defaultJsonnetLimits: JsonnetLimits = {
  depthMax: 500,
  stepsMax: 100_000_000,
  madeMax: 512 << 20,
  outputCharactersMax: 64 << 20,
};

/** What one evaluation has spent, and where it is. */
export class Runtime {
  readonly limits: JsonnetLimits;
  /** The last place that did something: where it fails if it fails now. */
  place: Place | undefined;
  #depth = 0;
  #steps = 0;
  #made = 0;

  constructor(limits: JsonnetLimits) {
    this.limits = limits;
  }

  /** Begins something that others wait for. Nothing is caught while a program runs, so `leave` comes only after a success. */
  enter(): void {
    this.#depth += 1;
    this.step();
    if (this.#depth > this.limits.depthMax) throw this.stackExceeded();
  }

  leave(): void {
    this.#depth -= 1;
  }

  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > this.limits.stepsMax)
      throw new LimitError(`RUNTIME ERROR: more than ${this.limits.stepsMax} steps: it takes too long${this.#where()}`);
  }

  /** Refuses to make a text or list of that size, before memory is taken for it. */
  make(size: number): void {
    this.#made += size;
    if (!(this.#made <= this.limits.madeMax && size <= this.limits.madeMax / 8))
      throw new LimitError(`RUNTIME ERROR: it makes too much: more than ${this.limits.madeMax} characters and elements${this.#where()}`);
  }

  stackExceeded(): LimitError {
    return new LimitError(`RUNTIME ERROR: max stack frames exceeded.${this.#where()}`);
  }

  fail(message: string): JsonnetError {
    return new JsonnetError(`RUNTIME ERROR: ${message}${this.#where()}`);
  }

  #where(): string {
    return this.place === undefined ? '' : `\n\t${formatPlace(this.place)}`;
  }
}
