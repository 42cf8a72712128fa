import type { FieldError } from '../field-error.ts';

/** One failed check: the sentence that tells it from others, and what is reported. */
export interface Failure {
  readonly text: string;
  readonly error: FieldError;
}

/**
 * What checking a value against a schema came to. `matches` counts the checks that were made with success: of several alternatives that
 * all fail, the one with the most is taken to be the one that was meant.
 */
export class ValidationResult {
  // Made when it is needed: nearly every value is right.
  #failures: Map<string, Failure> | undefined;
  matches = 0;

  get failures(): readonly Failure[] {
    return this.#failures === undefined ? [] : [...this.#failures.values()];
  }

  get isValid(): boolean {
    return this.#failures === undefined;
  }

  /** The same sentence counts once. */
  fail(text: string, error: FieldError): void {
    this.#failures ??= new Map();
    if (!this.#failures.has(text)) this.#failures.set(text, { text, error });
  }

  merge(other: ValidationResult): void {
    if (!other.isValid) for (const { text, error } of other.failures) this.fail(text, error);
    this.matches += other.matches;
  }
}
