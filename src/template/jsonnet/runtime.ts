import { LimitError } from '../template-error.ts';
import { formatPlace, JsonnetError } from './jsonnet-error.ts';
import type { Place } from './jsonnet-error.ts';

export interface JsonnetLimits {
  /** Values that wait for each other: calls, fields, elements, and levels of what comes out. */
  readonly depthMax: number;
  /** Steps of evaluation, a measure of time that does not depend on the machine. */
  readonly stepsMax: number;
  /** What is made on the way, in all, whether or not it is still needed: about as many as bytes. */
  readonly madeMax: number;
  /** The longest text and the longest list: memory for one is taken in one piece. */
  readonly textCharactersMax: number;
  readonly elementsMax: number;
  readonly outputCharactersMax: number;
}

export const defaultJsonnetLimits: JsonnetLimits = {
  depthMax: 500,
  stepsMax: 100_000_000,
  madeMax: 2 ** 32,
  textCharactersMax: 64 << 20,
  elementsMax: 4_000_000,
  outputCharactersMax: 64 << 20,
};

/** An element is a word of the machine, and often a value that waits. */
const ELEMENT_COST = 32;

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

  /** Refuses to make a text of that many characters, before memory is taken for it. */
  makeText(characters: number): void {
    if (characters > this.limits.textCharactersMax)
      throw new LimitError(`RUNTIME ERROR: a text has more than ${this.limits.textCharactersMax} characters${this.#where()}`);
    this.#make(characters);
  }

  /** The same for lists and objects. `added` says how many elements are new where a list grows. */
  makeList(elements: number, added = elements): void {
    if (elements > this.limits.elementsMax)
      throw new LimitError(`RUNTIME ERROR: a list has more than ${this.limits.elementsMax} elements${this.#where()}`);
    this.#make(added * ELEMENT_COST);
  }

  #make(size: number): void {
    this.#made += size;
    if (this.#made > this.limits.madeMax)
      throw new LimitError(`RUNTIME ERROR: it makes more than ${this.limits.madeMax} bytes of values${this.#where()}`);
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
