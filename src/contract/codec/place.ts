import { ApiError } from '../../base/index.ts';
import type { Code } from '../../base/index.ts';

/**
 * Where a walk through a value stands. Each level notes its step and nobody takes it back: a level's depth says how many
 * of the noted steps count. So a walk costs one store per field, and the text is only made for a failure.
 */
export class Place {
  readonly #code: Code;
  readonly #steps: (string | number)[] = [];

  constructor(code: Code) {
    this.#code = code;
  }

  /** Notes the key or index that is entered below `depth` steps. */
  enter(depth: number, step: string | number): void {
    this.#steps[depth] = step;
  }

  fail(depth: number, problem: string): never {
    const place = this.#steps.slice(0, depth).map(writeStep).join('').replace(/^\./, '');
    throw new ApiError(this.#code, place === '' ? problem : `${place}: ${problem}`);
  }
}

function writeStep(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  if (/^[\w$-]+$/.test(step)) return `.${step}`;
  return `[${JSON.stringify(step.length > 100 ? `${step.slice(0, 100)}…` : step)}]`;
}
