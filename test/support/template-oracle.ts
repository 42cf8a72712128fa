import type { JsonValue } from '../../src/objects/index.ts';
import { askOracle } from './ask-oracle.ts';

/** A question to the packages that templates and queries are known from; see tools/template-oracle/main.go. */
export interface TemplateQuestion {
  readonly operation: 'template' | 'jq';
  readonly text: string;
  readonly options?: readonly string[];
  readonly data?: JsonValue;
}

export interface TemplateAnswer {
  readonly result?: JsonValue;
  readonly error?: string;
}

/** Asks all questions in one run of the oracle, which has UTC for its own zone, as containers do. */
export function askTemplateOracle(program: string, questions: readonly TemplateQuestion[]): Promise<readonly TemplateAnswer[]> {
  return askOracle<TemplateAnswer>(program, questions);
}
