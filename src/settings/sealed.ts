import { inspect } from 'node:util';

const redacted = '[redacted]';

/** A value that no log, JSON text or inspection shows: whoever needs it asks for it by name. */
export class Sealed<Value> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
    Object.freeze(this);
  }

  reveal(): Value {
    return this.#value;
  }

  toString(): string {
    return redacted;
  }

  toJSON(): string {
    return redacted;
  }

  [Symbol.toPrimitive](): string {
    return redacted;
  }

  [inspect.custom](): string {
    return redacted;
  }
}
