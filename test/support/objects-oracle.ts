import type { JsonValue } from '../../src/objects/index.ts';
import { askOracle } from './ask-oracle.ts';

/** A question to Kubernetes' own packages; which members count depends on the operation (see tools/objects-oracle/main.go). */
export interface Question {
  readonly operation: string;
  readonly kind?: string;
  readonly original?: JsonValue;
  readonly modified?: JsonValue;
  readonly current?: JsonValue;
  readonly patch?: JsonValue;
  readonly text?: string;
  readonly other?: string;
}

export interface Answer {
  readonly result?: JsonValue;
  readonly error?: string;
  /** Kubernetes crashed on the question, so that there is nothing to agree with. */
  readonly panic?: boolean;
}

/** Asks all questions in one run of the oracle. */
export function askObjectsOracle(program: string, questions: readonly Question[]): Promise<readonly Answer[]> {
  return askOracle<Answer>(program, questions);
}
